"""Random integers inside kernels."""

import numpy as np

from senna_py.kernels.lm.random_numbers import next_random


def test_random_integers_are_even():
    state = np.array([5], np.uint64)
    counts = np.bincount([next_random(state, 7) for _ in range(7000)], minlength=7)
    assert counts.min() > 850
    assert counts.max() < 1150


def test_random_positions_beyond_32_bits():
    state, bound = np.array([5], np.uint64), 3 << 32
    thirds = np.bincount([next_random(state, bound) >> 32 for _ in range(3000)])
    assert len(thirds) == 3
    assert thirds.min() > 850
