"""Fallbacks of the kernels of `kernels.nn.pairs` that tagging uses."""

import numpy as np

from senna_py.kernels.nn.plain.multiply_add import multiply_add


def pair_units(firsts, seconds, table, i, j, k, out):
    n = out.shape[1]
    first, second = firsts[i], seconds[j]
    linear = first[:, :n] + second[:, :n] + table[k]
    out[:] = multiply_add(first[:, n:], second[:, n:], linear)


def rows_of_predicates(
    starts, sentence, predicate, first, reach, word, owner, distance
):
    lengths = np.diff(starts)[sentence]
    which, ends = np.repeat(np.arange(len(predicate)), lengths), np.cumsum(lengths)
    within = np.arange(len(which)) - np.repeat(ends - lengths, lengths)
    word[:], owner[:] = starts[sentence][which] + within, first + which
    distance[:] = np.clip(word - predicate[which], -reach, reach) + reach
