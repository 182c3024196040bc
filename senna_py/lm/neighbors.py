"""Nearest neighbors of words by their vectors (Collobert et al. 2011, Tables 6, 7)."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from senna_py.models.embeddings import Embeddings


class Neighbors(NamedTuple):
    """A word of a table of neighbors.

    Attributes:
        word: The word.
        number: Its index in the dictionary in digits, or `-` if it is not there.
        near: Its nearest neighbors, the nearest first.
    """

    word: str
    number: str
    near: list[str]


def nearest(
    candidates: NDArray[np.float32],
    wanted: NDArray[np.float32],
    count: int,
    metric: str,
    itself: int | None = None,
) -> NDArray[np.int64]:
    """Return the indices of the candidates nearest to a vector, the nearest first.

    Args:
        candidates: float32[n, dim], the vectors to choose from.
        wanted: float32[dim], the vector.
        count: The maximum number of neighbors.
        metric: `euclidean` or `cosine`.
        itself: The index of a candidate to leave out, or None.

    Returns:
        The row indices, int64[count], or fewer if there are fewer candidates.
    """
    # The distances of vectors with values beyond 1e19 overflow, so they come last.
    with np.errstate(over="ignore", invalid="ignore"):
        if metric == "cosine":
            lengths = np.linalg.norm(candidates, axis=1) * np.linalg.norm(wanted)
            distance = -(candidates @ wanted) / np.maximum(
                lengths, np.finfo(np.float32).tiny
            )
        else:
            distance = np.square(candidates - wanted).sum(axis=1)
    if itself is not None:
        distance[itself] = np.inf
    n_others = len(distance) if itself is None else len(distance) - 1
    count = min(count, n_others)
    if not count:
        return np.array([], int)
    rows = np.argpartition(distance, np.arange(count))[:count]
    return rows[np.argsort(distance[rows], kind="stable")]


def table(
    embeddings: Embeddings,
    rows: Iterable[int],
    count: int,
    metric: str,
    among: int | None = None,
) -> list[str]:
    """Return the lines of a table of nearest neighbors, with a column for each word.

    Args:
        embeddings: The word vectors.
        rows: The indices of the words whose neighbors are searched.
        count: The maximum number of neighbors of each word.
        metric: `euclidean` or `cosine`.
        among: The number of words from the beginning of the dictionary that may be
            neighbors, or None for all words.
    """
    words, vectors = embeddings.words, embeddings.vectors
    columns = []
    candidates = vectors[:among].astype(np.float32)
    for row in rows:
        itself = row if row < len(candidates) else None
        near = nearest(
            candidates, vectors[row].astype(np.float32), count, metric, itself
        )
        columns.append(Neighbors(words[row], str(row), [words[i] for i in near]))
    return layout(columns)


def layout(columns: Sequence[Neighbors]) -> list[str]:
    """Return the lines of a table with a column for each word and its neighbors."""
    cells = [[word, number, "-" * len(word), *near] for word, number, near in columns]
    widths = [max(map(len, column)) for column in cells]
    lines = []
    for row in zip_longest(*cells, fillvalue=""):
        texts = (text.ljust(width) for text, width in zip(row, widths, strict=True))
        lines.append("  ".join(texts).rstrip())
    return lines
