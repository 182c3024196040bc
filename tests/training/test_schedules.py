import numpy as np

from senna_py.training.schedules import Halving, clipped_rate, inverse_rate


def test_inverse_rate_of_one_example_and_of_many():
    assert inverse_rate(0.5, 0.0, 10) == 0.5
    np.testing.assert_allclose(inverse_rate(0.5, 0.1, np.array([0, 10, 90])), [0.5, 0.25, 0.05])


def test_clipping_shortens_long_gradients_only():
    assert clipped_rate(0.5, 4.0, 5.0) == 0.5
    assert clipped_rate(0.5, 10.0, 5.0) == 0.25


def test_halving_goes_by_the_epoch_before():
    schedule, rates = Halving(1.0, 1.0), []
    for cost in (100.0, 90.0, 95.0, None, 93.5, 93.0):
        schedule.end_epoch(cost)
        rates.append(schedule.rate)
    assert rates == [1, 1, 0.5, 0.5, 0.5, 0.25]
    again = Halving(1.0, 1.0)
    again.restore(schedule.state())
    schedule.end_epoch(92.9)
    again.end_epoch(92.9)
    assert again.rate == schedule.rate == 0.125
