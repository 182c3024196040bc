"""A linear layer on windows of lookup-table rows, at inference.

The products of a word's rows with the weights are cached for later batches.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.kernels.nn import products as kernels
from senna_py.kernels.nn.linear import hardtanh
from senna_py.kernels.runtime.switch import runs_fallbacks
from senna_py.layers.blocks import BLOCK, aligned, embed
from senna_py.layers.cache import LayerCache
from senna_py.layers.linear import Linear

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Ints = NDArray[np.int32]

# Tables with at most this many keys form a separate group. Their features depend on the
# context of a word, such as its position in a name or its part of speech. So each of
# them occurs with any word, but has few values itself.
_SMALL_TABLE = 64
_SMALL_CAPACITY = 512  # the maximum number of products in the cache for this group
_MARKS = 1 << 16  # the number of marks of words that have been seen once
_ROWS = 8 * BLOCK  # the number of windows whose products are looked up at once


def window_blocks(index: Ints, first: Ints, window: int) -> Iterator[tuple[Ints, Ints]]:
    """Split windows into blocks of `_ROWS`.

    Args:
        index: int32[n_rows, n_features].
        first: int32[n], the first row of each window, in ascending order.
        window: The number of rows in a window.

    Yields:
        The slice of `index` that the windows of a block cover, and the first row of
        each window in this slice.
    """
    for begin in range(0, len(first), _ROWS):
        block = first[begin : begin + _ROWS]
        yield index[block[0] : block[-1] + window], block - block[0]


class WindowLayer:
    """A linear layer on windows of lookup-table rows: out = bias + window @ weight.

    For each position of a window, it adds the product of a word's rows with the weights
    of this position: first for the large tables, and then for the small tables, which
    have at most 64 keys. So the order of additions does not depend on how many words
    are computed together, or on which products are in the cache.
    """

    def __init__(
        self,
        tables: Sequence[Any],
        weight: Floats,
        bias: Floats,
        cache: ProductCache | None = None,
    ) -> None:
        """Store the arrays.

        Args:
            tables: The lookup tables of the network: float32[n_keys, dim] or
                ChangedTables. dims is the sum of their dims.
            weight: float32[window * dims, n_out].
            bias: float32[n_out].
            cache: A ProductCache for the same tables and weight, or None.
        """
        self._tables, self._bias, self._cache = tables, bias, cache
        self._groups = [
            _Group(tables, columns, weight) for columns in _table_groups(tables)
        ]

    def __call__(self, index: Ints, first: Ints) -> Floats:
        """Return the outputs for windows: float32[n, n_out].

        Args:
            index: int32[n_rows, n_tables], the indices of the rows in each table.
            first: int32[n], the row of `index` where each window begins.
        """
        if runs_fallbacks():  # for so little text that a cache does not pay
            return self.on_rows(embed(self._tables, index), first)
        return self._add(self._find(index), first)

    def scores(self, index: Ints, first: Ints, output: Any) -> Floats:
        """Return the outputs of a following HardTanh and linear layer.

        Args:
            index: See `__call__`.
            first: See `__call__`.
            output: A PackedLinear with n_scores outputs.

        Returns:
            The outputs: float32[n, n_scores].
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
        """Return the outputs for windows of rows that have already been looked up.

        Args:
            x: float32[n_rows, dims], the concatenated rows of the tables.
            first: int32[n], the row of x where each window begins.

        Returns:
            The outputs: float32[n, n_out].
        """
        place = -1 - np.arange(len(x), dtype=np.int32)
        products = []
        for group in self._groups:
            new = group.multiply(x)
            products.append(_Products(place, new[:0], new))
        return self._add(products, first)

    def _find(self, index: Ints) -> list[_Products]:
        """Return the products of each group of tables, from the cache or computed."""
        stores = (None, None) if self._cache is None else self._cache.stores
        groups = zip(self._groups, stores, strict=False)
        return [group.find(index, store) for group, store in groups]

    def _add(self, products: list[_Products], first: Ints) -> Floats:
        out = np.empty((len(first), len(self._bias)), np.float32)
        kernels.add_products(first, self._bias, *_kernel_arguments(products), out)
        return out


