"""Fallbacks for `kernels.decoding.constrained`, for all states or automata at once."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Bools, Floats, Ints


def find_broken(
    tags: Ints,
    begin: Ints,
    kinds: NDArray[np.int8],
    follow: NDArray[np.int8],
    accepting: Bools,
    broken: Bools,
) -> None:
    automata = np.arange(len(follow))
    for s, (a, b) in enumerate(pairwise(begin.tolist())):
        state = np.zeros(len(follow), np.int8)
        for kind, tag in zip(kinds[a:b].tolist(), tags[a:b].tolist(), strict=True):
            state = np.where(state < 0, state, follow[automata, kind, state, tag])
        broken[s] = (state < 0) | ~accepting[automata, state]


def best_accepted(
    emission: Floats,
    initial: Floats,
    steps: tuple[NDArray, ...],
    incoming: Floats,
    final: Floats,
    kinds: NDArray[np.int8],
    follow: NDArray[np.int8],
    accepting: Bools,
    tags: Ints,
) -> None:
    """Find the best accepted tag sequence by examining all pairs of tags."""
    n_tags, states = len(incoming), np.arange(len(accepting))
    # 0 or -inf for each move: float32[n_kinds, from state, to state, n_tags].
    moves = _allowed(follow[:, :, None] == states[:, None])
    emission, incoming, final = (
        emission[:, :n_tags],
        incoming[:, :n_tags],
        final[:n_tags],
    )
    best = np.empty((len(emission), len(states), n_tags), np.float32)
    arriving = np.where(states[:, None] == 0, initial[:n_tags], np.float32(-np.inf))
    for t, kind in enumerate(kinds):
        if t:
            arriving = (best[t - 1, :, None] + incoming).max(axis=2)
        best[t] = (arriving[:, None] + moves[kind]).max(axis=0) + emission[t]
    way = best[-1] + final + _allowed(accepting)[:, None]
    for t in range(len(emission) - 1, -1, -1):
        state, tags[t] = np.unravel_index(way.argmax(), way.shape)
        if t:
            way = (
                best[t - 1]
                + incoming[tags[t]]
                + moves[kinds[t], :, state, tags[t], None]
            )


def _allowed(condition: Bools) -> Floats:
    return np.where(condition, np.float32(0), np.float32(-np.inf))
