"""Fallbacks of kernels of `kernels.decoding.arborescence`: whole rows at once."""

import numpy as np

from senna_py.kernels.nn.linear import linear


def score_heads(dependents, keys, near, starts, scores):
    m, done = near.shape[1] // 2, 0
    for a, b in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        n, heads = b - a, np.concatenate([keys[-1:], keys[a:b]]).T
        own = scores[done : done + n * (n + 1)].reshape(n, n + 1)
        done += own.size
        linear(dependents[a:b], heads[:-1].copy(), heads[-1].copy(), own)
        words = np.arange(n)
        rows = np.clip(words - words[:, None], -m, m) + m
        own[:, 1:] += np.take_along_axis(near[a:b], rows, axis=1)


def _best_of(row):
    return int(np.where(np.isnan(row), -np.inf, row).argmax())


def _take_better(row, sources, lost, other, other_sources):
    value = other - lost
    better = value > row
    row[better], sources[better] = value[better], other_sources[better]
