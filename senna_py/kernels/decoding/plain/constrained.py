"""The fallback for `kernels.decoding.constrained`, for all sequences or states at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.decoding import constrained
from senna_py.kernels.decoding.plain.viterbi import best_ways, longest_first

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Bools, Floats, Ints, Longs
    from senna_py.kernels.decoding.constrained import Tables


def _find_broken(
    tags: Ints, begin: Longs, classes: NDArray[np.int8], tables: Tables
) -> Bools:
    """Return which automata reject which sequences: bool[n_sequences, n_automata].

    begin is int64[n_sequences + 1]; see `mend` for the other arguments.
    """
    follow, automata = tables.follow, np.arange(len(tables.follow))
    states = np.zeros((len(begin) - 1, len(follow)), np.int64)
    for which, at in longest_first(begin[:-1], begin[1:]):
        state = states[which]
        to = follow[automata, classes[at, None], state, tags[at, None]]
        states[which] = np.where(state < 0, state, to)
    rejected: Bools = (states < 0) | ~tables.accepting[automata, states]
    return rejected


def _product(tables: Tables, chosen: Longs) -> tuple[NDArray[np.int64], Bools]:
    """Return the product of some automata.

    Returns:
        The next states, int64[n_classes, n_states, n_tags], or -1; and bool[n_states],
        the accepting states.
    """
    follow, accepting = np.zeros((1, 1, 1), np.int64), np.ones(1, bool)
    for k in chosen.tolist():
        size = int(tables.sizes[k])
        a, b = follow[:, :, None], tables.follow[k, :, None, :size]
        pairs = np.where((a < 0) | (b < 0), -1, a * size + b)
        follow = pairs.reshape(len(pairs), -1, pairs.shape[-1])
        accepting = np.outer(accepting, tables.accepting[k, :size]).ravel()
    return follow, accepting


def _search(
    emission: Floats,
    classes: NDArray[np.int8],
    initial: Floats,
    steps: tuple[NDArray, ...],
    incoming: Floats,
    final: Floats,
    tables: Tables,
    chosen: Longs,
) -> NDArray[np.int64]:
    """Return the best tags that some automata accept; see `constrained._search`."""
    follow, accepting = _product(tables, chosen)
    n_tags, states = len(incoming), np.arange(len(accepting))
    # 0 or -inf for each move: float32[n_classes, from state, to state, n_tags].
    moves = _allowed(follow[:, :, None] == states[:, None])
    emission, incoming, final = (
        emission[:, :n_tags],
        incoming[:, :n_tags],
        final[:n_tags],
    )
    best = np.empty((len(emission), len(states), n_tags), np.float32)
    arriving = np.where(states[:, None] == 0, initial[:n_tags], np.float32(-np.inf))
    for t, row_class in enumerate(classes.tolist()):
        if t:
            arriving = best_ways(best[t - 1], steps)[:, :n_tags]
        best[t] = (arriving[:, None] + moves[row_class]).max(axis=0) + emission[t]
    way, tags = (
        best[-1] + final + _allowed(accepting)[:, None],
        np.empty(len(best), int),
    )
    for t in range(len(emission) - 1, -1, -1):
        state, tags[t] = np.unravel_index(way.argmax(), way.shape)
        if t:
            way = (
                best[t - 1]
                + incoming[tags[t]]
                + moves[classes[t], :, state, tags[t], None]
            )
    return tags


def mend(
    scores: Floats,
    begin: Ints,
    classes: NDArray[np.int8],
    initial: Floats,
    steps: tuple[NDArray, ...],
    incoming: Floats,
    final: Floats,
    tables: Tables,
    tags: Ints,
) -> None:
    rejected = _find_broken(tags, begin.astype(np.int64), classes, tables)
    for s in np.flatnonzero(rejected.any(axis=1) & (begin[1:] > begin[:-1])).tolist():
        rows, broken = slice(begin[s], begin[s + 1]), rejected[s]
        own, own_classes = scores[rows].copy(), classes[rows]
        own[own_classes == tables.ignored] = 0
        whole, is_chosen = np.array([0, len(own)]), np.zeros_like(broken)
        while is_chosen.sum() < constrained.MOST_AT_ONCE:
            new = np.flatnonzero(broken & ~is_chosen)
            if not new.size:
                break
            is_chosen[new[: constrained.MOST_AT_ONCE - is_chosen.sum()]] = True
            for k, row_class, tag, other in tables.alike.tolist():
                at = is_chosen[k] & (own_classes == row_class)
                own[at, tag] = np.maximum(own[at, tag], own[at, other])
            tags[rows] = _search(
                own,
                own_classes,
                initial,
                steps,
                incoming,
                final,
                tables,
                np.flatnonzero(is_chosen),
            )
            (broken,) = _find_broken(tags[rows], whole, own_classes, tables)


def _allowed(condition: Bools) -> Floats:
    return np.where(condition, np.float32(0), np.float32(-np.inf))
