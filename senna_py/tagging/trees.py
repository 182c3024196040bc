"""Trees to train on: out of columns with parse bits or bracketed text, and their constituents."""

from collections import Counter

import numpy as np

from senna_py.corpora.tree_files import read_bracketed_trees
from senna_py.errors import SennaError
from senna_py.labels.tasks import POS
from senna_py.labels.tree_keys import (
    Constituents,
    constituents_of_tree,
    frequent_label,
    keys_of_types,
    label_of_phrases,
    phrases_of_label,
)
from senna_py.labels.trees import TRACE, Leaf, Phrase, bare_tree, build_tree, tree_of_bits
from senna_py.tagging.soft_labels import parse_constituents

__all__ = [
    "BRACKETS", "BracketReader", "ConstituentTypes", "rename_phrases", "tree_of_columns",
    "tree_of_shares",
]  # fmt: skip

BRACKETS = "brackets"  # the one column of files that are bracketed text


class BracketReader:
    """Reads one file of bracketed trees as `data._Reader` reads one of columns."""

    def __init__(self, path, data):
        """path: of the file; data: its config.DataSet."""
        self._path, self._names = path, data.labels

    def read(self, features):
        """Yield lines (that of the tree for each word), words, tree and columns of each sentence.

        A sentence has a word; traces are none.

        features: of these, parts of speech are a column. Raises SennaError naming file and line.
        """
        for record in read_bracketed_trees(self._path):
            if record.problem is not None:
                raise SennaError(record.problem)
            tree = record.tree and bare_tree(record.tree)
            if tree is None:
                continue
            leaves = tree.leaves
            columns = {POS: [leaf.tag for leaf in leaves]} if POS in features else {}
            words = [leaf.word for leaf in leaves]
            lines = [record.line] * len(words)
            yield lines, words, rename_phrases(tree, self._names), columns


def tree_of_columns(file, sentence, columns, names):
    """The Tree of a sentence of a ColumnFile, under the root TOP and without function tags.

    sentence: the ColumnSentence; columns: lists of str by name, `word`, `pos` and `parse` among
    them; names: see `rename_phrases`. Raises SennaError naming file and line.
    """
    leaves = list(map(Leaf, columns["word"], columns[POS]))
    for token, leaf in enumerate(leaves):
        if leaf.tag == TRACE:
            raise file.error(sentence.line_of(token), f"expected a word, found a trace ({TRACE})")
    try:
        tree = tree_of_bits(leaves, columns["parse"])
    except ValueError as error:
        token, problem = error.args
        raise file.error(sentence.line_of(token), problem) from None
    for phrase in tree.phrases:
        if not phrase.label:
            line = sentence.line_of(phrase.begin)
            raise file.error(line, "expected a label after each (, found none")
    return rename_phrases(tree, names)


def tree_of_shares(file, sentence, cells, names):
    """A soft tree: pairs of a Phrase, a constituent, and its share, of a ColumnSentence.

    cells: of the column, see `soft_labels.parse_constituents`; names: see `rename_phrases`. Raises
    SennaError naming file and line.
    """
    found = []
    for begin, cell in enumerate(cells):
        try:
            constituents = parse_constituents(cell)
            for label, length, _ in constituents:
                if begin + length > len(cells):
                    raise ValueError(f"{label}/{length} goes beyond the sentence")
        except ValueError as error:
            raise file.error(sentence.line_of(begin), error) from None
        for label, length, share in constituents:
            if label := _rename(label, names) if names else label:
                found.append((Phrase(label, begin, begin + length), share))
    return found


def _rename(label, names):
    """The label of a constituent with other names of its phrases; empty if none is left."""
    renamed = (names.get(phrase, phrase) for phrase in phrases_of_label(label))
    return label_of_phrases([phrase for phrase in renamed if phrase != "O"])


def rename_phrases(tree, names):
    """The tree whose phrases below the root have other names; those called O there are left out.

    names: new label by old one.
    """
    if not names:
        return tree
    root, *others = tree.phrases
    renamed = [phrase._replace(label=names.get(phrase.label, phrase.label)) for phrase in others]
    return build_tree(tree.leaves, [root, *(phrase for phrase in renamed if phrase.label != "O")])


class ConstituentTypes:
    """The types of the constituents of training trees.

    keys: the labels of a network, O and then B, I, E and S of each type, in the order of their
    names. A type is what the phrases over the same words are called, `S(VP`; a rare one is reduced
    to a part of it, see `labels.tree_keys.frequent_label`.
    """

    def __init__(self, trees, min_count=1):
        """Count constituents, soft ones by their shares.

        trees: list of Tree, or what `tree_of_shares` gives; min_count: how often a type of several
        phrases must occur.
        """
        self._counts, self._min_count, self._reduced = Counter(), min_count, {}
        for tree in trees:
            for phrase, share in _constituents(tree):
                self._counts[phrase.label] += share
        self._take_types(sorted({self._reduce(label) for label in self._counts}))

    def _take_types(self, types):
        self._number = {label: number for number, label in enumerate(types)}
        self._parts = {part for label in types for part in phrases_of_label(label)}
        self.keys = keys_of_types(types)

    def _reduce(self, label):
        if label not in self._reduced:
            self._reduced[label] = frequent_label(label, self._counts, self._min_count)
        return self._reduced[label]

    def take_keys(self, keys):
        """Take the types of another network, however rare they are here; keys: its labels."""
        types = [key.removeprefix("B-") for key in keys[1::4]]
        self._counts = {label: max(self._counts[label], self._min_count) for label in types}
        self._reduced = {}
        self._take_types(types)

    def constituents(self, trees):
        """Constituents of a list of trees, without those whose type is not known even in part."""
        rows, counts, shares = [], [], []
        for tree in trees:
            before = len(rows)
            for (label, begin, end), share in _constituents(tree):
                number = self._number.get(self._reduce(label))
                if number is not None:
                    rows.append((begin, end, number))
                    shares.append(share)
            counts.append(len(rows) - before)
        columns = np.array(rows, np.int32).reshape(-1, 3).T
        starts = np.append(0, np.cumsum(counts, dtype=np.int64))
        soft = any(isinstance(tree, list) for tree in trees)
        share = np.array(shares, np.float32) if soft else None
        return Constituents(starts, *map(np.ascontiguousarray, columns), share)

    def unknown(self, tree):
        """Labels of phrases of a tree that no type has, with their first words: pairs, sorted."""
        phrases = tree.phrases[1:]
        return sorted((label, begin) for label, begin, _ in phrases if label not in self._parts)


def _constituents(tree):
    """Pairs of the constituents below the root, and their shares: 1 of those of a Tree."""
    if isinstance(tree, list):
        return tree
    return [(phrase, 1) for phrase in constituents_of_tree(tree)]
