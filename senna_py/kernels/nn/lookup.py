"""Lookup tables, and padding of sentences for windows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.runtime.jit import kernel, reordering_kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Floats, Ints


@kernel
def pad_sentences(
    index: Ints, starts: Ints, half: int, padding: Ints, padded: Ints, first: Ints
) -> None:
    """Insert `half` padding rows before and after each sentence.

    See Collobert et al. (2011), section 3.3.1.

    Args:
        index: int32[n_tokens, n_features], the feature indices of each token.
        starts: int32[n_sentences + 1], where each sentence begins.
        half: The number of words on either side of the word in the middle of a window.
        padding: int32[n_features], the feature indices of padding.
        padded: int32[n_tokens + 2 * half * n_sentences, n_features], which is written.
        first: int32[n_tokens], which receives the row of `padded` where the window of
            each token begins.
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
def lookup(table: Floats, index: Ints, out: Floats, column: int) -> None:
    """Write row index[i] of a table to out[i], from column `column` on.

    See Collobert et al. (2011), equation 1.

    Args:
        table: float32[n_keys, dim].
        index: int32[n].
        out: float32[n, at least column + dim].
        column: The first column of `out` to write.
    """
    dim = table.shape[1]
    for i in range(len(index)):
        row = index[i]
        for d in range(dim):
            out[i, column + d] = table[row, d]


@kernel
def add_pairs(a: Floats, i: Ints, b: Floats, j: Ints, out: Floats) -> None:
    """Compute out[t] = a[i[t]] + b[j[t]] for all t.

    Args:
        a: float32[n_a, dim].
        i: int32[n], row indices of a.
        b: float32[n_b, dim].
        j: int32[n], row indices of b.
        out: float32[n, dim], which is written.
    """
    for t in range(len(out)):
        x, y = a[i[t]], b[j[t]]
        for d in range(out.shape[1]):
            out[t, d] = x[d] + y[d]


@reordering_kernel
def add_to_rows(x: Floats, index: Ints, out: Floats) -> None:
    """Add row x[i] to row out[index[i]] for all i.

    Args:
        x: float32[n, dim].
        index: int32[n], row indices of `out`.
        out: float32[n_rows, dim].
    """
    for i in range(len(index)):
        row = out[index[i]]
        for d in range(len(row)):
            row[d] += x[i, d]


@reordering_kernel
def add_windows(d_windows: Floats, first: Ints, d_x: Floats) -> None:
    """Add the gradients of overlapping windows of rows to the gradients of the rows.

    Args:
        d_windows: float32[n, window * dim].
        first: int32[n], the index of the first row of each window.
        d_x: float32[n_rows, dim].
    """
    flat, dim = d_x.ravel(), d_x.shape[1]
    for t in range(len(first)):
        row, offset = d_windows[t], np.int64(first[t]) * dim
        for k in range(len(row)):
            flat[offset + k] += row[k]


@kernel
def _float(half: np.uint32) -> np.float32:
    """Convert a float16 to float32.

    Args:
        half: The bits of the float16, zero-extended to uint32.
    """
    magnitude = half & np.uint32(0x7FFF)
    sign = (half & np.uint32(0x8000)) << np.uint32(16)
    if magnitude >= np.uint32(0x7C00):  # infinity or NaN
        bits = np.uint32(0x7F800000) | (magnitude << np.uint32(13))
        return np.uint32(bits | sign).view(np.float32)
    # The biases of the exponents differ by 112. The product is exact, even for subnormal
    # numbers.
    value = np.uint32(magnitude << np.uint32(13)).view(np.float32) * np.float32(
        2.0**112
    )
    return -value if sign else value


@kernel
def lookup_changed(
    base: NDArray[np.uint16],
    slot: Ints,
    changed: NDArray[np.uint16],
    index: Ints,
    out: Floats,
    column: int,
) -> None:
    """Write row index[i] of a table of float16 to out[i], from column `column` on.

    The table consists of a base table and of rows that replace some of its rows.

    Args:
        base: uint16[n_keys, dim], the bits of float16.
        slot: int32[n_keys], the row of `changed` that replaces each row of `base`, or
            -1.
        changed: uint16[n_changed, dim], the bits of float16.
        index, out, column: See `lookup`.
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
    base: NDArray[np.int8],
    scales: Floats,
    slot: Ints,
    changed: NDArray[np.int8],
    changed_scales: Floats,
    index: Ints,
    out: Floats,
    column: int,
) -> None:
    """Write row index[i] of a table of scaled int8 to out[i], from `column` on.

    The table consists of a base table and of rows that replace some of its rows.

    Args:
        base: int8[n_keys, dim].
        scales: float32[n_keys], the factors of the rows of `base`.
        slot: int32[n_keys], the row of `changed` that replaces each row of `base`, or
            -1.
        changed: int8[n_changed, dim].
        changed_scales: float32[n_changed], the factors of the rows of `changed`.
        index, out, column: See `lookup`.
    """
    dim = base.shape[1]
    for i in range(len(index)):
        row = index[i]
        k = slot[row]
        scale = scales[row] if k < 0 else changed_scales[k]
        for d in range(dim):
            number = base[row, d] if k < 0 else changed[k, d]
            out[i, column + d] = np.float32(number) * scale
