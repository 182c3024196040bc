"""The fallback for `kernels.nn.gated.add_gated_units`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.nn import gated, int8
from senna_py.kernels.nn.plain.dilated import rows_of_windows
from senna_py.kernels.nn.plain.int8 import largest_values, multiply_integers
from senna_py.kernels.nn.plain.layer_norm import normalize_rows

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Doubles, Floats, Ints

_ROWS = 64  # the number of rows that are processed at a time, to stay in the cache
_MOST = np.float32(int8.MOST)


def _step(coefficient: np.float32) -> tuple[float, float]:
    """Return two float64 by which a step of the polynomial is rounded to float32.

    If a sum is between the same two powers of two as the coefficient, adding the first
    number, which includes the coefficient, rounds it like float32, to the nearest even
    number. Subtracting the second number leaves the rounded sum.
    """
    _, exponent = np.frexp(coefficient)
    large = 1.5 * 2.0 ** float(exponent - 1 - 23 + 52)
    return large + float(coefficient), large


# The steps whose results are always between the same two powers of two.
_STEPS = tuple(map(_step, gated.POLYNOMIAL[1:-1]))
_FIRST, _LAST = float(gated.POLYNOMIAL[0]), float(gated.POLYNOMIAL[-1])
_LOG2_E, _LN2_REST = float(gated.LOG2_E), float(gated.LN2_REST)


def exp(x: Floats, x64: Doubles, y64: Doubles) -> Floats:
    """Return e ** x as `kernels.nn.gated` computes it, with the same bits.

    Multiply-adds that the kernel rounds once are computed in float64, and then rounded
    to float32. For all float32 numbers, this gives the same result.

    Args:
        x: float32[n], which is overwritten.
        x64, y64: float64[n], scratch.
    """
    if not (x.min() >= gated.LEAST and x.max() <= gated.LARGEST):
        x = np.fmin(np.fmax(x, gated.LEAST), gated.LARGEST)
    np.copyto(x64, x)
    np.multiply(x64, _LOG2_E, out=y64)
    y64 += 0.5
    power = np.floor(y64.astype(np.float32))
    x -= power * gated.LN2  # This product is exact.
    np.copyto(x64, x)
    np.copyto(y64, power)
    y64 *= _LN2_REST
    x64 -= y64
    np.copyto(x, x64, casting="same_kind")
    np.copyto(x64, x)
    np.multiply(x64, _FIRST, out=y64)
    for to_add, to_subtract in _STEPS:
        y64 += to_add
        y64 -= to_subtract
        y64 *= x64
    y64 += _LAST
    y = y64.astype(np.float32)
    np.copyto(y64, y)
    x *= x
    y64 *= x
    y64 += x64
    np.copyto(y, y64, casting="same_kind")
    y += np.float32(1)
    exponent = power.astype(np.int32)
    exponent += 127
    exponent <<= 23
    y *= exponent.view(np.float32)
    return y


def add_gated_units(
    x: Floats,
    gain: Floats,
    shift: Floats,
    starts: Ints,
    dilation: int,
    size: int,
    weight: tuple[Any, ...],
    out: Floats,
) -> None:
    (n, dim), rows = x.shape, min(len(x), _ROWS) or 1
    normal = np.empty_like(x)
    normalize_rows(x, gain, shift, normal)
    neighbors, inside = rows_of_windows(starts, size, dilation)
    # A row that replaces a row outside the sentence does not change the maximum.
    most = largest_values(normal)[neighbors].max(axis=1)
    factors = np.where(inside, (_MOST / most)[:, None], np.float32(0))[:, :, None]
    scales = (most / _MOST)[:, None]
    windows = np.empty((rows, size, dim), np.float32)
    both = np.empty((rows, 2 * dim), np.float32)
    doubles = np.empty((2, rows * dim))
    for begin in range(0, n, rows):
        block = slice(begin, min(begin + rows, n))
        m = block.stop - begin
        own, sums = windows[:m], both[:m]
        np.take(normal, neighbors[block], axis=0, out=own, mode="clip")
        own *= factors[block]
        np.rint(own, out=own)
        multiply_integers(own.reshape(m, -1), scales[block], weight, sums)
        _add_gated(x[block], sums, doubles[:, : m * dim], out[block])


def _add_gated(
    x: Floats, both: Floats, doubles: NDArray[np.float64], out: Floats
) -> None:
    """Compute out = x + a * sigmoid(b).

    Args:
        x, out: float32[n, dim].
        both: float32[n, 2 * dim], a and b side by side.
        doubles: float64[2, n * dim], scratch.
    """
    dim = x.shape[1]
    gate = exp(np.negative(both[:, dim:]).reshape(-1), *doubles)
    gate += np.float32(1)
    np.divide(both[:, :dim], gate.reshape(x.shape), out=out)
    out += x
