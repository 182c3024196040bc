"""Cached products for the first layer on windows of words.

The layer is linear, so the contribution of a word at one position of a window does not
depend on the other words. It is computed only once for all occurrences of the word.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.llvm.instructions import LANES
from senna_py.kernels.llvm.tile import add_cells, add_rows
from senna_py.kernels.nn.linear import linear_of_rows, score_units
from senna_py.kernels.nn.max_over_time import max_over_predicates
from senna_py.kernels.runtime.jit import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Bytes, Floats, Ints, Longs


@kernel
def _hash(index: Ints, row: int, columns: Ints) -> np.uint64:
    value = np.int64(0)
    for c in columns:
        value = ((value ^ np.int64(index[row, c])) * np.int64(0x9E3779B1)) & np.int64(
            0x7FFFFFFF
        )
        value ^= value >> np.int64(15)
    return value


@kernel
def _same(
    a: Ints, row: int, b: Ints, other: int, columns: Ints, columns_of_b: Ints
) -> bool:
    """Return whether a[row, columns] and b[other, columns_of_b] are equal."""
    equal = True
    for i in range(len(columns)):
        equal &= a[row, columns[i]] == b[other, columns_of_b[i]]
    return equal


@kernel
def find_products(
    index: Ints,
    columns: Ints,
    table: Ints,
    keys: Ints,
    n_kept: int,
    where: Ints,
    missing: Ints,
) -> int:
    """Look up the cached products of each row of features.

    Args:
        index: int32[n, n_features].
        columns: int32[n_columns], the features to use.
        table: int32[2**k], a hash table with open addressing that contains slots, or
            -1.
        keys: int32[capacity, n_columns], the features of each slot.
        n_kept: The number of slots to use. Another thread may be writing the slots
            after them.
        where: int32[n], which receives the slot of each row, or -1 - m for the distinct
            missing row m.
        missing: int32[n], which receives the first row of `index` for each distinct
            missing row.

    Returns:
        The number of distinct missing rows.
    """
    size = 16
    while size < 2 * len(index):
        size *= 2
    fresh = np.full(size, np.int32(-1))
    n_missing = 0
    own = np.arange(len(columns), dtype=np.int32)
    for r in range(len(index)):
        value = _hash(index, r, columns)
        at = value & (len(table) - 1)
        slot = table[at]
        # Slots are assigned in order, so all further ones are not in use yet either.
        while 0 <= slot < n_kept and not _same(index, r, keys, slot, columns, own):
            at = (at + 1) & (len(table) - 1)
            slot = table[at]
        if 0 <= slot < n_kept:
            where[r] = slot
            continue
        at = value & (size - 1)
        while fresh[at] >= 0 and not _same(
            index, r, index, missing[fresh[at]], columns, columns
        ):
            at = (at + 1) & (size - 1)
        if fresh[at] < 0:
            fresh[at] = n_missing
            missing[n_missing] = r
            n_missing += 1
        where[r] = -1 - fresh[at]
    return n_missing


@kernel
def keep_products(
    index: Ints,
    columns: Ints,
    missing: Ints,
    products: Floats,
    seen: Bytes,
    table: Ints,
    keys: Ints,
    rows: Floats,
    n_kept: int,
) -> int:
    """Cache the products of rows that were missing, as long as there are free slots.

    A row is cached only when it is missing for the second time, because a row that
    occurs once is not worth a slot.

    Args:
        index, columns, table, keys: See `find_products`.
        missing: int32[n_missing], row indices of `index`.
        products: float32[n_missing, window, n_out].
        seen: uint8[2**k], 1 at the hashes of rows that have been missing before.
        rows: float32[capacity, window, n_out], the cached products.
        n_kept: The number of cached products.

    Returns:
        The new number of cached products.
    """
    own = np.arange(len(columns), dtype=np.int32)
    for m in range(len(missing)):
        value = _hash(index, missing[m], columns)
        mark = (value ^ (value >> np.int64(11))) & (len(seen) - 1)
        if not seen[mark]:
            seen[mark] = 1
            continue
        if n_kept == len(rows):
            break
        at = value & (len(table) - 1)
        while table[at] >= 0 and not _same(
            index, missing[m], keys, table[at], columns, own
        ):
            at = (at + 1) & (len(table) - 1)
        if table[at] >= 0:
            continue  # another thread has cached it
        rows[n_kept] = products[m]
        for i in range(len(columns)):
            keys[n_kept, i] = index[missing[m], columns[i]]
        table[at] = n_kept
        n_kept += 1
    return n_kept


@kernel
def _write_addresses(where: Ints, kept: Floats, fresh: Floats, out: Longs) -> None:
    """Write the addresses of the products of rows to out: int64[n_rows].

    See `add_products` for the other arguments.
    """
    size = kept.itemsize * kept.shape[1] * kept.shape[2]
    begin, fresh_begin = np.int64(kept.ctypes.data), np.int64(fresh.ctypes.data)
    for row in range(len(where)):
        slot = np.int64(where[row])
        if slot >= 0:
            out[row] = begin + slot * size
        else:
            out[row] = fresh_begin + (-1 - slot) * size


@kernel
def _addresses(
    where: Ints,
    kept: Floats,
    fresh: Floats,
    more_where: Ints,
    more_kept: Floats,
    more_fresh: Floats,
) -> Longs:
    """Return the addresses of the products of rows: int64[n_groups, n_rows].

    See `add_products` for the arguments.
    """
    n_groups = 2 if len(more_where) else 1
    addresses = np.empty((n_groups, len(where)), np.int64)
    _write_addresses(where, kept, fresh, addresses[0])
    if n_groups == 2:
        _write_addresses(more_where, more_kept, more_fresh, addresses[1])
    return addresses


@kernel
def _add_to_windows(
    first: Ints, bias: Floats, addresses: Longs, window: int, out: Floats
) -> None:
    """Compute a layer on windows from the addresses of products; see `add_products`."""
    (n_groups, n_rows), n_out = addresses.shape, len(bias)
    rows, sums = addresses.ravel(), out.reshape(-1)
    for t in range(len(first)):
        row, to = np.int64(first[t]), t * n_out
        for panel in range(0, n_out, LANES):
            column = min(panel, n_out - LANES)
            if column >= 0:
                add_rows(
                    rows, row, n_rows, n_groups, window, bias, column, n_out, sums, to
                )
                continue
            for j in range(n_out):
                add_cells(rows, row, n_rows, n_groups, window, bias, j, n_out, sums, to)


@kernel
def add_products(
    first: Ints,
    bias: Floats,
    where: Ints,
    kept: Floats,
    fresh: Floats,
    more_where: Ints,
    more_kept: Floats,
    more_fresh: Floats,
    out: Floats,
) -> None:
    """Compute a layer on windows: its bias plus the products of the words.

    Args:
        first: int32[n], the row of features where each window begins.
        bias: float32[n_out].
        where: int32[n_rows], from `find_products`.
        kept: float32[n_kept, window, n_out], the cached products of slots.
        fresh: float32[n_missing, window, n_out], the products of missing rows.
        more_where, more_kept, more_fresh: The same arrays for a second group of
            features; `more_where` is empty if there is none.
        out: float32[n, n_out], which is written.
    """
    addresses = _addresses(where, kept, fresh, more_where, more_kept, more_fresh)
    _add_to_windows(first, bias, addresses, kept.shape[1], out)


@kernel
def score_windows(
    first: Ints,
    bias: Floats,
    where: Ints,
    kept: Floats,
    fresh: Floats,
    more_where: Ints,
    more_kept: Floats,
    more_fresh: Floats,
    second_layer: tuple[NDArray, ...],
    hidden: Floats,
    scores: Floats,
) -> None:
    """Compute the scores of a network of two layers on windows, block by block.

    Args:
        first, bias, where, kept, fresh: See `add_products`, which computes the first
            layer.
        more_where, more_kept, more_fresh: See `add_products`.
        second_layer: The weight, panels and bias for `linear_of_rows`, which is applied
            after HardTanh.
        hidden: float32[n_block, n_hidden], scratch.
        scores: float32[n, n_out], which is written.
    """
    addresses = _addresses(where, kept, fresh, more_where, more_kept, more_fresh)
    for a in range(0, len(first), len(hidden)):
        b = min(a + len(hidden), len(first))
        rows = hidden[: b - a]
        _add_to_windows(first[a:b], bias, addresses, kept.shape[1], rows)
        score_units(rows, second_layer, scores[a:b])


@kernel
def score_predicates(
    words: Floats,
    sequences: tuple[Ints, ...],
    biases: tuple[Floats, ...],
    hidden_layer: tuple[NDArray, ...],
    output_layer: tuple[NDArray, ...],
    rooms: tuple[Floats, ...],
    scores: Floats,
) -> None:
    """Compute the scores of a sentence network for pairs of a predicate and a word.

    The layers are the max over time, a linear layer, HardTanh and a linear layer.

    Args:
        words: float32[n_tokens, n_conv]; see `max_over_predicates`.
        sequences: The arrays starts, sentence and predicate; see `max_over_predicates`.
        biases: The biases of distances to the predicate and to the word.
        hidden_layer, output_layer: The weight, panels and bias for `linear_of_rows`.
        rooms: float32[n_block, n_conv] and float32[n_block, n_hidden], scratch. A block
            has room for the longest sentence.
        scores: float32[n_rows, n_out], with a row for each pair, which is written.
    """
    starts, sentence, predicate = sequences
    pooled_room, hidden_room = rooms
    first, begin, end = 0, 0, 0
    for p in range(len(predicate) + 1):
        n = 0
        if p < len(predicate):
            n = np.int64(starts[sentence[p] + 1]) - np.int64(starts[sentence[p]])
        if p == len(predicate) or end - begin + n > len(pooled_room):
            pooled, hidden = pooled_room[: end - begin], hidden_room[: end - begin]
            max_over_predicates(
                words,
                starts,
                sentence[first:p],
                predicate[first:p],
                biases[0],
                biases[1],
                pooled,
            )
            weight, panels, bias = hidden_layer
            linear_of_rows(pooled, np.arange(end - begin), weight, panels, bias, hidden)
            score_units(hidden, output_layer, scores[begin:end])
            first, begin = p, end
        end += n
