"""What a tree network is trained on: the levels of trees, one by one."""

from typing import NamedTuple

import numpy as np

from senna_py.kernels.tree_examples import grow_examples

__all__ = ["Examples", "Noise", "make_examples"]

_LEVELS_MISSED = 3  # by one constituent, at most


class Noise(NamedTuple):
    """How trees grow otherwise than they should, so that a network learns to go on from there.

    noise: share of the constituents that a level misses, to be found on a later one, and of those
    that get another label; own: share of the sentences whose levels are the network's own.
    """

    noise: float = 0.0
    own: float = 0.0


class Examples(NamedTuple):
    """States of sentences while their trees grow, and the level that comes next, the gold one.

    sentence: int32[n_examples]; starts: int32[n_examples + 1], their words among the rows; token:
    int32[n_rows], of the batch; latest: int32[n_rows], the label of each word on the latest level
    where it had one other than O; span: int32[n_rows], words of the outermost constituent found
    that begins at a word, 0 for none; gold: int32[n_rows], labels on the next level.
    """

    sentence: np.ndarray
    starts: np.ndarray
    token: np.ndarray
    latest: np.ndarray
    span: np.ndarray
    gold: np.ndarray


def make_examples(starts, trees, noise, rng, tag):
    """Examples of a batch: each state of a tree in which decoding would look for another level.

    Gold are the constituents that can still be found and hold no other such: in a state without
    mistakes those of one level, and nothing at last, unless a constituent spans the sentence.

    starts: int32[n_sentences + 1]; trees: Constituents; noise: Noise; rng: numpy.random.Generator;
    tag: called with the numbers of sentences, int64[n], gives the Trees that the network finds.
    """
    lengths, counts = np.diff(starts), np.diff(trees.starts)
    own = np.flatnonzero(rng.random(len(lengths)) < noise.own) if noise.own else []
    own_labels, own_rows, own_levels = _own_levels(len(lengths), own, tag)
    shown, missed = _draw(trees.label, noise.noise, rng)
    late = np.append(0, np.cumsum(missed))[trees.starts]
    most = np.maximum(counts + np.diff(late), own_levels) + 1
    n, n_rows = int(most.sum()), int((most * lengths).sum())
    sizes = n, n + 1, n_rows, n_rows, n_rows, n_rows
    out = Examples(*(np.empty(size, np.int32) for size in sizes))
    n = grow_examples(
        starts, *trees[:4], shown, missed, own_labels, own_rows, own_levels, tuple(out)
    )
    n_rows = out.starts[n]
    return Examples(out.sentence[:n], out.starts[: n + 1], *(a[:n_rows] for a in out[2:]))


def _own_levels(n_sentences, own, tag):
    """Labels of the network's own levels, where they begin, and their number, -1 for no sentence.

    own: numbers of the sentences that have them.
    """
    rows, levels = np.zeros(n_sentences, np.int64), np.full(n_sentences, -1, np.int32)
    if not len(own):
        return np.empty(0, np.int32), rows, levels
    found = tag(own)
    rows[own], levels[own] = found.rows[:-1], np.diff(found.begin)
    return found.labels, rows, levels


def _draw(label, share, rng):
    """The labels that constituents get, and on how many levels they are missed: int32[n] both."""
    if not share:
        return label, np.zeros_like(label)
    shown = np.where(rng.random(len(label)) < share, rng.permutation(label), label)
    missed = rng.geometric(1 - share, len(label)) - 1
    return shown, np.minimum(missed, _LEVELS_MISSED).astype(np.int32)
