"""Threads that train."""

import warnings

import numpy as np
import pytest

from senna_py.training.workers import Workers


@pytest.mark.parametrize("n", [1, 3])
def test_weights_that_overflow_give_no_warnings(n):
    def overflow(number, worker=0):
        x = np.full(2, 3e38, np.float32) * (number + 2)
        return float((x - x).sum()), 1

    with Workers(n) as workers, warnings.catch_warnings():
        warnings.simplefilter("error")
        cost, count = workers.train(overflow, range(5))
        assert np.isnan(cost)
        assert count == 5
        assert len(list(workers.map(overflow, range(5)))) == 5
