"""Lookup tables and the padding of sentences for windows."""

import numpy as np

from senna_py.kernels.runtime.jit import kernel, reordering_kernel


@kernel
def pad_sentences(index, starts, half, padding, padded, first):
    """Put `half` padding indices before and after each sentence (section 3.3.1).

    index: int32[n_tokens, n_features]; starts: int32[n_sentences + 1]; padding:
    int32[n_features]; padded: int32[n_tokens + 2 * half * n_sentences, n_features];
    first: int32[n_tokens], row of `padded` where the window of each token begins.
    """
    n_features = index.shape[1]
    row = 0
    for s in range(len(starts) - 1):
        for k in range(half):
            for f in range(n_features):
                padded[row + k, f] = padding[f]
        row += half
        for t in range(starts[s], starts[s + 1]):
            for f in range(n_features):
                padded[row, f] = index[t, f]
            first[t] = row - half
            row += 1
        for k in range(half):
            for f in range(n_features):
                padded[row + k, f] = padding[f]
        row += half


@kernel
def lookup(table, index, out, column):
    """Write row `index[i]` of a lookup table into `out[i]` from `column` on (equation
    1).

    table: float32[n_keys, dim]; index: int32[n]; out: float32[n, at least column +
    dim].
    """
    dim = table.shape[1]
    for i in range(len(index)):
        row = index[i]
        for d in range(dim):
            out[i, column + d] = table[row, d]


@kernel
def add_pairs(a, i, b, j, out):
    """Compute out[t] = a[i[t]] + b[j[t]]; a, b, out: float32[rows, dim]; i, j:
    int32[n].
    """
    for t in range(len(out)):
        x, y = a[i[t]], b[j[t]]
        for d in range(out.shape[1]):
            out[t, d] = x[d] + y[d]


@reordering_kernel
def add_to_rows(x, index, out):
    """Add x: float32[n, dim] to the rows index: int32[n] of out: float32[n_rows,
    dim].
    """
    for i in range(len(index)):
        row = out[index[i]]
        for d in range(len(row)):
            row[d] += x[i, d]


@reordering_kernel
def add_windows(d_windows, first, d_x):
    """Add the gradients of overlapping windows of rows to those of the rows.

    d_windows: float32[n, window * dim]; first: int32[n], first rows; d_x:
    float32[n_rows, dim].
    """
    flat, dim = d_x.ravel(), d_x.shape[1]
    for t in range(len(first)):
        row, offset = d_windows[t], np.int64(first[t]) * dim
        for k in range(len(row)):
            flat[offset + k] += row[k]


@kernel
def _float(half):
    """The float32 of a float16 given by its bits: uint16, zero-extended to uint32."""
    magnitude = half & np.uint32(0x7FFF)
    sign = (half & np.uint32(0x8000)) << np.uint32(16)
    if magnitude >= np.uint32(0x7C00):  # infinite, or no number
        bits = np.uint32(0x7F800000) | (magnitude << np.uint32(13))
        return np.uint32(bits | sign).view(np.float32)
    # The exponents' biases differ by 112; the product is exact, for subnormal numbers
    # too.
    value = np.uint32(magnitude << np.uint32(13)).view(np.float32) * np.float32(
        2.0**112
    )
    return -value if sign else value


@kernel
def lookup_changed(base, slot, changed, index, out, column):
    """Write row `index[i]` of a table of half floats into `out[i]` from `column` on.

    base: uint16[n_keys, dim], changed: uint16[n_changed, dim], bits of float16; slot:
    int32[n_keys], the row of `changed` in place of one of `base`, or -1; the rest as of
    `lookup`.
    """
    dim = base.shape[1]
    for i in range(len(index)):
        row = index[i]
        k = slot[row]
        for d in range(dim):
            half = base[row, d] if k < 0 else changed[k, d]
            out[i, column + d] = _float(np.uint32(half))


@kernel
def lookup_changed_bytes(
    base, scales, slot, changed, changed_scales, index, out, column
):
    """Write row `index[i]` of a table of scaled bytes into `out[i]` from `column` on.

    base: int8[n_keys, dim], whose rows are multiplied by scales: float32[n_keys];
    changed: int8[n_changed, dim] and changed_scales: float32[n_changed]; the rest as of
    `lookup_changed`.
    """
    dim = base.shape[1]
    for i in range(len(index)):
        row = index[i]
        k = slot[row]
        scale = scales[row] if k < 0 else changed_scales[k]
        for d in range(dim):
            number = base[row, d] if k < 0 else changed[k, d]
            out[i, column + d] = np.float32(number) * scale
