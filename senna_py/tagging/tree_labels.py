"""Labels of networks for trees: types of constituents."""

from collections import Counter

import numpy as np

from senna_py.labels.constituents import Constituents
from senna_py.labels.tree_keys import keys_of_types
from senna_py.labels.tree_levels import constituents_of_tree, frequent_label, phrases_of_label

__all__ = ["ConstituentTypes"]


class ConstituentTypes:
    """The types of the constituents of training trees.

    keys: the labels of a network, O and then B, I, E and S of each type, in the order of their
    names. A type is what the phrases over the same words are called, `S(VP`; a rare one is reduced
    to a part of it, see `labels.tree_levels.frequent_label`.
    """

    def __init__(self, trees, min_count=1):
        """Count constituents.

        trees: list of Tree; min_count: how often a type of several phrases must occur.
        """
        found = (phrase.label for tree in trees for phrase in constituents_of_tree(tree))
        self._counts, self._min_count, self._reduced = Counter(found), min_count, {}
        types = sorted({self._reduce(label) for label in self._counts})
        self._number = {label: number for number, label in enumerate(types)}
        self._parts = {part for label in types for part in phrases_of_label(label)}
        self.keys = keys_of_types(types)

    def _reduce(self, label):
        if label not in self._reduced:
            self._reduced[label] = frequent_label(label, self._counts, self._min_count)
        return self._reduced[label]

    def take_keys(self, keys):
        """Number the types as another network does that knows them all; keys: its labels."""
        self._number = {key.removeprefix("B-"): number for number, key in enumerate(keys[1::4])}
        self.keys = list(keys)

    def constituents(self, trees):
        """Constituents of a list of Tree, without those whose type is not known even in part."""
        rows, counts = [], []
        for tree in trees:
            before = len(rows)
            for label, begin, end in constituents_of_tree(tree):
                number = self._number.get(self._reduce(label))
                if number is not None:
                    rows.append((begin, end, number))
            counts.append(len(rows) - before)
        columns = np.array(rows, np.int32).reshape(-1, 3).T
        starts = np.append(0, np.cumsum(counts, dtype=np.int64))
        return Constituents(starts, *map(np.ascontiguousarray, columns))

    def unknown(self, tree):
        """Labels of phrases of a tree that no type has, sorted."""
        return sorted({phrase.label for phrase in tree.phrases[1:]} - self._parts)
