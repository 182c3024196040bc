"""The first layer of networks that see one word at a time.

It looks up rows of tables, and multiplies them by a weight. Training does this with
floats; at inference, the products are exact sums of integers (`kernels.nn.input_sums`).
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.nn import input_sums as kernels
from senna_py.kernels.nn.int8 import LEAST
from senna_py.layers.blocks import aligned, embed
from senna_py.layers.convolution import Windows
from senna_py.layers.lookup import dense, largest_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.layers.activations import Dropout

    Ints = NDArray[np.int32]
    Floats = NDArray[np.float32]

# The largest absolute values of rounded inputs and weights.
_MOST_INPUT, _MOST_WEIGHT = (1 << 15) - 1, (1 << 12) - 1
_MOST_SUM = (1 << 31) - 1
_NO_SUMS, _NO_INDEX = np.empty((0, 0), np.int32), np.empty((0, 0), np.int32)


class TableSums:
    """A linear layer on rows of some lookup tables, as exact sums without a scale.

    Threads may share it if either all of them run compiled kernels or all of them run
    fallbacks.
    """

    def __init__(
        self, tables: Sequence[Any], factor: np.float32, weight: NDArray[np.int16]
    ) -> None:
        """Pack the weight.

        Args:
            tables: The tables: float32[n_keys, dim] or ChangedTables.
            factor: The factor by which their numbers are multiplied before they are
                rounded.
            weight: int16[sum of dims, n_out], the rounded weight for these tables.
        """
        self._tables, self._factor = tables, factor
        self._n_out = weight.shape[1]
        self._weight = kernels.pack_for_sums(weight)

    def __call__(self, index: Ints) -> Ints:
        """Return the sums: int32[n, n_out].

        Args:
            index: int32[n, n_tables], the indices of the rows in each table.
        """
        out = np.empty((len(index), self._n_out), np.int32)
        scratch = (
            aligned(kernels.BLOCK, width).view(np.int32)
            for width in kernels.scratch_widths(self._weight)
        )
        x = embed(self._tables, index)
        kernels.input_sums(x, self._factor, self._weight, *scratch, out)
        return out


class InputSums:
    """A first layer at inference: out = bias + scale * the sums over all tables.

    The weight is rounded to integers with a scale for each output, and the numbers in
    the tables with one scale for all of them. So the sums are exact, and the sums over
    some tables can be added to the sums over the others.

    Attributes:
        scale: float32[n_out], the factor of sums.
        bias: float32[n_out].
    """

    def __init__(self, tables: Sequence[Any], weight: Any, bias: Floats) -> None:
        """Round the weight.

        Args:
            tables: The lookup tables: float32[n_keys, dim] or ChangedTables.
            weight: float32[sum of dims, n_out] or ByteColumns.
            bias: float32[n_out].
        """
        self._tables, weight = tables, dense(weight)
        scales = np.abs(weight).max(axis=0, initial=0) / np.float32(_MOST_WEIGHT)
        scales[scales < np.finfo(np.float32).tiny] = 1  # for columns of zeros
        with np.errstate(invalid="ignore"):
            numbers = np.rint(weight / scales)
        numbers[:, ~np.isfinite(scales)] = 0
        self._numbers = numbers.astype(np.int16)
        largest = np.maximum(np.max([*map(largest_of, tables)]), LEAST)
        # With such inputs, no sum exceeds 31 bits.
        most_sum = max(int(np.abs(numbers).sum(axis=0, dtype=np.float64).max()), 1)
        most = np.float32(min(_MOST_INPUT, _MOST_SUM // most_sum))
        if np.isfinite(largest):
            self._factor, step = most / largest, largest / most
        else:  # Then all outputs are NaN.
            self._factor, step = np.float32(0), np.float32(np.nan)
        self.scale, self.bias = scales * step, bias

    def over(self, columns: Sequence[int]) -> TableSums:
        """Return the sums over some of the tables, given their indices."""
        ends = np.cumsum([table.shape[1] for table in self._tables])
        rows = [np.arange(ends[k] - self._tables[k].shape[1], ends[k]) for k in columns]
        numbers = self._numbers[np.concatenate(rows)]
        return TableSums([self._tables[k] for k in columns], self._factor, numbers)

    @cached_property
    def over_all(self) -> TableSums:
        """The sums over all tables."""
        return TableSums(self._tables, self._factor, self._numbers)

    def __call__(self, index: Ints) -> Floats:
        """Return the outputs: float32[n, n_out].

        Args:
            index: int32[n, n_tables], the indices of the rows in each table.
        """
        place = -1 - np.arange(len(index), dtype=np.int32)
        return self.add(place, _NO_SUMS, self.over_all(index), _NO_INDEX, _NO_SUMS)

    def add(
        self, place: Ints, kept: Ints, new: Ints, index: Ints, others: Ints
    ) -> Floats:
        """Return the outputs for sums; see `kernels.nn.input_sums.add_input_sums`."""
        out = aligned(len(place), len(self.bias))
        kernels.add_input_sums(
            place, kept, new, index, others, self.scale, self.bias, out
        )
        return out


class FirstLayer(Windows):
    """The first layer of a network that sees one word at a time.

    In training, it is a layer on windows of one word.
    """

    @cached_property
    def sums(self) -> InputSums:
        """The layer at inference, created on first use."""
        tables, weight, bias, _ = self._inference_arguments
        return InputSums(tables, weight, bias)

    def outputs(
        self, index: Ints, first: Ints, dropout: Dropout | None = None
    ) -> Floats:
        return self.sums(index)
