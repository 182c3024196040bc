"""Fallbacks for the kernels of `kernels.nn.lookup` that are used in tagging."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Floats, Ints


def pad_sentences(
    index: Ints, starts: Ints, half: int, padding: Ints, padded: Ints, first: Ints
) -> None:
    # The number of padding rows of previous sentences.
    n_before = 2 * half * np.arange(len(starts) - 1)
    first[:] = np.arange(len(index)) + np.repeat(n_before, np.diff(starts))
    padded[:] = padding
    padded[first + half] = index


def lookup(table: Floats, index: Ints, out: Floats, column: int) -> None:
    out[:, column : column + table.shape[1]] = table[index]


def add_pairs(a: Floats, i: Ints, b: Floats, j: Ints, out: Floats) -> None:
    np.add(a[i], b[j], out=out)


def lookup_changed(
    base: NDArray[np.uint16],
    slot: Ints,
    changed: NDArray[np.uint16],
    index: Ints,
    out: Floats,
    column: int,
) -> None:
    rows, k = base[index], slot[index]
    rows[k >= 0] = changed[k[k >= 0]]
    out[:, column : column + base.shape[1]] = rows.view(np.float16)


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
    rows, row_scales, k = base[index], scales[index], slot[index]
    rows[k >= 0], row_scales[k >= 0] = changed[k[k >= 0]], changed_scales[k[k >= 0]]
    np.multiply(rows, row_scales[:, None], out=out[:, column : column + base.shape[1]])
