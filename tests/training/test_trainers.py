"""Runs of every trainer go on where they stopped; threads that train."""

import warnings

import numpy as np
import pytest

from senna_py.training.workers import Workers
from tests.helpers.small_trainers import TRAINERS, assert_same_run


@pytest.mark.slow
@pytest.mark.parametrize("name", TRAINERS)
def test_a_stopped_run_ends_as_one_that_was_not(name, tmp_path):
    new = TRAINERS[name](tmp_path)
    whole = new(tmp_path / "whole")
    assert whole.run()
    stopped = []
    for after in (1, 2, 14, None):
        run = new(tmp_path / "parts")
        if run.checkpoint.exists():
            run.resume()
        train, left = run.trainable.train, iter(range(after or 10**9))

        def counted(number, worker, run=run, train=train, left=left):
            if next(left, None) is None:
                run.stop()
            return train(number, worker)

        run.trainable.train = counted
        stopped.append(not run.run())
    assert stopped[0] and not stopped[-1]
    assert_same_run(run, whole)


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
