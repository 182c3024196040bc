"""All paths of tags through sentences, one by one: what kernels sum up and compare at
once.
"""

import itertools

import numpy as np

__all__ = ["IMPOSSIBLE", "paths_of", "random_scores", "spans_of_words"]

IMPOSSIBLE = -10_000.0


def random_scores(rng, lengths, n_tags, scale=1.0):
    """emission, starts, initial and transition of sentences of the given lengths."""
    starts = np.append(0, np.cumsum(lengths)).astype(np.int32)
    shapes = (starts[-1], n_tags), n_tags, (n_tags, n_tags)
    emission, *others = (
        rng.standard_normal(shape).astype(np.float32) for shape in shapes
    )
    return np.float32(scale) * emission, starts, *others


def spans_of_words(starts):
    """Begin and end of each sentence that has words."""
    return [(a, b) for a, b in itertools.pairwise(starts) if a < b]


def paths_of(emission, initial, transition):
    """Every path through one sentence: int[n_paths, n_words], and its score:
    float64[n_paths].
    """
    n, n_tags = emission.shape
    paths = np.array([*itertools.product(range(n_tags), repeat=n)])
    steps = transition.astype(float)[paths[:, :-1], paths[:, 1:]]
    words = emission.astype(float)[np.arange(n), paths]
    return paths, initial.astype(float)[paths[:, 0]] + words.sum(axis=1) + steps.sum(
        axis=1
    )
