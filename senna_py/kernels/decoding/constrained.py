"""Viterbi decoding of tag sequences under constraints, which are finite automata."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.kernels.decoding.viterbi import best_ways, make_room
from senna_py.kernels.llvm.reductions import larger
from senna_py.kernels.runtime.jit import borrowing_kernel, kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Bools, Floats, Ints, Longs

# The maximum number of automata in a search; each makes it two or three times slower.
MOST_AT_ONCE = 3


class Tables(NamedTuple):
    """The automata of a task, as arrays for `mend`.

    Attributes:
        follow: int8[n_automata, n_classes, n_states, n_tags], the next state after a
            tag on a row of a class, or -1 if the tag is rejected. State 0 is the start.
            The states that pad smaller automata are never reached.
        accepting: bool[n_automata, n_states], the states in which a sequence may end.
        sizes: int32[n_automata], the number of states of each automaton.
        first_reacting: int32[n_classes * n_tags + 1], where the automata in `reacting`
            begin that a tag on a row of a class may move to another state.
        reacting: int32[n], automata.
        first_moving: int32[n_automata * n_classes * n_states + 1], where the tags in
            `moving` begin that move an automaton out of a state on a row of a class.
        moving: int32[m], tags.
        alike: int32[k, 4]: an automaton, a class of rows, and two tags. In a search
            with this automaton, the score of the first tag is raised to that of the
            second one on rows of this class.
        ignored: int32[1], the class of rows whose scores are ignored in a search, or
            -1.
    """

    follow: NDArray[np.int8]
    accepting: Bools
    sizes: Ints
    first_reacting: Ints
    reacting: Ints
    first_moving: Ints
    moving: Ints
    alike: Ints
    ignored: Ints


@borrowing_kernel
def _find_broken(
    tags: Ints,
    begin: int,
    end: int,
    classes: NDArray[np.int8],
    tables: Tables,
    states: Longs,
    broken: Bools,
) -> bool:
    """Find which automata reject a tag sequence, and return whether any does.

    Args:
        tags, classes, tables: See `mend`.
        begin, end: The range of the rows of the sequence.
        states: int64[n_automata], scratch.
        broken: bool[n_automata], which receives whether each automaton rejects it.
    """
    follow, any_broken = tables.follow, False
    for k in range(len(states)):
        states[k] = 0
    for t in range(begin, end):
        row_class, tag = np.int64(classes[t]), np.int64(tags[t])
        at = row_class * follow.shape[3] + tag
        for r in range(tables.first_reacting[at], tables.first_reacting[at + 1]):
            k = np.int64(tables.reacting[r])
            if states[k] >= 0:
                states[k] = follow[k, row_class, states[k], tag]
    for k in range(len(states)):
        broken[k] = states[k] < 0 or not tables.accepting[k, states[k]]
        any_broken |= broken[k]
    return any_broken


@borrowing_kernel
def _next_state(
    tables: Tables, chosen: Longs, row_class: int, parts: Longs, tag: int
) -> int:
    """Return the next state of a product of automata, or -1 if one rejects the tag.

    Args:
        tables: See `mend`.
        chosen: int64[n_chosen], the automata.
        row_class: The class of the row.
        parts: int64[n_chosen], their states.
        tag: The tag.
    """
    state = np.int64(0)
    for m in range(len(chosen)):
        to = np.int64(tables.follow[chosen[m], row_class, parts[m], tag])
        if to < 0:
            return np.int64(-1)
        state = state * np.int64(tables.sizes[chosen[m]]) + to
    return state


@borrowing_kernel
def _move(
    arriving: Floats,
    tables: Tables,
    chosen: Longs,
    row_class: int,
    parts: Longs,
    score: Floats,
    reached: Bools,
) -> None:
    """Move the scores of the tags that lead from a state of a product to other ones.

    Args:
        arriving: float32[width], the scores of the best paths from the state. The
            scores of these tags become -inf.
        tables, chosen, row_class, parts: See `_next_state`.
        score: float32[n_states, width], the best scores of the row, which are updated.
        reached: bool[n_states], which states of the product are reached.
    """
    _, n_classes, n_states, _ = tables.follow.shape
    for m in range(len(chosen)):
        at = (chosen[m] * n_classes + row_class) * n_states + parts[m]
        for r in range(tables.first_moving[at], tables.first_moving[at + 1]):
            tag = np.int64(tables.moving[r])
            state = _next_state(tables, chosen, row_class, parts, tag)
            if state >= 0 and arriving[tag] > score[state, tag]:
                score[state, tag] = arriving[tag]
                reached[state] = True
            arriving[tag] = -np.inf


@borrowing_kernel
def _best_pair(score: Floats, of_tag: Floats, is_source: Bools) -> tuple[int, int]:
    """Return the state and the tag with the largest sum of scores.

    Ties are resolved in favor of the lowest state, then of the lowest tag.

    Args:
        score: float32[n_states, width].
        of_tag: float32[width], which is added.
        is_source: bool[n_states], the states that are considered.
    """
    state, tag, best = np.int64(0), np.int64(0), np.float32(-np.inf)
    for q in range(len(is_source)):
        if is_source[q]:
            for j in range(len(of_tag)):
                value = score[q, j] + of_tag[j]
                if value > best:
                    state, tag, best = q, j, value
    return state, tag


@kernel
def _search(
    scores: Floats,
    classes: NDArray[np.int8],
    initial: Floats,
    steps: tuple[NDArray, ...],
    incoming: Floats,
    final: Floats,
    tables: Tables,
    chosen: Longs,
    tags: Ints,
) -> None:
    """Find the best tag sequence that some automata accept.

    This is the Viterbi algorithm on pairs of a tag and a state of the product of the
    automata. Ties are resolved in favor of the lowest state, then of the lowest tag. If
    the automata accept no sequence of this length, the result is arbitrary.

    Args:
        scores: float32[n, width], with at least one row.
        classes: int8[n], the class of each row.
        initial, steps, incoming, final, tables: See `mend`.
        chosen: int64[n_chosen], the automata.
        tags: int32[n], which is written.
    """
    n, width, n_states = len(scores), scores.shape[1], np.int64(1)
    for m in range(len(chosen)):
        n_states *= np.int64(tables.sizes[chosen[m]])
    parts = np.empty((n_states, len(chosen)), np.int64)
    ends = np.ones(n_states, np.bool_)
    for q in range(n_states):
        rest = q
        for m in range(len(chosen) - 1, -1, -1):
            size = np.int64(tables.sizes[chosen[m]])
            parts[q, m] = rest % size
            rest //= size
            ends[q] &= tables.accepting[chosen[m], parts[q, m]]
    room, arriving = make_room(width), initial.copy()
    score = np.full((n, n_states, width), -np.inf, np.float32)
    reached = np.zeros((n, n_states), np.bool_)
    for t in range(n):
        for q in range(n_states if t else 1):
            if t:
                if not reached[t - 1, q]:
                    continue
                best_ways(score[t - 1, q], steps, room, arriving)
            for j in range(width):
                arriving[j] += scores[t, j]
            row_class = np.int64(classes[t])
            _move(arriving, tables, chosen, row_class, parts[q], score[t], reached[t])
            for j in range(width):
                score[t, q, j] = larger(arriving[j], score[t, q, j])
            reached[t, q] = True
    state, tag = _best_pair(score[n - 1], final, ends)
    for t in range(n - 1, -1, -1):
        tags[t] = tag
        if t:
            for q in range(n_states):
                row_class = np.int64(classes[t])
                to = _next_state(tables, chosen, row_class, parts[q], tag)
                ends[q] = to == state and reached[t - 1, q]
            state, tag = _best_pair(score[t - 1], incoming[tag], ends)


@borrowing_kernel
def _raise_alike(
    scores: Floats, classes: NDArray[np.int8], alike: Ints, is_chosen: Bools
) -> None:
    """Raise the scores of tags in a search with some automata; see `Tables.alike`."""
    for k in range(len(alike)):
        tag, other = np.int64(alike[k, 2]), np.int64(alike[k, 3])
        if is_chosen[alike[k, 0]]:
            for t in range(len(scores)):
                if classes[t] == alike[k, 1] and scores[t, other] > scores[t, tag]:
                    scores[t, tag] = scores[t, other]


@kernel
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
    """Replace the tag sequences that an automaton rejects.

    The new tags are the best ones that all automata accept which rejected the tags or,
    in turn, the result of a search; at most MOST_AT_ONCE automata are considered.

    Args:
        scores: float32[n, width], the scores of tags for each row.
        begin: int32[n_sequences + 1], where each sequence begins.
        classes: int8[n], the class of each row.
        initial, steps, incoming, final: See `viterbi.viterbi`.
        tables: The automata.
        tags: int32[n], the best tags, which are changed in place.
    """
    n_automata = len(tables.follow)
    states, broken = np.empty(n_automata, np.int64), np.empty(n_automata, np.bool_)
    is_chosen = np.empty(n_automata, np.bool_)
    for s in range(len(begin) - 1):
        a, b = np.int64(begin[s]), np.int64(begin[s + 1])
        if a == b or not _find_broken(tags, a, b, classes, tables, states, broken):
            continue
        own, n_chosen = scores[a:b].copy(), 0
        for t in range(a, b):
            if classes[t] == tables.ignored[0]:
                own[t - a] = 0
        is_chosen[:] = False
        while n_chosen < MOST_AT_ONCE:
            n_before = n_chosen
            for k in range(n_automata):
                if broken[k] and not is_chosen[k] and n_chosen < MOST_AT_ONCE:
                    is_chosen[k] = True
                    n_chosen += 1
            if n_chosen == n_before:
                break
            _raise_alike(own, classes[a:b], tables.alike, is_chosen)
            _search(
                own,
                classes[a:b],
                initial,
                steps,
                incoming,
                final,
                tables,
                np.flatnonzero(is_chosen),
                tags[a:b],
            )
            if not _find_broken(tags, a, b, classes, tables, states, broken):
                break
