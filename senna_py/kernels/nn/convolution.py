"""Convolution over the characters of words, with the maximum over time (Kim et al.
2016).

A filter of width w over character vectors is a sum over its w places of what each
character gives there: <C[:, i:i+w], H> = sum_o C[:, i + o] . H[:, o]. The characters of
a text are few, so that these products are made once for each of them, in a table, and a
word only adds up rows of it.
"""

import numpy as np

from senna_py.kernels.runtime.jit import kernel, reordering_kernel


@kernel
def _add(total, row):
    for f in range(len(total)):
        total[f] += row[f]


@kernel
def _keep_larger(total, position, best, place):
    for f in range(len(total)):
        larger = total[f] > best[f]
        best[f] = total[f] if larger else best[f]
        place[f] = position if larger else place[f]


@kernel
def max_of_windows(table, characters, starts, out, place):
    """Largest response of each filter in each word (equations 5 and 6, without bias and
    tanh).

    table: float32[n_characters, width, n_filters]; characters: int32[n], rows of the
    table; starts: int64[n_words + 1], of words of `width` characters or more; out:
    float32[n_words, n_filters];
    place: int32[n_words, n_filters], the position of the first window that reaches it.
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
def add_to_tables(gradient, place, characters, d_table):
    """Backward of `max_of_windows`: only the window that reached the maximum has a
    gradient.

    gradient: float32[n_words, n_filters], d(cost)/d(out), is added to d_table, as large
    as table.
    """
    for k in range(gradient.shape[0]):
        for f in range(gradient.shape[1]):
            value = gradient[k, f]
            for o in range(d_table.shape[1]):
                d_table[characters[place[k, f] + o], o, f] += value
