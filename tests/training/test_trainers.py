"""Runs of every trainer go on where they stopped."""

import pytest

from tests.helpers.small_trainers import TRAINERS, assert_same_run


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
