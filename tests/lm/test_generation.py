"""Probabilities of next words, text that is made up by them, and words that are near
others.
"""

import numpy as np
import pytest

from senna_py.errors import SennaError
from senna_py.lm.generation import generate
from senna_py.lm.neighbors import nearest, table
from senna_py.lm.word_list import WordList
from senna_py.models.embeddings import Embeddings
from tests.helpers.table_model import TableModel


@pytest.fixture
def chain():
    # <unk>, <s>, </s>, a, b: a follows <s>, then b three times of four, and b ends all.
    p = np.full((5, 5), 1e-9)
    p[1, 3] = p[4, 2] = p[2, 0] = 1
    p[3, 4], p[3, 3], p[3, 0] = 0.6, 0.2, 0.2
    return TableModel(p, WordList.of_words(["a", "b"], True))


def test_a_model_of_one_stream_begins_after_unknown_words():
    p = np.random.default_rng(0).uniform(0.1, 1, (3, 3))
    model = TableModel(p, WordList.of_words(["a", "b"], False))
    np.testing.assert_allclose(model.probabilities([]), p[0])
    assert len(generate(model, length=7)) == 7  # there is no end


def test_words_are_drawn_by_their_probabilities(chain):
    for least in (0, 1e-310):
        assert generate(chain, temperature=least) == ["a", "b"]
    assert generate(chain, ["a", "a"], temperature=0) == ["b"]
    assert generate(chain, length=1) == ["a"]
    drawn = [len(generate(chain, seed=seed)) for seed in range(200)]
    longer = np.mean([n > 2 for n in drawn])
    assert 0.15 < longer < 0.35  # a again, one time of four
    cold = [len(generate(chain, seed=seed, temperature=0.3)) for seed in range(200)]
    assert np.mean([n > 2 for n in cold]) < 0.1
    assert generate(chain, seed=5) == generate(chain, seed=5)


def test_words_are_str_or_bytes(chain):
    word_list = chain.word_list
    assert word_list.indices(["a", b"b", "é"]).tolist() == [3, 4, 0]
    for words in ("a b", b"a"):
        with pytest.raises(TypeError, match="a sequence of words is needed, not one"):
            word_list.indices(words)
    with pytest.raises(TypeError, match="a word is str or bytes, not int"):
        word_list.indices([1])


def test_a_model_without_probabilities_is_named(chain):
    chain.table[3] = np.nan
    with pytest.raises(
        SennaError, match="the model: damaged: it gives a word no probability"
    ):
        generate(chain)


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
