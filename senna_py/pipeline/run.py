"""The pipeline from batches of text to annotations and the output of a format."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from senna_py.corpora.places import BatchPlace
from senna_py.errors import SennaError
from senna_py.io.parallel import ordered_map
from senna_py.io.streaming import BATCH_BYTES, PAUSE, InputError
from senna_py.kernels.runtime.switch import bytes_at_once, kernels_for_text
from senna_py.pipeline.batch import FormattedBatch, TextBatch
from senna_py.pipeline.options import FILES
from senna_py.pipeline.read import TextReader
from senna_py.pipeline.tokens import SentenceFinder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from senna_py.answers.annotations import Annotations
    from senna_py.formats.base import Printer
    from senna_py.io.streaming import Pause
    from senna_py.pipeline.options import Note, TextOptions
    from senna_py.tagger import Tagger

_LARGE = 4 * BATCH_BYTES  # Larger batches, from long lines, are processed in pieces.
_PART = 1 << 13  # The maximum number of tokens in a piece.
# A text for which every kernel runs. It has words, numbers, names, predicates with
# arguments, punctuation and accented letters, and tags that constraints forbid: an
# unmatched bracket in a name, and a negation of two verbs.
SAMPLE = """\
Ann Lee of IBM said on Monday that 20 men had left New York, but Mr. Smith (aged 40) didn't go.
He gave her the book that she wanted. He does not eat fish at the café and prefers tea.
Bank (of America said "Smith) Jones Inc" (New York "Stock) Exchange".
"""


def _say_nothing(line: str, topic: str | None = None) -> None:
    pass


class Pipeline:
    """Finds the tokens and sentences of text, annotates them, and formats the result.

    Work that depends on earlier batches is done in their order (`in_order`). Threads
    may do the rest for several batches at the same time (`annotate`, `format`).

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
        """Open the file of predicates, if there is one.

        Args:
            tagger: The tagger.
            options: The options for reading text and splitting it into sentences.
            printer: The format.
            note: A callback that shows the user a line.

        Raises:
            SennaError: If the file of predicates cannot be read.
        """
        self.tagger, self._printer = tagger, printer
        # The reader counts records.
        self._limit = None if options.has_records else options.limit
        self._documents = options.documents
        self.reader = TextReader(options, tagger.tokenizer, note)
        self._finder = SentenceFinder(tagger, options, note)

    def format_file(
        self, path: str, document: str, jobs: int = 1
    ) -> Iterator[FormattedBatch]:
        """Yield the output for a file, batch by batch.

        Args:
            path: The path, or `-` for standard input.
            document: The name of the document.
            jobs: The number of threads.

        Raises:
            InputError: If the file cannot be read to its end.
            SennaError: If that happens and there is a file of predicates, which then
                cannot be aligned with the next file.
        """
        try:
            batches = self.reader.read_file(path, document)
            yield from self.format_all(batches, jobs)
        except InputError as error:
            if not self._finder.reads_predicates:
                raise
            raise SennaError(str(error)) from None

    def format_all(
        self, batches: Iterable[TextBatch | Pause], jobs: int = 1
    ) -> Iterator[FormattedBatch]:
        """Yield the output for the batches of a document, in their order."""

        def format_batch(batch: TextBatch) -> FormattedBatch:
            with kernels_for_text():
                return self.format(batch)

        return ordered_map(format_batch, self.in_order(batches), jobs)

    def finish(self) -> None:
        """Raise SennaError if the file of predicates is longer than the inputs."""
        self._finder.finish()

    def in_order(
        self, batches: Iterable[TextBatch | Pause]
    ) -> Iterator[TextBatch | Pause]:
        """Yield the batches of a document, after the work that depends on earlier ones.

        With a file of predicates or a limit on sentences, batches are tokenized here,
        and so are very large ones. If the format allows it, tokenized batches are cut
        into smaller ones. Nothing is yielded after the limit is reached.

        Raises:
            SennaError: If the file of predicates does not match the text.
        """
        left = self._limit
        for batch in self._as_kernels_allow(batches):
            if batch is PAUSE or not self._needs_tokens_in_order(batch):
                yield batch
                continue
            for tokenized in self._tokenized(batch):
                allowed = tokenized
                if left is not None:
                    allowed, left = tokenized.first(left)
                if self._printer.splits_lines:
                    yield from allowed.parts(_PART)
                else:
                    yield allowed
            if left == 0:
                return

    def _needs_tokens_in_order(self, batch: TextBatch) -> bool:
        """Return whether a batch must be tokenized before the next one."""
        is_counted = self._limit is not None or self._finder.reads_predicates
        return is_counted or batch.tokens is not None or len(batch.text) > _LARGE

    def _tokenized(self, batch: TextBatch) -> Iterator[TextBatch]:
        """Yield a batch with its tokens.

        If the file of predicates does not match the text, the batch ends there, and
        SennaError is raised after it.
        """
        with kernels_for_text():
            tokenized, error = self._finder.find_next(batch)
        yield tokenized
        if error is not None:
            raise SennaError(str(error)) from None

    def _as_kernels_allow(
        self, batches: Iterable[TextBatch | Pause]
    ) -> Iterator[TextBatch | Pause]:
        """Yield batches, or small pieces of them while the kernels are being prepared."""
        for batch in batches:
            rest = batch
            while rest is not PAUSE and (size := self._size(rest)) < len(rest.text):
                piece, after = rest.cut(size, self.reader.is_blank)
                yield piece
                yield PAUSE
                rest = after if after.text else PAUSE
            yield rest

    def _size(self, batch: TextBatch) -> int:
        """Return how many bytes of a batch to process next.

        A batch that is tokenized, has predicates from a file, or is a document is not
        cut.
        """
        size = bytes_at_once(batch.text, self.run_kernels)
        is_whole = (
            batch.tokens is not None
            or self._finder.reads_predicates
            or self._documents == FILES
        )
        return len(batch.text) if is_whole else size

    def annotate(self, batch: TextBatch) -> Annotations:
        """Return the annotations of a batch, after tokenizing it if necessary."""
        tokens = batch.tokens
        if tokens is None:
            tokens = self._finder.find(batch)
        return self.tagger.annotate(tokens, batch.is_predicate, self._printer.uncertain)

    def format(self, batch: TextBatch) -> FormattedBatch:
        """Return the output for a batch."""
        annotations = self.annotate(batch)
        tokens = annotations.tokens
        data = self._printer.format(annotations, batch.place)
        return FormattedBatch(
            data,
            tokens.n_sentences,
            len(tokens),
            batch.end,
            self._printer.head(batch.place),
        )

    def run_kernels(self) -> None:
        """Tag a sample text that calls every kernel, and discard the result."""
        self.format(self.sample())

    def sample(self) -> TextBatch:
        """Return a sample text with its tokens, which all kernels can process."""
        batch = TextBatch("", BatchPlace(""), SAMPLE.encode())
        tokens = self._finder.find(batch)
        marks = None
        if self._finder.reads_predicates:
            marks = np.ones(len(tokens), bool)
        return replace(batch, tokens=tokens, is_predicate=marks)
