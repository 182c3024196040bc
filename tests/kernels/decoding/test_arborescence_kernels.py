"""The best dependency trees, against all trees of short sentences."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.kernels.decoding.arborescence import best_trees
from senna_py.kernels.runtime.switch import fixed_kernels


def is_tree(head):
    """Whether heads, -1 for the root, are a tree with one root."""
    if [*head].count(-1) != 1:
        return False
    below = {-1}
    for _ in head:
        below |= {i for i, h in enumerate(head) if h in below}
    return len(below) == len(head) + 1


def total(score, head):
    return sum(float(score[i, h + 1]) for i, h in enumerate(head))


def best_of_all(score):
    """Sum of scores of the best of all trees."""
    n = len(score)
    return max(
        total(score, head) for head in product(range(-1, n), repeat=n) if is_tree(head)
    )


def trees_of(scores):
    """Heads of sentences of their scores: float32[n, n + 1]."""
    lengths = [len(score) for score in scores]
    starts = np.cumsum([0, *lengths]).astype(np.int32)
    begin = np.cumsum([0, *(n * (n + 1) for n in lengths)]).astype(np.int64)[:-1]
    flat = np.concatenate([np.empty(0, np.float32), *map(np.ravel, scores)])
    head = np.empty(starts[-1], np.int32)
    best_trees(flat, begin, starts, head)
    return np.split(head, starts[1:-1])


@st.composite
def sentences(draw, longest=6):
    """Scores of a few sentences; few values have ties."""
    rng = np.random.default_rng(draw(st.integers(0, 1 << 30)))
    few, bias = draw(st.booleans()), draw(st.sampled_from([0, 3, -3]))
    found = []
    for n in draw(st.lists(st.integers(0, longest), min_size=1, max_size=4)):
        score = rng.integers(-2, 3, (n, n + 1)) if few else rng.normal(0, 3, (n, n + 1))
        score[:, 0] += bias
        found.append(score.astype(np.float32))
    return found


@pytest.mark.parametrize("plain", [False, True])
@given(scores=sentences(longest=5))
def test_the_best_of_all_trees(plain, scores):
    with fixed_kernels(plain):
        heads = trees_of(scores)
    for score, head in zip(scores, heads, strict=True):
        if len(score):
            assert is_tree(head)
            assert total(score, head) == pytest.approx(best_of_all(score), abs=1e-4)


@given(sentences(longest=40))
def test_both_ways_find_the_same_trees(scores):
    found = []
    for plain in (False, True):
        with fixed_kernels(plain):
            found.append(trees_of(scores))
    for compiled, plain in zip(*found, strict=True):
        assert is_tree(compiled) or not len(compiled)
        assert (compiled == plain).all()


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 3e38])
def test_any_scores_make_trees(value):
    rng = np.random.default_rng(2)
    for share in (0.3, 1):
        score = rng.normal(0, 1, (7, 8)).astype(np.float32)
        score[rng.random(score.shape) < share] = value
        (head,) = trees_of([score])
        assert is_tree(head)
