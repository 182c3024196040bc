from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.kernels.decoding.chart import best_spans, most_of_weights, spans_above

pytestmark = pytest.mark.usefixtures("each_way")


def spans_of_sentences(starts):
    """All spans in order: (first word, end)."""
    return [
        (i, j)
        for a, b in pairwise(starts)
        for i in range(a, b)
        for j in range(i + 1, b + 1)
    ]


def test_sizes_that_do_not_fit_are_refused():
    rows, weight = np.zeros((9, 4), np.float32), np.ones(2, np.int16)
    places, score = np.empty((2, 45), np.int32), np.empty(45, np.float32)
    numbers, starts = np.zeros(3, np.float32), np.array([0, 9], np.int32)
    for firsts, room in ((rows, 44), (rows[:, :3].copy(), 45), (rows[:8], 45)):
        with pytest.raises(ValueError, match="do not fit"):
            spans_above(
                firsts,
                rows,
                rows[:2, :2].copy(),
                weight,
                *numbers,
                starts,
                *places[:, :room].copy(),
                score,
            )


@pytest.mark.parametrize(("least", "n_lengths"), [(-100, 7), (0.5, 7), (100, 3)])
def test_spans_whose_score_is_large(least, n_lengths):
    rng = np.random.default_rng(1)
    starts = np.array([0, 7, 7, 8, 12, 17], np.int32)
    firsts, lasts = (rng.standard_normal((17, 10)).astype(np.float32) for _ in range(2))
    lengths = rng.standard_normal((n_lengths, 5)).astype(np.float32)
    most, bias = most_of_weights(5), np.float32(0.3)
    weight = rng.integers(-most, most, 5, np.int16)
    arrays = [np.empty(60, t) for t in (np.int32, np.int32, np.float32)]
    n = spans_above(
        firsts,
        lasts,
        lengths,
        weight,
        np.float32(1 / most),
        bias,
        np.float32(least),
        starts,
        *arrays,
    )
    found = [*zip(*(array[:n].tolist() for array in arrays), strict=True)]
    expected = []
    for i, end in spans_of_sentences(starts):
        a, p = np.split(firsts[i].astype(float), 2)
        b, q = np.split(lasts[end - 1].astype(float), 2)
        unit = a + b + lengths[min(end - i, n_lengths) - 1] + p * q
        score = np.maximum(unit, 0) @ weight / most + bias
        whole = {i, end} <= set(starts.tolist()) and not {*range(i + 1, end)} & {
            *starts.tolist()
        }
        if score >= least or whole:
            expected.append((i, end, score))
    assert [span[:2] for span in found] == [span[:2] for span in expected]
    np.testing.assert_allclose(
        *([s[2] for s in spans] for spans in (found, expected)), atol=0.01
    )


@pytest.mark.parametrize("large", [1e20, np.inf, np.nan])
def test_scores_of_numbers_that_overflow_are_not_numbers(large):
    starts, rows = np.array([0, 2, 4], np.int32), np.ones((4, 2), np.float32)
    wrong = rows.copy()
    wrong[3] = large
    arrays = [np.empty(6, t) for t in (np.int32, np.int32, np.float32)]
    one, weight = np.ones(3, np.float32), np.ones(1, np.int16)
    n = spans_above(wrong, wrong, rows[:1, :1].copy(), weight, *one, starts, *arrays)
    assert [*arrays[0][:n]] == [0, 0, 1, 2]
    assert np.isnan(arrays[2][:n]).tolist() == [False] * 3 + [True]


def compatible(spans):
    """Whether no span crosses another."""
    return not any(i < k < j < m for (i, j), (k, m) in combinations(sorted(spans), 2))


def best_sum(spans, gains):
    """Largest sum of gains of spans that do not cross, by trying all sets."""
    best = 0
    for size in range(len(spans) + 1):
        for chosen in combinations(range(len(spans)), size):
            if compatible([spans[k] for k in chosen]):
                best = max(best, sum(gains[k] for k in chosen))
    return best


def choose(spans, gains, starts):
    begin, end = np.array(spans, np.int32).reshape(-1, 2).T.copy()
    first, chosen = (
        np.searchsorted(begin, starts).astype(np.int64),
        np.empty(len(spans), bool),
    )
    best_spans(begin, end, np.array(gains, np.float32), starts, first, chosen)
    return [span for span, kept in zip(spans, chosen, strict=True) if kept]


@given(st.integers(1, 5), st.integers(0, 10**6))
def test_the_best_set_of_spans_that_do_not_cross(n, seed):
    rng = np.random.default_rng(seed)
    spans = [s for s in spans_of_sentences([0, n]) if rng.random() < 0.6 or s == (0, n)]
    gains = np.round(rng.normal(0.3, 1, len(spans)), 3).tolist()
    found = choose(spans, gains, np.array([0, n], np.int32))
    assert (0, n) in found and compatible(found)
    total = sum(max(gains[spans.index(span)], 0) for span in found)
    assert total == pytest.approx(best_sum(spans, gains), abs=1e-5)


def test_sentences_are_chosen_from_one_by_one():
    spans = [(0, 1), (0, 2), (0, 3), (1, 3), (3, 4), (5, 6), (5, 7), (6, 7)]
    gains = [0.5, 0.4, -1, 0.6, -0.1, 0, 0.2, 0.3]
    starts = np.array([0, 3, 4, 5, 5, 7], np.int32)
    assert choose(spans, gains, starts) == [
        (0, 1),
        (0, 3),
        (1, 3),
        (3, 4),
        (5, 7),
        (6, 7),
    ]
