"""Multiply-adds that are rounded once, as compiled kernels have them, in NumPy, which
has none.

A product of two float32 is exact in float64. Its sum with a third may not be: it is
rounded there, and again to float32, which differs from one rounding only if the first
ends halfway between two.
"""

import numpy as np

_PIECE = 1 << 14  # sums at once, in the cache
_REST, _HALF = (
    np.int64((1 << 29) - 1),
    np.int64(1 << 28),
)  # bits of float64 that float32 lacks


def _twice_rounded(a, b, total):
    """Find sums whose rounding to float32 would be another one than that of the exact
    sum.

    a: float32; b, total: float64, all of one shape, total = a + b. Returns their flat
    positions, and sums in their place that are rounded as the exact ones.
    """
    at = np.flatnonzero(total.view(np.int64) & _REST == _HALF)
    a, b, near = (
        a.reshape(-1)[at].astype(np.float64),
        b.reshape(-1)[at],
        total.reshape(-1)[at],
    )
    added = near - a
    lost = (a - (near - added)) + (b - added)  # what rounding took away (Knuth)
    wrong = lost != 0
    beyond = np.nextafter(near[wrong], np.copysign(np.inf, lost[wrong]))
    return at[wrong], beyond


def _add(a, b, out):
    """Add float32 a and float64 b, rounded once, to out: float32, which may be a."""
    total = a + b
    at, sums = _twice_rounded(a, b, total)
    total.reshape(-1)[at] = sums
    out[...] = total


def multiply_add(a, b, c):
    """Compute a * b + c, rounded once: float32 of arrays of float32 that NumPy
    broadcasts.
    """
    product = np.multiply(a, b, dtype=np.float64)
    out = np.empty(product.shape, np.float32)
    _add(np.broadcast_to(c, product.shape), product, out)
    return out


def add_products(x, weight, out):
    """Add x @ weight to out in the order of the inputs; shapes as of
    `kernels.nn.linear.linear`.
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


def _add_some(products, out):
    """Add float64[n, ...] of products to out: float32[...], one after the other."""
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
