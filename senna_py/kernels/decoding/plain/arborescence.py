"""Fallbacks for kernels of `kernels.decoding.arborescence`, which process whole rows at once."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.decoding import arborescence as kernels
from senna_py.kernels.nn.int8 import exact_dtype
from senna_py.kernels.nn.plain.int8 import round_rows

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Doubles, Floats, Ints, Longs


def score_heads(
    dependents: Floats,
    scales: Floats,
    keys: Floats,
    near: Floats,
    starts: Ints,
    way: int,
    scores: Floats,
) -> None:
    m, done = near.shape[1] // 2, 0
    heads, bias, scale = keys[:, :-1].copy(), keys[:, -1], scales[:, None]
    head_scale, exact = round_rows(heads)[:, 0], exact_dtype(heads.shape[1])
    numbers, heads = (array.astype(exact, copy=False) for array in (dependents, heads))
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


def relation_units(
    dependents: Floats,
    heads: Floats,
    distances: Floats,
    words: Longs,
    head: Longs,
    units: Floats,
) -> None:
    m = len(distances) // 2
    distance = np.clip(np.where(head < 0, words, head) - words, -m, m)
    np.multiply(dependents[words], heads[head], out=units)
    units += distances[m + distance]


def best_trees(score: Floats, begin: Longs, starts: Ints, head: Ints) -> None:
    for s, (a, b) in enumerate(pairwise(starts.tolist())):
        n = b - a
        own = score[begin[s] : begin[s] + n * (n + 1)].reshape(n, n + 1)
        own[np.arange(n), np.arange(n) + 1] = -np.inf  # no word is its own head
        found = np.where(np.isnan(own), -np.inf, own).argmax(axis=1)
        if n and not _is_tree(found.tolist()):
            kernels._best_tree(own, found)
        head[a:b] = found - 1


def _is_tree(head: list[int]) -> bool:
    """Return whether heads, 0 for the root and j + 1 for word j, form a tree."""
    seen = [-1] * len(head)  # the walk that first reached each word
    for i in range(len(head)):
        j = i
        while j >= 0 and seen[j] < 0:
            seen[j] = i
            j = head[j] - 1
        if j >= 0 and seen[j] == i:
            return False
    return head.count(0) == 1


def _nodes(score: Floats) -> Doubles:
    m, words = len(score) + 1, np.arange(1, len(score) + 1)
    # NaN counts as the lowest score.
    limited = np.fmin(np.fmax(score.astype(np.float64), -kernels._MOST), kernels._MOST)
    limited[words - 1, words] = 0
    found = np.full((m, m), -np.inf)
    found[1:] = limited
    found[words, words] = -np.inf
    found[1:, 0] -= 1 + 2 * m * np.abs(limited).max()
    return found


def _best_of(row: Doubles) -> int:
    return int(np.where(np.isnan(row), -np.inf, row).argmax())


def _take_better(
    row: Doubles, sources: Longs, lost: float, other: Doubles, other_sources: Longs
) -> None:
    value = other - lost
    better = value > row
    row[better], sources[better] = value[better], other_sources[better]
