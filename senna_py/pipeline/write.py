"""Writes documents to one output, or to a directory with a file for each."""

from __future__ import annotations

import contextlib
import itertools
import os
from typing import TYPE_CHECKING, Any

from senna_py.corpora.sentence_places import document_id
from senna_py.errors import SennaError, UsageError
from senna_py.io.output import Output, open_output
from senna_py.io.streaming import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from senna_py.formats.base import Printer
    from senna_py.formats.html_pages import HtmlPrinter
    from senna_py.formats.registry import Format
    from senna_py.io.progress import FileProgress
    from senna_py.pipeline.batch import FormattedBatch
    from senna_py.pipeline.options import Note

_STANDARD_INPUT = "stdin"  # The name of its document.


def documents_of(paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each path with a name for its document; document ids will be unique.

    The suffix `.2` is added to the second document with the same name, and so on.
    """
    taken = set()
    for path in paths:
        base = _name_of(path)
        others = (f"{base}.{number}" for number in itertools.count(2))
        names = itertools.chain([base], others)
        name = next(name for name in names if document_id(name) not in taken)
        taken.add(document_id(name))
        yield path, name


def _name_of(path: str) -> str:
    return _STANDARD_INPUT if path == "-" else str(path)


def is_directory(output: str | None) -> bool:
    """Return whether an output is a directory, or ends in a slash."""
    return output is not None and (
        output.endswith(("/", os.sep)) or os.path.isdir(output)
    )


def check_paired_names(paths: Sequence[str], form: Format) -> None:
    """Raise UsageError if the outputs of two inputs would have the same name."""
    taken: dict[str, str] = {}
    for path in paths:
        name = form.paired_name(os.path.basename(_name_of(path)))
        if (other := taken.setdefault(name.casefold(), path)) is not path:
            raise UsageError(
                f"{other} and {path}: both would be {name}; write them to two directories"
            )


@contextlib.contextmanager
def open_writer(
    output: str | None,
    printer: Printer,
    form: Format,
    inputs: Sequence[str | None],
    live: bool,
    note: Note,
    writer_class: type[DocumentWriter],
) -> Iterator[DocumentWriter]:
    """Return a context manager that yields a writer of documents.

    Args:
        output: A path, or None for standard output. If it is a directory and the format
            has pages, a file is written in it for each document.
        printer: The printer of the format.
        form: The entry of the format in the registry.
        inputs: The paths that are read.
        live: Whether to write to outputs directly; see `open_output`.
        note: A callback that shows the user a line, such as the path of an incomplete
            output.
        writer_class: The class of the writer to one output.

    Raises:
        UsageError, SennaError: See `open_output`.
    """
    if output is not None and form.has_pages and is_directory(output):
        pages = PageWriter(output, form, printer, inputs, live, note)
        yield pages
        pages.write_index()
        return
    with open_output(output, inputs, live) as out:
        out.write(printer.header())
        writer = writer_class(out, printer, note)
        yield writer
        writer.finish()
        out.write(printer.footer())
    if out.left is not None:
        note(f"{output}: not written: not all inputs could be read; {out.left}")


class DocumentWriter:
    """Writes all documents to one output.

    Attributes:
        n_unread: The number of documents that could not be read to their end.
    """

    writes_empty = False  # Whether documents without sentences are written.

    def __init__(self, out: Output | None, printer: Printer, note: Note) -> None:
        self.n_unread = 0
        self._between = b""  # The separator before the next batch of the file.
        self._out, self._printer, self._note = out, printer, note

    def add(
        self, name: str, batches: Iterable[FormattedBatch], progress: FileProgress
    ) -> None:
        """Write a document.

        If reading the document raises InputError, the error is shown as a note, and the
        output is incomplete.

        Args:
            name: The name of the document.
            batches: Its output.
            progress: The progress bar to update.
        """
        out, n_sentences, is_whole = None, 0, True
        with contextlib.ExitStack() as files:
            try:
                for batch in batches:
                    if batch.head or batch.data:
                        out = out or self._begin(name, files)
                        out.write(batch.head)
                        self._write(out, batch.data)
                    n_sentences += batch.n_sentences
                    progress.update(batch.end, batch.n_sentences)
            except InputError as error:
                self._note(str(error))
                self.n_unread += 1
                is_whole = False
            progress.finish()
            if out is None and is_whole and self.writes_empty:
                out = self._begin(name, files)
            if out is not None:
                out.write(self._last())
            out = out or self._out
            if out is not None and not is_whole:
                out.incomplete()
        self._end(name, out, n_sentences)

    def _write(self, out: Output, data: Any) -> None:
        """Write the output for a batch, which may be empty."""
        if data:
            out.write(self._between + data)
            self._between = self._printer.between

    def _begin(self, name: str, files: contextlib.ExitStack) -> Output:
        """Write the beginning of a document, and return its output.

        If the document has an output of its own, `files` closes it.
        """
        assert self._out is not None, "all documents have one output"
        self._out.write(self._printer.begin(name))
        return self._out

    def _last(self) -> bytes:
        """Return the bytes at the end of a document."""
        return self._printer.end()

    def finish(self) -> None:
        """Write what has to wait for the last document, if there is anything."""

    def _end(self, name: str, out: Output | None, n_sentences: int) -> None:
        """Finish a document; its own output, if it has one, is already closed."""


class PageWriter(DocumentWriter):
    """Writes a file for each document to a directory.

    The files are HTML pages, for which there is an index, or annotation files, which
    are named after their texts. A document without sentences has a file, too, if it
    could be read to its end.
    """

    writes_empty = True
    _printer: HtmlPrinter

    def __init__(
        self,
        directory: str,
        form: Format,
        printer: Printer,
        inputs: Sequence[str | None],
        live: bool,
        note: Note,
    ) -> None:
        super().__init__(None, printer, note)
        self._directory, self._form = directory, form
        self._inputs, self._live = inputs, live
        self._pages: list[
            tuple[str, str, int]
        ] = []  # (document, file name, n_sentences)
        self._taken = {f"index.{form.ending}"}
        self._file = ""  # The name of the current document's file.
        try:
            os.makedirs(directory, exist_ok=True)
        except FileExistsError:
            raise SennaError(f"{directory}: a file, no directory") from None
        except OSError as error:
            raise SennaError(f"{directory}: {error.strerror}") from None

    def write_index(self) -> None:
        """Write the index, unless the files are paired with texts."""
        if not self._form.pairs:
            path = os.path.join(self._directory, "index.html")
            with open_output(path, self._inputs) as out:
                out.write(self._printer.index(self._pages))

    def _begin(self, name: str, files: contextlib.ExitStack) -> Output:
        self._file, page = self._file_name(name), self._printer.page_of(name)
        path = os.path.join(self._directory, self._file)
        out: Output = files.enter_context(open_output(path, self._inputs, self._live))
        out.write(page.header() + page.begin(name))
        return out

    def _last(self) -> bytes:
        return self._printer.end() + self._printer.footer()

    def _end(self, name: str, out: Output | None, n_sentences: int) -> None:
        if out is None:
            return
        if out.left is None:
            self._pages.append((name, self._file, n_sentences))
            return
        what = "file" if self._form.pairs else "page"
        self._note(f"{name}: no {what}: not all of it could be read; {out.left}")

    def _file_name(self, document: str) -> str:
        """Return a file name for a document.

        Names of pages are unique, even if case is ignored. Names of paired files are
        not checked here; see `check_paired_names`.
        """
        base, number = os.path.basename(document), 1
        if self._form.pairs:
            return self._form.paired_name(base)
        name = f"{base}.html"
        while name.casefold() in self._taken:
            number += 1
            name = f"{base}.{number}.html"
        self._taken.add(name.casefold())
        return name
