"""Probabilities of tags under sentence-level scores: forward-backward (Rabiner 1989,
III.B).
"""

import numpy as np

from senna_py.kernels.decoding.likelihood import TINY, rescale
from senna_py.kernels.runtime.jit import uncontracted_kernel

_WORDS = 2048  # of whole sentences, whose variables are in memory at once


def marginals(emission, starts, initial, transition, out):
    """Probability of each tag at each word: of all paths through a sentence that have
    it.

    out: float32[n_tokens, n_tags]; the others as of `likelihood.sentence_likelihood`,
    after which the probability of a path is exp(its score) / Z.
    """
    for words, alpha, beta, _, _ in _variables(emission, starts, initial, transition):
        np.multiply(alpha, beta, out=out[words], casting="same_kind")


def path_marginals(emission, starts, initial, transition, tags, single, pair):
    """Probabilities of the tags of one path, and of two of them in a row.

    tags: int32[n_tokens], the path; single, pair: float32[n_tokens], receive those of
    its tags, and with the tag before, too (at first words as `single`); the rest as of
    `marginals`.
    """
    for words, alpha, beta, ahead, step in _variables(
        emission, starts, initial, transition
    ):
        path, rows = tags[words], np.arange(len(alpha))
        single[words] = alpha[rows, path] * beta[rows, path]
        before = alpha[rows[:-1], path[:-1]] * step[path[:-1], path[1:]]
        pair[words.start + 1 : words.stop] = before * ahead[rows[1:], path[1:]]
    first = starts[:-1][np.diff(starts) > 0]
    pair[first] = single[first]


def _variables(emission, starts, initial, transition):
    """Yield the slice of some sentences' words, and their variables as of
    `backward`.
    """
    step = np.exp(transition.astype(float) - transition.max())
    first = 0
    while first < len(starts) - 1:
        end = int(np.searchsorted(starts, starts[first] + _WORDS, side="right")) - 1
        own = starts[first : max(end, first + 1) + 1]
        words, first = slice(int(own[0]), int(own[-1])), first + len(own) - 1
        if words.start == words.stop:
            continue
        begins = np.unique(own - own[0])  # of sentences with words, and the end
        scores = emission[words].copy()
        scores[begins[:-1]] += initial
        factor = np.exp((scores - scores.max(axis=1, keepdims=True)).astype(float))
        alpha, beta, ahead = (np.empty_like(factor) for _ in range(3))
        norm = np.empty(len(factor))
        forward(scores, begins, step, factor, alpha, norm)
        backward(begins, step, factor, norm, beta, ahead)
        yield words, alpha, beta, ahead, step


@uncontracted_kernel
def _add_scaled(scale, row, out):
    for j in range(len(out)):
        out[j] += scale * row[j]


@uncontracted_kernel
def forward(scores, begins, step, factor, alpha, norm):
    """Forward variables of sentences, each row divided by its sum.

    scores: float32[n, n_tags]; begins: int[n_sentences + 1]; step: float64[n_tags,
    n_tags], exp of transitions; factor: float64[n, n_tags], exp of scores, both up to a
    constant; alpha: the same shape; norm: float64[n], the sums divided by. Sums are in
    the order of tags.
    """
    n_tags = len(step)
    for s in range(len(begins) - 1):
        for t in range(begins[s], begins[s + 1]):
            to = alpha[t]
            to[:] = 1
            if t > begins[s]:
                to[:] = 0
                for i in range(n_tags):
                    _add_scaled(alpha[t - 1, i], step[i], to)
                total = 0.0
                for j in range(n_tags):
                    total += to[j] * factor[t, j]
                if total < TINY:
                    rescale(scores[t], to, factor[t])
            total = 0.0
            for j in range(n_tags):
                to[j] *= factor[t, j]
                total += to[j]
            norm[t] = total
            for j in range(n_tags):
                to[j] /= total


@uncontracted_kernel
def backward(begins, step, factor, norm, beta, ahead):
    """Backward variables of sentences, as of `forward`, to which they are inverse.

    beta: float64[n, n_tags], alpha * beta are marginals; ahead: float64[n, n_tags],
    what a transition to a tag is followed by: undefined at first words.
    """
    n_tags = len(step)
    turned = step.T.copy()
    for s in range(len(begins) - 1):
        for t in range(begins[s + 1] - 1, begins[s] - 1, -1):
            own = beta[t]
            own[:] = 1
            if t + 1 < begins[s + 1]:
                own[:] = 0
                for j in range(n_tags):
                    _add_scaled(ahead[t + 1, j], turned[j], own)
            for j in range(n_tags):
                ahead[t, j] = factor[t, j] * own[j] / norm[t]
