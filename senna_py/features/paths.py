"""Paths between words in their predicted trees, for roles."""

from typing import NamedTuple

import numpy as np

from senna_py.features.phrase import constituents_above, labels_of_paths
from senna_py.kernels.text.phrases import shared_with_previous

__all__ = ["Above", "above_predicted", "above_read", "labels_going_on"]


class Above(NamedTuple):
    """The constituents above words.

    labels: int32[n_tokens, n_above], of each, the innermost first, then zeros; shared:
    int32[n_tokens], how many of them are above the word before, too: 0 where a sentence begins.
    """

    labels: np.ndarray
    shared: np.ndarray

    def take(self, tokens):
        """Those of some words: whole sentences, or their beginnings do not fit any more."""
        return Above(self.labels[tokens], self.shared[tokens])


def labels_going_on(keys):
    """Mark the labels of the network for trees that go on from the word before: bool[n_keys]."""
    return np.array([key[:2] in ("I-", "E-") for key in keys], bool)


def above_predicted(batch, goes_on):
    """Above of a features.protocol.Batch whose trees are known; goes_on: see `labels_going_on`."""
    return _above(constituents_above(batch), goes_on, batch.tokens.starts)


def above_read(paths, keys, starts):
    """Above of words whose labels are text: see `labels_of_paths`; starts: of sentences."""
    return _above(labels_of_paths(paths, keys), labels_going_on(keys), starts)


def _above(labels, goes_on, starts):
    shared = np.empty(len(labels), np.int32)
    shared_with_previous(labels, goes_on, starts, shared)
    return Above(labels, shared)
