"""Twin of `kernels.decoding.marginals`: whole rows at once, by logarithms."""

from itertools import pairwise

import numpy as np

__all__ = ["marginals", "path_marginals"]


def marginals(emission, starts, initial, transition, out):
    for a, b in pairwise(np.unique(starts)):
        forward, backward = _passes(emission[a:b], initial, transition)
        both = forward + backward
        out[a:b] = np.exp(both - _log_sum(both.T)[:, None])


def path_marginals(emission, starts, initial, transition, tags, single, pair):
    for a, b in pairwise(np.unique(starts)):
        forward, backward = _passes(emission[a:b], initial, transition)
        path, rows = tags[a:b], np.arange(b - a)
        total = _log_sum(forward[-1])
        single[a:b] = pair[a:b] = np.exp((forward + backward)[rows, path] - total)
        arriving = transition[path[:-1], path[1:]] + (backward + emission[a:b])[rows, path][1:]
        pair[a + 1 : b] = np.exp(forward[rows, path][:-1] + arriving - total)


def _passes(emission, initial, transition):
    """Logarithms of the forward and backward variables of a sentence: float64[n, n_tags] both."""
    scores, step = emission.astype(float), transition.astype(float)
    forward, backward = np.empty_like(scores), np.zeros_like(scores)
    forward[0] = initial + scores[0]
    for t in range(1, len(scores)):
        forward[t] = scores[t] + _log_sum(forward[t - 1, :, None] + step)
    for t in range(len(scores) - 1, 0, -1):
        backward[t - 1] = _log_sum(step.T + (scores[t] + backward[t])[:, None])
    return forward, backward


def _log_sum(values):
    """Logarithm of the sums of exponentials of columns."""
    largest = values.max(axis=0)
    return largest + np.log(np.exp(values - largest).sum(axis=0))
