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
_NO_SUMS = np.empty((0, 0), np.int32)


class InputRows:
    """Rows of lookup tables whose sums are known, as the input of a first layer.

    A network can read them like an array of features, which they replace.
    """

    def __init__(
        self,
        place: Ints,
        kept: Ints,
        new: Ints,
        index: Ints | None = None,
        others: Ints = _NO_SUMS,
    ) -> None:
        """Store the arrays.

        Args:
            place: int32[n], where the sum of each row over some tables is: k >= 0 is
                row k of `kept`, and k < 0 is row -1 - k of `new`.
            kept: int32[n_kept, n_out], sums.
            new: int32[n_new, n_out], sums.
            index: int32[n, n_others], the rows of `others` that are added to each row,
                or None if the sums are over all tables.
            others: int32[n_rows, n_out], sums of rows of the other tables.
        """
        index = np.empty((len(place), 0), np.int32) if index is None else index
        # The arguments of the kernel.
        self.arrays = place, kept, new, index, others

    def __len__(self) -> int:
        return len(self.arrays[0])

    def __getitem__(self, which: Any) -> InputRows:
        place, kept, new, index, others = self.arrays
        return InputRows(place[which], kept, new, index[which], others)


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
        self._over: dict[tuple[int, ...], TableSums] = {}

    def over(self, columns: Sequence[int]) -> TableSums:
        """Return the sums over some of the tables, given their indices."""
        if (sums := self._over.get((*columns,))) is None:
            ends = np.cumsum([table.shape[1] for table in self._tables])
            rows = [
                np.arange(ends[k] - self._tables[k].shape[1], ends[k]) for k in columns
            ]
            tables = [self._tables[k] for k in columns]
            sums = TableSums(tables, self._factor, self._numbers[np.concatenate(rows)])
            self._over[(*columns,)] = sums
        return sums

    def rows_of(self, columns: Sequence[int]) -> Ints:
        """Return the sums of every row of some tables: int32[n_rows, n_out]."""
        rows = [
            np.arange(len(self._tables[k]), dtype=np.int32)[:, None] for k in columns
        ]
        none = np.empty((0, len(self.bias)), np.int32)
        sums = [self.over([k])(index) for k, index in zip(columns, rows, strict=True)]
        return np.concatenate([none, *sums])

    def __call__(self, index: Ints | InputRows) -> Floats:
        """Return the outputs: float32[n, n_out].

        Args:
            index: int32[n, n_tables], the indices of the rows in each table, or sums
                over the tables.
        """
        if isinstance(index, InputRows):
            rows = index
        else:
            place = -1 - np.arange(len(index), dtype=np.int32)
            sums = self.over(range(len(self._tables)))(index)
            rows = InputRows(place, _NO_SUMS, sums)
        out = aligned(len(rows), len(self.bias))
        kernels.add_input_sums(*rows.arrays, self.scale, self.bias, out)
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
        self, index: Ints | InputRows, first: Ints, dropout: Dropout | None = None
    ) -> Floats:
        return self.sums(index)
