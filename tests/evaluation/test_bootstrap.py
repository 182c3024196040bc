"""Samples of sentences."""

import numpy as np
import pytest

from senna_py.evaluation import bootstrap
from senna_py.evaluation.bootstrap import Estimate, estimate, resampled, resamples


def test_samples_are_of_as_many_sentences_whatever_is_drawn_at_once(monkeypatch):
    whole = np.concatenate([*resamples(7, 500, 3)])
    assert whole.shape == (500, 7)
    assert (whole.sum(1) == 7).all()
    np.testing.assert_allclose(whole.mean(0), 1, atol=0.2)
    np.testing.assert_allclose(whole.var(0), 6 / 7, atol=0.2)  # of a binomial
    monkeypatch.setattr(bootstrap, "_CELLS", 70)
    pieces = [*resamples(7, 500, 3)]
    assert max(map(len, pieces)) == 10
    np.testing.assert_array_equal(np.concatenate(pieces), whole)
    assert not np.array_equal(np.concatenate([*resamples(7, 500, 4)]), whole)


def test_values_of_a_ratio_of_sums_in_samples():
    rng = np.random.default_rng(0)
    words = rng.integers(5, 20, 400)
    sums = rng.normal(0.02, 0.3, 400) * words
    table = np.stack([sums, words], axis=1)
    drawn = resampled(lambda found: found[..., 0] / found[..., 1], table, 2000, 1)
    assert drawn.shape == (2000,)
    mean = sums.sum() / words.sum()
    spread = np.sqrt(((sums - mean * words) ** 2).sum()) / words.sum()  # by the delta method
    assert drawn.mean() == pytest.approx(mean, abs=spread / 10)
    assert drawn.std() == pytest.approx(spread, rel=0.1)
    found = estimate(mean, np.append(drawn, np.nan), 90)
    assert (found.low, found.high) == tuple(np.percentile(drawn, [5, 95]))


def test_signs_of_intervals():
    assert [Estimate(0, *bounds).sign for bounds in ((-2, -1), (-1, 0), (0, 1), (1, 2))] == [
        -1, 0, 0, 1,
    ]  # fmt: skip
