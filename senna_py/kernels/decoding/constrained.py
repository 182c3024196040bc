"""Viterbi decoding of tag sequences under constraints, which are finite automata."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.decoding.viterbi import best_ways, make_room
from senna_py.kernels.runtime.jit import borrowing_kernel, kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Bools, Floats, Ints


@borrowing_kernel
def find_broken(
    tags: Ints,
    begin: Ints,
    kinds: NDArray[np.int8],
    follow: NDArray[np.int8],
    accepting: Bools,
    broken: Bools,
) -> None:
    """Find which automata reject which tag sequences.

    Args:
        tags: int32[n], the tags of all sequences.
        begin: int32[n_sequences + 1], where each sequence begins.
        kinds: int8[n], the class of each row.
        follow: int8[n_automata, n_kinds, n_states, n_tags]; see `best_accepted`.
        accepting: bool[n_automata, n_states]; see `best_accepted`.
        broken: bool[n_sequences, n_automata], which receives whether an automaton
            rejects a sequence.
    """
    for s in range(len(begin) - 1):
        for k in range(len(follow)):
            state = np.int64(0)
            for t in range(begin[s], begin[s + 1]):
                state = np.int64(follow[k, kinds[t], state, tags[t]])
                if state < 0:
                    break
            broken[s, k] = state < 0 or not accepting[k, state]


@kernel
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
    """Find the best tag sequence that an automaton accepts, for one sequence.

    This is the Viterbi algorithm on pairs of a tag and a state. Ties are resolved in
    favor of the lowest state, then of the lowest tag. If the automaton accepts no
    sequence of this length, the result is arbitrary.

    Args:
        emission: float32[n, width], with at least one row.
        initial, steps, incoming, final: See `viterbi.viterbi`.
        kinds: int8[n], the class of each row.
        follow: int8[n_kinds, n_states, n_tags], the next state after a tag on a row of
            a class, or -1 if the tag is rejected. State 0 is the start.
        accepting: bool[n_states], the states in which a sequence may end.
        tags: int32[n], which is written.
    """
    n, n_states, n_tags = len(emission), len(accepting), len(incoming)
    room = make_room(len(final))
    score = np.full((n, n_states, emission.shape[1]), -np.inf, np.float32)
    reached = np.zeros((n, n_states), np.bool_)
    arriving = initial.copy()
    for t in range(n):
        for q in range(n_states if t else 1):
            if t and not reached[t - 1, q]:
                continue
            if t:
                best_ways(score[t - 1, q], steps, room, arriving)
            for j in range(n_tags):
                to, value = (
                    np.int64(follow[kinds[t], q, j]),
                    arriving[j] + emission[t, j],
                )
                if to >= 0 and value > score[t, to, j]:
                    score[t, to, j] = value
                    reached[t, to] = True
    ends = np.where(accepting, np.float32(0), np.float32(-np.inf))
    state, tag = _best_pair(score[n - 1], final, ends)
    for t in range(n - 1, -1, -1):
        tags[t] = tag
        if t:
            for q in range(n_states):
                ends[q] = 0 if follow[kinds[t], q, tag] == state else -np.inf
            state, tag = _best_pair(score[t - 1], incoming[tag], ends)


@kernel
def _best_pair(score: Floats, of_tag: Floats, of_state: Floats) -> tuple[int, int]:
    """Return the state and the tag with the largest sum of scores.

    Ties are resolved in favor of the lowest state, then of the lowest tag.
    """
    state, tag, best = 0, 0, np.float32(-np.inf)
    for q in range(len(of_state)):
        for j in range(len(of_tag)):
            value = score[q, j] + of_tag[j] + of_state[q]
            if value > best:
                state, tag, best = q, j, value
    return state, tag
