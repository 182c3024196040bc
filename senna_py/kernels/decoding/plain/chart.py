"""Fallbacks for kernels of `kernels.decoding.chart`, which process whole sentences at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.llvm.instructions import LANES
from senna_py.kernels.llvm.tile import FIRSTS
from senna_py.kernels.nn.plain.multiply_add import add_products, multiply_add

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Floats, Ints

_PIECE = 1 << 12  # the number of spans whose units are computed at a time


def _score(
    firsts: Floats,
    seconds: Floats,
    lengths: Floats,
    weight: Floats,
    bias: float,
    i: NDArray[np.integer[Any]],
    j: NDArray[np.integer[Any]],
) -> Floats:
    """Return the scores of the spans from word i[k] to word j[k]: float32[n_spans].

    See `spans_above` for the other arrays.
    """
    n, score = len(weight), np.full((len(i), 1), bias, np.float32)
    for at in range(0, len(i), _PIECE):
        first, last = firsts[i[at : at + _PIECE]], seconds[j[at : at + _PIECE]]
        of_length = lengths[:, FIRSTS - 1 + (j - i)[at : at + _PIECE]].T
        units = (first[:, :n] + last[:, :n]) + of_length
        units = multiply_add(first[:, n:], last[:, n:], units)
        units[units < 0] = 0
        add_products(units, weight[:, None], score[at : at + _PIECE])
    return score[:, 0]


def spans_above(
    firsts: Floats,
    seconds: Floats,
    lengths: Floats,
    weight: Floats,
    bias: float,
    least: float,
    starts: Ints,
    begin: Ints,
    end: Ints,
    score: Floats,
) -> tuple[int, int]:
    longest = lengths.shape[1] - LANES - (FIRSTS - 1)
    if seconds.shape != firsts.shape or longest < np.diff(starts).max():
        raise ValueError("sizes of spans do not fit")
    found = 0
    for s, (a, b) in enumerate(
        zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
    ):
        i, j = np.triu_indices(b - a)
        if found + len(i) > len(begin):
            return found, s
        value = _score(firsts[a:b], seconds[a:b], lengths, weight, bias, i, j)
        kept = (value >= least) | (j - i == b - a - 1)
        room = slice(found, found + int(kept.sum()))
        begin[room], end[room], score[room] = a + i[kept], a + j[kept] + 1, value[kept]
        found = room.stop
    return found, len(starts) - 1


def _best_split(left: Floats, right: Floats) -> tuple[int, float]:
    total = left + right
    where = int(total.argmax())
    return where, total[where]
