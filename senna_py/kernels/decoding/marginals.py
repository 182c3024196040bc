"""Probabilities of tags under sentence-level scores: forward-backward."""

import numpy as np

from senna_py.kernels.decoding.likelihood import backward_pass, forward_pass, prepare
from senna_py.kernels.runtime.jit import reordering_kernel

__all__ = ["marginals", "path_marginals"]


@reordering_kernel
def marginals(emission, starts, initial, transition, out):
    """Share of all paths through a sentence that have each tag at each word (Rabiner 1989, III.B).

    emission: float32[n_tokens, n_tags]; starts: int32[n_sentences + 1]; initial: float32[n_tags];
    transition: float32[n_tags, n_tags] (source, destination); out: float32[n_tokens, n_tags]. A
    path's share is exp(its score) / Z, see `likelihood.sentence_likelihood`.
    """
    n_tags = emission.shape[1]
    factor, alpha, norm, step, _ = prepare(starts, transition)
    joint = np.zeros((n_tags, n_tags))
    for s in range(len(starts) - 1):
        a, b = starts[s], starts[s + 1]
        if a < b:
            n = b - a
            forward_pass(emission[a:b], initial, step, factor[:n], alpha[:n], norm[:n])
            backward_pass(step, factor[:n], alpha[:n], norm[:n], out[a:b], joint)


@reordering_kernel
def path_marginals(emission, starts, initial, transition, tags, single, pair):
    """Shares of all paths that go through the tags of one path, and through two of them in a row.

    tags: int32[n_tokens], the path; single: float32[n_tokens], receives the share of the paths
    that have its tag at each word; pair: float32[n_tokens], those that have the tag of the word
    before, too (at first words: that of `single`); all else as for `marginals`.
    """
    n_tags = emission.shape[1]
    factor, alpha, norm, step, _ = prepare(starts, transition)
    beta, ahead = np.empty(n_tags), np.empty(n_tags)
    for s in range(len(starts) - 1):
        a, n = starts[s], starts[s + 1] - starts[s]
        if n == 0:
            continue
        forward_pass(emission[a : a + n], initial, step, factor[:n], alpha[:n], norm[:n])
        beta[:] = 1
        for t in range(n - 1, -1, -1):
            tag = tags[a + t]
            single[a + t] = pair[a + t] = alpha[t, tag] * beta[tag]
            if t == 0:
                break
            before = tags[a + t - 1]
            for j in range(n_tags):
                ahead[j] = factor[t, j] * beta[j] / norm[t]
            pair[a + t] = alpha[t - 1, before] * step[before, tag] * ahead[tag]
            for i in range(n_tags):
                total, row = 0.0, step[i]
                for j in range(n_tags):
                    total += row[j] * ahead[j]
                beta[i] = total
