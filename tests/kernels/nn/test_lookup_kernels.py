import itertools
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.kernels.nn.lookup import (
    add_pairs,
    add_to_rows,
    add_windows,
    lookup,
    lookup_changed,
    lookup_changed_bytes,
    pad_sentences,
)

pytestmark = pytest.mark.usefixtures("each_way")


@given(
    st.lists(st.integers(0, 6), max_size=5),
    st.integers(0, 3),
    st.integers(1, 3),
    st.integers(),
)
def test_pad_sentences(lengths, half, n_features, seed):
    rng = np.random.default_rng(abs(seed))
    starts = np.append(0, np.cumsum(lengths)).astype(np.int32)
    index = rng.integers(9, size=(starts[-1], n_features)).astype(np.int32)
    padding = rng.integers(10, 20, size=n_features).astype(np.int32)
    padded = np.full((len(index) + 2 * half * len(lengths), n_features), -1, np.int32)
    first = np.full(len(index), -1, np.int32)
    pad_sentences(index, starts, half, padding, padded, first)

    rows, begins = [], []
    for a, b in itertools.pairwise(starts):
        begins += range(len(rows), len(rows) + b - a)
        rows += [padding] * half + list(index[a:b]) + [padding] * half
    assert padded.tolist() == [row.tolist() for row in rows]
    assert first.tolist() == begins


def random_rows(seed):
    """A table, indices into it and rows beside these indices."""
    rng = np.random.default_rng(seed)
    n_keys, n, dim = rng.integers(1, 7), rng.integers(0, 12), rng.integers(1, 5)
    index = rng.integers(n_keys, size=n).astype(np.int32)
    return *(
        rng.standard_normal((k, dim)).astype(np.float32) for k in (n_keys, n)
    ), index


def check_columns(look_up, rows):
    """`look_up(out, column)` writes the rows from a column on, and nothing beside
    them.
    """
    n, dim = rows.shape
    for column in (0, 3):
        out = np.full((n, column + dim + 1), 77, np.float32)
        look_up(out, column)
        expected = np.full_like(out, 77)
        expected[:, column : column + dim] = rows
        assert np.array_equal(out, expected)


@given(st.integers(0, 999))
def test_lookup(seed):
    table, _, index = random_rows(seed)
    check_columns(partial(lookup, table, index), table[index])


@given(st.integers(0, 9), st.integers(1, 5), st.integers())
def test_add_pairs(n, dim, seed):
    rng = np.random.default_rng(abs(seed))
    a, b = (rng.standard_normal((m, dim)).astype(np.float32) for m in (4, 7))
    i, j = (rng.integers(m, size=n).astype(np.int32) for m in (4, 7))
    out = np.full((n, dim), np.nan, np.float32)
    add_pairs(a, i, b, j, out)
    assert np.array_equal(out, a[i] + b[j])


@given(st.integers(0, 999))
def test_add_to_rows(seed):
    table, x, index = random_rows(seed)
    expected = table.copy()
    np.add.at(expected, index, x)
    add_to_rows(x, index, table)
    np.testing.assert_allclose(table, expected, atol=1e-5)


@given(st.integers(1, 9), st.integers(1, 5), st.integers(1, 4), st.integers(0, 999))
def test_add_windows(n_rows, window, dim, seed):
    rng = np.random.default_rng(seed)
    d_x = rng.standard_normal((n_rows + window - 1, dim)).astype(np.float32)
    first = rng.integers(n_rows, size=rng.integers(0, 12)).astype(np.int32)
    d_windows = rng.standard_normal((len(first), window * dim)).astype(np.float32)
    expected = d_x.copy()
    for row, t in zip(d_windows, first, strict=True):
        expected[t : t + window] += row.reshape(window, dim)
    add_windows(d_windows, first, d_x)
    np.testing.assert_allclose(d_x, expected, atol=1e-5)


def random_changes(seed):
    """Two tables of standard normal numbers, where each row of the first has another,
    indices.
    """
    base, _, index = random_rows(seed)
    rng = np.random.default_rng(seed)
    changed = rng.standard_normal((3, base.shape[1]))
    return base, changed, rng.integers(-1, 3, len(base)).astype(np.int32), index


@given(st.integers(0, 999))
def test_lookup_changed(seed):
    *tables, slot, index = random_changes(seed)
    base, changed = (table.astype(np.float16) for table in tables)
    given = base.view(np.uint16), slot, changed.view(np.uint16), index
    rows = np.where(slot[:, None] < 0, base, changed[slot])[index]
    check_columns(partial(lookup_changed, *given), rows)


def test_every_half_float():
    bits = np.arange(1 << 16, dtype=np.uint16)[:, None]
    slot = np.full(len(bits), -1, np.int32)
    out = np.empty((len(bits), 1), np.float32)
    lookup_changed(bits, slot, bits[:0], np.arange(len(bits), dtype=np.int32), out, 0)
    expected = bits.view(np.float16).astype(np.float32)
    assert np.array_equal(out, expected, equal_nan=True)
    assert np.array_equal(np.signbit(out), np.signbit(expected))


@given(st.integers(0, 999))
def test_lookup_changed_bytes(seed):
    *tables, slot, index = random_changes(seed)
    base, changed = (np.clip(60 * table, -128, 127).astype(np.int8) for table in tables)
    rng = np.random.default_rng(seed)
    scales, changed_scales = (
        rng.random(len(table)).astype(np.float32) for table in tables
    )
    given = base, scales, slot, changed, changed_scales, index
    rows = np.where(
        slot[:, None] < 0,
        base * scales[:, None],
        (changed * changed_scales[:, None])[slot],
    )
    check_columns(partial(lookup_changed_bytes, *given), rows[index])
