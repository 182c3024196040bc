"""Samples of sentences."""

import numpy as np

from senna_py.evaluation import bootstrap
from senna_py.evaluation.bootstrap import resamples


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
