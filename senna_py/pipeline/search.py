"""Search in files: of text, which is tagged on the way, or of what was tagged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.formats.tagged import read_tagged
from senna_py.io.output import open_output
from senna_py.io.streaming import InputError
from senna_py.pipeline.batch import FormattedBatch
from senna_py.pipeline.write import documents_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from senna_py.io.output import Output
    from senna_py.io.progress import FileProgress
    from senna_py.pipeline.options import Note
    from senna_py.search.labels import LabelCheck
    from senna_py.search.pattern import Pattern
    from senna_py.search.printing import HitPrinter


class HitWriter:
    """Writes the matches of files, one after the other, up to a limit.

    Attributes:
        n_hits: The number of matches so far.
        n_unread: The number of files that could not be read to their end.
    """

    def __init__(
        self, printer: HitPrinter, limit: int | None, note: Note, is_only: bool
    ) -> None:
        """Store the options.

        Args:
            printer: The format of matches.
            limit: The largest number of matches, or None.
            note: A callback that shows the user a line.
            is_only: Whether there is only one file.
        """
        self._printer, self._limit, self._note = printer, limit, note
        self._is_only = is_only
        self._has_begun = False
        self.n_hits = self.n_unread = 0

    @property
    def is_done(self) -> bool:
        """Whether the limit is reached."""
        return self._limit is not None and self.n_hits >= self._limit

    def add(
        self,
        out: Output,
        name: str,
        batches: Iterable[FormattedBatch],
        progress: FileProgress,
    ) -> None:
        """Write the matches of a file.

        If reading it raises InputError, the error is shown as a note.
        """
        before, n_unread = self.n_hits, self.n_unread
        try:
            for batch in batches:
                self._write(out, batch.data)
                progress.update(batch.end, batch.n_sentences)
                if self.is_done:
                    break
        except InputError as error:
            self._note(str(error))
            self.n_unread += 1
            out.incomplete()
        progress.finish()
        if self.n_unread == n_unread:
            n_hits = self.n_hits - before
            out.write(self._printer.count(name, n_hits, self._is_only))

    def begin(self, out: Output) -> None:
        """Write the header, unless it was written; errors before it print nothing."""
        if not self._has_begun:
            out.write(self._printer.header())
            self._has_begun = True

    def _write(self, out: Output, hits: Sequence[bytes]) -> None:
        if self._limit is not None:
            hits = hits[: self._limit - self.n_hits]
        if hits:
            self.begin(out)
            out.write(self._printer.joined(hits, self.n_hits == 0))
            self.n_hits += len(hits)


def search_tagged(
    path: str,
    name: str,
    source: str,
    pattern: Pattern,
    printer: HitPrinter,
    labels: LabelCheck,
) -> Iterator[FormattedBatch]:
    """Yield the matches in a file that was tagged before, batch by batch.

    Args:
        path: The path of the file, or `-` for standard input.
        name: The name of the document.
        source: What the file is, one of `tagged.SOURCES` except text.
        pattern: The pattern.
        printer: The format of matches.
        labels: The check to which the labels in the file are added.
    """
    for batch in read_tagged(path, name, source, pattern):
        for task, layer in {} if labels.is_done else batch.table.layers.items():
            labels.add(task, layer.names)
        hits = printer.hits(batch, pattern)
        n_sentences = len(batch.table.starts) - 1
        yield FormattedBatch(hits, n_sentences, batch.table.n_tokens, batch.end)


def search_files(
    paths: Sequence[str],
    read: Callable[[str, str], Iterable[FormattedBatch]],
    writer: HitWriter,
    printer: HitPrinter,
    output: str | None,
    progress: FileProgress,
) -> None:
    """Search files in their order, and write the matches.

    Args:
        paths: The paths of the files, or `-` for standard input.
        read: Returns the matches of a file, given its path and name, batch by batch.
        writer: The writer, which counts the matches.
        printer: The format of matches.
        output: The path of the output, or None for standard output.
        progress: The progress to report.

    Raises:
        SennaError: If the output cannot be written, or a file is malformed.
    """
    with open_output(output, paths) as out, progress as report:
        for path, name in documents_of(paths):
            if writer.is_done:
                break
            writer.add(out, name, read(path, name), report)
        writer.begin(out)
        out.write(printer.footer())
