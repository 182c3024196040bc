"""Viterbi decoding: the best tag sequences under emission and transition scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.llvm.instructions import LANES
from senna_py.kernels.llvm.reductions import larger
from senna_py.kernels.llvm.taking import copy_vector, gather_numbers, repeat_number
from senna_py.kernels.runtime.jit import Kernel, borrowing_kernel, kernel

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Floats, Ints

# From this padded number of columns of transitions on, excluding sources pays.
_TAGS_TO_CHOOSE = 64
# The number of sources that are compared before a result is updated.
_AT_ONCE = 8


def _inlined_kernel(function: Callable[..., Any]) -> Kernel:
    """Make a `borrowing_kernel` whose callers contain its code.

    Passing its many arrays for each row would take a tenth of the time.
    """
    return Kernel(function, {"contract"}, _nrt=False, forceinline=True)


@borrowing_kernel
def largest_sums(score: Floats, transition: Floats, n_tags: int, out: Floats) -> None:
    """Compute the scores of the best paths to each tag.

    out[j] = max over i of score[i] + transition[i, j].

    Args:
        score: float32[at least n_tags].
        transition: float32[n_tags, width]; columns from n_tags on are padding.
        n_tags: The number of tags.
        out: float32[width], which is written.
    """
    width = len(out)
    whole = n_tags - n_tags % _AT_ONCE
    for j in range(width):
        out[j] = -np.inf
    for i in range(0, whole, _AT_ONCE):
        a, b, c, d = score[i], score[i + 1], score[i + 2], score[i + 3]
        e, f, g, h = score[i + 4], score[i + 5], score[i + 6], score[i + 7]
        ta, tb, tc, td = (
            transition[i],
            transition[i + 1],
            transition[i + 2],
            transition[i + 3],
        )
        te, tf, tg, th = (
            transition[i + 4],
            transition[i + 5],
            transition[i + 6],
            transition[i + 7],
        )
        for j in range(width):
            p, q, r, s = a + ta[j], b + tb[j], c + tc[j], d + td[j]
            t, u, v, w = e + te[j], f + tf[j], g + tg[j], h + th[j]
            p, r = (
                larger(larger(p, q), larger(r, s)),
                larger(larger(t, u), larger(v, w)),
            )
            out[j] = larger(larger(p, r), out[j])
    for i in range(whole, n_tags):
        from_i, row = score[i], transition[i]
        for j in range(width):
            out[j] = larger(from_i + row[j], out[j])


@borrowing_kernel
def largest_of_sources(
    score: Floats, transition: Floats, sources: NDArray[np.uint32], out: Floats
) -> None:
    """Compute `largest_sums` over some sources only.

    Args:
        score, transition, out: See `largest_sums`.
        sources: int64[n], where n is a multiple of 8.
    """
    # This repeats `largest_sums`, which is a fifth faster because its sources are
    # consecutive.
    for j in range(len(out)):
        out[j] = -np.inf
    for k in range(0, len(sources), _AT_ONCE):
        i0, i1, i2, i3 = sources[k], sources[k + 1], sources[k + 2], sources[k + 3]
        i4, i5, i6, i7 = sources[k + 4], sources[k + 5], sources[k + 6], sources[k + 7]
        a, b, c, d = score[i0], score[i1], score[i2], score[i3]
        e, f, g, h = score[i4], score[i5], score[i6], score[i7]
        ta, tb, tc, td = transition[i0], transition[i1], transition[i2], transition[i3]
        te, tf, tg, th = transition[i4], transition[i5], transition[i6], transition[i7]
        for j in range(len(out)):
            p = larger(larger(a + ta[j], b + tb[j]), larger(c + tc[j], d + td[j]))
            q = larger(larger(e + te[j], f + tf[j]), larger(g + tg[j], h + th[j]))
            out[j] = larger(larger(p, q), out[j])


@_inlined_kernel
def _largest_sum(score: Floats, other: Floats) -> float:
    """Return the largest score[j] + other[j], or -inf if `other` is empty.

    `score` may be longer than `other`.
    """
    largest = np.float32(-np.inf)
    for j in range(len(other)):
        largest = larger(score[j] + other[j], largest)
    return largest


@kernel
def make_room(width: int) -> tuple[Any, ...]:
    """Return scratch arrays for `best_ways`.

    Args:
        width: The padded number of tags.

    Returns:
        uint8[width], int64[width + 8], and float32[3, 2 * width].
    """
    more = np.empty(width + _AT_ONCE, np.int64), np.empty((3, 2 * width), np.float32)
    return np.zeros(width, np.uint8), *more


@_inlined_kernel
def _take(
    values: Floats, index: NDArray[np.uint32], runs: NDArray[np.int8], out: Floats
) -> None:
    """Compute out[j] = values[index[j]] for all j.

    Gathering takes long, so vectors of LANES indices that are equal or consecutive are
    treated separately.

    Args:
        values: float32[n_values].
        index: uint32[n], a whole number of vectors.
        runs: int8[n // LANES], the difference of neighboring indices in each vector if
            it is always 0 or always 1, otherwise -1.
        out: float32[n], which is written.
    """
    for v in range(len(runs)):
        begin = v * LANES
        if runs[v] == 1:
            copy_vector(values, np.int64(index[begin]), out, begin)
        elif runs[v] == 0:
            repeat_number(values, np.int64(index[begin]), out, begin)
        else:
            gather_numbers(values, index, out, begin)


@borrowing_kernel
def likely_sources(
    score: Floats, extremes: Floats, n_sources: int, room: tuple[NDArray, ...]
) -> int:
    """Find the sources from which best paths may come, for `largest_of_sources`.

    A source is excluded if its score plus its largest transition is less than the score
    plus the smallest transition of another source. Rounding preserves the order of
    sums, so no best path is lost.

    Args:
        score: float32[at least the number of columns of extremes].
        extremes: float32[2, n_sources, padded to whole vectors], the largest and the
            smallest transition of each source; padding is -inf.
        n_sources: The number of sources.
        room: The result of `make_room`, whose second array receives the sources.

    Returns:
        The number of sources, a multiple of 8: the last source is repeated.
    """
    likely, sources, _ = room
    likely[:] = 0
    largest, bound = extremes[0], _largest_sum(score, extremes[1])
    for i in range(n_sources):
        likely[i] = not score[i] + largest[i] < bound
    n, eights = 0, likely.view(np.uint64)
    for k in range(len(eights)):
        if eights[k]:  # This is rare.
            for i in range(8 * k, 8 * k + 8):
                sources[n] = i
                n += np.int64(likely[i])
    whole = -(-n // _AT_ONCE) * _AT_ONCE
    sources[n:whole] = sources[n - 1]
    return whole


@_inlined_kernel
def best_ways(
    score: Floats, steps: tuple[NDArray, ...], room: tuple[NDArray, ...], out: Floats
) -> None:
    """Compute the scores of the best paths to each tag.

    Tags with the same incoming transitions form a group, whose transitions are stored
    only once. If all transitions to a group except two are equal, and not larger than
    these two, only three sources matter: the best of all sources, and these two.

    Args:
        score: See `likely_sources`.
        steps: The arrays that `layers.decoder.steps_of` returns:
            group: uint32[width], the group of each tag; first the groups in `sources`,
                then the groups in `columns`.
            sources: uint32[2, n], the two sources with larger transitions to each
                group, where n is a number of whole vectors.
            transitions: float32[2, n], the transitions from these sources.
            others: float32[n], the transition from all other sources.
            columns: float32[n_columns, width], the transitions to the other groups,
                padded with -inf; empty if there are many.
            transition: float32[n_tags, padded n_columns], the transpose of `columns`,
                even if there are many.
            extremes: See `likely_sources`.
            zeros: float32[width], zeros, padded with -inf.
            runs: int8[width / 16], for `group`; see `_take`.
            source_runs: int8[2, n / 16], the same for `sources`.
        room: The result of `make_room`.
        out: float32[width], which is written.
    """
    (
        group,
        sources,
        transitions,
        others,
        columns,
        transition,
        extremes,
        zeros,
        runs,
        source_runs,
    ) = steps
    n, n_tags, every = len(others), len(transition), room[2][0]
    if n > 0:
        largest, near, far = _largest_sum(score, zeros), room[2][1], room[2][2]
        _take(score, sources[0], source_runs[0], near)
        _take(score, sources[1], source_runs[1], far)
        for k in range(n):
            a, b = near[k] + transitions[0, k], far[k] + transitions[1, k]
            every[k] = larger(larger(a, b), largest + others[k])
    found = every[n : n + transition.shape[1]]
    if len(columns) > 0:
        for k in range(len(columns)):
            found[k] = _largest_sum(score, columns[k])
    elif len(found) < _TAGS_TO_CHOOSE:
        largest_sums(score, transition, n_tags, found)
    else:
        n = likely_sources(score, extremes, n_tags, room)
        largest_of_sources(score, transition, room[1][:n], found)
    _take(every, group, runs, out)


@borrowing_kernel
def _best_sum(score: Floats, other: Floats) -> int:
    """Return the index of the largest score[j] + other[j], the lowest in case of ties.

    If a sum is NaN, the result may be any index.
    """
    largest, n = _largest_sum(score, other), np.int32(len(other))
    best = n
    for i in range(n):  # There is no early exit, so that the loop vectorizes.
        best = min(best, n if score[i] + other[i] < largest else np.int32(i))
    return best if best < n else np.int32(0)


@kernel
def viterbi(
    emission: Floats,
    first: int,
    starts: Ints,
    initial: Floats,
    steps: tuple[NDArray, ...],
    incoming: Floats,
    final: Floats,
    score: Floats,
    tags: Ints,
) -> None:
    """Continue the Viterbi decoding of a batch with a block of tokens.

    See Collobert et al. (2011), equation 11. Back-pointers are not stored: on the way
    back, only the sources of the tags on the best path are searched. Ties are resolved
    in favor of the lowest index. `width` is n_tags, padded to whole vectors of 16.

    Args:
        emission: float32[n_block, width], the scores of the tokens from `first` on;
            only the first n_tags columns count.
        first: The index in the batch of the first token of the block.
        starts: int32[n_sentences + 1], where each sentence begins.
        initial: float32[width].
        steps: See `best_ways`.
        incoming: float32[n_tags, width], the transitions to each tag, padded with -inf.
        final: float32[width], which is added at the last word of a sentence, padded
            with -inf.
        score: float32[longest sentence, width], which the caller keeps for the next
            block.
        tags: int32[n_tokens], which receives the tags of a sentence when it ends.
    """
    room = make_room(len(final))
    s = np.searchsorted(starts, first, side="right") - 1
    for t in range(first, first + len(emission)):
        row = emission[t - first]
        k = t - starts[s]
        if k == 0:
            for j in range(len(row)):
                score[0, j] = initial[j] + row[j]
        else:
            best_ways(score[k - 1], steps, room, score[k])
            for j in range(len(row)):
                score[k, j] += row[j]
        if t + 1 == starts[s + 1]:
            tag = _best_sum(score[k], final)
            tags[t] = tag
            for k in range(t - starts[s], 0, -1):
                tag = _best_sum(score[k - 1], incoming[tag])
                tags[starts[s] + k - 1] = tag
            # Skip empty sentences.
            while s < len(starts) - 1 and starts[s + 1] == t + 1:
                s += 1
