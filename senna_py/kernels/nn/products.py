"""Cached products for the first layer on windows of words.

The layer is linear, so the contribution of a word at one position of a window does not
depend on the other words. It is computed only once for all occurrences of the word.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.nn.linear import affine, hardtanh, linear_of_rows
from senna_py.kernels.runtime.jit import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Bytes, Floats, Ints


@kernel
def window_products(x: Floats, ranges: Ints, weight: Floats, out: Floats) -> None:
    """Multiply rows of features by the weights of each window position.

    The terms of each product are added in the order of the columns, so the result does
    not depend on the other rows.

    Args:
        x: float32[n, dim].
        ranges: int32[n_ranges, 2], the column ranges of x to use, in ascending order.
        weight: float32[window * dim, n_out], with `dim` rows for each position of the
            window.
        out: float32[n, window, n_out], which is written.
    """
    n, window, n_out = out.shape
    dim = x.shape[1]
    out[:] = 0
    flat, target = x.ravel(), out.reshape(n * window, n_out)
    rows = np.arange(n)
    for k in range(window):
        for r in range(len(ranges)):
            a, b = np.int64(ranges[r, 0]), np.int64(ranges[r, 1])
            part = weight[k * dim + a : k * dim + b]
            affine(flat, rows * dim + a, part, target, rows * window + k)


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
def _add(x: Floats, row: int, out: Floats, t: int) -> None:
    for j in range(out.shape[1]):
        out[t, j] += x[row, j]


@kernel
def _add_two(x: Floats, row: int, y: Floats, other: int, out: Floats, t: int) -> None:
    for j in range(out.shape[1]):
        out[t, j] = (out[t, j] + x[row, j]) + y[other, j]


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
    window, n_out = kept.shape[1], len(bias)
    a, b = kept.reshape(-1, n_out), fresh.reshape(-1, n_out)
    c, d = more_kept.reshape(-1, n_out), more_fresh.reshape(-1, n_out)
    for t in range(len(first)):
        for j in range(n_out):
            out[t, j] = bias[j]
        for k in range(window):
            slot = np.int64(where[first[t] + k])
            row = slot * window + k if slot >= 0 else (-1 - slot) * window + k
            if len(more_where) == 0:
                if slot >= 0:
                    _add(a, row, out, t)
                else:
                    _add(b, row, out, t)
                continue
            more_slot = np.int64(more_where[first[t] + k])
            more_row = (
                more_slot * window + k
                if more_slot >= 0
                else (-1 - more_slot) * window + k
            )
            if slot >= 0:
                if more_slot >= 0:
                    _add_two(a, row, c, more_row, out, t)
                else:
                    _add_two(a, row, d, more_row, out, t)
            elif more_slot >= 0:
                _add_two(b, row, c, more_row, out, t)
            else:
                _add_two(b, row, d, more_row, out, t)


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
    weight, panels, output_bias = second_layer
    for a in range(0, len(first), len(hidden)):
        b = min(a + len(hidden), len(first))
        rows = hidden[: b - a]
        add_products(
            first[a:b],
            bias,
            where,
            kept,
            fresh,
            more_where,
            more_kept,
            more_fresh,
            rows,
        )
        hardtanh(rows)
        linear_of_rows(rows, np.arange(b - a), weight, panels, output_bias, scores[a:b])
