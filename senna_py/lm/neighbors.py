"""Word vectors for people: the nearest words (Tables 6 and 7 of the paper)."""

import numpy as np


def nearest(candidates, wanted, count, metric, itself=None):
    """Rows of `candidates` nearest to the vector `wanted`, the nearest first:
    int64[count].

    candidates: float32[n, dim]; wanted: float32[dim]; metric: euclidean or cosine;
    itself: a row to leave out, or None. Returns fewer if there are fewer.
    """
    with np.errstate(
        over="ignore", invalid="ignore"
    ):  # of vectors beyond 1e19, which come last
        if metric == "cosine":
            lengths = np.linalg.norm(candidates, axis=1) * np.linalg.norm(wanted)
            distance = -(candidates @ wanted) / np.maximum(
                lengths, np.finfo(np.float32).tiny
            )
        else:
            distance = np.square(candidates - wanted).sum(axis=1)
    if itself is not None:
        distance[itself] = np.inf
    count = min(count, len(distance) - (itself is not None))
    found = (
        np.argpartition(distance, np.arange(count))[:count]
        if count
        else np.array([], int)
    )
    return found[np.argsort(distance[found], kind="stable")]


def table(embeddings, rows, count, metric, among=None):
    """Lines of a table with a column for each word: its number in the dictionary, its
    neighbors.

    rows: indices of the words in Embeddings; among: number of words to search, the most
    frequent ones, None for all; other parameters as of `nearest`.
    """
    words, vectors, columns = embeddings.words, embeddings.vectors, []
    candidates = vectors[:among].astype(np.float32)
    for row in rows:
        itself = row if row < len(candidates) else None
        near = nearest(
            candidates, vectors[row].astype(np.float32), count, metric, itself
        )
        columns.append((words[row], str(row), [words[i] for i in near]))
    return layout(columns)


def layout(columns):
    """Lines of a table; columns: triples of a word, its number as str, and its
    neighbors.
    """
    columns = [[word, number, "-" * len(word), *near] for word, number, near in columns]
    depth = max(map(len, columns))
    columns = [column + [""] * (depth - len(column)) for column in columns]
    widths = [max(map(len, column)) for column in columns]
    return [
        "  ".join(
            text.ljust(width) for text, width in zip(line, widths, strict=True)
        ).rstrip()
        for line in zip(*columns, strict=True)
    ]
