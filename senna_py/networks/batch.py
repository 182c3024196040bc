"""Batches of sentences as networks take them: rows of features."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.text.tokens import sentence_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from senna_py.layers.constrained import Constraints

    Ints = NDArray[np.int32]


@dataclass
class WordBatch:
    """A batch of sentences.

    Attributes:
        features: int32[n_tokens, n_features]; None in a batch that has states.
        starts: int32[n_sentences + 1], the first token of each sentence, and the end.
        sentence: int32[n_predicates], ascending, the sentence of each predicate; None
            for labels of words.
        predicate: int32[n_predicates], the token of each predicate in the batch.
        states: float32[n_tokens, n], what the trunk makes of the words, if it is known.
        constraints: Constraints on the tags of each sequence, or None.
        row_classes: int8[n_rows], the RowClass of each row, on which constraints depend,
            or None.
        permitted: The tags that words may have, bool[n_classes, n_tags], and the class
            of each word, int32[n_tokens], or None.
    """

    features: Any
    starts: Ints
    sentence: Ints | None = None
    predicate: Any = None
    states: NDArray[np.float32] | None = None
    constraints: Constraints | None = None
    row_classes: NDArray[np.int8] | None = None
    permitted: tuple[NDArray[np.bool_], Ints] | None = None

    def of_predicates(self, predicate: NDArray[np.integer[Any]]) -> WordBatch:
        """Return the batch for roles of predicates: int[n_predicates], ascending tokens."""
        sentence = np.searchsorted(self.starts, predicate, side="right") - 1
        return replace(
            self,
            sentence=sentence.astype(np.int32),
            predicate=predicate.astype(np.int32),
        )

    @property
    def begin(self) -> NDArray[np.int64]:
        """int64[n + 1]: where the rows of each sentence, or of each predicate, begin."""
        if self.sentence is None:
            return self.starts.astype(np.int64)
        lengths = np.diff(self.starts)[self.sentence]
        return np.append(0, np.cumsum(lengths, dtype=np.int64))

    def split(self, n_words: int) -> Iterator[WordBatch]:
        """Yield parts of as many sentences as have n_words together, but always one.

        For roles, sentences without predicates are left out.
        """
        batch = self
        if self.sentence is not None and self.states is None:
            batch = self._with_predicates()
        for first, last in sentence_blocks(batch.starts, n_words):
            begin, end = batch.starts[first], batch.starts[last]
            starts = batch.starts[first : last + 1] - begin
            part = WordBatch(batch.features[begin:end], starts)
            if batch.states is not None:
                part.states = batch.states[begin:end]
            if batch.sentence is not None:
                rows = slice(*np.searchsorted(batch.sentence, (first, last)))
                part.sentence = batch.sentence[rows] - np.int32(first)
                part.predicate = batch.predicate[rows] - begin
            if part.predicate is None or len(part.predicate):
                yield part

    def _with_predicates(self) -> WordBatch:
        """Return the batch without sentences that have no predicate."""
        kept, lengths = np.zeros(len(self.starts) - 1, bool), np.diff(self.starts)
        kept[self.sentence] = True
        if kept.all():
            return self
        n_dropped = np.cumsum(np.where(kept, 0, lengths))  # words up to each sentence
        new_number = np.cumsum(kept) - 1
        return replace(
            self,
            features=self.features[np.repeat(kept, lengths)],
            starts=np.append(0, np.cumsum(lengths[kept])).astype(np.int32),
            sentence=new_number[self.sentence].astype(np.int32),
            predicate=(self.predicate - n_dropped[self.sentence]).astype(np.int32),
        )

    def sequences(self, n_rows: int | None = None) -> Iterator[tuple[int, Ints, Ints]]:
        """Yield the number of the first of some sequences, their sentences and predicates.

        Without predicates, each sentence is a sequence, as if its first word were the
        only predicate.

        Args:
            n_rows: The most rows that sequences have together, but always one; None for
                all sequences at once.
        """
        sentence, predicate = self.sentence, self.predicate
        if sentence is None:
            sentence = np.arange(len(self.starts) - 1, dtype=np.int32)
            predicate = self.starts[:-1]
        if n_rows is None:
            yield 0, sentence, predicate
            return
        for first, last in sentence_blocks(self.begin, n_rows):
            yield first, sentence[first:last], predicate[first:last]


def ranges(
    begin: NDArray[np.integer[Any]], end: NDArray[np.integer[Any]]
) -> NDArray[np.int64]:
    """Concatenate ranges: int64[sum of lengths]."""
    lengths = (end - begin).astype(np.int64)
    ends = np.cumsum(lengths)
    within = np.arange(ends[-1] if len(ends) else 0)
    return within + np.repeat(begin - (ends - lengths), lengths)
