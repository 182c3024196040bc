"""Features that are not computed: words, and labels from a network or a column."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from senna_py.errors import SennaError
from senna_py.features.protocol import PADDING, Feature
from senna_py.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.features.protocol import Batch, TrainingTokens

_OTHER = "UNAVAILABLE"


class Word(Feature):
    """The feature `word`: a token's index in the dictionary that all networks share."""

    pattern = re.compile("word")
    own_table = False
    of_form = True

    def column(
        self, vocabulary: Any, resource: Any
    ) -> Callable[[Batch], NDArray[np.int32]]:
        return lambda batch: batch.tokens.word


class Label(Feature):
    """The label that the network of the same name predicts for each token.

    If that network has not run, the labels are a column of the input. The keys of the
    feature begin with the labels of the network, so that a predicted index is also a
    row index of the feature's table. Any name that no other feature matches is the name
    of a label.
    """

    pattern = re.compile(".*", re.DOTALL)
    of_tokens = False

    def vocabulary(self, training: TrainingTokens) -> Vocabulary:
        return Vocabulary.from_keys([*training.values, PADDING, _OTHER], self.name)

    def column(
        self, vocabulary: Any, resource: Any
    ) -> Callable[[Batch], NDArray[np.int32]]:

        def compute(batch: Batch) -> NDArray[np.int32]:
            if self.name in batch.layers:
                return batch.layers[self.name].of_tokens(len(batch.tokens))
            if self.name not in batch.columns:
                raise SennaError(f"there are no labels {self.name}")
            index = {vocabulary[i]: i for i in range(len(vocabulary))}
            other = index[_OTHER]
            column = batch.columns[self.name]
            return np.array([index.get(label, other) for label in column], np.int32)

        return compute
