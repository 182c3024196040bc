"""Batches of sentences, the input of networks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.text.tokens import sentence_blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from senna_py.labels.dependency_rules import DependencyRules
    from senna_py.layers.constrained import Constraints

    Ints = NDArray[np.int32]


@dataclass
class WordBatch:
    """A batch of sentences, or of predicates whose roles are labeled.

    Attributes:
        features: int32[n_tokens, n_features]; or None, in training, until they are set.
        starts: int32[n_sentences + 1], the first token of each sentence, followed by
            the number of tokens.
        sentence: int32[n_predicates], the sentence of each predicate, in ascending
            order; or None, if words are labeled instead of roles.
        predicate: int32[n_predicates], the token index of each predicate in the batch.
        states: float32[n_tokens, n] or RoundedRows, the output of the trunk if it has
            already been computed, or None.
        constraints: The Constraints on the tags of each sequence, or None.
        row_classes: int8[n_rows], the RowClass of each row, on which constraints
            depend, or None.
        permitted: The relations that words may have, as a pair: bool[n_classes,
            n_relations], the relations of each class of words, and int32[n_tokens], the
            class of each word; or None.
        arc_rules: The rules that dependency trees follow, or None.
        pool: A function that changes the scores of all rows in place, so that equal
            names get similar labels; or None. See `networks.pooling`.
    """

    features: Any
    starts: Ints
    sentence: Ints | None = None
    predicate: Any = None
    states: Any = None
    constraints: Constraints | None = None
    row_classes: NDArray[np.int8] | None = None
    permitted: tuple[NDArray[np.bool_], Ints] | None = None
    arc_rules: DependencyRules | None = None
    pool: Callable[[NDArray[np.float32]], None] | None = None

    def of_predicates(self, predicate: NDArray[np.integer[Any]]) -> WordBatch:
        """Return this batch for labeling the roles of predicates.

        Args:
            predicate: int[n_predicates], the token indices of the predicates, in
                ascending order.
        """
        sentence = np.searchsorted(self.starts, predicate, side="right") - 1
        return replace(
            self,
            sentence=sentence.astype(np.int32),
            predicate=predicate.astype(np.int32),
        )

    def of_sentences(self, sentences: NDArray[np.integer[Any]]) -> WordBatch:
        """Return a batch of some sentences, for labeling words.

        The batch has no predicates, constraints or rules.

        Args:
            sentences: int[n], the indices of the sentences, in ascending order.
        """
        begin, end = self.starts[sentences], self.starts[sentences + 1]
        rows = ranges(begin, end)
        starts = np.append(0, np.cumsum(end - begin)).astype(np.int32)
        states = None if self.states is None else self.states[rows]
        return WordBatch(self.features[rows], starts, states=states)

    @property
    def begin(self) -> NDArray[np.int64]:
        """The offset of each sequence in the rows: int64[n_sequences + 1].

        There is a sequence for each sentence, or for each predicate if roles are
        labeled. The last element is the number of rows.
        """
        if self.sentence is None:
            return self.starts.astype(np.int64)
        lengths = np.diff(self.starts)[self.sentence]
        return np.append(0, np.cumsum(lengths, dtype=np.int64))

    def split(self, n_words: int) -> Iterator[WordBatch]:
        """Split the batch into parts of at most `n_words` words, in whole sentences.

        A longer sentence is a part of its own. For roles, parts without predicates are
        left out, and so are all sentences without predicates if there are no states.
        The parts have no constraints or rules.
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
        """Return the batch without the sentences that have no predicate."""
        has_predicate = np.zeros(len(self.starts) - 1, bool)
        lengths = np.diff(self.starts)
        has_predicate[self.sentence] = True
        if has_predicate.all():
            return self
        # The number of words in dropped sentences, up to and including each sentence.
        n_dropped = np.cumsum(np.where(has_predicate, 0, lengths))
        new_number = np.cumsum(has_predicate) - 1
        return replace(
            self,
            features=self.features[np.repeat(has_predicate, lengths)],
            starts=np.append(0, np.cumsum(lengths[has_predicate])).astype(np.int32),
            sentence=new_number[self.sentence].astype(np.int32),
            predicate=(self.predicate - n_dropped[self.sentence]).astype(np.int32),
        )

    def sequences(self, n_rows: int | None = None) -> Iterator[tuple[int, Ints, Ints]]:
        """Split the sequences into blocks of at most `n_rows` rows.

        There is a sequence for each predicate: the words of its sentence. A batch
        without predicates has one sequence for each sentence, as if its first word were
        its only predicate.

        Args:
            n_rows: The maximum number of rows, or None for a single block. A longer
                sequence is a block of its own.

        Yields:
            The index of the first sequence of a block; int32[n], the sentence of each
            sequence; and int32[n], the token index of each predicate.
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
    """Return the concatenated ranges [begin, end): int64[sum of lengths].

    begin and end are int[n].
    """
    lengths = (end - begin).astype(np.intp)
    ends = np.cumsum(lengths)
    within = np.arange(ends[-1] if len(ends) else 0)
    return within + np.repeat(begin - (ends - lengths), lengths)
