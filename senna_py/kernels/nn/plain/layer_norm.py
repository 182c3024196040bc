"""The fallback for `kernels.nn.layer_norm.normalize_rows`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.nn.plain.multiply_add import halfway, lost_parts, multiply_add

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Floats

_ROWS = 256  # the number of rows that are processed at a time, to stay in the cache
_SUMS = 64  # see `kernels.llvm.reductions`


def _total(sums: Floats, rest: Floats) -> Floats:
    """Add the sums of each row in the order of `kernels.llvm.reductions`: float32[n].

    Args:
        sums: float32[n, 64].
        rest: float32[n], which is added last.
    """
    for k in (
        16,
        4,
        1,
    ):  # add four vectors of 16, then four quarters, then four numbers
        left, right = sums[:, : 2 * k], sums[:, 2 * k :]
        sums = (left[:, :k] + left[:, k:]) + (right[:, :k] + right[:, k:])
    return sums[:, 0] + rest


def _sum_of_rows(x: Floats) -> Floats:
    """Return the sum of each row of float32[n, dim]: float32[n]."""
    n, dim = x.shape
    whole = dim - dim % _SUMS
    sums, rest = np.zeros((n, _SUMS), np.float32), np.zeros(n, np.float32)
    for k in range(0, whole, _SUMS):
        sums += x[:, k : k + _SUMS]
    for k in range(whole, dim):
        rest += x[:, k]
    return _total(sums, rest)


def _sum_of_squares(x: Floats) -> Floats:
    """Return the sum of the squares of each row of float32[n, dim]: float32[n]."""
    n, dim = x.shape
    whole, rest = dim - dim % _SUMS, np.zeros(n, np.float32)
    for k in range(whole, dim):
        rest = multiply_add(x[:, k], x[:, k], rest)
    return _total(_add_squares(x[:, :whole]), rest)


def _add_squares(x: Floats) -> Floats:
    """Return 64 sums of squares for each row, with each addition rounded once.

    Args:
        x: float32[n, dim], where dim is a multiple of 64.

    Returns:
        float32[n, 64].
    """
    totals = x.astype(np.float64)
    totals *= totals
    before, scratch = np.zeros_like(x), np.empty((len(x), _SUMS))
    sums = np.zeros((len(x), _SUMS), np.float32)
    for k in range(0, x.shape[1], _SUMS):
        total = totals[:, k : k + _SUMS]
        before[:, k : k + _SUMS] = sums
        np.copyto(scratch, sums)
        total += scratch
        np.copyto(sums, total, casting="same_kind")
    at = halfway(totals, totals)
    if at is not None and lost_parts(x[at], x[at], before[at]).any():
        sums[:] = 0
        for k in range(0, x.shape[1], _SUMS):
            multiply_add(x[:, k : k + _SUMS], x[:, k : k + _SUMS], sums, sums)
    return sums


def normalize_rows(x: Floats, gain: Floats, shift: Floats, out: Floats) -> None:
    dim = np.float32(x.shape[1])
    for begin in range(0, len(x), _ROWS):
        rows = x[begin : begin + _ROWS]
        difference = rows - (_sum_of_rows(rows) / dim)[:, None]
        variance = _sum_of_squares(difference) / dim
        difference *= (np.float32(1) / np.sqrt(variance + np.float32(1e-5)))[:, None]
        multiply_add(difference, gain, shift, out[begin : begin + _ROWS])
