"""Fallbacks for the kernels of `kernels.nn.pairs` that are used in tagging."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.nn.plain.int8 import multiply_integers, round_rows

if TYPE_CHECKING:
    from typing import Any

    from senna_py.kernels.arrays import Floats, Ints

_PIECE = 1 << 7  # the number of pairs that are computed at a time


def score_pairs(
    firsts: Floats,
    seconds: Floats,
    table: Floats,
    i: Ints,
    j: Ints,
    k: Ints,
    weight: tuple[Any, ...],
    out: Floats,
) -> None:
    n = table.shape[1]
    for at in range(0, len(out), _PIECE):
        rows = slice(at, at + _PIECE)
        first, second = firsts[i[rows]], seconds[j[rows]]
        units = first[:, :n] + second[:, :n]
        units += table[k[rows]]
        units += first[:, n:] * second[:, n:]
        np.maximum(units, 0, out=units)
        scales = round_rows(units)
        multiply_integers(units, scales, weight, out[rows])


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
