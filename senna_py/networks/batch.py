"""What networks are given: sentences as rows of features."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.text.tokens import sentence_blocks

if TYPE_CHECKING:
    from senna_py.layers.constrained import Constraints


@dataclass
class WordBatch:
    """Sentences as networks take them.

    features: int32[n_tokens, n_features]; starts: int32[n_sentences + 1]. For roles
    sentence, predicate: int32[n_predicates], ascending: the sentence of each predicate
    and its token, counted from the start of the batch. states: what the trunk of the
    network gives of these words, if it is known: then features may be None.
    constraints: on the tags of each sequence, or None; row_classes: int8[n_rows], a
    RowClass on which they depend of each row, or None; permitted: the tags that words
    may have, bool[n_classes, n_tags], and the class of each word, int32[n_tokens], or
    None.
    """

    features: Any
    starts: np.ndarray
    sentence: np.ndarray | None = None
    predicate: Any = None
    states: np.ndarray | None = None
    constraints: "Constraints | None" = None
    row_classes: np.ndarray | None = None
    permitted: tuple[np.ndarray, np.ndarray] | None = None

    def of_predicates(self, predicate: np.ndarray) -> "WordBatch":
        """The same for roles of predicates: int[n_predicates], tokens in their
        order.
        """
        sentence = np.searchsorted(self.starts, predicate, side="right") - 1
        return replace(
            self,
            sentence=sentence.astype(np.int32),
            predicate=predicate.astype(np.int32),
        )

    @property
    def begin(self) -> np.ndarray:
        """Where the rows of each sentence, or for roles of each predicate, begin:
        int64[n + 1].
        """
        if self.sentence is None:
            return self.starts.astype(np.int64)
        lengths = np.diff(self.starts)[self.sentence]
        return np.append(0, np.cumsum(lengths, dtype=np.int64))

    def split(self, n_words: int) -> "Iterator[WordBatch]":
        """Yield parts of as many sentences as have n_words together, but always one.

        For roles, sentences without predicates are left out.
        """
        batch = (
            self if self.sentence is None or self.states is not None else self._needed()
        )
        for s, e in sentence_blocks(batch.starts, n_words):
            a, b = batch.starts[s], batch.starts[e]
            piece = WordBatch(batch.features[a:b], batch.starts[s : e + 1] - a)
            if batch.states is not None:
                piece.states = batch.states[a:b]
            if batch.sentence is not None:
                p, q = np.searchsorted(batch.sentence, (s, e))
                piece.sentence = batch.sentence[p:q] - np.int32(s)
                piece.predicate = batch.predicate[p:q] - a
            if piece.predicate is None or len(piece.predicate):
                yield piece

    def _needed(self):
        """The batch without the sentences that have no predicate: there is nothing to
        tag.
        """
        kept, lengths = np.zeros(len(self.starts) - 1, bool), np.diff(self.starts)
        kept[self.sentence] = True
        if kept.all():
            return self
        dropped = np.cumsum(
            np.where(kept, 0, lengths)
        )  # words before what follows a sentence
        words = np.repeat(kept, lengths)
        return replace(
            self,
            features=self.features[words],
            starts=np.append(0, np.cumsum(lengths[kept])).astype(np.int32),
            sentence=(np.cumsum(kept) - 1)[self.sentence].astype(np.int32),
            predicate=(self.predicate - dropped[self.sentence]).astype(np.int32),
        )

    def sequences(
        self, n_rows: int | None = None
    ) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
        """Yield the number of the first of some sequences, their sentences and
        predicates.

        They have n_rows at most, or are one; all of them if that is None. Without
        predicates, each sentence is a sequence, as if its first word were the only
        predicate.
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


def ranges(begin: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Concatenated ranges: int64[sum of lengths]."""
    lengths = (end - begin).astype(np.int64)
    ends = np.cumsum(lengths)
    return np.arange(ends[-1] if len(ends) else 0) + np.repeat(
        begin - (ends - lengths), lengths
    )
