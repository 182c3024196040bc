"""Features that are known already: words, and labels of another network or of a column
of data.
"""

import re

import numpy as np

from senna_py.errors import SennaError
from senna_py.features.protocol import PADDING, Feature
from senna_py.text.vocabulary import Vocabulary

_OTHER = "UNAVAILABLE"


class Word(Feature):
    """`word`: the token's place in the dictionary that all networks share."""

    pattern = re.compile("word")
    own_table = False

    def column(self, vocabulary, resource):
        return lambda batch: batch.tokens.word


class Label(Feature):
    """Any name that is of no other kind: the label that the network with that name
    predicts.

    The keys of its table begin with those labels, so that predicted indices are its
    indices.
    """

    pattern = re.compile(".*", re.DOTALL)
    of_tokens = False

    def vocabulary(self, given):
        return Vocabulary.from_keys([*given.values, PADDING, _OTHER], self.name)

    def column(self, vocabulary, resource):

        def compute(batch):
            if self.name in batch.found:
                return batch.found[self.name].labels
            if self.name not in batch.columns:
                raise SennaError(f"there are no labels {self.name}")
            index = {vocabulary[i]: i for i in range(len(vocabulary))}
            other = index[_OTHER]
            return np.array(
                [index.get(v, other) for v in batch.columns[self.name]], np.int32
            )

        return compute
