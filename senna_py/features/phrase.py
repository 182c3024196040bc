"""Constituents above a word in its predicted tree: a feature, and paths between words for roles."""

import re
from typing import NamedTuple

import numpy as np

from senna_py.errors import SennaError
from senna_py.features.protocol import PADDING, Feature
from senna_py.kernels.text.phrases import labels_above, shared_with_previous
from senna_py.labels.tasks import TREES
from senna_py.text.vocabulary import Vocabulary

__all__ = ["MOST_ABOVE", "Above", "InPhrase", "above_predicted", "labels_going_on"]

MOST_ABOVE = 32  # constituents above a word that others see, the innermost ones
_NONE = "O"


class InPhrase(Feature):
    """`phrase.N`: the Nth constituent above the word, from 0 on, and the word's place in it.

    A value is a tag such as `B-NP` or `I-S(VP`, or `O` where there is no such constituent. This
    takes the place of the levels of parse trees of Collobert et al. (2011), section 6.5. The keys
    of its table begin with the labels of the network for trees.
    """

    pattern = re.compile(r"phrase\.(?P<length>[0-9])")
    begins = "phrase."
    of_tokens = False
    reads = "trees"

    @property
    def network(self):
        return TREES

    def __init__(self, name, resource="", length=None):
        """Read a name; length: how many constituents above the word it looks at, as a str."""
        super().__init__(name, resource)
        self._above = int(length)

    def vocabulary(self, given):
        return Vocabulary.from_keys([*given.values, PADDING], self.name)

    def column(self, vocabulary, resource):

        def compute(batch):
            if TREES in batch.found:
                return constituents_above(batch)[:, self._above].copy()
            if TREES not in batch.columns:
                raise SennaError(f"there are no labels {TREES}")
            index = {vocabulary[i]: i for i in range(len(vocabulary))}
            none, paths = index[_NONE], batch.columns[TREES]
            tags = (dict(enumerate(path.split(" "))).get(self._above) for path in paths)
            return np.array([index.get(tag, none) for tag in tags], np.int32)

        return compute


def constituents_above(batch):
    """Labels of the constituents above each token, innermost first: int32[n_tokens, MOST_ABOVE]."""
    return batch.once("phrases", _predicted)


def _predicted(batch):
    out, trees = np.empty((len(batch.tokens), MOST_ABOVE), np.int32), batch.found[TREES]
    labels_above(trees.labels, trees.rows, trees.begin, batch.tokens.starts, out)
    return out


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
    labels = constituents_above(batch)
    shared = np.empty(len(labels), np.int32)
    shared_with_previous(labels, goes_on, batch.tokens.starts, shared)
    return Above(labels, shared)
