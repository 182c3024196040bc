"""Multiply-adds that are rounded once, as in compiled kernels, for NumPy.

NumPy has no such operation. The product of two float32 is exact in float64, but its sum
with a third number may not be: it is rounded to float64 and again to float32. The
result differs from a single rounding only if the first rounding ends halfway between
two float32.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from typing import Any

    from senna_py.kernels.arrays import Doubles, Floats

_PIECE = 1 << 14  # sums that are computed at a time, to stay in the cache
# The mantissa bits that float64 has and float32 lacks, and the highest of these bits.
_REST, _HALF = (
    np.int64((1 << 29) - 1),
    np.int64(1 << 28),
)


def _twice_rounded(a: Floats, b: Doubles, total: Doubles) -> tuple[Any, Any]:
    """Find the sums that float64 and then float32 round differently from the exact sum.

    Args:
        a: An array of float32.
        b: float64, of the same shape.
        total: float64, a + b.

    Returns:
        The flat indices of these sums, and float64 numbers to replace them that are
        rounded to float32 like the exact sums.
    """
    at = np.flatnonzero(total.view(np.int64) & _REST == _HALF)
    a, b, near = (
        a.reshape(-1)[at].astype(np.float64),
        b.reshape(-1)[at],
        total.reshape(-1)[at],
    )
    added = near - a
    lost = (a - (near - added)) + (b - added)  # the rounding error (Knuth)
    wrong = lost != 0
    beyond = np.nextafter(near[wrong], np.copysign(np.inf, lost[wrong]))
    return at[wrong], beyond


def _add(a: Floats, b: Doubles, out: Floats) -> None:
    """Compute out = a + b with a single rounding.

    Args:
        a: float32.
        b: float64, of the same shape.
        out: float32, of the same shape; it may be a.
    """
    total = a + b
    at, sums = _twice_rounded(a, b, total)
    total.reshape(-1)[at] = sums
    out[...] = total


def multiply_add(a: Any, b: Any, c: Any) -> Floats:
    """Return a * b + c in float32 with a single rounding; the arrays are broadcast."""
    product = np.multiply(a, b, dtype=np.float64)
    out = np.empty(product.shape, np.float32)
    _add(np.broadcast_to(c, product.shape), product, out)
    return out


def add_products(x: Floats, weight: Floats, out: Floats) -> None:
    """Add x @ weight to `out`, with the terms in the order of the inputs.

    The result has the same bits as the result of the compiled
    `kernels.nn.linear.linear`.

    Args:
        x: float32[n, n_in].
        weight: float32[n_in, n_out].
        out: float32[n, n_out].
    """
    n_in, n_out = weight.shape
    rows = max(1, min(len(x), _PIECE // max(4 * n_out, 1)))
    step = max(1, _PIECE // max(rows * n_out, 1))
    columns, weight = (
        x.T.astype(np.float64)[:, :, None],
        weight.astype(np.float64)[:, None],
    )
    for begin in range(0, len(x), rows):
        some = slice(begin, begin + rows)
        for k in range(0, n_in, step):
            _add_some(columns[k : k + step, some] * weight[k : k + step], out[some])


def _add_some(products: Doubles, out: Floats) -> None:
    """Add products to `out` one after the other, each with a single rounding.

    Args:
        products: float64[n, ...].
        out: float32[...].
    """
    before = np.empty((1 + len(products), *out.shape), np.float32)
    sums = np.empty_like(products)
    before[0] = out
    for k, product in enumerate(products):
        np.add(before[k], product, out=sums[k])
        before[k + 1] = sums[k]
    at, _ = _twice_rounded(before[:-1], products, sums)
    if not len(at):
        out[:] = before[-1]
        return
    for product in products:
        _add(out, product, out)
