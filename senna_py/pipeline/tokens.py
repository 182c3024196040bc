"""The tokens of batches, in sentences that the tagger takes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from senna_py.errors import SennaError
    from senna_py.pipeline.batch import TextBatch
    from senna_py.pipeline.options import Note, TextOptions
    from senna_py.tagger import Tagger
    from senna_py.text.tokens import Tokens


class SentenceFinder:
    """Finds the tokens and sentences of batches, and their predicates in a file."""

    def __init__(self, tagger: Tagger, options: TextOptions, note: Note) -> None:
        """Open the file of predicates, if there is one; raise SennaError if that fails."""
        self._tagger, self._options, self._note = tagger, options, note
        self._predicates = None
        if options.usrvbs is not None:
            from senna_py.corpora.predicates import PredicateFile  # noqa: PLC0415 - few need it

            self._predicates = PredicateFile(options.usrvbs)

    @property
    def reads_predicates(self) -> bool:
        """Whether predicates are those of a file, which is read in the order of the text."""
        return self._predicates is not None

    def find(self, batch: TextBatch) -> Tokens:
        """Return the tokens of a batch."""
        return self._sentences(batch, self._lines(batch))

    def find_next(self, batch: TextBatch) -> tuple[TextBatch, SennaError | None]:
        """Return the next batch of a text with its tokens, and with predicates of a file.

        Where the file does not agree with the text, the batch ends, and an error is
        returned, too.
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
        """Raise SennaError if there are predicates after those of the last input."""
        if self._predicates is not None:
            self._predicates.finish()

    def _lines(self, batch: TextBatch) -> Tokens:
        """Return the tokens of a batch, of which each line is a sentence."""
        if batch.tokens is not None:
            return batch.tokens
        return self._tagger.tokenizer.lines(batch.text, self._options.usrtokens)

    def _sentences(self, batch: TextBatch, tokens: Tokens) -> Tokens:
        """Return the tokens of lines in sentences that the tagger takes."""
        longest = self._tagger.longest_sentence
        if self._options.splits and not batch.place.column_lines:
            tokenizer, usrtokens = self._tagger.tokenizer, self._options.usrtokens
            tokens = tokenizer.split_sentences(tokens, usrtokens)
        if longest is None:
            return tokens
        if batch.source:  # otherwise it is not a user's file
            lengths = np.diff(tokens.starts)
            what = "sentence" if self._options.splits else "line"
            for length in lengths[lengths > longest]:
                self._note(
                    f"{batch.source}: a {what} of {length:,} tokens is cut into sentences "
                    f"of at most {longest:,} for {', '.join(self._tagger.limiting)}"
                )
        return tokens.cut(longest)
