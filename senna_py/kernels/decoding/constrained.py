"""Best tag sequence that an automaton accepts."""

import numpy as np

from senna_py.kernels.decoding.viterbi import best_ways, make_room
from senna_py.kernels.runtime.jit import borrowing_kernel, kernel


@borrowing_kernel
def find_broken(tags, begin, kinds, follow, accepting, broken):
    """Find which of some automata do not accept each of some sequences.

    tags: int32[n]; begin: int32[n_sequences + 1], where sequences begin; kinds:
    int8[n], of rows;
    follow: int8[n_automata, n_kinds, n_states, n_tags] and accepting: bool[n_automata,
    n_states], see `best_accepted`; broken: bool[n_sequences, n_automata], written.
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
    emission, initial, steps, incoming, final, kinds, follow, accepting, tags
):
    """Viterbi's algorithm over pairs of a tag and a state of an automaton, for one
    sequence.

    emission: float32[n, width]; initial, steps, incoming, final: as of
    `viterbi.viterbi`; kinds: int8[n], of rows; follow: int8[n_kinds, n_states, n_tags],
    the state after a tag on a row of a kind, or -1, from state 0 on; accepting:
    bool[n_states], those in which a sequence may end;
    tags: int32[n], written. Ties go to the lowest state, then tag.
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
def _best_pair(score, of_tag, of_state):
    """State and tag with the largest sum of the three; of several, the first."""
    state, tag, best = 0, 0, np.float32(-np.inf)
    for q in range(len(of_state)):
        for j in range(len(of_tag)):
            value = score[q, j] + of_tag[j] + of_state[q]
            if value > best:
                state, tag, best = q, j, value
    return state, tag
