"""A bigram model of given probabilities."""

import numpy as np

from senna_py.lm.language_model import LanguageModel


class TableModel(LanguageModel):
    """P(word | word before) by a table; before the first word stands word 0."""

    kind, order = "table", 2

    def __init__(self, table, word_list):
        self.table, self.word_list = np.asarray(table, float), word_list

    def log10_probabilities(self, ids, before=None):
        joined = np.concatenate(
            [[0], [] if before is None else before[-1:], ids]
        ).astype(int)
        found = np.log10(self.table[joined[-len(ids) - 1 : -1], ids])
        return np.where(ids == self.word_list.begin, 0, found)

    def describe(self):
        return [("kind", self.kind)]
