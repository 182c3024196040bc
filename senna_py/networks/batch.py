"""What networks are given, and what they find."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.layers.blocks import sentence_blocks

if TYPE_CHECKING:
    from senna_py.features.phrase import Above
    from senna_py.layers.constrained import Constraints
    from senna_py.layers.likelihood import PathScores

__all__ = ["LEAST_SHARE", "Found", "SpanShares", "Trees", "WordBatch", "join_trees"]

LEAST_SHARE = 0.01  # of labels whose probabilities are told


class Found(NamedTuple):
    """What a network finds in a batch.

    labels: int32[n_rows], of each word, or for roles of each word beside each predicate; begin:
    int64[n_sequences + 1], the rows of each sentence or predicate; trees: in place of both, of a
    network for trees; scores: PathScores of the labels, if asked for.
    """

    labels: np.ndarray | None = None
    begin: np.ndarray | None = None
    trees: Trees | None = None
    scores: PathScores | None = None


@dataclass
class WordBatch:
    """Sentences as networks take them.

    features: int32[n_tokens, n_features]; starts: int32[n_sentences + 1]. For roles sentence,
    predicate: int32[n_predicates], ascending: the sentence of each predicate and its token, counted
    from the start of the batch; above: the Above of words, for a network that looks at paths in
    trees. states: what `batch_states` of the network, or of one that it shares them with, gives of
    these words, if it is known. constraints: on the tags of each sequence, or None; kinds:
    int8[n_tokens], what these ask of each word, or None if that is nothing.
    """

    features: np.ndarray
    starts: np.ndarray
    sentence: np.ndarray | None = None
    predicate: np.ndarray | None = None
    above: Above | None = None
    states: np.ndarray | None = None
    constraints: Constraints | None = None
    kinds: np.ndarray | None = None

    @classmethod
    def of_predicates(cls, features, starts, predicate, above=None):
        """The batch for roles of predicates: int[n_predicates], tokens in their order."""
        sentence = np.searchsorted(starts, predicate, side="right") - 1
        return cls(features, starts, sentence.astype(np.int32), predicate.astype(np.int32), above)

    @property
    def begin(self):
        """Where the rows of each sentence, or for roles of each predicate, begin: int64[n + 1]."""
        if self.sentence is None:
            return self.starts.astype(np.int64)
        lengths = np.diff(self.starts)[self.sentence]
        return np.append(0, np.cumsum(lengths, dtype=np.int64))

    def pieces(self, n_words):
        """Yield the batch in pieces of as many sentences as have n_words, but always one.

        For roles, sentences without predicates are left out.
        """
        batch = self if self.sentence is None or self.states is not None else self._needed()
        for s, e in sentence_blocks(batch.starts, n_words):
            a, b = batch.starts[s], batch.starts[e]
            piece = WordBatch(batch.features[a:b], batch.starts[s : e + 1] - a)
            if batch.states is not None:
                piece.states = batch.states[a:b]
            if batch.sentence is not None:
                p, q = np.searchsorted(batch.sentence, (s, e))
                piece.sentence = batch.sentence[p:q] - np.int32(s)
                piece.predicate = batch.predicate[p:q] - a
                piece.above = batch.above and batch.above.take(slice(a, b))
            if piece.predicate is None or len(piece.predicate):
                yield piece

    def _needed(self):
        """The batch without the sentences that have no predicate: there is nothing to tag."""
        kept, lengths = np.zeros(len(self.starts) - 1, bool), np.diff(self.starts)
        kept[self.sentence] = True
        if kept.all():
            return self
        dropped = np.cumsum(np.where(kept, 0, lengths))  # words before what follows a sentence
        words = np.repeat(kept, lengths)
        return replace(
            self, features=self.features[words],
            starts=np.append(0, np.cumsum(lengths[kept])).astype(np.int32),
            sentence=(np.cumsum(kept) - 1)[self.sentence].astype(np.int32),
            predicate=(self.predicate - dropped[self.sentence]).astype(np.int32),
            above=self.above and self.above.take(words),
        )  # fmt: skip

    def sequences(self, n_rows=None):
        """Yield the number of the first of some sequences, their sentences and predicates.

        They have n_rows at most, or are one; all of them if that is None. Without predicates, each
        sentence is a sequence, as if its first word were the only predicate.
        """
        sentence, predicate = self.sentence, self.predicate
        if sentence is None:
            sentence = np.arange(len(self.starts) - 1, dtype=np.int32)
            predicate = self.starts[:-1]
        if n_rows is None:
            yield 0, sentence, predicate
            return
        for p, q in sentence_blocks(self.begin, n_rows):
            yield p, sentence[p:q], predicate[p:q]


@dataclass
class Trees:
    """The trees of a batch: sentence s has the levels `begin[s]:begin[s + 1]`, innermost first.

    labels: int32[n_rows], the label of each word on each level, a level's words in a row; those
    of sentence s start at `rows[s]`: int64[n_sentences + 1]. begin: int32[n_sentences + 1].
    whole: bool[n_sentences], whether the top level is one constituent over the sentence.
    """

    labels: np.ndarray
    rows: np.ndarray
    begin: np.ndarray
    whole: np.ndarray


class SpanShares(NamedTuple):
    """Probabilities of constituents of a batch, of which some cross each other.

    begin, end: int32[n], ascending, the first word of each and the one after its last, counted from
    the start of the batch; label: int32[n], the number of its type, from 0 on, as in Constituents;
    share: float32[n], LEAST_SHARE or more. What is left of 1 of a span is that of no constituent.
    """

    begin: np.ndarray
    end: np.ndarray
    label: np.ndarray
    share: np.ndarray

    @classmethod
    def none(cls):
        """Those of no word."""
        return cls(*(np.empty(0, np.int32) for _ in range(3)), np.empty(0, np.float32))


def join_trees(parts):
    """One Trees of several: those of no sentence, too."""
    labels = [np.empty(0, np.int32), *(part.labels for part in parts)]
    n_rows = np.concatenate([np.empty(0, np.int64), *(np.diff(part.rows) for part in parts)])
    n_levels = np.concatenate([np.empty(0, np.int64), *(np.diff(part.begin) for part in parts)])
    return Trees(
        np.concatenate(labels), np.append(0, np.cumsum(n_rows)),
        np.append(0, np.cumsum(n_levels)).astype(np.int32),
        np.concatenate([np.empty(0, bool), *(part.whole for part in parts)]),
    )  # fmt: skip
