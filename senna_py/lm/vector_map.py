"""Word vectors as a map. Needs matplotlib, the extra `plot`."""

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.pictures import new_figure, save_figure

__all__ = ["draw_map", "principal_components"]


def principal_components(vectors):
    """Projection of vectors, float[n, dim], on their two axes of most variance: float64[n, 2]."""
    centred = vectors.astype(np.float64)
    centred -= centred.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T @ centred)  # the least variance first
    return centred @ axes[:, ::-1][:, :2]


def draw_map(embeddings, rows, path):
    """Draw the words at `rows` of Embeddings, on the two axes on which they vary most, to `path`.

    Raises SennaError if there are fewer than two words or dimensions, or if it cannot be written.
    """
    vectors = embeddings.vectors[rows]
    if min(vectors.shape) < 2:
        words, dim = vectors.shape
        raise SennaError(f"{path}: expected 2 words and dimensions or more, found {words} of {dim}")
    points = principal_components(vectors)
    figure = new_figure()
    figure.set_size_inches(10, 8)
    axes = figure.add_subplot(xticks=[], yticks=[])
    axes.scatter(*points.T, s=4, linewidths=0)
    size = 9 if len(rows) <= 100 else 6
    for row, (x, y) in zip(rows, points, strict=True):
        word = embeddings.words[row].encode("utf-8", "replace").decode()
        axes.annotate(word, (x, y), (2, 2), textcoords="offset points", fontsize=size,
                      parse_math=False)  # fmt: skip
    save_figure(figure, path)
