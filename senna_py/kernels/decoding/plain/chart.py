"""Fallbacks for kernels of `kernels.decoding.chart`, which process many spans at once."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.kernels.decoding import chart

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Bools, Floats, Ints, Longs, Shorts

_PIECE = 1 << 8  # the number of spans that are scored at a time, or one word's


class _Integers(NamedTuple):
    """The terms of units as integers, for a batch; see `kernels.decoding.chart`.

    Attributes:
        firsts, seconds: int16[n_words, 2 n].
        lengths: int16[n_sentences, m, n], for sentences that are not empty.
        scale: float32[n_sentences].
    """

    firsts: Shorts
    seconds: Shorts
    lengths: Shorts
    scale: Floats


def _integers(
    firsts: Floats, seconds: Floats, lengths: Floats, first: Ints, sentence: Longs
) -> _Integers:
    """Round the terms of units to integers.

    Args:
        firsts, seconds, lengths: See `spans_above`.
        first: int32[n_sentences], the first word of each sentence.
        sentence: int64[n_words], the sentence of each word.
    """
    n = lengths.shape[1]
    a, p, b, q = (
        np.maximum.reduceat(np.abs(part).max(axis=1), first)
        for rows in (firsts, seconds)
        for part in (rows[:, :n], rows[:, n:])
    )
    p = np.maximum(p, chart.LEAST)
    most, limit = a + b + np.abs(lengths).max() + p * q, np.float32(chart.MOST_OF_UNITS)
    factor, of_p = limit / most, np.float32(np.iinfo(np.int16).max) / p
    factors = np.repeat(
        [[factor], [of_p], [factor], [factor / of_p * 65536]], n, axis=1
    )
    left, right = np.split(factors, 2)
    return _Integers(
        _rounded(firsts, left.reshape(2 * n, -1).T[sentence]),
        _rounded(seconds, right.reshape(2 * n, -1).T[sentence]),
        _rounded(lengths, factor[:, None, None]),
        np.where(most < np.inf, most / limit, np.float32(np.nan)),
    )


def _rounded(x: Floats, factor: Floats) -> Shorts:
    return np.rint(x * factor).astype(np.int16)


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
    if not len(firsts):
        return 0
    starts = starts[np.append(True, starts[1:] > starts[:-1])]
    size, n = np.diff(starts), len(weight)
    sentence = np.repeat(np.arange(len(size)), size)
    stop = starts[1:][sentence]
    n_spans = stop - np.arange(len(stop))
    before = np.append(0, np.cumsum(n_spans, dtype=np.int64))
    if (
        firsts.shape != seconds.shape
        or firsts.shape[1] != 2 * n
        or before[-1] > len(begin)
    ):
        raise ValueError("sizes of spans do not fit")
    lengths = lengths[: size.max()]
    left, right, middle, scales = _integers(
        firsts, seconds, lengths, starts[:-1], sentence
    )
    numbers, found, word = weight.astype(np.float64), 0, 0
    while word < len(stop):
        last = int(np.searchsorted(before, before[word] + _PIECE, side="right")) - 1
        last = max(last, word + 1)
        i = np.repeat(np.arange(word, last), n_spans[word:last])
        j = i + np.arange(before[word], before[last]) - before[i]
        s, first, second = sentence[i], left[i], right[j]
        units = first[:, :n] + second[:, :n]
        units += middle[s, np.minimum(j - i, len(lengths) - 1)]
        product = first[:, n:] * second[:, n:].astype(np.int32)
        units += (product >> 16).astype(np.int16)
        np.maximum(units, 0, out=units)
        value = (units @ numbers).astype(np.float32)
        value *= scales[s]
        value *= scale
        value += bias
        is_whole = (i == starts[s]) & (j + 1 == stop[i])
        chosen = np.flatnonzero((value >= least) | is_whole)
        room = slice(found, found + len(chosen))
        begin[room], end[room], score[room] = i[chosen], j[chosen] + 1, value[chosen]
        found, word = room.stop, last
    return found


def _fill_chart(
    begin: Ints,
    end: Ints,
    gain: Floats,
    from_left: Floats,
    from_right: Floats,
    split: Ints,
) -> None:
    n = len(from_left)
    from_left[:], split[:] = 0, -1
    from_left[begin, end] = np.maximum(gain, 0)
    words = np.arange(n)
    from_right[words, words] = from_left[words, words + 1]
    for size in range(2, n + 1):
        i = words[: n - size + 1]
        first, last = i[:, None], i[:, None] + size - 1
        middle = first + np.arange(1, size)
        totals = from_left[first, middle] + from_right[last, middle]
        best = totals.argmax(axis=1)
        split[i, i + size] = i + 1 + best
        from_left[i, i + size] += totals[i, best]
        from_right[i + size - 1, i] = from_left[i, i + size]


def best_spans(
    begin: Ints, end: Ints, gain: Floats, starts: Ints, first: Longs, chosen: Bools
) -> None:
    n_words, n_spans = np.diff(starts), np.diff(first).astype(np.intp)
    chosen[:] = (gain > 0) | (end - begin == np.repeat(n_words, n_spans))
    kept = np.flatnonzero(chosen)
    for s, (a, b) in enumerate(pairwise(np.searchsorted(kept, first).tolist())):
        at = kept[a:b]
        i, j = begin[at] - starts[s], end[at] - starts[s]
        if _cross(i.tolist(), j.tolist()):
            ours = np.empty(len(at), np.bool_)
            chart._choose(i, j, gain[at], int(n_words[s]), ours)
            chosen[at] = ours


def _cross(begin: list[int], end: list[int]) -> bool:
    """Return whether two spans overlap without one containing the other.

    Spans are ordered by first word, and then by length.
    """
    enclosing: list[int] = []
    for i, j in sorted(
        zip(begin, end, strict=True), key=lambda span: (span[0], -span[1])
    ):
        while enclosing and enclosing[-1] <= i:
            enclosing.pop()
        if enclosing and j > enclosing[-1]:
            return True
        enclosing.append(j)
    return False
