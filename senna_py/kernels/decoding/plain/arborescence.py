"""Fallbacks for kernels of `kernels.decoding.arborescence`, which process whole rows at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.nn.linear import linear

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Doubles, Floats, Ints, Longs


def score_heads(
    dependents: Floats, keys: Floats, near: Floats, starts: Ints, scores: Floats
) -> None:
    m, done = near.shape[1] // 2, 0
    for a, b in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        n, heads = b - a, np.concatenate([keys[-1:], keys[a:b]]).T
        own = scores[done : done + n * (n + 1)].reshape(n, n + 1)
        done += own.size
        linear(dependents[a:b], heads[:-1].copy(), heads[-1].copy(), own)
        words = np.arange(n)
        rows = np.clip(words - words[:, None], -m, m) + m
        own[:, 1:] += np.take_along_axis(near[a:b], rows, axis=1)


def _best_of(row: Doubles) -> int:
    return int(np.where(np.isnan(row), -np.inf, row).argmax())


def _take_better(
    row: Doubles, sources: Longs, lost: float, other: Doubles, other_sources: Longs
) -> None:
    value = other - lost
    better = value > row
    row[better], sources[better] = value[better], other_sources[better]
