"""Principal component analysis."""

import numpy as np

__all__ = ["principal_axes"]


def principal_axes(x, n):
    """Mean of vectors and the n axes of most variance: float64[d] and float64[d, n].

    x: float[n_vectors, d].
    """
    x = x.astype(np.float64)
    mean = x.mean(axis=0)
    _, axes = np.linalg.eigh((x - mean).T @ (x - mean))  # the least variance first
    return mean, axes[:, ::-1][:, :n]
