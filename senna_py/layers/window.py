"""First layers of networks: linear on windows of lookup-table rows, added up out of
products.
"""

import threading

import numpy as np

from senna_py.kernels.nn import products as kernels
from senna_py.kernels.nn.linear import hardtanh
from senna_py.kernels.runtime.jit import runs_fallbacks
from senna_py.layers.blocks import BLOCK, aligned, embed

# A table with no more keys is apart from the others: what comes from the context of a
# word (its place in a name, its part of speech) is combined with every word, but for
# itself takes few values.
_FEW = 64
_MOST_OF_FEW = 512  # rows kept of these
_MARKS = 1 << 16
_ROWS = 8 * BLOCK  # windows whose products are looked for at once


def window_blocks(index, first, window):
    """Yield rows of `index`, and where windows begin in them, of some windows at a
    time.

    index: int32[n_rows, n_features]; first: int32[n], ascending; window: rows of each.
    """
    for begin in range(0, len(first), _ROWS):
        some = first[begin : begin + _ROWS]
        yield index[some[0] : some[-1] + window], some - some[0]


class WindowLayer:
    """A linear layer on windows of lookup-table rows: out = bias + window @ weight.

    It adds up, position by position, what the large tables give there and what the
    small ones (of at most 64 keys) give, each the product of the rows of one word and
    the weights of one position. So the order of additions is that of positions, parts
    and columns, however many words are computed together and whether or not a product
    was kept from before.
    """

    def __init__(self, tables, weight, bias, cache=None):
        """tables: of the network; weight: float32[window * dims, n_out]; bias:
        float32[n_out].

        dims: the sum of those of the tables; cache: a ProductCache of the same tables
        and weight.
        """
        self._tables, self._weight, self._bias = tables, weight, bias
        dims = [table.shape[1] for table in tables]
        self._parts = _parts(tables)
        self._ranges = [_ranges(columns, dims) for columns in self._parts]
        self._window = len(weight) // sum(dims)
        self._cache = cache

    def __call__(self, index, first):
        """Output float32[n, n_out] for the windows that begin at rows `first`:
        int32[n].

        index: int32[n_rows, n_features].
        """
        if runs_fallbacks():  # of little text: nothing that could be kept comes again
            return self.on_rows(embed(self._tables, index), first)
        return self._add(self._find(index), first)

    def scores(self, index, first, output):
        """Scores of a PackedLinear behind this layer and HardTanh: float32[n, n_out] of
        that.
        """
        if runs_fallbacks():
            hidden = self(index, first)
            hardtanh(hidden)
            return output(hidden)
        hidden = aligned(BLOCK, len(self._bias))
        scores = aligned(len(first), len(output.arrays[2]))
        found = _paired(self._find(index))
        kernels.score_windows(first, self._bias, *found, output.arrays, hidden, scores)
        return scores

    def on_rows(self, x, first):
        """The same for rows that were looked up: x: float32[n_rows, sum of dims]."""
        where, found = -1 - np.arange(len(x), dtype=np.int32), []
        for ranges in self._ranges:
            fresh = self._multiply(x, ranges)
            found.append((where, fresh[:0], fresh))
        return self._add(found, first)

    def _find(self, index):
        """For each part, where the products of each row are, and the kept and the new
        ones.
        """
        caches = (None, None) if self._cache is None else self._cache.parts
        parts = zip(self._parts, self._ranges, caches, strict=False)
        return [self._products(index, *part) for part in parts]

    def _add(self, found, first):
        out = np.empty((len(first), len(self._bias)), np.float32)
        kernels.add_products(first, self._bias, *_paired(found), out)
        return out

    def _multiply(self, x, ranges):
        out = np.empty((len(x), self._window, len(self._bias)), np.float32)
        kernels.window_products(x, ranges, self._weight, out)
        return out

    def _products(self, index, columns, ranges, kept):
        where, missing = np.empty(len(index), np.int32), np.empty(len(index), np.int32)
        table, keys, rows = _NOTHING if kept is None else kept.view()
        n = kernels.find_products(
            index, columns, table, keys, len(rows), where, missing
        )
        if n == 0:
            return where, rows, rows[:0]
        missing = missing[:n]
        fresh = self._multiply(embed(self._tables, index[missing]), ranges)
        if kept is None:
            return where, fresh[:0], fresh
        kept.keep(index, columns, missing, fresh)
        return where, rows, fresh


def _paired(found):
    """What kernels take of two parts; the second may be of no features."""
    first, *second = found
    return *first, *(second[0] if second else (_NOWHERE, *first[1:]))


_NOWHERE = np.empty(0, np.int32)
_NOTHING = np.full(1, -1, np.int32), np.empty((0, 1), np.int32), ()


class ProductCache:
    """Products of a WindowLayer that came up more than once, and layers; shared by
    threads.

    What it holds is bounded, and memory that was not needed yet is not taken.
    """

    def __init__(self, tables, weight, n_rows):
        """tables, weight: of the WindowLayer; n_rows: how many products to keep at
        most.
        """
        window = len(weight) // sum(table.shape[1] for table in tables)
        parts = _parts(tables)
        few = min(_MOST_OF_FEW, n_rows // 4) if len(parts) > 1 else 0
        self.parts = [
            _Kept(len(columns), capacity, (window, weight.shape[1]))
            for columns, capacity in zip(parts, (n_rows - few, few), strict=False)
        ]
        self._layers = {}

    def layers_of(self, network):
        """The layers of a network that has this cache, with weights laid out once for
        all batches.

        Those for the other way of kernels are dropped: after the first text nobody
        needs them.
        """
        plain = runs_fallbacks()
        kept = self._layers.get(id(network))
        if kept is None or kept[0] != plain:
            kept = self._layers[id(network)] = plain, network.layers(self), network
        return kept[1]


class _Kept:
    """The products of one part. Rows, once written, stay as they are."""

    def __init__(self, n_columns, capacity, shape):
        self._table = np.full(1 << (2 * capacity).bit_length(), -1, np.int32)
        self._keys = np.empty((capacity, n_columns), np.int32)
        self._rows = np.empty((capacity, *shape), np.float32)
        self._seen, self._n_missed = np.zeros(_MARKS, np.uint8), 0
        self._n = 0
        self._lock = threading.Lock()

    def view(self):
        """The hash table, the keys, and the rows that may be read."""
        with self._lock:  # whoever has seen the number sees the rows
            return self._table, self._keys, self._rows[: self._n]

    def keep(self, index, columns, missing, products):
        """Keep what was missing before; see `kernels.nn.products.keep_products`."""
        if self._n == len(self._rows):
            return
        with self._lock:
            self._n_missed += len(missing)
            if (
                self._n_missed > _MARKS // 4
            ):  # with more marks, most new words would find one
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


def _parts(tables):
    """Numbers of the large and of the small tables: one or two int32 arrays."""
    few = np.array([len(table) <= _FEW for table in tables])
    parts = np.flatnonzero(~few).astype(np.int32), np.flatnonzero(few).astype(np.int32)
    return [columns for columns in parts if len(columns)]


def _ranges(columns, dims):
    """Columns of the concatenated rows that the tables `columns` fill: int32[n, 2]."""
    stop = np.cumsum(dims)
    ranges = []
    for f in columns.tolist():
        begin, end = int(stop[f] - dims[f]), int(stop[f])
        if ranges and ranges[-1][1] == begin:
            ranges[-1][1] = end
        else:
            ranges.append([begin, end])
    return np.array(ranges, np.int32)
