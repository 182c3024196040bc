"""Convolution over the characters of words with max over time (Kim et al. 2016).

The response of a filter of width w at position i is a sum over the w characters of its
window: <C[:, i:i+w], H> = sum_o C[:, i + o] . H[:, o]. A text has few distinct
characters, so a table holds the product of each character with each column of each
filter, and only sums remain to be computed for a word.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.runtime.jit import kernel, reordering_kernel

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Floats, Ints, Longs


@kernel
def _add(total: Floats, row: Floats) -> None:
    for f in range(len(total)):
        total[f] += row[f]


@kernel
def _keep_larger(total: Floats, position: int, best: Floats, place: Ints) -> None:
    for f in range(len(total)):
        larger = total[f] > best[f]
        best[f] = total[f] if larger else best[f]
        place[f] = position if larger else place[f]


@kernel
def max_of_windows(
    table: Floats, characters: Ints, starts: Longs, out: Floats, place: Ints
) -> None:
    """Compute the largest response of each filter in each word, without bias and tanh.

    See Kim et al. (2016), equations 5 and 6.

    Args:
        table: float32[n_characters, width, n_filters], the products of each character
            with each column of each filter.
        characters: int32[n], row indices of the table.
        starts: int64[n_words + 1], the start of each word in `characters`. Words have
            at least `width` characters.
        out: float32[n_words, n_filters], which is written.
        place: int32[n_words, n_filters], which receives the position in `characters` of
            the first window with the maximum.
    """
    width, n_filters = table.shape[1:]
    total = np.empty(n_filters, table.dtype)
    for k in range(len(starts) - 1):
        out[k], place[k] = -np.inf, starts[k]
        for i in range(starts[k], starts[k + 1] - width + 1):
            total[:] = table[characters[i], 0]
            for o in range(1, width):
                _add(total, table[characters[i + o], o])
            _keep_larger(total, np.int32(i), out[k], place[k])


@reordering_kernel
def add_to_tables(
    gradient: Floats, place: Ints, characters: Ints, d_table: Floats
) -> None:
    """Backward pass of `max_of_windows`: add the gradients of maxima to the table.

    Args:
        gradient: float32[n_words, n_filters], d(cost)/d(out).
        place: int32[n_words, n_filters], from `max_of_windows`.
        characters: int32[n], row indices of the table.
        d_table: float32[n_characters, width, n_filters], to which the gradient is
            added.
    """
    for k in range(gradient.shape[0]):
        for f in range(gradient.shape[1]):
            value = gradient[k, f]
            for o in range(d_table.shape[1]):
                d_table[characters[place[k, f] + o], o, f] += value
