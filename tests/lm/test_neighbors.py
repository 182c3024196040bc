"""Nearest words against a sort of all distances, and the table."""

import numpy as np
import pytest

from senna_py.lm.neighbors import nearest, table
from senna_py.models.embeddings import Embeddings

VECTORS = np.random.default_rng(0).normal(size=(40, 6)).astype(np.float32)


def sorted_rows(query, metric):
    if metric == "euclidean":
        distance = np.linalg.norm(VECTORS - VECTORS[query], axis=1)
    else:
        lengths = np.linalg.norm(VECTORS, axis=1)
        distance = 1 - VECTORS @ VECTORS[query] / lengths / lengths[query]
    return [row for row in np.argsort(distance) if row != query]


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
@pytest.mark.parametrize("count", [1, 5, 39, 100])
def test_nearest(metric, count):
    for query in (0, 17, 39):
        expected = sorted_rows(query, metric)
        found = nearest(VECTORS, VECTORS[query], count, metric, query)
        assert found.tolist() == expected[:count]


def test_half_precision_and_zero_vectors():
    vectors = np.zeros((3, 2), np.float16)
    vectors[2] = 300.0  # its square is beyond float16
    embeddings = Embeddings(["a", "b", "c"], vectors)
    assert table(embeddings, [0], 2, "euclidean")[3:] == ["b", "c"]
    assert sorted(table(embeddings, [0], 2, "cosine")[3:]) == ["b", "c"]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_vectors_beyond_measure(metric):
    vectors = np.array([[1, 0], [1, 1], [3e38, -3e38]], np.float32)
    assert nearest(vectors, vectors[0], 1, metric, 0).tolist() == [1]


def test_table():
    vectors = np.array([[0.0], [1.0], [2.5], [9.0]], np.float32)
    embeddings = Embeddings(["a", "bb", "ccc", "d"], vectors)
    assert table(embeddings, [0, 2], 2, "euclidean") == [
        "a    ccc",
        "0    2",
        "-    ---",
        "bb   bb",
        "ccc  a",
    ]
    assert table(embeddings, [1], 9, "euclidean", among=2)[3:] == ["a"]
    assert table(embeddings, [3], 1, "euclidean", among=2) == ["d", "3", "-", "bb"]
