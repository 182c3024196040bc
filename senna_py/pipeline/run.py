"""From batches of text to annotations, and to what a format prints of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from senna_py.corpora.places import BatchPlace
from senna_py.errors import SennaError
from senna_py.io.parallel import ordered_map
from senna_py.io.streaming import BATCH_BYTES, PAUSE, InputError
from senna_py.kernels.runtime.pace import take, way
from senna_py.pipeline.batch import PrintedBatch, TextBatch
from senna_py.pipeline.read import TextReader

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from senna_py.formats.base import Printer
    from senna_py.io.streaming import Pause
    from senna_py.pipeline.options import Note, TextOptions
    from senna_py.tagger import Annotations, Tagger
    from senna_py.text.tokens import Tokens

_LARGE = 4 * BATCH_BYTES  # the size from which a batch is worked on in parts
_PART = 1 << 13  # the number of tokens in a part
# Words, numbers, names, predicates with arguments, marks and letters of several kinds,
# and tags that are not allowed: a bracket without the other in a name, a negation of
# two verbs.
SAMPLE = """\
Ann Lee of IBM said on Monday that 20 men had left New York, but Mr. Smith (aged 40) didn't go.
He gave her the book that she wanted. He does not eat fish at the café and prefers tea.
Bank (of America said "Smith) Jones Inc" (New York "Stock) Exchange".
"""


def _say_nothing(line: str, topic: str | None = None) -> None:
    pass


class Pipeline:
    """Finds the tokens and sentences of text, annotates them, and prints what is found.

    What depends on the batches before is done in their order (`in_order`). Threads may
    do the rest of the work on several batches at the same time (`annotate`, `print`).

    Attributes:
        tagger: The tagger.
        reader: The reader of inputs.
    """

    def __init__(
        self,
        tagger: Tagger,
        options: TextOptions,
        printer: Printer,
        note: Note = _say_nothing,
    ) -> None:
        """Put a pipeline together.

        Args:
            tagger: The tagger.
            options: How text is read and divided into sentences.
            printer: The format.
            note: Tells the user a line.

        Raises:
            SennaError: If the file of predicates cannot be read.
        """
        self.tagger, self._options, self._printer = tagger, options, printer
        self._note = note
        self.reader = TextReader(options, tagger.tokenizer, note)
        self._predicates = None
        if options.usrvbs is not None:
            from senna_py.corpora.predicates import PredicateFile  # noqa: PLC0415 - few need it

            self._predicates = PredicateFile(options.usrvbs)

    def print_file(
        self, path: str, document: str, jobs: int = 1
    ) -> Iterator[PrintedBatch]:
        """Yield what is printed of a file.

        Args:
            path: The path, or `-` for standard input.
            document: The name of the document.
            jobs: The number of threads.

        Raises:
            InputError: If the file cannot be read to its end. With a file of
                predicates it is another SennaError: those that follow belong to what
                could not be read.
        """
        try:
            yield from self.print_all(self.reader.read_file(path, document), jobs)
        except InputError as error:
            if self._predicates is None:
                raise
            raise SennaError(str(error)) from None

    def print_all(
        self, batches: Iterable[TextBatch | Pause], jobs: int = 1
    ) -> Iterator[PrintedBatch]:
        """Yield what is printed of the batches of a document, in their order."""

        def print_batch(batch: TextBatch) -> PrintedBatch:
            with way():
                return self.print(batch)

        return ordered_map(print_batch, self.in_order(batches), jobs)

    def finish(self) -> None:
        """Raise SennaError if there are predicates after those of the last input."""
        if self._predicates is not None:
            self._predicates.finish()

    def in_order(
        self, batches: Iterable[TextBatch | Pause]
    ) -> Iterator[TextBatch | Pause]:
        """Yield the batches of a document with all that depends on those before them.

        A file of predicates and a limit go by sentences: then their tokens are found
        here. A long line becomes many batches.
        """
        left = self._options.limit
        is_counted = left is not None or self._predicates is not None
        for batch in self._as_kernels_allow(batches):
            if batch is PAUSE:
                yield PAUSE
                continue
            if batch.tokens is None and not is_counted and len(batch.text) <= _LARGE:
                yield batch
                continue
            with way():
                tokenized, error = self._with_tokens(batch)
            if left is not None:
                tokenized, left = tokenized.first(left)
            if self._printer.splits_lines:
                yield from tokenized.parts(_PART)
            else:
                yield tokenized
            if error is not None:
                raise SennaError(str(error)) from None
            if left == 0:
                return

    def _as_kernels_allow(
        self, batches: Iterable[TextBatch | Pause]
    ) -> Iterator[TextBatch | Pause]:
        """Yield batches, which are small while kernels are loaded."""
        for batch in batches:
            if batch is PAUSE:
                yield PAUSE
            elif batch.tokens is not None:
                take(batch.text, self.run_kernels, is_whole=True)
                yield batch
            else:
                yield from self._pieces(batch)

    def _pieces(self, batch: TextBatch) -> Iterator[TextBatch | Pause]:
        """Yield a batch of lines in pieces, for which the kernels are ready."""
        waits = self._predicates is not None
        rest = batch
        while (size := take(rest.text, self.run_kernels, waits)) < len(rest.text):
            piece, rest = rest.cut(size, self.reader.is_blank)
            yield piece
            yield PAUSE
        yield rest

    def _with_tokens(self, batch: TextBatch) -> tuple[TextBatch, SennaError | None]:
        """Return a batch with its tokens, of which the first sentences have predicates.

        Where the file of predicates does not agree with the text, the batch ends, and
        the error is returned, too.
        """
        lines, marks, error = self._lines(batch), None, None
        if self._predicates is not None:
            lengths = np.diff(lines.starts).tolist()
            marks, n_sentences, error = self._predicates.take(lengths)
            lines = lines.sentences(0, n_sentences)
        tokens = self._sentences(batch, lines)
        return replace(batch, tokens=tokens, is_predicate=marks), error

    def annotate(self, batch: TextBatch) -> Annotations:
        """Return the annotations of a batch."""
        tokens = batch.tokens
        if tokens is None:
            tokens = self._sentences(batch, self._lines(batch))
        return self.tagger.annotate(tokens, batch.is_predicate, self._printer.uncertain)

    def print(self, batch: TextBatch) -> PrintedBatch:
        """Return what is printed of a batch."""
        annotations = self.annotate(batch)
        tokens = annotations.tokens
        data = self._printer.print(annotations, batch.place)
        return PrintedBatch(data, tokens.n_sentences, len(tokens), batch.end)

    def run_kernels(self) -> None:
        """Call every kernel on a sample, compiled; the result is dropped."""
        batch = TextBatch("", BatchPlace(""), SAMPLE.encode())
        if self._options.usrvbs is not None:
            marks = np.ones(len(self._lines(batch)), bool)
            batch = replace(batch, is_predicate=marks)
        self.print(batch)

    def _lines(self, batch: TextBatch) -> Tokens:
        """Return the tokens of a batch, of which each line is a sentence."""
        if batch.tokens is not None:
            return batch.tokens
        return self.tagger.tokenizer.lines(batch.text, self._options.usrtokens)

    def _sentences(self, batch: TextBatch, lines: Tokens) -> Tokens:
        """Return the tokens of a batch in sentences that the tagger takes."""
        tokens, tagger, longest = lines, self.tagger, self.tagger.longest_sentence
        if self._options.splits and not batch.place.column_lines:
            tokens = tagger.tokenizer.split_sentences(tokens, self._options.usrtokens)
        if longest is None:
            return tokens
        lengths = np.diff(tokens.starts)
        if batch.source:  # the sample has none
            what = "sentence" if self._options.splits else "line"
            for length in lengths[lengths > longest]:
                self._note(
                    f"{batch.source}: a {what} of {length:,} tokens is cut into sentences "
                    f"of at most {longest:,} for {', '.join(tagger.limiting)}"
                )
        return tokens.cut(longest)
