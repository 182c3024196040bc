"""Trees: the constituents over the words of a sentence."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from senna_py.errors import SennaError
from senna_py.evaluation.evalb_parameters import EvalbParameters
from senna_py.evaluation.trees import TreePair, score_trees
from senna_py.labels import tree_keys
from senna_py.labels.tasks import POS, TREES, Task
from senna_py.labels.trees import (
    TOP,
    TRACE,
    Leaf,
    Phrase,
    Tree,
    build_tree,
    tree_of_bits,
)
from senna_py.networks.batch import WordBatch
from senna_py.tagging.kinds.base import Block, Kind, Pairs, Targets
from senna_py.tagging.soft_labels import parse_constituents

BRACKETS = "brackets"  # the one column of files that are bracketed text


class FoundTree(NamedTuple):
    """Phrases of a sentence, a list of Phrase, and parts of speech where a network gave
    them.
    """

    phrases: list
    tags: list | None = None


class Trees(Kind):
    """Trees of sentences.

    Labels of a sentence are a Tree, bare (`labels.trees.bare_tree`) and under the root
    TOP, or, of soft ones, pairs of a Phrase, a constituent, and its share. keys: O and
    then B, I, E and S of each type of constituent, in the order of their names. A type
    is what the phrases over the same words are called, `S(VP`; a rare one is reduced to
    a part of it, see `labels.tree_keys.frequent_label`, and one that is not known even
    in part is not learned. In models, labels are left-hand brackets, with the
    right-hand ones beside.
    """

    name, labels, only = "trees", "trees", TREES
    approach, hidden, chooses = "chart", 224, False
    alone, options = ((BRACKETS,),), ("parameters", "by-label")

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        self._counts: Any = Counter()
        self._min_count, self._reduced = 1, dict[str, str]()

    def sources(self, soft: bool = False) -> list[tuple[str, ...]]:
        return [(self.task.name,)] if soft else [self.task.gold, *self.alone]

    def read(self, block: Block) -> Any:
        names = block.data.labels
        if block.data.is_soft(self.task.name):
            return _soft_tree(block, block.columns[self.task.name], names)
        tree = (
            block.columns[BRACKETS]
            if BRACKETS in block.columns
            else _tree_of_bits(block)
        )
        if not names:
            return tree
        root, *others = tree.phrases
        return build_tree(tree.leaves, [root, *_renamed_phrases(others, names)])

    # What is learned.

    def find_keys(self, labels: list[Any], min_count: int) -> None:
        self._counts, self._min_count, self._reduced = Counter(), min_count, {}
        for tree in labels:
            for phrase, share in constituents(tree):
                self._counts[phrase.label] += share
        self._take_types(sorted({self._reduce(label) for label in self._counts}))
        if len(self.keys) == 1:
            raise SennaError("no phrase below the roots of the trees")

    def _take_types(self, types):
        self._number = {label: number for number, label in enumerate(types)}
        self._parts = {
            part for label in types for part in tree_keys.phrases_of_label(label)
        }
        self.keys = tree_keys.keys_of_types(types)

    def _reduce(self, label):
        if label not in self._reduced:
            self._reduced[label] = tree_keys.frequent_label(
                label, self._counts, self._min_count
            )
        return self._reduced[label]

    def take_keys(self, keys: list[str]) -> None:
        types = [key.removeprefix("B-") for key in keys[1::4]]
        self._counts = {
            label: max(self._counts[label], self._min_count) for label in types
        }
        self._reduced = {}
        self._take_types(types)

    def lacking(self, keys: list[str]) -> set[str]:
        known = frozenset(key[2:] for key in keys)
        return {key[2:] for key in self.keys[1:]} - known

    def unknown(self, labels: Any) -> list[tuple[str, int]]:
        found = (phrase for phrase, _ in constituents(labels))
        return sorted(
            (part, begin)
            for label, begin, _ in found
            for part in tree_keys.phrases_of_label(label)
            if part not in self._parts
        )

    def targets(self, labels: list[Any], weight: np.ndarray | None) -> Targets:
        rows, counts, shares = list[Any](), [], []
        for tree in labels:
            before = len(rows)
            for (label, begin, end), share in constituents(tree):
                number = self._number.get(self._reduce(label))
                if number is not None:
                    rows.append((begin, end, number))
                    shares.append(share)
            counts.append(len(rows) - before)
        begins, ends, numbers = np.array(rows, np.int32).reshape(-1, 3).T.copy()
        starts = np.append(0, np.cumsum(counts, dtype=np.int64))
        soft = not all(isinstance(tree, Tree) for tree in labels)
        own = np.array(shares, np.float32) if soft else None
        return TreeTargets(
            tree_keys.Constituents(starts, begins, ends, numbers, own), weight
        )

    def of_model(self) -> tuple[list[str], dict[str, list[str]]]:
        left, right = tree_keys.brackets_of_keys(self.keys)
        return left, {f"{self.task.name}-right": right}

    @staticmethod
    def keys_of_model(labels: list[str]) -> list[str]:
        return tree_keys.keys_of_brackets(labels)

    # What is found.

    def decode(
        self, answer: Any, names: Sequence[str], starts: np.ndarray
    ) -> list[Any]:
        return [*map(FoundTree, tree_keys.found_phrases(answer, starts, names, TOP))]

    def completed(
        self, labels: list[Any], others: Mapping[str, list[Any]]
    ) -> list[Any]:
        return [
            tree._replace(tags=tags)
            for tree, tags in zip(labels, others[POS], strict=True)
        ]

    def renamed(self, labels: Any, names: Mapping[str, str]) -> Any:
        root, *others = labels.phrases
        return labels._replace(phrases=[root, *_renamed_phrases(others, names)])

    def score(self, pairs: Pairs, parameters: EvalbParameters | None = None) -> Any:
        """TreeScores of pairs of a Tree and a FoundTree; parameters: None for
        COLLINS.prm.

        Words that are deleted for their part of speech are those of the gold tree.
        """
        given = {} if parameters is None else {"parameters": parameters}
        made = (
            TreePair(gold, build_tree(gold.leaves, found.phrases), tags=found.tags)
            for gold, found in pairs
        )
        return score_trees(made, **given)

    def headline(self, scores: Any) -> tuple[float, str]:
        return scores.totals.brackets.f1, "F1"


def constituents(tree: Any) -> list[tuple[Phrase, float]]:
    """Pairs of the constituents below the root, and their shares: 1 of those of a
    Tree.
    """
    if isinstance(tree, Tree):
        return [(phrase, 1) for phrase in tree_keys.constituents_of_tree(tree)]
    return tree


def _tree_of_bits(block):
    """The Tree of a Block with columns of words, parts of speech and parse bits."""
    leaves = list(map(Leaf, block.columns["word"], block.columns[POS]))
    for token, leaf in enumerate(leaves):
        if leaf.tag == TRACE:
            raise block.error(token, f"expected a word, found a trace ({TRACE})")
    try:
        tree = tree_of_bits(leaves, block.columns["parse"])
    except ValueError as error:
        raise block.error(*error.args) from None
    for phrase in tree.phrases:
        if not phrase.label:
            raise block.error(phrase.begin, "expected a label after each (, found none")
    return tree


def _soft_tree(block, cells, names):
    """Pairs of a constituent and its share, of the cells of a column; see
    `parse_constituents`.
    """
    found = []
    for begin, cell in enumerate(cells):
        for label, length, share in block.cell(begin, cell, parse_constituents):
            if begin + length > len(cells):
                raise block.error(begin, f"{label}/{length} goes beyond the sentence")
            if label := _renamed_label(label, names) if names else label:
                found.append((Phrase(label, begin, begin + length), share))
    return found


def _renamed_label(label, names):
    """The label of a constituent with other names of its phrases; empty if none is
    left.
    """
    renamed = (
        names.get(phrase, phrase) for phrase in tree_keys.phrases_of_label(label)
    )
    return tree_keys.label_of_phrases([phrase for phrase in renamed if phrase != "O"])


def _renamed_phrases(phrases, names):
    """Phrases with other names, by old ones, but for those that are then called O."""
    renamed = [
        phrase._replace(label=names.get(phrase.label, phrase.label))
        for phrase in phrases
    ]
    return [phrase for phrase in renamed if phrase.label != "O"]


@dataclass
class TreeTargets(Targets):
    """Trees that a network is to give, of all sentences or of a batch.

    trees: their Constituents; weight: float32[n_sentences], or None, as of
    `words.TagTargets`.
    """

    trees: tree_keys.Constituents
    weight: np.ndarray | None = None

    @property
    def is_soft(self) -> bool:
        return self.weight is not None or self.trees.share is not None

    def shares(self, starts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Probabilities of all constituents, float32[n], and weights, float32[n_spans].

        The weight of a sentence is that of all its spans, and its constituents' shares
        are multiplied by it. starts: of the sentences, int32[n_sentences + 1].
        """
        n_words, trees = np.diff(starts).astype(np.int64), self.trees
        weight = (
            np.ones(len(n_words), np.float32) if self.weight is None else self.weight
        )
        share = np.repeat(weight, np.diff(trees.starts))
        if trees.share is not None:
            share *= trees.share
        return share, np.repeat(weight, n_words * (n_words + 1) // 2)

    def has_rows(self) -> np.ndarray:
        return np.ones(len(self.trees.starts) - 1, bool)

    def arrays(self) -> list[np.ndarray]:
        return [array for array in self.trees if array is not None]

    def batch(self, which: np.ndarray, starts: np.ndarray) -> tuple[WordBatch, Targets]:
        weight = None if self.weight is None else self.weight[which]
        return WordBatch(None, starts), TreeTargets(self.trees.take(which), weight)
