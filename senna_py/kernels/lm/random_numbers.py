"""The generator of random numbers for kernels, xorshift64* (Vigna 2016)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.runtime.jit import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SHIFT_A, _SHIFT_B, _SHIFT_C = np.uint64(12), np.uint64(25), np.uint64(27)
_MULTIPLIER = np.uint64(2685821657736338717)
_HIGH = np.uint64(32)


@kernel
def next_random(state: NDArray[np.uint64], bound: int) -> int:
    """Return a random integer in [0, bound), and update the state.

    Args:
        state: uint64[1], which must not be 0.
        bound: The bound.
    """
    x = state[0]
    x ^= x >> _SHIFT_A
    x ^= x << _SHIFT_B
    x ^= x >> _SHIFT_C
    state[0] = x
    value, size = x * _MULTIPLIER, np.uint64(bound)
    if size >> _HIGH:  # the product with 32 bits would overflow
        return np.int64(value % size)
    return np.int64(((value >> _HIGH) * size) >> _HIGH)
