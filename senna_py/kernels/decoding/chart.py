"""Spans of words: their scores, and the best set of spans that forms a tree.

The n * (n + 1) / 2 spans of a sentence of n words are ordered by their first word, and
then by length, with the shortest span first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.llvm.instructions import LANES
from senna_py.kernels.llvm.tile import FIRSTS, score_span_tile
from senna_py.kernels.runtime.jit import kernel

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Bools, Floats, Ints, Longs


@kernel
def _turn(rows: Floats, columns: Floats) -> None:
    """Transpose rows: write float32[n, dim] to float32[dim, at least n]."""
    n, dim = rows.shape
    for block in range(0, dim, LANES):  # so that the cache lines written stay cached
        for t in range(n):
            for d in range(block, min(block + LANES, dim)):
                columns[d, t] = rows[t, d]


@kernel
def _score_rows(
    firsts: Floats,
    first: int,
    seconds: Floats,
    lengths: Floats,
    weight: Floats,
    bias: float,
    scores: Floats,
) -> None:
    """Compute the scores of the spans that begin at FIRSTS consecutive words.

    Args:
        firsts: float32[n_words, 2 n], for the words of the sentence; see `spans_above`.
        first: The index of the first of these words in the sentence.
        seconds: float32[2 n, at least n_words + LANES], the transpose of `seconds` of
            `spans_above`.
        lengths, weight, bias: See `spans_above`.
        scores: float32[FIRSTS, room]; [r, k] receives the score of the span from word
            first + r to word first + k. Elements with k < r or beyond the sentence are
            undefined.
    """
    rows = np.empty(FIRSTS, np.int64)
    for r in range(FIRSTS):
        rows[r] = min(first + r, len(firsts) - 1)
    flat, n_seconds, n_lengths = firsts.ravel(), seconds.shape[1], lengths.shape[1]
    for k in range(0, len(firsts) - first, LANES):
        score_span_tile(
            flat,
            rows,
            seconds.ravel(),
            first + k,
            n_seconds,
            lengths.ravel(),
            FIRSTS - 1 + k,
            n_lengths,
            weight,
            bias,
            scores.reshape(-1),
            k,
            scores.shape[1],
        )


def rows_of_lengths(longest: int) -> Longs:
    """Return the span length, minus 1, of each column of `lengths`: int64[n].

    `lengths` is an argument of `spans_above`. Columns for negative values, or for
    values beyond the longest sentence, are read but do not affect the result.
    """
    return np.arange(longest + FIRSTS - 1 + LANES) - (FIRSTS - 1)


@kernel
def spans_above(
    firsts: Floats,
    seconds: Floats,
    lengths: Floats,
    weight: Floats,
    bias: float,
    least: float,
    starts: Ints,
    begin: Ints,
    end: Ints,
    score: Floats,
) -> tuple[int, int]:
    """Find the spans of some sentences whose score is at least `least`.

    The span of a whole sentence is always included. The score of a span is bias +
    weight . max(0, u), with u = a[first word] + b[last word] + lengths[:, words - 1] +
    p[first word] * q[last word].

    Args:
        firsts: float32[n_words, 2 n], a and p side by side.
        seconds: float32[n_words, 2 n], b and q side by side.
        lengths: float32[n, m], with a column for each element of `rows_of_lengths`.
        weight: float32[n].
        bias, least: float32.
        starts: int32[n_sentences + 1], where each sentence begins.
        begin, end: int32[room], which receive the first word of each span and the word
            after its last one, as indices in the batch. There must be room for all
            spans of the longest sentence.
        score: float32[room], which receives the scores.

    Returns:
        The number of spans, and the number of sentences that were searched. The search
        stops at a sentence whose spans might not fit into the arrays.

    Raises:
        ValueError: If `firsts` and `seconds` have different shapes, or if `lengths` has
            too few columns for the longest sentence.
    """
    longest = lengths.shape[1] - LANES - (FIRSTS - 1)
    if seconds.shape != firsts.shape or longest < np.diff(starts).max():
        raise ValueError("sizes of spans do not fit")
    scores = np.empty((FIRSTS, longest + LANES), np.float32)
    columns = np.zeros((seconds.shape[1], longest + LANES), np.float32)
    found = 0
    for s in range(len(starts) - 1):
        a, b = np.int64(starts[s]), np.int64(starts[s + 1])
        if found + (b - a) * (b - a + 1) // 2 > len(begin):
            return found, s
        _turn(seconds[a:b], columns)
        for first in range(a, b, FIRSTS):
            _score_rows(firsts[a:b], first - a, columns, lengths, weight, bias, scores)
            for i in range(first, min(first + FIRSTS, b)):
                row = scores[i - first]
                for j in range(i, b):
                    value = row[j - first]
                    if value >= least or j - i == b - a - 1:
                        begin[found], end[found], score[found] = i, j + 1, value
                        found += 1
    return found, len(starts) - 1


@kernel
def _cross(begin: Ints, end: Ints, enclosing: Ints) -> bool:
    """Return whether two spans of a sentence overlap without one containing the other.

    Args:
        begin, end: int32[n], the spans, ordered by first word and then by length.
        enclosing: int32[n], scratch.
    """
    depth = 0
    t = 0
    while t < len(begin):
        last = t  # the last span that begins at this word
        while last + 1 < len(begin) and begin[last + 1] == begin[t]:
            last += 1
        while depth and enclosing[depth - 1] <= begin[t]:
            depth -= 1
        for k in range(last, t - 1, -1):
            if depth and end[k] > enclosing[depth - 1]:
                return True
            enclosing[depth] = end[k]
            depth += 1
        t = last + 1
    return False


@kernel
def _best_split(left: Floats, right: Floats) -> tuple[int, float]:
    """Return the first index of the largest left[k] + right[k], and this sum."""
    best, where = left[0] + right[0], 0
    for k in range(1, len(left)):
        total = left[k] + right[k]
        if total > best:
            best, where = total, k
    return where, best


@kernel
def _fill_chart(
    begin: Ints,
    end: Ints,
    gain: Floats,
    from_left: Floats,
    from_right: Floats,
    split: Ints,
) -> None:
    """Compute, for each span, the largest sum of gains of a tree of spans inside it.

    Args:
        begin, end: int32[n], as token indices in the sentence.
        gain: float32[n].
        from_left: float32[n_words, n_words + 1], which receives the sum by first word
            and end.
        from_right: float32[n_words, n_words + 1], which receives the sum by last word
            and begin.
        split: int32[n_words, n_words + 1], which receives the position where the best
            tree of a span is split in two, by first word and end.
    """
    n = len(from_left)
    from_left[:], split[:] = 0, -1
    for k in range(len(begin)):
        from_left[begin[k], end[k]] = max(gain[k], np.float32(0))
    for i in range(n):
        from_right[i, i] = from_left[i, i + 1]
    for size in range(2, n + 1):
        for i in range(n - size + 1):
            j = i + size
            where, best = _best_split(
                from_left[i, i + 1 : j], from_right[j - 1, i + 1 : j]
            )
            split[i, j] = i + 1 + where
            from_left[i, j] += best
            from_right[j - 1, i] = from_left[i, j]


@kernel
def _choose(begin: Ints, end: Ints, gain: Floats, n_words: int, chosen: Bools) -> None:
    """Choose the spans of a sentence that form a tree with the largest sum of gains."""
    left = np.empty((n_words, n_words + 1), np.float32)
    right = np.empty((n_words, n_words + 1), np.float32)
    split = np.empty((n_words, n_words + 1), np.int32)
    _fill_chart(begin, end, gain, left, right, split)
    inside = np.zeros((n_words, n_words + 1), np.bool_)
    stack = np.empty((n_words + 1, 2), np.int32)
    stack[0, 0], stack[0, 1] = 0, n_words
    depth = 1
    while depth:
        depth -= 1
        i, j = stack[depth]
        inside[i, j] = True
        if j - i > 1:
            k = split[i, j]
            stack[depth, 0], stack[depth, 1] = i, k
            stack[depth + 1, 0], stack[depth + 1, 1] = k, j
            depth += 2
    for k in range(len(begin)):
        whole = end[k] - begin[k] == n_words
        chosen[k] = whole or (gain[k] > 0 and inside[begin[k], end[k]])


@kernel
def best_spans(
    begin: Ints, end: Ints, gain: Floats, starts: Ints, first: Longs, chosen: Bools
) -> None:
    """Choose the spans of each sentence that form a tree with the largest sum of gains.

    A span that covers the whole sentence is always chosen. Other spans are chosen only
    if their gain is positive.

    Args:
        begin, end: int32[n_spans], in the order of `spans_above`.
        gain: float32[n_spans].
        starts: int32[n_sentences + 1], where each sentence begins.
        first: int64[n_sentences + 1], where the spans of each sentence begin.
        chosen: bool[n_spans], which is written.
    """
    for s in range(len(starts) - 1):
        a, b = first[s], first[s + 1]
        n_words = np.int64(starts[s + 1] - starts[s])
        kept = np.empty(b - a, np.int64)
        n = 0
        for k in range(a, b):
            chosen[k] = gain[k] > 0 or end[k] - begin[k] == n_words
            if chosen[k]:
                kept[n] = k
                n += 1
        at = kept[:n]
        i, j = begin[at] - starts[s], end[at] - starts[s]
        if _cross(i, j, np.empty(n, np.int32)):
            ours = np.empty(n, np.bool_)
            _choose(i, j, gain[at], n_words, ours)
            for k in range(n):
                chosen[at[k]] = ours[k]
