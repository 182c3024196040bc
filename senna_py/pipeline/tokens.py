"""Tokenization of batches and their division into sentences."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from senna_py.pipeline.options import FILES

if TYPE_CHECKING:
    from senna_py.errors import SennaError
    from senna_py.pipeline.batch import TextBatch
    from senna_py.pipeline.options import Note, TextOptions
    from senna_py.tagger import Tagger
    from senna_py.text.tokens import AnyInts, Tokens


class SentenceFinder:
    """Tokenizes batches, splits them into sentences, and reads a file of predicates."""

    def __init__(self, tagger: Tagger, options: TextOptions, note: Note) -> None:
        """Open the predicate file, if `options.usrvbs` names one.

        Raises:
            SennaError: If the file cannot be read.
        """
        self._tagger, self._options, self._note = tagger, options, note
        self._predicates = None
        if options.usrvbs is not None:
            from senna_py.corpora.predicates import PredicateFile  # noqa: PLC0415 - few need it

            self._predicates = PredicateFile(options.usrvbs)

    @property
    def reads_predicates(self) -> bool:
        """Whether predicates come from a file, which is read along with the text."""
        return self._predicates is not None

    def find(self, batch: TextBatch) -> Tokens:
        """Return the tokens of a batch, divided into sentences of limited length."""
        return self._sentences(batch, self._lines(batch))

    def find_next(self, batch: TextBatch) -> tuple[TextBatch, SennaError | None]:
        """Return the next batch of a text with its tokens, and an error or None.

        The batch gets predicates from the file of predicates, if there is one. If that
        file does not match the text, the batch ends before the mismatch, and an error
        is returned.
        """
        if self._predicates is None:
            return replace(batch, tokens=self.find(batch)), None
        lines = self._lines(batch)
        marks, n_sentences, error = self._predicates.take(
            np.diff(lines.starts).tolist()
        )
        tokens = self._sentences(batch, lines.sentences(0, n_sentences))
        return replace(batch, tokens=tokens, is_predicate=marks), error

    def finish(self) -> None:
        """Raise SennaError if the file of predicates is longer than the inputs."""
        if self._predicates is not None:
            self._predicates.finish()

    def _lines(self, batch: TextBatch) -> Tokens:
        """Return the tokens of a batch, with each line as a sentence."""
        if batch.tokens is not None:
            return batch.tokens
        return self._tagger.tokenizer.lines(batch.text, self._options.usrtokens)

    def _sentences(self, batch: TextBatch, tokens: Tokens) -> Tokens:
        """Split the tokens of lines into sentences, and cut those that are too long.

        If the batch comes from a file, the user is told about sentences that are cut.
        """
        longest = self._tagger.longest_sentence
        if self._options.splits and not batch.place.column_lines:
            tokenizer, usrtokens = self._tagger.tokenizer, self._options.usrtokens
            tokens = tokenizer.split_sentences(tokens, usrtokens)
        tokens.document = self._documents(batch, tokens)
        if longest is None:
            return tokens
        if batch.source:  # Only files have a name.
            lengths = np.diff(tokens.starts)
            what = "sentence" if self._options.splits else "line"
            for length in lengths[lengths > longest]:
                self._note(
                    f"{batch.source}: a {what} of {length:,} tokens is cut into sentences "
                    f"of at most {longest:,} for {', '.join(self._tagger.limiting)}"
                )
        return tokens.cut(longest)

    def _documents(self, batch: TextBatch, tokens: Tokens) -> AnyInts:
        """Return a number for the document of each sentence: int[n_sentences].

        A document is a record, what a column file marks as one, the whole batch if the
        options say so, or else a line.
        """
        place = batch.place
        if place.records is not None:
            first_byte = np.array(place.records.first_byte)
            return np.searchsorted(first_byte, tokens.text_begin, side="right")
        if place.column_lines:
            begins = [line.begins_document for line in place.column_lines]
            return np.cumsum(begins)[tokens.source]
        if self._options.documents == FILES:
            return np.zeros(tokens.n_sentences, np.int64)
        return tokens.line_begin
