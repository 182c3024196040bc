"""The fallback for `kernels.nn.layer_norm.normalize_rows`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.nn.plain.multiply_add import multiply_add

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Floats

_SUMS = 64  # see `kernels.llvm.reductions`


def _sum_of_rows(x: NDArray, add: Callable[..., Any]) -> NDArray:
    """Return a sum over each row: float32[n].

    The order of additions is the same as in `kernels.llvm.reductions`.

    Args:
        x: float32[n, dim].
        add: A function of a total and some columns of x that returns the new total.
    """
    n, dim = x.shape
    whole = dim - dim % _SUMS
    total, rest = np.zeros((n, _SUMS), np.float32), np.zeros(n, np.float32)
    for k in range(0, whole, _SUMS):
        total = add(total, x[:, k : k + _SUMS])
    for k in range(whole, dim):
        rest = add(rest, x[:, k])
    for _ in range(3):  # add four vectors of 16, then four quarters, then four numbers
        a, b, c, d = np.split(total, 4, axis=1)
        total = (a + b) + (c + d)
    return total[:, 0] + rest


def normalize_rows(x: Floats, gain: Floats, shift: Floats, out: Floats) -> None:
    dim = np.float32(x.shape[1])
    difference = x - (_sum_of_rows(x, np.add) / dim)[:, None]
    squares = _sum_of_rows(difference, lambda total, x: multiply_add(x, x, total))
    scale = np.float32(1) / np.sqrt(squares / dim + np.float32(1e-5))
    out[:] = multiply_add(difference * scale[:, None], gain, shift)
