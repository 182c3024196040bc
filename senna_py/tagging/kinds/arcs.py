"""Dependencies: the head of each word, and its relation to that."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from senna_py.evaluation.arcs import score_arcs
from senna_py.evaluation.evalb_parameters import EvalbParameters
from senna_py.io.numbers import int_up_to
from senna_py.labels.dependencies import depths
from senna_py.networks.batch import WordBatch, ranges
from senna_py.tagging.kinds.base import Block, Kind, Pairs, Targets

_HEADS, _RELATIONS, _SHARE = ("head", "heads"), ("relation", "deprel"), "share"


class Dependencies(NamedTuple):
    """Those of a sentence: lists of one a word.

    heads: int, counted from 0 in the sentence, -1 for the root; relations: str; shares:
    float, of soft ones, how likely each is, or None.
    """

    heads: list
    relations: list
    shares: list | None = None

    def arcs(self) -> list[tuple[int, str]]:
        """Pairs of a head and a relation: a list."""
        return [*zip(self.heads, self.relations, strict=True)]


class Arcs(Kind):
    """Dependencies of sentences; the keys are relations."""

    name, labels = "arcs", "arcs"
    hidden, chooses = 256, False

    def sources(self, soft: bool = False) -> list[tuple[str, ...]]:
        share = (_SHARE,) * soft
        return [(head, relation, *share) for head in _HEADS for relation in _RELATIONS]

    def read(self, block: Block) -> Any:
        heads, relations = (
            next(block.columns[name] for name in names if name in block.columns)
            for names in (_HEADS, _RELATIONS)
        )
        names = block.data.labels
        if block.data.is_soft(
            self.task.name
        ):  # best heads of words, which need not be a tree
            found = [_head(block, i, cell, len(heads)) for i, cell in enumerate(heads)]
            shares = [
                block.cell(i, cell, _share)
                for i, cell in enumerate(block.columns[_SHARE])
            ]
        else:
            found, relations = _tree(block, heads, relations)
            shares = None
        return Dependencies(
            found, [names.get(name, name) for name in relations], shares
        )

    def find_keys(self, labels: list[Any], min_count: int) -> None:
        self.keys = sorted({relation for each in labels for relation in each.relations})

    def unknown(self, labels: Any) -> list[tuple[str, int]]:
        known = frozenset(self.keys)
        return [
            (name, i) for i, name in enumerate(labels.relations) if name not in known
        ]

    def targets(self, labels: list[Any], weight: np.ndarray | None) -> Targets:
        index = {key: i for i, key in enumerate(self.keys)}
        begin = np.append(
            0, np.cumsum([len(each.heads) for each in labels], dtype=np.int64)
        )
        heads = np.array([head for each in labels for head in each.heads], np.int32)
        label = np.array(
            [index.get(name, 0) for each in labels for name in each.relations], np.int32
        )
        share = None
        if any(each.shares for each in labels):
            share = np.concatenate(
                [each.shares or np.ones(len(each.heads)) for each in labels]
            )
            share = share.astype(np.float32)
        return ArcTargets(begin, heads, label, share, weight)

    def decode(
        self, answer: Any, names: Sequence[str], starts: np.ndarray
    ) -> list[Any]:
        heads, relations = (
            answer.head.tolist(),
            [names[i] for i in answer.labels.tolist()],
        )
        return [
            Dependencies(heads[a:b], relations[a:b])
            for a, b in pairwise(starts.tolist())
        ]

    def renamed(self, labels: Any, names: Mapping[str, str]) -> Any:
        return labels._replace(
            relations=[names.get(name, name) for name in labels.relations]
        )

    def score(self, pairs: Pairs, parameters: EvalbParameters | None = None) -> Any:
        return score_arcs((gold.arcs(), found.arcs()) for gold, found in pairs)

    def headline(self, scores: Any) -> tuple[float, str]:
        return scores.las, "LAS"


def _head(block, token, cell, n_words):
    """The head that a cell names, 0 for the root: the number of a word from 0 on, or
    -1.
    """
    if (head := int_up_to(cell, n_words)) is None:
        raise block.error(
            token, f"expected a head from 0, the root, to {n_words}, found {cell!r}"
        )
    return head - 1


def _share(cell):
    share = float(cell)
    if not 0 <= share <= 1:
        raise ValueError(f"expected a share from 0 to 1, found {cell!r}")
    return share


def _tree(block, heads, relations):
    """Heads and relations of tokens, that form a tree.

    A token of several words, `3+5`, has the head and the relation of the word next to
    the root.
    """
    cells = [cell.split("+") for cell in heads]
    owner = [token for token, words in enumerate(cells) for _ in words]
    flat = [
        _head(block, token, cell, len(owner))
        for token, words in enumerate(cells)
        for cell in words
    ]
    depth = _depths(block, owner, flat)
    found, names, word = [], [], 0
    for token, words in enumerate(cells):
        here = range(word, word + len(words))
        word = min(here, key=depth.__getitem__)
        own = relations[token].split("+") if len(words) > 1 else [relations[token]]
        if len(own) not in (1, len(words)):
            raise block.error(
                token, f"{len(words)} heads, but the relations {relations[token]}"
            )
        found.append(owner[flat[word]] if flat[word] >= 0 else -1)
        names.append(own[(word - here.start) % len(own)])
        word = here.stop
    return found, names


def _depths(block, owner, heads):
    """How far each word is from the root; raises SennaError if there is no tree with
    one root.
    """
    roots = [word for word, head in enumerate(heads) if head < 0]
    if not roots:
        raise block.error(0, "a sentence without a root: no word has the head 0")
    if len(roots) > 1:
        raise block.error(owner[roots[1]], "a second root (head 0); a sentence has one")
    if None in (found := depths(heads)):
        raise block.error(owner[found.index(None)], "the heads form a circle")
    return found


@dataclass
class ArcTargets(Targets):
    """Heads and relations that a network is to give, of all sentences or of a batch.

    begin: int64[n_sentences + 1], the words of each; head, label: int32[n_tokens], see
    Dependencies; share: float32[n_tokens], of soft ones, by which the cost of each word
    is multiplied, or None; weight: float32[n_sentences], or None, as of
    `words.TagTargets`.
    """

    begin: np.ndarray
    head: np.ndarray
    label: np.ndarray
    share: np.ndarray | None = None
    weight: np.ndarray | None = None

    @property
    def is_soft(self) -> bool:
        return self.share is not None or self.weight is not None

    def shares(self) -> np.ndarray:
        """By what the cost of each word is multiplied: float32[n_tokens]."""
        share = (
            np.ones(len(self.head), np.float32) if self.share is None else self.share
        )
        return (
            share
            if self.weight is None
            else share * np.repeat(self.weight, np.diff(self.begin))
        )

    def has_rows(self) -> np.ndarray:
        return np.diff(self.begin) > 0

    def arrays(self) -> list[np.ndarray]:
        return [
            self.begin,
            self.head,
            self.label,
            *(() if self.share is None else (self.share,)),
        ]

    def batch(self, which: np.ndarray, starts: np.ndarray) -> tuple[WordBatch, Targets]:
        rows = ranges(self.begin[which], self.begin[which + 1])
        share, weight = self.share, self.weight
        return WordBatch(None, starts), ArcTargets(
            starts.astype(np.int64),
            self.head[rows],
            self.label[rows],
            None if share is None else share[rows],
            None if weight is None else weight[which],
        )
