"""Fallbacks for the kernels of `kernels.nn.pairs` that are used in tagging."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.nn.plain.multiply_add import multiply_add

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Floats, Ints


def pair_units(
    firsts: Floats,
    seconds: Floats,
    table: Floats,
    i: Ints,
    j: Ints,
    k: Ints,
    out: Floats,
) -> None:
    n = out.shape[1]
    first, second = firsts[i], seconds[j]
    linear = first[:, :n] + second[:, :n] + table[k]
    out[:] = multiply_add(first[:, n:], second[:, n:], linear)


def rows_of_predicates(
    starts: Ints,
    sentence: Ints,
    predicate: Ints,
    first: int,
    reach: int,
    word: Ints,
    owner: Ints,
    distance: Ints,
) -> None:
    lengths = np.diff(starts)[sentence]
    which, ends = np.repeat(np.arange(len(predicate)), lengths), np.cumsum(lengths)
    within = np.arange(len(which)) - np.repeat(ends - lengths, lengths)
    word[:], owner[:] = starts[sentence][which] + within, first + which
    distance[:] = np.clip(word - predicate[which], -reach, reach) + reach
