"""Probabilities of tags under sentence-level scores: forward-backward."""

import numpy as np

from senna_py.kernels.cold_start.jit import reordering_kernel
from senna_py.kernels.likelihood import backward_pass, forward_pass, prepare

__all__ = ["marginals"]


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
