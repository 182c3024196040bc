"""Fallbacks for kernels of `kernels.decoding.arborescence`, which process whole rows at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.nn.int8 import exact_dtype
from senna_py.kernels.nn.plain.int8 import round_rows

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Doubles, Floats, Ints, Longs


def score_heads(
    dependents: Floats,
    keys: Floats,
    near: Floats,
    starts: Ints,
    way: int,
    scores: Floats,
) -> None:
    m, done = near.shape[1] // 2, 0
    numbers, heads, bias = dependents.copy(), keys[:, :-1].copy(), keys[:, -1]
    scale, head_scale = round_rows(numbers), round_rows(heads)[:, 0]
    exact = exact_dtype(heads.shape[1])
    numbers, heads = (array.astype(exact, copy=False) for array in (numbers, heads))
    for a, b in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        n, rows = b - a, np.arange(a - 1, b)
        rows[0] = len(keys) - 1
        own = scores[done : done + n * (n + 1)].reshape(n, n + 1)
        done += own.size
        own[:] = numbers[a:b] @ heads[rows].T
        own *= scale[a:b]
        own *= head_scale[rows]
        own += bias[rows]
        words = np.arange(n)
        distance = np.clip(words - words[:, None], -m, m) + m
        own[:, 1:] += np.take_along_axis(near[a:b], distance, axis=1)


def _best_of(row: Doubles) -> int:
    return int(np.where(np.isnan(row), -np.inf, row).argmax())


def _take_better(
    row: Doubles, sources: Longs, lost: float, other: Doubles, other_sources: Longs
) -> None:
    value = other - lost
    better = value > row
    row[better], sources[better] = value[better], other_sources[better]
