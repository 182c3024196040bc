"""The fallback for `kernels.nn.int8.linear_of_int8`, which multiplies with BLAS.

The integers are stored as floats, and BLAS adds them exactly in any order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.nn import int8

if TYPE_CHECKING:
    from typing import Any

    from senna_py.kernels.arrays import Floats

_ROWS = 64  # the number of rows that are processed at a time, to stay in the cache
_MOST = np.float32(int8.MOST)


def multiply_integers(
    x: Floats, scales: Floats, weight: tuple[Any, ...], out: Floats
) -> None:
    """Compute the outputs of a linear layer with a quantized weight.

    Args:
        x: float32[n, n_in], quantized rows.
        scales: float32[n, 1], the scale of each row.
        weight: The result of `pack`.
        out: float32[n, n_out], which is written.
    """
    numbers, _, scale, bias, _, _, _ = weight
    if numbers.dtype == out.dtype:
        np.matmul(x, numbers, out=out)
    else:
        out[:] = x.astype(numbers.dtype) @ numbers
    out *= scales
    out *= scale
    out += bias


def largest_values(x: Floats) -> Floats:
    """Return the largest absolute value of each row, at least LEAST: float32[n].

    Args:
        x: float32[n, n_in].
    """
    largest = np.maximum(x.max(axis=1, initial=0), -x.min(axis=1, initial=0))
    return np.maximum(largest, int8.LEAST)


def round_rows(x: Floats) -> Floats:
    """Quantize rows as in `kernels.nn.int8`, and return their scales: float32[n, 1].

    Args:
        x: float32[n, n_in], whose numbers are replaced by integers.
    """
    most = largest_values(x)[:, None]
    x *= _MOST / most
    np.rint(x, out=x)
    return most / _MOST


def linear_of_int8(x: Floats, weight: tuple[Any, ...], out: Floats) -> None:
    for begin in range(0, len(x), _ROWS):
        integers = x[begin : begin + _ROWS].copy()
        scales = round_rows(integers)
        multiply_integers(integers, scales, weight, out[begin : begin + _ROWS])


def round_to_words(
    x: Floats, column: int, dim: int, way: int, words: Floats, scales: Floats
) -> None:
    words[:] = x[:, column : column + dim]
    scales[:] = round_rows(words)[:, 0]


def linear_of_words(
    words: Floats, scales: Floats, weight: tuple[Any, ...], out: Floats
) -> None:
    multiply_integers(words, scales[:, None], weight, out)
