"""Linear layers in 8-bit integers, which large networks use at inference.

Inputs and weights are rounded to 8 bits. The results are the same on every processor,
and with and without compiled kernels; see `kernels.nn.int8`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from senna_py.errors import SennaError
from senna_py.kernels.nn.int8 import (
    BLOCK,
    MOST,
    linear_of_int8,
    linear_of_words,
    pack,
    round_to_words,
    ways_here,
    words_of_row,
)
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


class RoundedRows:
    """Rows that are rounded to 8 bits once, as the input of several Int8Weights.

    They are in the layout that the kernels of this thread expect.

    Attributes:
        words: int32[n, width], the integers; float32[n, dim] for fallbacks.
        scales: float32[n], the scale of each row.
        dim: The number of elements of a row.
    """

    def __init__(self, words: NDArray[Any], scales: Floats, dim: int) -> None:
        self.words, self.scales, self.dim = words, scales, dim

    @classmethod
    def empty(cls, n: int, dim: int) -> RoundedRows:
        """Return uninitialized rows, which `round` fills.

        Args:
            n: The number of rows.
            dim: The number of elements of a row.
        """
        way, scales = ways_here()[-1], np.empty(n, np.float32)
        if way < 0:
            return cls(np.empty((n, dim), np.float32), scales, dim)
        words = aligned(n + BLOCK, words_of_row(dim, way)).view(np.int32)
        return cls(words[:n], scales, dim)

    def round(self, begin: int, x: Floats, column: int = 0) -> None:
        """Round the columns of x from `column` on to the rows from `begin` on.

        x is float32[n, at least column + dim].
        """
        rows = slice(begin, begin + len(x))
        round_to_words(
            np.ascontiguousarray(x),
            column,
            self.dim,
            ways_here()[-1],
            self.words[rows],
            self.scales[rows],
        )

    def __len__(self) -> int:
        return len(self.words)

    def __getitem__(self, rows: Any) -> RoundedRows:
        """Return some rows.

        Args:
            rows: A slice without a step, for a view; or int[n], their indices.
        """
        words = self.words[rows]
        if not isinstance(rows, slice):
            n, width = words.shape
            room = np.empty((n + BLOCK, width), words.dtype)
            room[:n] = words
            words = room[:n]
        return RoundedRows(words, self.scales[rows], self.dim)


class Int8Weight:
    """A linear layer with int8-quantized weights, packed once and reused.

    Threads may share it if either all of them run compiled kernels or all of them run
    fallbacks.
    """

    def __init__(self, weight: Any, bias: Floats, size: int = 1) -> None:
        """Pack the weight.

        Args:
            weight: float32[n_in, n_out] or ByteColumns.
            bias: float32[n_out], which is not rounded.
            size: The number of rows of a window, if inputs are windows.
        """
        weight, way = ByteColumns.of(weight), ways_here()[-1]
        self._pack = partial(pack, weight.numbers, weight.scales, bias, way, size)
        self._packed: tuple[Any, ...] | None = None
        self._was_used = False
        if way >= 0:
            self._packed = self._pack()
            del self._pack

    @property
    def arrays(self) -> tuple[Any, ...]:
        """The arguments of the kernels.

        For fallbacks, they take four times the memory of the weight, so they are kept
        only from their second use on. A single sentence uses most weights once.
        """
        if self._packed is not None:
            return self._packed
        packed = self._pack()
        if self._was_used:
            self._packed = packed
        self._was_used = True
        return packed

    def __call__(self, x: Floats | RoundedRows, out: Floats | None = None) -> Floats:
        """Return the outputs, float32[n, n_out].

        Args:
            x: The inputs, float32[n, n_in] or RoundedRows.
            out: The array for the outputs, or None for a new one.
        """
        arrays = self.arrays
        if out is None:
            out = aligned(len(x), len(arrays[3]))
        if isinstance(x, RoundedRows):
            linear_of_words(x.words, x.scales, arrays, out)
        else:
            linear_of_int8(np.ascontiguousarray(x), arrays, out)
        return out


def wide_int8(weight: Floats, bias: Floats) -> Int8Weight:
    """Return an Int8Weight whose outputs are padded with zeros; see `widen`."""
    return Int8Weight(widen(weight), widen(bias))
