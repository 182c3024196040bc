"""Multiply-adds that are rounded once, as in compiled kernels, for NumPy.

NumPy has no such operation. The product of two float32 is exact in float64, but its sum
with a third number may not be: it is rounded to float64 and again to float32. The
result differs from a single rounding only if the first rounding ends halfway between
two float32. Few sums do, and these are examined one by one.

Many implementations of BLAS round and add in the same way if matrices are small. Where a
test shows that this one does, it computes all products of many rows.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from typing import Any

    from senna_py.kernels.arrays import Bools, Doubles, Floats

_PIECE = 1 << 14  # sums that are computed at a time, to stay in the cache
# The sizes of the products of BLAS, which are too small for it to use several threads.
_ROWS, _INPUTS, _OUTPUTS = 64, 96, 32
_TERMS = 8  # the number of terms of each sum that are examined at a time
# The mantissa bits that float64 has and float32 lacks, and the highest of these bits.
_REST, _HALF = (
    np.int64((1 << 29) - 1),
    np.int64(1 << 28),
)


def halfway(sums: Doubles, scratch: Doubles) -> Bools | None:
    """Find the sums that are halfway between two float32.

    Args:
        sums: float64 of any shape.
        scratch: float64 of the same shape, which is overwritten; it may be `sums`.

    Returns:
        Whether each sum is halfway, or None if none is.
    """
    rest = scratch.view(np.int64)
    np.bitwise_and(sums.view(np.int64), _REST, out=rest)
    found = rest == _HALF
    return found if found.any() else None


def lost_parts(a: Floats, b: Floats, c: Floats) -> Doubles:
    """Return what float64 loses of the exact a * b + c: float64 of the same shape."""
    product, added = a.astype(np.float64) * b, c.astype(np.float64)
    total = product + added
    without = total - added
    return (added - (total - without)) + (product - without)  # Knuth


def multiply_add(a: Any, b: Any, c: Any, out: Floats | None = None) -> Floats:
    """Return a * b + c in float32 with a single rounding.

    Args:
        a, b, c: float32 arrays or numbers, which are broadcast.
        out: float32, the array for the result, or None for a new one.
    """
    a, b, c = np.broadcast_arrays(a, b, c)
    if out is None:
        out = np.empty(a.shape, np.float32)
    rows = max(1, min(len(out), _PIECE // max(out[:1].size, 1)))
    sums, scratch = np.empty((2, rows, *out.shape[1:]))
    for begin in range(0, len(out), rows):
        some = slice(begin, begin + rows)
        to = out[some]
        n = len(to)
        _multiply_add(a[some], b[some], c[some], sums[:n], scratch[:n])
        np.copyto(to, sums[:n], casting="same_kind")
    return out


def _multiply_add(
    a: Floats, b: Floats, c: Floats, sums: Doubles, scratch: Doubles
) -> None:
    """Compute float64 numbers that float32 rounds like the exact a * b + c.

    Args:
        a, b, c: float32, of the same shape.
        sums: float64, of the same shape, which is written.
        scratch: float64, of the same shape.
    """
    np.copyto(sums, a)
    np.copyto(scratch, b)
    sums *= scratch
    np.copyto(scratch, c)
    sums += scratch
    at = halfway(sums, scratch)
    if at is not None:
        near, lost = sums[at], lost_parts(a[at], b[at], c[at])
        beyond = np.nextafter(near, np.copysign(np.inf, lost))
        sums[at] = np.where(lost == 0, near, beyond)


def add_products(x: Floats, weight: Floats, out: Floats) -> None:
    """Add x @ weight to `out`, with the terms in the order of the inputs.

    The result has the same bits as the result of the compiled
    `kernels.nn.linear.linear`.

    Args:
        x: float32[n, n_in].
        weight: float32[n_in, n_out].
        out: float32[n, n_out].
    """
    if len(x) >= _ROWS and _blas_adds_in_order():
        _add_by_blas(x, weight, out)
    else:
        _add_in_order(x, weight, out)


@functools.cache
def _blas_adds_in_order() -> bool:
    """Return whether BLAS adds the products of `_add_by_blas` like `_add_in_order`.

    The order in which BLAS adds depends on the processor and on the sizes of matrices,
    but not on the numbers in them.
    """
    rng = np.random.default_rng(0)
    x = rng.standard_normal((_ROWS, _INPUTS), np.float32)
    weight = rng.standard_normal((_INPUTS, _OUTPUTS), np.float32)
    out = rng.standard_normal((_ROWS, _OUTPUTS), np.float32)
    expected = out.copy()
    _add_in_order(x, weight, expected)
    _add_by_blas(x, weight, out)
    return np.array_equal(out, expected)


def _add_by_blas(x: Floats, weight: Floats, out: Floats) -> None:
    """Add x @ weight to `out` by products of matrices of always the same sizes.

    Each matrix of inputs consists of the sums so far and of some inputs, and each
    matrix of weights of the identity matrix and of the weights of these inputs. Parts
    that are not needed are zero.

    See `add_products` for the arguments.
    """
    inputs = np.zeros((_ROWS, _OUTPUTS + _INPUTS), np.float32)
    weights = np.zeros((_OUTPUTS + _INPUTS, _OUTPUTS), np.float32)
    weights[:_OUTPUTS] = np.eye(_OUTPUTS)
    for j in range(0, weight.shape[1], _OUTPUTS):
        for k in range(0, len(weight), _INPUTS):
            part = weight[k : k + _INPUTS, j : j + _OUTPUTS]
            n_in, n_out = part.shape
            weights[_OUTPUTS:] = 0
            weights[_OUTPUTS : _OUTPUTS + n_in, :n_out] = part
            inputs[:] = 0
            for i in range(0, len(x), _ROWS):
                sums, some = out[i : i + _ROWS, j : j + _OUTPUTS], x[i : i + _ROWS]
                inputs[: len(some), :n_out] = sums
                inputs[: len(some), _OUTPUTS : _OUTPUTS + n_in] = some[:, k : k + n_in]
                sums[...] = (inputs @ weights)[: len(some), :n_out]


def _add_in_order(x: Floats, weight: Floats, out: Floats) -> None:
    """Add x @ weight to `out` term by term; see `add_products`."""
    n_in, n_out = weight.shape
    rows = max(1, _PIECE // max(2 * n_out, 1))
    for begin in range(0, len(x), rows):
        some = slice(begin, begin + rows)
        for k in range(0, n_in, _TERMS):
            _add_some(x[some, k : k + _TERMS], weight[k : k + _TERMS], out[some])


def _add_some(x: Floats, weight: Floats, out: Floats) -> None:
    """Add x @ weight to `out` like `_add_in_order`, for a few rows and inputs."""
    sums = x.T.astype(np.float64)[:, :, None] * weight.astype(np.float64)[:, None]
    before = np.empty((len(sums) + 1, *out.shape), np.float32)
    before[0], scratch = out, np.empty(out.shape)
    for k in range(len(sums)):
        np.copyto(scratch, before[k])
        sums[k] += scratch
        np.copyto(before[k + 1], sums[k], casting="same_kind")
    at = halfway(sums, sums)
    if at is not None:
        k, i, j = np.unravel_index(np.flatnonzero(at), sums.shape)
        if lost_parts(x[i, k], weight[k, j], before[k, i, j]).any():
            for column, row in zip(x.T, weight, strict=True):
                multiply_add(column[:, None], row, out, out)
            return
    out[:] = before[-1]