class _Group:
    """Some of the tables of a WindowLayer, whose rows are multiplied together.

    Attributes:
        columns: int32[n_columns], the indices of the tables, in ascending order.
    """

    def __init__(self, tables: Sequence[Any], columns: Ints, weight: Floats) -> None:
        """Lay out the weights of the tables.

        Args:
            tables: All tables of the layer.
            columns: int32[n_columns], the indices of the tables of the group.
            weight: float32[window * dims, n_out], the weight of the layer.
        """
        self.columns = columns
        self._tables = [tables[f] for f in columns.tolist()]
        dims = np.array([table.shape[1] for table in tables])
        owner = np.repeat(np.arange(len(dims)), dims)
        self._dims = np.flatnonzero(np.isin(owner, columns))
        by_position = weight.reshape(-1, len(owner), weight.shape[1])
        self._shape = by_position.shape[0], weight.shape[1]
        products = by_position[:, self._dims].swapaxes(0, 1)
        products = products.reshape(len(self._dims), -1)
        self._linear = Linear("", products, np.zeros(products.shape[1], np.float32))

    def multiply(self, x: Floats) -> Floats:
        """Return the products of concatenated rows of all tables: float32[n, dims].

        See `_Products` for the shape of the products.
        """
        out, _ = self._linear.forward(np.take(x, self._dims, axis=1))
        return out.reshape(len(x), *self._shape)

    def find(self, index: Ints, store: _ProductStore | None) -> _Products:
        """Return the products of rows of features, from a store or computed."""
        place, missing = np.empty(len(index), np.int32), np.empty(len(index), np.int32)
        table, keys, rows = _EMPTY_STORE if store is None else store.view()
        n = kernels.find_products(
            index, self.columns, table, keys, len(rows), place, missing
        )
        if n == 0:
            return _Products(place, rows, rows[:0])
        missing = missing[:n]
        x = embed(self._tables, np.take(index[missing], self.columns, axis=1))
        new = self._linear.outputs(x).reshape(n, *self._shape)
        if store is None:
            return _Products(place, new[:0], new)
        store.keep(index, self.columns, missing, new)
        return _Products(place, rows, new)


class _Products(NamedTuple):
    """The products of the rows of one group of tables with the weights.

    Attributes:
        place: int32[n_rows], where the products of each row are: k >= 0 is the index k
            in `kept`, and k < 0 is the index -1 - k in `new`.
        kept: float32[n_kept, window, n_out], the products in the cache.
        new: float32[n_new, window, n_out], products computed for this batch.
    """

    place: Ints
    kept: Floats
    new: Floats


def _kernel_arguments(products: list[_Products]) -> tuple[Any, ...]:
    """Return the products of two groups as the arguments of kernels.

    If there is only one group, the second one is empty.
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


class ProductCache(LayerCache):
    """A cache for the products of a WindowLayer that occur repeatedly.

    Threads may share it. The number of products is bounded, and the operating system
    provides their memory only once it is used.
    """

    def __init__(self, tables: Sequence[Any], weight: NDArray, n_rows: int) -> None:
        """Prepare the cache.

        Args:
            tables: The tables of the WindowLayer.
            weight: The weight of the WindowLayer.
            n_rows: The maximum number of products in the cache.
        """
        super().__init__()
        window = len(weight) // sum(table.shape[1] for table in tables)
        groups = _table_groups(tables)
        few = min(_SMALL_CAPACITY, n_rows // 4) if len(groups) > 1 else 0
        self.stores = [
            _ProductStore(len(columns), capacity, (window, weight.shape[1]))
            for columns, capacity in zip(groups, (n_rows - few, few), strict=False)
        ]


class _ProductStore:
    """The cached products of one group of tables.

    Rows never change once they are written.
    """

    def __init__(self, n_columns: int, capacity: int, shape: tuple[int, int]) -> None:
        self._table = np.full(1 << (2 * capacity).bit_length(), -1, np.int32)
        self._keys = np.empty((capacity, n_columns), np.int32)
        self._rows = np.empty((capacity, *shape), np.float32)
        self._seen, self._n_missed = np.zeros(_MARKS, np.uint8), 0
        self._n = 0
        self._lock = threading.Lock()

    def view(self) -> tuple[Ints, Ints, Floats]:
        """Return the hash table, the keys, and the rows that have been written.

        The arrays are int32[2**k], int32[capacity, n_columns] and float32[n, window,
        n_out].
        """
        with self._lock:  # so that all rows below `_n` have been written
            return self._table, self._keys, self._rows[: self._n]

    def keep(self, index: Ints, columns: Ints, missing: Ints, products: Floats) -> None:
        """Add to the cache the missing products whose rows have occurred before.

        See `kernels.nn.products.keep_products` for the arguments.
        """
        if self._n == len(self._rows):
            return
        with self._lock:
            self._n_missed += len(missing)
            # With many marks, new words would often collide with the mark of another.
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
    """Return the indices of the large tables and of the small tables, as int32 arrays.

    A group without tables is left out.
    """
    is_small = np.array([len(table) <= _SMALL_TABLE for table in tables])
    groups = [np.flatnonzero(~is_small), np.flatnonzero(is_small)]
    return [columns.astype(np.int32) for columns in groups if len(columns)]
