"""Layers whose inputs and weights are rounded to 8-bit integers, for tagging with large
networks.

Rounding and sums are the same on every processor and way of kernels, see
`kernels.nn.int8`.
"""

from dataclasses import dataclass

import numpy as np

from senna_py.errors import SennaError
from senna_py.kernels.nn.int8 import MOST, linear_of_int8, pack
from senna_py.layers.blocks import aligned

_DIGITS = np.float32(1 << 11)  # of float16
_MOST_SCALE = np.float32(np.finfo(np.float16).max) / np.float32(MOST)


@dataclass(frozen=True, eq=False)
class ByteColumns:
    """A weight, held as numbers: int8[n_in, n_out] times scales: float32[n_out], of
    each column.

    It takes the place of a float32 array in networks that tag; it cannot be trained.
    """

    numbers: np.ndarray
    scales: np.ndarray

    @classmethod
    def of(cls, weight):
        """Round a weight, float32[n_in, n_out]; ByteColumns stay as they are.

        The scale of a column is its largest absolute value / 127, which is first
        rounded to the 11 bits of a float16. So rounding such a weight again changes
        nothing, nor does it if it was stored as float16 in between (unless it is below
        6e-5). A column with an element that is not finite has a scale that is not, and
        zeros.
        """
        if isinstance(weight, cls):
            return weight
        weight = np.asarray(weight, np.float32)
        fraction, exponent = np.frexp(np.abs(weight).max(axis=0, initial=0))
        scales = np.ldexp(np.rint(fraction * _DIGITS) / _DIGITS, exponent) / np.float32(
            MOST
        )
        scales[scales < np.finfo(np.float32).tiny] = (
            1  # what has fewer bits: columns of zeros
        )
        with np.errstate(invalid="ignore"):
            numbers = np.rint(weight / scales)
        numbers[:, ~np.isfinite(scales)] = 0
        return cls(numbers.astype(np.int8), scales)

    @classmethod
    def joined(cls, weights):
        """Weights of either kind with the same inputs, side by side."""
        pairs = [(each.numbers, each.scales) for each in map(cls.of, weights)]
        return cls(
            *(np.concatenate(arrays, axis=-1) for arrays in zip(*pairs, strict=True))
        )

    def checked(self):
        """The same, which came from a file; raises SennaError, without the file's
        name.
        """
        numbers, scales = self.numbers, self.scales
        if numbers.ndim != 2 or scales.shape != numbers.shape[1:]:
            raise SennaError(
                f"float32{list(scales.shape)}, for int8{list(numbers.shape)}: expected a float32 "
                "for each column"
            )
        if not ((scales >= 0) & (scales <= _MOST_SCALE)).all():
            raise SennaError("a number that is negative, too large or not finite")
        if numbers.min(initial=0) < -MOST:
            raise SennaError(f"it scales numbers below -{MOST}")
        return self

    @property
    def shape(self):
        """Number of inputs, and of outputs."""
        return self.numbers.shape

    def dense(self):
        """The weight: float32[n_in, n_out]."""
        return self.numbers * self.scales


class Int8Weight:
    """A weight in 8 bits and its bias, laid out once for many batches of rows.

    Called, it is the linear layer. Threads may share it if their kernels run in the
    same way.
    """

    def __init__(self, weight, bias):
        """weight: float32[n_in, n_out] or ByteColumns; bias: float32[n_out], not
        rounded.
        """
        weight = ByteColumns.of(weight)
        self.arrays = pack(weight.numbers, weight.scales, bias)  # as kernels take them

    def __call__(self, x, out=None):
        """Outputs float32[n, n_out] of x: float32[n, n_in], into `out` if it is
        given.
        """
        if out is None:
            out = aligned(len(x), len(self.arrays[3]))
        linear_of_int8(np.ascontiguousarray(x), self.arrays, out)
        return out
