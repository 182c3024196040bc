"""Fallbacks for `kernels.decoding.constrained`, for all sequences or states at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.decoding.plain.viterbi import best_ways, longest_first

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
    states = np.zeros((len(begin) - 1, len(follow)), np.int64)
    for which, at in longest_first(*np.stack([begin[:-1], begin[1:]]).astype(np.int64)):
        state = states[which]
        to = follow[automata, kinds[at, None], state, tags[at, None]]
        states[which] = np.where(state < 0, state, to)
    broken[:] = (states < 0) | ~accepting[automata, states]


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
            arriving = best_ways(best[t - 1], steps)[:, :n_tags]
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
