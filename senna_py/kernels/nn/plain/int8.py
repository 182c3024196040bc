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


def multiply_rows(x: Floats, weight: tuple[Any, ...]) -> Floats:
    """Return the outputs of a linear layer with a quantized weight: float32[n, n_out].

    Rows are quantized as in `kernels.nn.int8`.

    Args:
        x: float32[n, n_in], rows or windows, which are overwritten.
        weight: The result of `pack`.
    """
    numbers, _, scale, bias, _ = weight
    most = np.maximum(np.abs(x).max(axis=1, initial=0), int8.LEAST)[:, None]
    x *= np.float32(int8.MOST) / most
    x += int8.WHOLE
    x -= int8.WHOLE
    out = (x.astype(numbers.dtype, copy=False) @ numbers).astype(np.float32, copy=False)
    out *= most / np.float32(int8.MOST)
    out *= scale
    out += bias
    return out


def linear_of_int8(x: Floats, weight: tuple[Any, ...], out: Floats) -> None:
    out[:] = multiply_rows(x.copy(), weight)
