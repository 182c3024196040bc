"""Correction of decoded trees by rules from the guidelines of Universal Dependencies.

A decoded tree may break a rule, for example that a word has at most one subject. Gold
trees follow the rules, so such a tree contains an error. An arc or a relation is then
replaced by the most likely one that breaks no rule.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.layers.biaffine import score_bounds
from senna_py.networks.batch import ranges
from senna_py.text.tokens import distinct

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from senna_py.labels.dependency_rules import DependencyRules

    Floats = NDArray[np.float32]
    Ints = NDArray[np.int32]
    Flags = NDArray[np.bool_]
    Longs = NDArray[np.int64]
    Rescore = Callable[[Longs, Longs], Floats]

_IMPOSSIBLE = np.float32(-1e30)
_MOST_HEADS = 32  # the number of heads that are tried for a punctuation mark
_ROUNDS = 3  # the number of times that arcs are replaced; a new arc may break a rule


@dataclass
class LawfulArcs:
    """The trees of a batch, which `apply` changes so that they follow rules.

    Attributes:
        rules: The rules.
        starts: int32[n_sentences + 1], where each sentence begins.
        arcs: float32[n_scores], the scores of arcs; see `Biaffine.forward`.
        head: int32[n_words], the index of each word's head within its sentence, or -1
            for the root.
        relations: float32[n_words, n_relations], the scores of the relations of each
            word to its head.
        table: bool[n_classes, n_relations], the relations that each part of speech
            allows; a last row, which is added, allows all relations, for the heads of
            fixed expressions.
        classes: int32[n_words], the row of `table` of each word: its part of speech, or
            the last row.
        label: int32[n_words], the relation of each word to its head.
    """

    rules: DependencyRules
    starts: Ints
    arcs: Floats
    head: Ints
    relations: Floats
    table: Flags
    classes: Ints

    def __post_init__(self) -> None:
        lengths = np.diff(self.starts)
        self._sentence = np.repeat(np.arange(len(lengths)), lengths)
        self._first = self.starts[:-1][self._sentence]
        self._place = np.arange(len(self.head), dtype=np.int32) - self._first
        self._bounds = score_bounds(self.starts)
        rules = self.rules
        self.label = label = self.relations.argmax(axis=1).astype(np.int32)
        # A fixed expression may differ in part of speech from its first word.
        is_fixed = rules.is_fixed[label] & (self.head >= 0)
        self.classes = self.classes.copy()
        self.classes[(self._first + self.head)[is_fixed]] = len(self.table)
        self.table = np.concatenate([self.table, np.ones_like(self.table[:1])])
        is_possible = self.table[self.classes, label]
        is_possible &= rules.is_root[label] == (self.head < 0)
        is_possible &= ~(rules.head_first[label] & (self._place < self.head))
        words = np.flatnonzero(~is_possible)
        self.label[words] = self._best(words)

    def apply(self, rescore: Rescore) -> None:
        """Replace arcs and relations that break rules.

        A new arc or relation may break another rule. Since there are few rounds, a rule
        may still be broken in the end.

        Args:
            rescore: A function that returns the scores of relations of other arcs,
                float32[n, n_relations]. Its arguments are the indices in the batch of
                their dependents and of their heads, or -1 for the root: int64[n].
        """
        for _ in range(_ROUNDS):
            words = self._move_from_function_words()
            if not len(words):
                break
            head = self.head[words].astype(np.int64)
            head[head >= 0] += self._first[words][head >= 0]
            self.relations[words] = rescore(words, head)
            self.label[words] = self._best(words)
        self._move_punctuation()
        self._relabel_repeated()

    def _masked(self, words: NDArray[np.int64]) -> Floats:
        """Return the scores of relations of words, with _IMPOSSIBLE for forbidden ones.

        If all relations of a word are forbidden, its scores are unchanged.

        Args:
            words: int64[n], the indices of the words in the batch.

        Returns:
            The scores: float32[n, n_relations].
        """
        rules, head = self.rules, self.head[words]
        possible = self.table[self.classes[words]] & (
            rules.is_root == (head < 0)[:, None]
        )
        possible &= ~(rules.head_first & (self._place[words] < head)[:, None])
        # If no relation is possible for a word, all of them are.
        possible[~possible.any(axis=1)] = True
        return np.where(possible, self.relations[words], _IMPOSSIBLE)

    def _best(self, words: NDArray[np.int64]) -> Ints:
        return self._masked(words).argmax(axis=1).astype(np.int32)

    def _arc(self, word: int, head: int) -> float:
        """Return the score of the arc between a word and a possible head.

        Args:
            word: The index of the word in the batch.
            head: The index of the head in the sentence, or -1 for the root.
        """
        sentence, place = self._sentence[word], self._place[word]
        n_words = self.starts[sentence + 1] - self.starts[sentence]
        at = self._bounds[sentence] + place * (n_words + 1) + 1 + head
        return float(self.arcs[at])

    def _move_from_function_words(self) -> NDArray[np.int64]:
        """Move dependents that a function word cannot have to the head of this word.

        If another relation of the function word costs less, it is chosen instead.

        Returns:
            The words that were attached to other heads, in ascending order: int64[n].
        """
        moved: list[int] = []
        has_head = np.flatnonzero(self.head >= 0)
        above = (self._first + self.head)[has_head]
        is_wrong = ~self.rules.dependents[self.label[above], self.label[has_head]]
        wrong = defaultdict(list)
        for word, parent in zip(
            has_head[is_wrong].tolist(), above[is_wrong].tolist(), strict=True
        ):
            wrong[parent].append(word)
        for parent, words in wrong.items():
            grandparent = int(self.head[parent])
            if grandparent < 0:
                continue
            own = int(self._place[parent])
            cost = sum(
                self._arc(word, own) - self._arc(word, grandparent) for word in words
            )
            scores = self._lawful_relations(parent)
            best = int(scores.argmax())
            if self.relations[parent, self.label[parent]] - scores[best] < cost:
                self.label[parent] = best
            else:
                self.head[words] = grandparent
                moved += words
        return np.array(sorted(moved), np.int64)

    def _lawful_relations(self, word: int) -> Floats:
        """Return the scores of a word's relations: float32[n_relations].

        Relations that the word or its dependents forbid have the score _IMPOSSIBLE.
        """
        rules, head, place = self.rules, self.head[word], self._place[word]
        possible = self.table[self.classes[word]] & (rules.is_root == (head < 0))
        if place < head:
            possible &= ~rules.head_first
        if not possible.any():
            possible[:] = True
        sentence = self._sentence[word]
        words = slice(self.starts[sentence], self.starts[sentence + 1])
        labels = self.label[words][self.head[words] == place]
        if len(labels):
            possible &= rules.dependents[:, labels].all(axis=1)
        return np.where(possible, self.relations[word], _IMPOSSIBLE)

    def _move_punctuation(self) -> None:
        """Choose other heads for punctuation marks whose arcs cross other arcs."""
        is_punct = self.rules.is_punct[self.label] & (self.head >= 0)
        words = np.flatnonzero(is_punct)
        if not len(words):
            return
        sentence = self._sentence[words]
        begin, end = self.starts[sentence], self.starts[sentence + 1]
        others = ranges(begin, end)
        owner = np.repeat(np.arange(len(words)), end - begin)
        crosses = _cross(
            self._place[words][owner],
            self.head[words][owner],
            self._place[others],
            self.head[others],
        )
        firsts = np.cumsum(end - begin) - (end - begin)
        for word in words[np.logical_or.reduceat(crosses, firsts)].tolist():
            self._attach_within(word)

    def _attach_within(self, word: int) -> None:
        """Attach a punctuation mark to the likeliest head without crossing arcs.

        Heads that are not function words take precedence. The head does not change if
        the mark has dependents.
        """
        first, place = int(self._first[word]), int(self._place[word])
        stop = int(self.starts[self._sentence[word] + 1])
        head = self.head[first:stop]
        if (head == place).any():
            return
        likely = self._likely_heads(word)
        crosses = _cross(place, likely[:, None], self._place[first:stop], head)
        heads = likely[~crosses.any(axis=1)]
        is_function = ~self.rules.dependents[self.label[first + heads]].all(axis=1)
        for possible in (heads[~is_function], heads):
            if len(possible):
                self.head[word] = possible[0]
                return

    def _likely_heads(self, word: int) -> NDArray[np.int64]:
        """Return the likeliest heads of a word, followed by its neighbors: int64[n].

        The result consists of indices in the sentence. An arc to a neighbor crosses no
        other arc.
        """
        sentence, place = self._sentence[word], int(self._place[word])
        first, last = self._bounds[sentence : sentence + 2]
        n_words = self.starts[sentence + 1] - self.starts[sentence]
        scores = self.arcs[first:last].reshape(n_words, n_words + 1)[place, 1:]
        likely = np.argsort(-scores, kind="stable")[:_MOST_HEADS]
        near = np.array([place - 1, place + 1])
        near = near[(near >= 0) & (near < n_words)]
        heads: NDArray[np.int64] = np.concatenate([likely[likely != place], near])
        return heads

    def _relabel_repeated(self) -> None:
        """Replace relations of which a word may have only one, but has several.

        The most certain dependent keeps its relation.
        """
        has_head = np.flatnonzero(self.head >= 0)
        in_group = self.rules.groups[:, self.label[has_head]]
        group, k = np.nonzero(in_group)
        words = has_head[k]
        n_groups = len(self.rules.groups)
        keys = (self._first + self.head)[words] * np.int64(n_groups) + group
        order = np.argsort(keys, kind="stable")
        keys, words = keys[order], words[order]
        repeated = distinct(keys[1:][keys[1:] == keys[:-1]])
        for key in repeated.tolist():
            parent = key // n_groups
            known = np.searchsorted(keys, [parent * n_groups, (parent + 1) * n_groups])
            taken = [other % n_groups for other in keys[slice(*known)].tolist()]
            is_taken = np.logical_or.reduce(self.rules.groups[taken])
            of_key = slice(*np.searchsorted(keys, [key, key + 1]).tolist())
            self._keep_one(parent, words[of_key].tolist(), is_taken)

    def _keep_one(self, parent: int, words: list[int], taken: Flags) -> None:
        """Choose other relations for all dependents except the most certain one.

        Args:
            parent: The head of the words.
            words: The words with a relation of the same group.
            taken: bool[n_relations], the relations that the other dependents cannot
                have.
        """
        of_parent = self.rules.dependents[self.label[parent]]
        others = {}
        for word in words:
            scores = self._lawful_relations(word)
            scores[taken | ~of_parent] = _IMPOSSIBLE
            best = int(scores.argmax())
            margin = self.relations[word, self.label[word]] - scores[best]
            others[word] = float(margin), best
        certain = max(words, key=lambda word: others[word][0])
        for word in words:
            if word != certain:
                self.label[word] = others[word][1]


def _cross(word: Any, head: Any, other: Any, head_of_other: Any) -> Flags:
    """Return whether arcs cross.

    Args:
        word: The place of the dependent of one arc, an int or an array.
        head: The place of its head, or -1 for the root.
        other: The place of the dependent of the other arc.
        head_of_other: The place of its head, or -1.
    """
    low, high = np.minimum(word, head), np.maximum(word, head)
    first, last = np.minimum(other, head_of_other), np.maximum(other, head_of_other)
    inside = (low < first) & (first < high) & (high < last)
    crosses: Flags = inside | ((first < low) & (low < last) & (last < high))
    return crosses
