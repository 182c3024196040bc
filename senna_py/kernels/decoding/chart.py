"""Spans of words: their scores, and the best set of spans that forms a tree.

The n * (n + 1) / 2 spans of a sentence of n words are ordered by their first word, and
then by length, with the shortest span first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.nn.int8 import LEAST, WHOLE
from senna_py.kernels.runtime.jit import (
    borrowing_kernel,
    kernel,
    uncontracted_kernel,
)

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Bools, Floats, Ints, Longs, Shorts

_ABSOLUTE = np.uint32(0x7FFFFFFF)  # the bits of a float32 without its sign
_MOST = np.iinfo(np.int16).max
MOST_OF_UNITS = _MOST // 2  # the largest absolute value of units as integers


def most_of_weights(n: int) -> int:
    """Return the largest weight for which `spans_above` adds n products exactly."""
    return min(_MOST, ((1 << 31) - 1) // (MOST_OF_UNITS * n))


@borrowing_kernel
def _largest_in(rows: Floats, begin: int, end: int, column: int, n: int) -> np.float32:
    """Return the largest absolute value in rows[begin:end, column : column + n].

    The result is NaN if one of them is.
    """
    largest = np.uint32(0)
    for t in range(begin, end):
        row = rows[t, column : column + n]
        for d in range(len(row)):
            bits = np.uint32(np.float32(row[d]).view(np.uint32) & _ABSOLUTE)
            largest = bits if bits > largest else largest
    return np.uint32(largest).view(np.float32)


@uncontracted_kernel
def _round_rows(
    rows: Floats,
    begin: int,
    end: int,
    column: int,
    n: int,
    factor: np.float32,
    out: Shorts,
) -> None:
    """Multiply rows[begin:end, column : column + n] by a factor and round the products.

    The same columns of `out`, int16[at least end - begin, column + n], are written.
    """
    for t in range(begin, end):
        row, to = rows[t, column : column + n], out[t - begin, column : column + n]
        for d in range(len(row)):
            to[d] = np.float32(row[d] * factor + WHOLE).view(np.int32)


@uncontracted_kernel
def _factors(
    firsts: Floats, seconds: Floats, begin: int, end: int, of_lengths: np.float32
) -> tuple[np.float32, np.float32, np.float32, np.float32]:
    """Return the factors by which the parts of a sentence's units become integers.

    Args:
        firsts, seconds: See `spans_above`.
        begin, end: The range of the words of the sentence.
        of_lengths: The largest absolute value in the table of lengths.

    Returns:
        The factor for a, b and lengths; the factor for p; the factor for q; and the
        scale of the integers, which is NaN if the numbers overflow.
    """
    n, zero = firsts.shape[1] // 2, np.int64(0)
    most = _largest_in(firsts, begin, end, zero, n)
    most = most + _largest_in(seconds, begin, end, zero, n) + of_lengths
    of_products = max(_largest_in(firsts, begin, end, n, n), LEAST)
    most = most + of_products * _largest_in(seconds, begin, end, n, n)
    scale = most / np.float32(MOST_OF_UNITS) if most < np.inf else np.float32(np.nan)
    factor, of_firsts = (
        np.float32(MOST_OF_UNITS) / most,
        np.float32(_MOST) / of_products,
    )
    return factor, of_firsts, factor / of_firsts * np.float32(1 << 16), scale


@borrowing_kernel
def _sum_of_span(
    firsts: Shorts,
    i: int,
    seconds: Shorts,
    j: int,
    lengths: Shorts,
    k: int,
    weight: Shorts,
) -> np.int32:
    """Return the sum of the products of a span's units and the weight.

    All arrays are those of `spans_above` as integers. p and q are multiplied so that
    the upper 16 bits of their product are the term of the unit.

    Args:
        firsts: int16[n_words, 2 n].
        i: The first word.
        seconds: int16[n_words, 2 n].
        j: The last word.
        lengths: int16[m, n].
        k: The row of the length.
        weight: int16[n].
    """
    # In this form, LLVM uses vectors of 16-bit integers.
    n, total = len(weight), np.int32(0)
    for d in range(n):
        product = np.int32(np.int32(firsts[i, n + d]) * np.int32(seconds[j, n + d]))
        unit = np.int16(firsts[i, d] + seconds[j, d])
        unit = np.int16(unit + lengths[k, d])
        unit = np.int16(unit + np.int16(product >> 16))
        unit = unit if unit > np.int16(0) else np.int16(0)
        total = np.int32(total + np.int32(np.int32(unit) * np.int32(weight[d])))
    return total


@uncontracted_kernel
def _score_of(
    total: np.int32, units: np.float32, weight: np.float32, bias: np.float32
) -> np.float32:
    """Return the score of a span from its sum, the two scales, and the bias."""
    return np.float32(total) * units * weight + bias


@kernel
def spans_above(
    firsts: Floats,
    seconds: Floats,
    lengths: Floats,
    weight: Shorts,
    scale: np.float32,
    bias: np.float32,
    least: np.float32,
    starts: Ints,
    begin: Ints,
    end: Ints,
    score: Floats,
) -> int:
    """Find the spans of some sentences whose score is at least `least`.

    The span of a whole sentence is always included. The score of a span is bias +
    scale * weight . max(0, u), with u = a[first word] + b[last word] + lengths[words -
    1] + p[first word] * q[last word]. The terms of u are rounded to integers of 16
    bits, with a scale for each sentence that comes from its largest numbers, so that
    the sum is exact.

    Args:
        firsts: float32[n_words, 2 n], a and p side by side.
        seconds: float32[n_words, 2 n], b and q side by side.
        lengths: float32[m, n]. The last row is for spans of m or more words.
        weight: int16[n], at most `most_of_weights`.
        scale: The scale of the weight.
        bias, least: See above.
        starts: int32[n_sentences + 1], where each sentence begins.
        begin, end: int32[room], which receive the first word of each span and the word
            after its last one, as indices in the batch. There must be room for all
            spans.
        score: float32[room], which receives the scores. They are NaN in sentences
            with numbers so large that they overflow.

    Returns:
        The number of spans that were found.

    Raises:
        ValueError: If sizes do not fit.
    """
    n, found, zero = np.int64(len(weight)), np.int64(0), np.int64(0)
    if len(firsts) == 0:
        return 0
    longest = zero
    for s in range(len(starts) - 1):
        longest = max(longest, np.int64(starts[s + 1]) - np.int64(starts[s]))
    n_lengths = min(np.int64(len(lengths)), longest)
    if firsts.shape != seconds.shape or firsts.shape[1] != 2 * n:
        raise ValueError("sizes of spans do not fit")
    left = np.empty((longest, 2 * n), np.int16)
    right = np.empty((longest, 2 * n), np.int16)
    middle = np.empty((n_lengths, n), np.int16)
    of_lengths = _largest_in(lengths, zero, n_lengths, zero, n)
    for s in range(len(starts) - 1):
        a, b = np.int64(starts[s]), np.int64(starts[s + 1])
        size = b - a
        if found + size * (size + 1) // 2 > len(begin):
            raise ValueError("sizes of spans do not fit")
        factor, of_p, of_q, of_units = _factors(firsts, seconds, a, b, of_lengths)
        _round_rows(firsts, a, b, zero, n, factor, left)
        _round_rows(firsts, a, b, n, n, of_p, left)
        _round_rows(seconds, a, b, zero, n, factor, right)
        _round_rows(seconds, a, b, n, n, of_q, right)
        _round_rows(lengths, zero, min(n_lengths, size), zero, n, factor, middle)
        for i in range(size):
            for j in range(i, size):
                k = min(j - i, n_lengths - 1)
                total = _sum_of_span(left, i, right, j, middle, k, weight)
                value = _score_of(total, of_units, scale, bias)
                if value >= least or j - i == size - 1:
                    begin[found], end[found], score[found] = a + i, a + j + 1, value
                    found += 1
    return found


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
