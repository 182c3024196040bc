"""Best tag sequences under sentence-level scores."""

import numpy as np

from senna_py.kernels.llvm.reductions import larger
from senna_py.kernels.runtime.jit import borrowing_kernel, kernel

_TAGS_TO_CHOOSE = 96  # tags for which it pays to choose sources
_AT_ONCE = (
    8  # sources that are compared at once, so that results are read and written less
)


@borrowing_kernel
def largest_sums(score, transition, n_tags, out):
    """Scores of the best ways to each tag: out[j] = max over i of score[i] +
    transition[i, j].

    score: float32[at least n_tags]; transition: float32[n_tags, width]; out:
    float32[width]. Columns from n_tags on only fill vectors.
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
def largest_of_sources(score, transition, sources, out):
    """Like `largest_sums`, over some sources only: int64[a multiple of 8]."""
    # A body of its own, since sources in a row make the other one faster by a fifth.
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


@borrowing_kernel
def _largest_sum(score, other):
    """The largest of score + other: float32[n], of the first n scores; -inf if n is
    0.
    """
    largest = np.float32(-np.inf)
    for j in range(len(other)):
        largest = larger(score[j] + other[j], largest)
    return largest


@kernel
def make_room(width):
    """Scratch: uint8[width], int64[width + 8] and float32[2 * width]; width: that of
    scores.
    """
    more = np.empty(width + _AT_ONCE, np.int64), np.empty(2 * width, np.float32)
    return np.zeros(width, np.uint8), *more


@borrowing_kernel
def likely_sources(score, extremes, n_sources, room):
    """Find sources that best ways may come from: `largest_of_sources` need not look at
    others.

    A source is left out if its largest transition leads to less than the smallest one
    of another. Rounding keeps sums in order, so that nothing is lost.

    score: float32[at least the columns of extremes]; extremes: float32[2, n_sources
    filled up to whole vectors by -inf], largest and smallest transition of each source;
    room: of `make_room`, whose second array gets the sources. Returns how many: a
    multiple of 8, the last repeated.
    """
    likely, sources, _ = room
    likely[:] = 0
    largest, bound = extremes[0], _largest_sum(score, extremes[1])
    for i in range(n_sources):
        likely[i] = not score[i] + largest[i] < bound
    n, eights = 0, likely.view(np.uint64)
    for k in range(len(eights)):
        if eights[k]:  # few are
            for i in range(8 * k, 8 * k + 8):
                sources[n] = i
                n += np.int64(likely[i])
    whole = -(-n // _AT_ONCE) * _AT_ONCE
    sources[n:whole] = sources[n - 1]
    return whole


@borrowing_kernel
def best_ways(score, steps, room, out):
    """Scores of the best ways to each tag, see `largest_sums`: out: float32[width].

    steps: transitions to groups of tags, to which the same ones lead; score: as of
    `likely_sources`, whose room and extremes these are, too. Where all transitions to a
    group but two are the same, and the least, only three sources matter: the best of
    all, and those two.

    - group: uint32[width], the group of each tag: first those of sources, then those of
        columns;
    - sources: uint32[2, n], transitions: float32[2, n], those of the two, and others:
      float32[n], the same one from all others; n fills whole vectors;
    - columns: float32[n_columns, width], transitions to the other groups, filled up by
      -inf, if these are few, or none;
    - transition: float32[n_tags, n_columns, widened], their transpose, and its
        extremes;
    - zeros: float32[width], then -inf.
    """
    group, sources, transitions, others, columns, transition, extremes, zeros = steps
    n, n_tags, found = len(others), len(transition), room[2]
    if n > 0:
        largest = _largest_sum(score, zeros)
        for k in range(n):
            a = score[sources[0, k]] + transitions[0, k]
            b = score[sources[1, k]] + transitions[1, k]
            found[k] = larger(larger(a, b), largest + others[k])
    found = found[n : n + transition.shape[1]]
    if len(columns) > 0:
        for k in range(len(columns)):
            found[k] = _largest_sum(score, columns[k])
    elif len(found) < _TAGS_TO_CHOOSE:
        largest_sums(score, transition, n_tags, found)
    else:
        n = likely_sources(score, extremes, n_tags, room)
        largest_of_sources(score, transition, room[1][:n], found)
    for j in range(len(out)):
        out[j] = room[2][group[j]]


@borrowing_kernel
def _best_sum(score, other):
    """Index of the largest of score + other, the lowest of several, or of what is no
    number.
    """
    largest, n = _largest_sum(score, other), np.int32(len(other))
    best = n
    for i in range(n):  # to the end: so it is done by whole vectors
        best = min(best, n if score[i] + other[i] < largest else np.int32(i))
    return best if best < n else np.int32(0)


@kernel
def viterbi(emission, first, starts, initial, steps, incoming, final, score, tags):
    """Continue the Viterbi decoding of a batch with a block of its tokens (equation
    11).

    emission: float32[n_block, width], scores of tokens first to first + n_block of the
    batch; only the first n_tags columns count. starts: int32[n_sentences + 1]; initial:
    float32[width]; steps: see `best_ways`; incoming: float32[n_tags, width], the
    transitions to each tag, and final: float32[width], added at the last word of a
    sentence, both filled up by -inf; score: float32[longest sentence, width], kept by
    the caller from block to block; tags: int32[n_tokens], written where a sentence
    ends. Width: n_tags, up to whole vectors of 16.

    The source of a best path is looked for on the way back, where it is wanted for one
    tag a word, not for all; ties go to the lowest index.
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
            while (
                s < len(starts) - 1 and starts[s + 1] == t + 1
            ):  # passes over empty sentences
                s += 1
