"""Fallbacks of kernels of `nn.int8`: BLAS adds up integers without rounding, in any
order.
"""

import numpy as np

from senna_py.kernels.nn import int8


def multiply_rows(x, weight):
    """Outputs float32[n, n_out] of a linear layer of rows, or windows, x: float32[n,
    n_in].

    Rows are rounded as by `nn.int8`; x is overwritten.
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


def linear_of_int8(x, weight, out):
    out[:] = multiply_rows(x.copy(), weight)
