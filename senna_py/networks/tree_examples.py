"""What a tree network is trained on: the levels of trees, one by one."""

from typing import NamedTuple

import numpy as np

from senna_py.kernels.decoding.tree_examples import grow_examples

__all__ = ["Examples", "make_examples"]


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


def make_examples(starts, trees, own, rng, tag):
    """Examples of a batch: each state of a tree in which decoding would look for another level.

    Gold are the constituents that can still be found and hold no other such: in a state without
    mistakes those of one level, and nothing at last, unless a constituent spans the sentence.

    starts: int32[n_sentences + 1]; trees: Constituents; own: share of the sentences whose trees
    grow as the network finds them, so that it learns to go on from its own mistakes; rng:
    numpy.random.Generator; tag: called with the numbers of these sentences, int64[n], if there are
    any, gives their Trees.
    """
    lengths = np.diff(starts)
    chosen = np.flatnonzero(rng.random(len(lengths)) < own) if own else []
    own_labels, own_rows, own_levels = _own_levels(len(lengths), chosen, tag)
    most = np.maximum(np.diff(trees.starts), own_levels) + 1
    n, n_rows = int(most.sum()), int((most * lengths).sum())
    sizes = n, n + 1, n_rows, n_rows, n_rows, n_rows
    out = Examples(*(np.empty(size, np.int32) for size in sizes))
    n = grow_examples(starts, *trees[:4], own_labels, own_rows, own_levels, tuple(out))
    n_rows = out.starts[n]
    return Examples(out.sentence[:n], out.starts[: n + 1], *(a[:n_rows] for a in out[2:]))


def _own_levels(n_sentences, chosen, tag):
    """Labels of the network's own levels, where they begin, and their number, -1 for no sentence.

    chosen: numbers of the sentences that have them.
    """
    rows, levels = np.zeros(n_sentences, np.int64), np.full(n_sentences, -1, np.int32)
    if not len(chosen):
        return np.empty(0, np.int32), rows, levels
    found = tag(chosen)
    rows[chosen], levels[chosen] = found.rows[:-1], np.diff(found.begin)
    return found.labels, rows, levels
