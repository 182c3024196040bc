"""Spans of words: their scores, and the best set of them that makes a tree.

The spans of a sentence of n words stand in a row: of its first word those that begin
there, the shortest first, then those of the second word, and so on: n * (n + 1) / 2.
"""

import numpy as np

from senna_py.kernels.llvm.instructions import LANES
from senna_py.kernels.llvm.tile import FIRSTS, score_span_tile
from senna_py.kernels.runtime.jit import kernel


@kernel
def _turn(rows, columns):
    """Put rows side by side as columns: float32[n, dim] into float32[dim, at least
    n].
    """
    n, dim = rows.shape
    for block in range(0, dim, LANES):  # so that the lines it writes stay in the cache
        for t in range(n):
            for d in range(block, min(block + LANES, dim)):
                columns[d, t] = rows[t, d]


@kernel
def _score_rows(firsts, first, seconds, lengths, weight, bias, scores):
    """Scores of the spans of a sentence that begin at FIRSTS of its words, from `first`
    on.

    firsts: float32[n_words, 2 n], of the sentence; seconds: float32[2 n, at least
    n_words + LANES], turned; scores: float32[FIRSTS, room], receives that of the span
    from word first + r to first + k at [r, k], and anything for k < r and behind; the
    others are as of `spans_above`.
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


def rows_of_lengths(longest):
    """Lengths, less one, whose columns `spans_above` takes for sentences of so many
    words.

    What is below 0 or beyond the longest is only read: int64[n].
    """
    return np.arange(longest + FIRSTS - 1 + LANES) - (FIRSTS - 1)


@kernel
def spans_above(
    firsts, seconds, lengths, weight, bias, least, starts, begin, end, score
):
    """Find the spans of some sentences whose score is `least` or more, and those over
    sentences.

    A span's score is bias + weight . max(0, u), with u = a[first word] + b[last word] +
    lengths[:, words - 1] + p[first word] * q[last word].

    firsts: float32[n_words, 2 n], a beside p; seconds: float32[n_words, 2 n], b beside
    q; lengths: float32[n, as `rows_of_lengths`]; weight: float32[n]; bias, least:
    float32; starts: int32[n_sentences + 1]. begin, end: int32[room], receive the first
    word of each span and the one after its last, counted among all words; score:
    float32[room]. The room must be enough for all spans of the longest sentence.
    Returns how many spans and how many sentences were done.
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
def _cross(begin, end, enclosing):
    """Return whether two spans of a sentence overlap, and neither of them holds the
    other.

    The spans are in order: by first word, then the shortest first. enclosing: int32[n],
    scratch.
    """
    depth = 0
    t = 0
    while t < len(begin):
        last = t  # of those that begin at this word
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
def _best_split(left, right):
    """Position and value of the largest left[k] + right[k], the first of equals."""
    best, where = left[0] + right[0], 0
    for k in range(1, len(left)):
        total = left[k] + right[k]
        if total > best:
            best, where = total, k
    return where, best


@kernel
def _fill_chart(begin, end, gain, from_left, from_right, split):
    """Largest sum of gains of spans that make a tree, for each span of a sentence.

    begin, end: int32[n], counted from the sentence's first word; from_left, from_right:
    float32[n_words, n_words + 1], receive it by first word and end, and by last word
    and begin; split: int32[n_words, n_words + 1], where the best tree is divided in
    two.
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
def _choose(begin, end, gain, n_words, chosen):
    """Choose the spans of a sentence whose gains have the largest sum and that make a
    tree.
    """
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
def best_spans(begin, end, gain, starts, first, chosen):
    """Choose spans of each sentence: those that make a tree and have the largest sum of
    gains.

    begin, end: int32[n_spans], as of `spans_above`; gain: float32[n_spans]; starts:
    int32[n_sentences + 1]; first: int64[n_sentences + 1], where the spans of sentences
    begin; chosen: bool[n_spans], receives them. A span over its sentence is chosen
    whatever its gain.
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


@kernel
def heights_of_spans(begin, end, first, height, n_levels):
    """Count the spans below each, one within the other, in trees of some sentences.

    begin, end: int32[n_spans], in order as of `spans_above`, none crossing another;
    first: int64[n_sentences + 1]; height: int32[n_spans] and n_levels:
    int64[n_sentences], receive it.
    """
    for s in range(len(first) - 1):
        n_levels[s] = 0
        a, b = first[s], first[s + 1]
        waiting = np.empty(b - a, np.int64)  # those after it that nothing holds yet
        n = 0
        t = b - 1
        while t >= a:
            last = t  # of those that begin at this word, the longest
            while t > a and begin[t - 1] == begin[last]:
                t -= 1
            for k in range(t, last + 1):
                height[k] = 0
                while n and begin[waiting[n - 1]] < end[k]:
                    n -= 1
                    height[k] = max(height[k], height[waiting[n]] + 1)
                waiting[n] = k
                n += 1
                n_levels[s] = max(n_levels[s], height[k] + 1)
            t -= 1


@kernel
def write_levels(begin, end, label, height, first, starts, rows, labels):
    """Write the labels of words on each level of trees, see
    `networks.answers.TreeLabels`.

    begin, end, height, first: as of `heights_of_spans`; label: int32[n_spans], from 0
    on; starts: int32[n_sentences + 1]; rows: int64[n_sentences + 1]; labels:
    int32[n_rows], zero before.
    """
    for s in range(len(first) - 1):
        length = starts[s + 1] - starts[s]
        for k in range(first[s], first[s + 1]):
            at = rows[s] + height[k] * length + begin[k] - starts[s]
            n, tag = end[k] - begin[k], 1 + 4 * label[k]
            if n == 1:
                labels[at] = tag + 3
                continue
            labels[at] = tag
            labels[at + 1 : at + n - 1] = tag + 1
            labels[at + n - 1] = tag + 2
