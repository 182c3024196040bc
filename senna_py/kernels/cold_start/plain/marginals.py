"""Twin of `kernels.marginals`: whole rows at once, by logarithms."""

from itertools import pairwise

import numpy as np

__all__ = ["marginals"]


def marginals(emission, starts, initial, transition, out):
    """See `kernels.marginals.marginals`."""
    step = transition.astype(float)
    for a, b in pairwise(np.unique(starts)):
        scores = emission[a:b].astype(float)
        forward, backward = np.empty_like(scores), np.zeros_like(scores)
        forward[0] = initial + scores[0]
        for t in range(1, b - a):
            forward[t] = scores[t] + _log_sum(forward[t - 1, :, None] + step)
        for t in range(b - a - 1, 0, -1):
            backward[t - 1] = _log_sum(step.T + (scores[t] + backward[t])[:, None])
        both = forward + backward
        out[a:b] = np.exp(both - _log_sum(both.T)[:, None])


def _log_sum(values):
    """Logarithm of the sums of exponentials of columns."""
    largest = values.max(axis=0)
    return largest + np.log(np.exp(values - largest).sum(axis=0))
