"""From batches of text to annotations, and to what a format prints of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from senna_py.corpora.places import BatchPlace
from senna_py.errors import SennaError
from senna_py.io.parallel import ordered_map
from senna_py.io.streaming import BATCH_BYTES, PAUSE, InputError
from senna_py.kernels.runtime.pace import bytes_at_once, current_kernels
from senna_py.pipeline.batch import PrintedBatch, TextBatch
from senna_py.pipeline.read import TextReader
from senna_py.pipeline.tokens import SentenceFinder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from senna_py.formats.base import Printer
    from senna_py.io.streaming import Pause
    from senna_py.pipeline.options import Note, TextOptions
    from senna_py.tagger import Annotations, Tagger

_LARGE = 4 * BATCH_BYTES  # the size from which a batch is worked on in parts
_PART = 1 << 13  # the number of tokens in a part
# Words, numbers, names, predicates with arguments, marks and letters of several sorts,
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
        self.tagger, self._printer = tagger, printer
        self._limit = options.limit
        self.reader = TextReader(options, tagger.tokenizer, note)
        self._finder = SentenceFinder(tagger, options, note)

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
            batches = self.reader.read_file(path, document)
            yield from self.print_all(batches, jobs)
        except InputError as error:
            if not self._finder.reads_predicates:
                raise
            raise SennaError(str(error)) from None

    def print_all(
        self, batches: Iterable[TextBatch | Pause], jobs: int = 1
    ) -> Iterator[PrintedBatch]:
        """Yield what is printed of the batches of a document, in their order."""

        def print_batch(batch: TextBatch) -> PrintedBatch:
            with current_kernels():
                return self.print(batch)

        return ordered_map(print_batch, self.in_order(batches), jobs)

    def finish(self) -> None:
        """Raise SennaError if there are predicates after those of the last input."""
        self._finder.finish()

    def in_order(
        self, batches: Iterable[TextBatch | Pause]
    ) -> Iterator[TextBatch | Pause]:
        """Yield the batches of a document with all that depends on those before them.

        A file of predicates and a limit go by sentences: then their tokens are found
        here. A long line becomes many batches.
        """
        left = self._limit
        is_counted = left is not None or self._finder.reads_predicates
        for batch in self._as_kernels_allow(batches):
            if batch is PAUSE:
                yield PAUSE
                continue
            if batch.tokens is None and not is_counted and len(batch.text) <= _LARGE:
                yield batch
                continue
            with current_kernels():
                tokenized, error = self._finder.find_next(batch)
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
            else:
                yield from self._pieces(batch)

    def _pieces(self, batch: TextBatch) -> Iterator[TextBatch | Pause]:
        """Yield a batch in pieces for which the kernels are ready.

        A batch that has tokens already, or predicates of a file, is not cut: it waits.
        """
        is_whole = batch.tokens is not None or self._finder.reads_predicates
        rest = batch
        while True:
            size = bytes_at_once(rest.text, self.run_kernels, is_whole)
            if is_whole or size == len(rest.text):
                yield rest
                return
            piece, rest = rest.cut(size, self.reader.is_blank)
            yield piece
            yield PAUSE

    def annotate(self, batch: TextBatch) -> Annotations:
        """Return the annotations of a batch."""
        tokens = batch.tokens
        if tokens is None:
            tokens = self._finder.find(batch)
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
        if self._finder.reads_predicates:
            tokens = self._finder.find(batch)
            marks = np.ones(len(tokens), bool)
            batch = replace(batch, tokens=tokens, is_predicate=marks)
        self.print(batch)
