"""Best tag sequences under sentence-level scores."""

import numpy as np

from senna_py.kernels.jit import kernel

__all__ = ["largest_sums", "viterbi"]


@kernel
def largest_sums(score, transition, n_tags, out):
    """Scores of the best ways to each tag: out[j] = max over i of score[i] + transition[i, j].

    score: float32[at least n_tags]; transition: float32[n_tags, width]; out: float32[width].
    Columns from n_tags on only fill vectors. Eight sources are compared at once, so that `out` is
    read and written less.
    """
    width = len(out)
    whole = n_tags - n_tags % 8
    for j in range(width):
        out[j] = -np.inf
    for i in range(0, whole, 8):
        a, b, c, d = score[i], score[i + 1], score[i + 2], score[i + 3]
        e, f, g, h = score[i + 4], score[i + 5], score[i + 6], score[i + 7]
        ta, tb, tc, td = transition[i], transition[i + 1], transition[i + 2], transition[i + 3]
        te, tf, tg, th = transition[i + 4], transition[i + 5], transition[i + 6], transition[i + 7]
        for j in range(width):
            p, q, r, s = a + ta[j], b + tb[j], c + tc[j], d + td[j]
            t, u, v, w = e + te[j], f + tf[j], g + tg[j], h + th[j]
            p = q if q > p else p
            r = s if s > r else r
            t = u if u > t else t
            v = w if w > v else v
            p = r if r > p else p
            t = v if v > t else t
            p = t if t > p else p
            out[j] = p if p > out[j] else out[j]
    for i in range(whole, n_tags):
        from_i, row = score[i], transition[i]
        for j in range(width):
            value = from_i + row[j]
            out[j] = value if value > out[j] else out[j]


@kernel
def _best_sum(score, other, n_tags):
    """Index of the largest of score + other, the lowest of several."""
    best = 0
    value = score[0] + other[0]
    for i in range(1, n_tags):
        candidate = score[i] + other[i]
        if candidate > value:
            best, value = i, candidate
    return best


@kernel
def viterbi(emission, first, starts, initial, transition, incoming, final, score, tags):
    """Continue the Viterbi decoding of a batch with a block of its tokens (equation 11).

    emission: float32[n_block, width], scores of tokens first to first + n_block of the batch; only
    the first n_tags columns count. starts: int32[n_sentences + 1]; initial: float32[width];
    transition: float32[n_tags, width], from source to destination; incoming: float32[n_tags,
    n_tags], its transpose; final: float32[n_tags], added at the last word of a sentence; score:
    float32[longest sentence, width], kept by the caller from block to block; tags:
    int32[n_tokens], written where a sentence ends.

    The source of a best path is looked for on the way back, where it is wanted for one tag a word,
    not for all; ties go to the lowest index.
    """
    n_tags = len(transition)
    s = np.searchsorted(starts, first, side="right") - 1
    for t in range(first, first + len(emission)):
        row = emission[t - first]
        k = t - starts[s]
        if k == 0:
            for j in range(len(row)):
                score[0, j] = initial[j] + row[j]
        else:
            largest_sums(score[k - 1], transition, n_tags, score[k])
            for j in range(len(row)):
                score[k, j] += row[j]
        if t + 1 == starts[s + 1]:
            tag = _best_sum(score[k], final, n_tags)
            tags[t] = tag
            for k in range(t - starts[s], 0, -1):
                tag = _best_sum(score[k - 1], incoming[tag], n_tags)
                tags[starts[s] + k - 1] = tag
            s += 1
