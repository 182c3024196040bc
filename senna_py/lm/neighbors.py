"""Tables of the nearest words by word vectors (Tables 6 and 7 of the paper)."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from senna_py.models.embeddings import Embeddings


class Neighbors(NamedTuple):
    """A word, its number in the dictionary as text, and its nearest words."""

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
    """Return the rows of the candidates nearest to a vector, the nearest first.

    Args:
        candidates: float32[n, dim], the vectors to choose from.
        wanted: float32[dim], the vector.
        count: The number of rows; fewer are returned if there are fewer.
        metric: `euclidean` or `cosine`.
        itself: A row to leave out, or None.

    Returns:
        int64[count].
    """
    # Vectors beyond 1e19 overflow, and come last.
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
    """Return the lines of a table of neighbors, with a column for each word.

    Args:
        embeddings: The word vectors.
        rows: The indices of the words.
        count: The number of neighbors.
        metric: `euclidean` or `cosine`.
        among: How many of the most frequent words to search, or None for all.
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
    """Return the lines of a table with a column for each word."""
    cells = [[word, number, "-" * len(word), *near] for word, number, near in columns]
    widths = [max(map(len, column)) for column in cells]
    lines = []
    for row in zip_longest(*cells, fillvalue=""):
        texts = (text.ljust(width) for text, width in zip(row, widths, strict=True))
        lines.append("  ".join(texts).rstrip())
    return lines
