"""Fallbacks of the kernels of `kernels.nn.lookup` that tagging uses."""

import numpy as np


def pad_sentences(index, starts, half, padding, padded, first):
    n_before = 2 * half * np.arange(len(starts) - 1)  # paddings of the sentences before
    first[:] = np.arange(len(index)) + np.repeat(n_before, np.diff(starts))
    padded[:] = padding
    padded[first + half] = index


def lookup(table, index, out, column):
    out[:, column : column + table.shape[1]] = table[index]


def add_pairs(a, i, b, j, out):
    np.add(a[i], b[j], out=out)


def lookup_changed(base, slot, changed, index, out, column):
    rows, k = base[index], slot[index]
    rows[k >= 0] = changed[k[k >= 0]]
    out[:, column : column + base.shape[1]] = rows.view(np.float16)


def lookup_changed_bytes(
    base, scales, slot, changed, changed_scales, index, out, column
):
    rows, row_scales, k = base[index], scales[index], slot[index]
    rows[k >= 0], row_scales[k >= 0] = changed[k[k >= 0]], changed_scales[k[k >= 0]]
    np.multiply(rows, row_scales[:, None], out=out[:, column : column + base.shape[1]])
