"""The rate of a matrix product on this machine, with which other rates are compared."""

import time

import numpy as np


def sgemm_rate(seconds=1.0):
    """Return the best rate of a 512 x 512 float32 matrix product on one core, in flop/s.

    NumPy must be limited to one thread.
    """
    rng = np.random.default_rng(0)
    a, b = (rng.random((512, 512), np.float32) for _ in range(2))
    best, stop = np.inf, time.perf_counter() + seconds
    while time.perf_counter() < stop:
        begin = time.perf_counter()
        a @ b
        best = min(best, time.perf_counter() - begin)
    return 2 * 512**3 / best
