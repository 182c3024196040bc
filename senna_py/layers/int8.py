"""Layers whose inputs and weights are rounded to 8-bit integers, for tagging with large networks.

Rounding and sums are the same on every processor and whichever way kernels run. See
`kernels.llvm.int8`.
"""

import numpy as np

from senna_py.kernels.llvm.int8 import MOST, linear_of_int8, pack
from senna_py.layers.blocks import aligned

__all__ = ["Int8Weight", "to_int8"]


def to_int8(weight):
    """Round weights, float32[n_in, n_out]: int8 and the scale of each column, float32[n_out].

    A column with an element that is not finite has a scale that is not, and zeros.
    """
    scale = np.abs(weight).max(axis=0, initial=0) / np.float32(MOST)
    scale[scale == 0] = 1
    with np.errstate(invalid="ignore"):
        numbers = np.rint(weight / scale)
    numbers[:, ~np.isfinite(scale)] = 0
    return numbers.astype(np.int8), scale


class Int8Weight:
    """A weight in 8 bits and its bias, laid out once for many batches of rows.

    Called, it is the linear layer. Threads may share it if their kernels run in the same way.
    """

    def __init__(self, weight, bias):
        """weight: float32[n_in, n_out]; bias: float32[n_out], which is not rounded."""
        self.arrays = pack(*to_int8(weight), bias)  # as kernels take them

    def __call__(self, x):
        """Outputs float32[n, n_out] of x: float32[n, n_in]."""
        out = aligned(len(x), len(self.arrays[3]))
        linear_of_int8(np.ascontiguousarray(x), self.arrays, out)
        return out
