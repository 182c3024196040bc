"""Gold constituent trees, or constituents with probabilities."""

from array import array
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from senna_py.answers.layer import Layer
from senna_py.labels import tree_keys
from senna_py.labels.tasks import POS, Task
from senna_py.labels.trees import TRACE, Leaf, Phrase, Tree, build_tree, tree_of_bits
from senna_py.tagging.gold.base import Block, Gold, GoldReader
from senna_py.tagging.soft_labels import parse_constituents

BRACKETS = "brackets"  # The name of the only column of bracketed text.
# A phrase and its probability. Phrases over the same words are merged into one with a
# joint label.
Constituent = tuple[Phrase, float]


class TreeReader(GoldReader):
    """Reads constituent trees.

    `read` returns a Tree without traces and function tags, whose root is TOP, or for
    soft labels a list of constituents with their probabilities.
    """

    alone = ((BRACKETS,),)

    def sources(self, task: Task, soft: bool = False) -> list[tuple[str, ...]]:
        return [(task.name,)] if soft else [task.gold, *self.alone]

    def read(self, block: Block, task: Task) -> "Tree | list[Constituent]":
        names = block.data.labels
        if block.data.is_soft(task.name):
            return _soft_tree(block, block.columns[task.name], names)
        tree = block.columns.get(BRACKETS) or _tree_of_bits(block)
        if not names:
            return tree
        root, *others = tree.phrases
        renamed = [
            phrase._replace(label=names.get(phrase.label, phrase.label))
            for phrase in others
        ]
        return build_tree(
            tree.leaves, [root, *(each for each in renamed if each.label != "O")]
        )

    def gold(
        self,
        task: Task,
        sentences: "Sequence[Tree | list[Constituent]]",
        labeled: NDArray[np.int64],
        starts: NDArray[np.int64],
    ) -> Gold:
        trees = [each for each in sentences if isinstance(each, Tree)]
        soft = len(trees) < len(sentences)
        numbers: dict[str, int] = {}
        labels, begins, ends = array("i"), array("i"), array("i")
        shares: list[float] = []
        tree: Any
        for tree, start in zip(sentences, starts.tolist(), strict=False):
            if soft:
                pairs = constituents(tree)
                phrases = [phrase for phrase, _ in pairs]
                shares += [share for _, share in pairs]
            else:
                phrases = tree.phrases
            labels.extend(
                numbers.setdefault(each.label, len(numbers)) for each in phrases
            )
            begins.extend(start + each.begin for each in phrases)
            ends.extend(start + each.end for each in phrases)
        words: list[str] = []
        tags: list[str] = []
        for tree in () if soft else trees:
            leaves = tree.leaves
            words += [leaf.word for leaf in leaves]
            tags += [leaf.tag for leaf in leaves]
        label, begin, end = (
            np.array(each, np.int32) for each in (labels, begins, ends)
        )
        score = np.array(shares) if soft else None
        layer = Layer(task, tuple(numbers), label, begin, end, score=score)
        return Gold(layer, labeled, starts, tagged_words=(words, tags))


def constituents(tree: Any) -> list[Constituent]:
    """Return the constituents below the root; in a Tree, all have probability 1."""
    if isinstance(tree, Tree):
        return [(phrase, 1.0) for phrase in tree_keys.constituents_of_tree(tree)]
    return tree


def _tree_of_bits(block: Block) -> Tree:
    """Build a tree from the columns of words, parts of speech and parse bits.

    Raises SennaError if a parse bit is malformed, a label is missing, or a leaf is a
    trace.
    """
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


def _soft_tree(
    block: Block, cells: list[str], names: Mapping[str, str]
) -> list[Constituent]:
    """Parse the constituents of a sentence from its cells; see `parse_constituents`.

    Raises SennaError if a cell is malformed, or a constituent exceeds the sentence.
    """
    constituents_of_sentence: list[Constituent] = []
    for begin, cell in enumerate(cells):
        for label, length, share in block.cell(begin, cell, parse_constituents):
            if begin + length > len(cells):
                raise block.error(begin, f"{label}/{length} goes beyond the sentence")
            if label := _renamed(label, names) if names else label:
                phrase = Phrase(label, begin, begin + length)
                constituents_of_sentence.append((phrase, share))
    return constituents_of_sentence


def _renamed(label: str, names: Mapping[str, str]) -> str:
    """Return a constituent label with its phrases renamed, without those that become O.

    It is "" if all become O.
    """
    renamed = (
        names.get(phrase, phrase) for phrase in tree_keys.phrases_of_label(label)
    )
    return tree_keys.label_of_phrases([phrase for phrase in renamed if phrase != "O"])
