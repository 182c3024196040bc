"""Linear layers in 8-bit integers, which large networks use at inference.

Inputs and weights are rounded to 8 bits. The results are the same on every processor,
and with and without compiled kernels; see `kernels.nn.int8`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from senna_py.errors import SennaError
from senna_py.kernels.nn.int8 import MOST, linear_of_int8, pack
from senna_py.layers.blocks import aligned, widen

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

_DIGITS = np.float32(1 << 11)  # the precision of float16 is 11 bits
_MOST_SCALE = np.float32(np.finfo(np.float16).max) / np.float32(MOST)


@dataclass(frozen=True, eq=False)
class ByteColumns:
    """A weight quantized to 8 bits: each column of `numbers` times its scale.

    It replaces a float32 array at inference, and cannot be trained.

    Attributes:
        numbers: int8[n_in, n_out].
        scales: float32[n_out], the scale of each column.
    """

    numbers: NDArray[np.int8]
    scales: Floats

    @classmethod
    def of(cls, weight: Any) -> ByteColumns:
        """Quantize a weight matrix, float32[n_in, n_out], to 8 bits.

        ByteColumns are returned unchanged.

        The scale of a column is its largest absolute value, rounded to the 11 bits of a
        float16, divided by 127. So rounding a rounded weight again changes nothing,
        even if it was stored as float16 in between. Columns whose largest value is
        below 6e-5, where float16 has fewer bits, are an exception. If an element of a
        column is not finite, the scale is not finite and the numbers are 0.
        """
        if isinstance(weight, cls):
            return weight
        weight = np.asarray(weight, np.float32)
        fraction, exponent = np.frexp(np.abs(weight).max(axis=0, initial=0))
        largest = np.ldexp(np.rint(fraction * _DIGITS) / _DIGITS, exponent)
        scales = largest / np.float32(MOST)
        # Subnormal numbers have fewer bits, so columns with such scales become zeros.
        scales[scales < np.finfo(np.float32).tiny] = 1
        with np.errstate(invalid="ignore"):
            numbers = np.rint(weight / scales)
        numbers[:, ~np.isfinite(scales)] = 0
        return cls(numbers.astype(np.int8), scales)

    @classmethod
    def joined(cls, weights: Iterable[Any]) -> ByteColumns:
        """Concatenate the columns of several weights for the same inputs."""
        pairs = [(each.numbers, each.scales) for each in map(cls.of, weights)]
        return cls(
            *(np.concatenate(arrays, axis=-1) for arrays in zip(*pairs, strict=True))
        )

    def checked(self) -> ByteColumns:
        """Return this object after checking its arrays, which were read from a file.

        Raises:
            SennaError: If the arrays are malformed. The message does not name the file.
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
    def shape(self) -> tuple[int, ...]:
        """The shape of the weight: (n_in, n_out)."""
        return self.numbers.shape

    def dense(self) -> Floats:
        """Return the weight as float32[n_in, n_out]."""
        return self.numbers * self.scales


class Int8Weight:
    """A linear layer with int8-quantized weights, packed once and reused.

    Threads may share it if either all of them run compiled kernels or all of them run
    fallbacks.
    """

    def __init__(self, weight: Any, bias: Floats) -> None:
        """Pack the weight.

        Args:
            weight: float32[n_in, n_out] or ByteColumns.
            bias: float32[n_out], which is not rounded.
        """
        weight = ByteColumns.of(weight)
        # The arguments of the kernels.
        self.arrays = pack(weight.numbers, weight.scales, bias)

    def __call__(self, x: Floats, out: Floats | None = None) -> Floats:
        """Return the outputs, float32[n, n_out], for x, float32[n, n_in].

        Args:
            x: The inputs.
            out: The array for the outputs, or None for a new one.
        """
        if out is None:
            out = aligned(len(x), len(self.arrays[3]))
        linear_of_int8(np.ascontiguousarray(x), self.arrays, out)
        return out


def wide_int8(weight: Floats, bias: Floats) -> Int8Weight:
    """Return an Int8Weight whose outputs are padded with zeros; see `widen`."""
    return Int8Weight(widen(weight), widen(bias))
