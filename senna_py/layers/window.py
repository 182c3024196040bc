"""First layers of networks: linear on windows of lookup-table rows.

They are computed as sums of products, which are kept for later batches.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.kernels.nn import products as kernels
from senna_py.kernels.nn.linear import hardtanh
from senna_py.kernels.runtime.jit import runs_fallbacks
from senna_py.layers.blocks import BLOCK, aligned, embed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Ints = NDArray[np.int32]

# Tables with at most this many keys are a group of their own. Their features depend on
# the context of a word (its place in a name, its part of speech): they occur with every
# word, but have few values themselves.
_SMALL_TABLE = 64
_SMALL_CAPACITY = 512  # the largest number of rows that are kept for this group
_MARKS = 1 << 16
_ROWS = 8 * BLOCK  # windows whose products are searched at once


def window_blocks(index: Ints, first: Ints, window: int) -> Iterator[tuple[Ints, Ints]]:
    """Yield the rows of some windows at a time, and where the windows begin in them.

    Args:
        index: int32[n_rows, n_features].
        first: int32[n], the first row of each window, ascending.
        window: The number of rows of a window.
    """
    for begin in range(0, len(first), _ROWS):
        block = first[begin : begin + _ROWS]
        yield index[block[0] : block[-1] + window], block - block[0]


class WindowLayer:
    """A linear layer on windows of lookup-table rows: out = bias + window @ weight.

    For each position of a window it adds the products of one word's rows with the
    weights of the position: first those of the large tables, then those of the small
    tables (with at most 64 keys). So the order of additions does not depend on how many
    words are computed together, or on which products were kept from earlier batches.
    """

    def __init__(
        self,
        tables: Sequence[Any],
        weight: Floats,
        bias: Floats,
        cache: ProductCache | None = None,
    ) -> None:
        """Hold the arrays.

        Args:
            tables: The lookup tables of the network; dims is the sum of their dims.
            weight: float32[window * dims, n_out].
            bias: float32[n_out].
            cache: A ProductCache of the same tables and weight, or None.
        """
        self._tables, self._weight, self._bias = tables, weight, bias
        dims = [table.shape[1] for table in tables]
        self._groups = _table_groups(tables)
        self._ranges = [_ranges(columns, dims) for columns in self._groups]
        self._window = len(weight) // sum(dims)
        self._cache = cache

    def __call__(self, index: Ints, first: Ints) -> Floats:
        """Return the outputs of windows: float32[n, n_out].

        Args:
            index: int32[n_rows, n_features], the rows of the tables.
            first: int32[n], the row where each window begins.
        """
        if runs_fallbacks():  # for so little text that nothing need be kept
            return self.on_rows(embed(self._tables, index), first)
        return self._add(self._find(index), first)

    def scores(self, index: Ints, first: Ints, output: Any) -> Floats:
        """Return the scores of a PackedLinear that follows this layer and HardTanh.

        The scores are float32[n, n_out] for the n_out of that layer, `output`.
        """
        if runs_fallbacks():
            hidden = self(index, first)
            hardtanh(hidden)
            return output(hidden)
        hidden = aligned(BLOCK, len(self._bias))
        scores = aligned(len(first), len(output.arrays[2]))
        products = _kernel_arguments(self._find(index))
        kernels.score_windows(
            first, self._bias, *products, output.arrays, hidden, scores
        )
        return scores

    def on_rows(self, x: Floats, first: Ints) -> Floats:
        """Return the outputs of windows of rows x: float32[n_rows, sum of dims]."""
        place = -1 - np.arange(len(x), dtype=np.int32)
        products = []
        for ranges in self._ranges:
            new = self._multiply(x, ranges)
            products.append(_Products(place, new[:0], new))
        return self._add(products, first)

    def _find(self, index: Ints) -> list[_Products]:
        """Find or compute the products of each group of tables."""
        stores = (None, None) if self._cache is None else self._cache.stores
        groups = zip(self._groups, self._ranges, stores, strict=False)
        return [
            self._find_in_group(index, columns, ranges, store)
            for columns, ranges, store in groups
        ]

    def _add(self, products: list[_Products], first: Ints) -> Floats:
        out = np.empty((len(first), len(self._bias)), np.float32)
        kernels.add_products(first, self._bias, *_kernel_arguments(products), out)
        return out

    def _multiply(self, x: Floats, ranges: Ints) -> Floats:
        out = np.empty((len(x), self._window, len(self._bias)), np.float32)
        kernels.window_products(x, ranges, self._weight, out)
        return out

    def _find_in_group(
        self, index: Ints, columns: Ints, ranges: Ints, store: _ProductStore | None
    ) -> _Products:
        place, missing = np.empty(len(index), np.int32), np.empty(len(index), np.int32)
        table, keys, rows = _EMPTY_STORE if store is None else store.view()
        n = kernels.find_products(
            index, columns, table, keys, len(rows), place, missing
        )
        if n == 0:
            return _Products(place, rows, rows[:0])
        missing = missing[:n]
        new = self._multiply(embed(self._tables, index[missing]), ranges)
        if store is None:
            return _Products(place, new[:0], new)
        store.keep(index, columns, missing, new)
        return _Products(place, rows, new)


class _Products(NamedTuple):
    """The products of one group of tables.

    Attributes:
        place: int32[n_rows], the index in `kept` of the products of each row, or
            -1 - the index in `new`.
        kept: float32[n_kept, window, n_out], from earlier batches.
        new: float32[n_new, window, n_out], of this batch.
    """

    place: Ints
    kept: Floats
    new: Floats


def _kernel_arguments(products: list[_Products]) -> tuple[Any, ...]:
    """Return the products of two groups as kernels expect them.

    If there is only one group, the second one has no rows.
    """
    first, *others = products
    second = others[0] if others else first._replace(place=_NO_ROWS)
    return *first, *second


_NO_ROWS = np.empty(0, np.int32)
_EMPTY_STORE: tuple[Any, ...] = (
    np.full(1, -1, np.int32),
    np.empty((0, 1), np.int32),
    (),
)


class ProductCache:
    """Products of a WindowLayer that came up more than once; threads may share it.

    It also holds layers of networks. Its size is bounded, and it takes no memory before
    it is needed.
    """

    def __init__(self, tables: Sequence[Any], weight: NDArray, n_rows: int) -> None:
        """Prepare the cache.

        Args:
            tables: The tables of the WindowLayer.
            weight: The weight of the WindowLayer.
            n_rows: The largest number of products to keep.
        """
        window = len(weight) // sum(table.shape[1] for table in tables)
        groups = _table_groups(tables)
        few = min(_SMALL_CAPACITY, n_rows // 4) if len(groups) > 1 else 0
        self.stores = [
            _ProductStore(len(columns), capacity, (window, weight.shape[1]))
            for columns, capacity in zip(groups, (n_rows - few, few), strict=False)
        ]
        self._layers: dict[int, Any] = {}

    def layers_of(self, network: Any) -> Any:
        """Return a network's layers, with weights laid out once for all batches.

        When kernels switch from fallbacks to compiled code, the layers are made again,
        and the old ones are dropped: after the first text nobody needs them.
        """
        plain = runs_fallbacks()
        entry = self._layers.get(id(network))
        if entry is None or entry[0] != plain:
            entry = self._layers[id(network)] = plain, network.layers(self), network
        return entry[1]


class _ProductStore:
    """The products of one group of tables; rows never change once they are written."""

    def __init__(self, n_columns: int, capacity: int, shape: tuple[int, int]) -> None:
        self._table = np.full(1 << (2 * capacity).bit_length(), -1, np.int32)
        self._keys = np.empty((capacity, n_columns), np.int32)
        self._rows = np.empty((capacity, *shape), np.float32)
        self._seen, self._n_missed = np.zeros(_MARKS, np.uint8), 0
        self._n = 0
        self._lock = threading.Lock()

    def view(self) -> tuple[Ints, Ints, Floats]:
        """Return the hash table, the keys, and the rows that may be read."""
        with self._lock:  # so that all rows up to this number are written
            return self._table, self._keys, self._rows[: self._n]

    def keep(self, index: Ints, columns: Ints, missing: Ints, products: Floats) -> None:
        """Keep products that were missing; see `kernels.nn.products.keep_products`."""
        if self._n == len(self._rows):
            return
        with self._lock:
            self._n_missed += len(missing)
            # With more marks than this, most new words would meet the mark of another.
            if self._n_missed > _MARKS // 4:
                self._seen[:], self._n_missed = 0, len(missing)
            self._n = kernels.keep_products(
                index,
                columns,
                missing,
                products,
                self._seen,
                self._table,
                self._keys,
                self._rows,
                self._n,
            )


def _table_groups(tables: Sequence[Any]) -> list[Ints]:
    """Return the numbers of the large and of the small tables: 1 or 2 int32 arrays."""
    is_small = np.array([len(table) <= _SMALL_TABLE for table in tables])
    groups = [np.flatnonzero(~is_small), np.flatnonzero(is_small)]
    return [columns.astype(np.int32) for columns in groups if len(columns)]


def _ranges(columns: Ints, dims: Sequence[int]) -> Ints:
    """Return the ranges of columns that some tables fill in concatenated rows.

    Each row of the result, int32[n, 2], has a begin and an end.
    """
    stop = np.cumsum(dims)
    ranges: list[list[int]] = []
    for f in columns.tolist():
        begin, end = int(stop[f] - dims[f]), int(stop[f])
        if ranges and ranges[-1][1] == begin:
            ranges[-1][1] = end
        else:
            ranges.append([begin, end])
    return np.array(ranges, np.int32)
