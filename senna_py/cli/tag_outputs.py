"""Outputs of tagged text: one file for all inputs, or a page for each."""

import contextlib
import os

from senna_py.errors import SennaError
from senna_py.io.output import open_output
from senna_py.io.streaming import InputError

__all__ = ["open_outputs"]


@contextlib.contextmanager
def open_outputs(output, printer, has_pages, inputs, live, note):
    """Context of an object whose `add(name, batches, progress)` writes a document.

    output: path, or None for standard output; a directory, or a path that ends in a slash, gets a
    page for each input if its format `has_pages`. inputs: paths that are read; live and errors: see
    `open_output`. note: prints a line, such as where the output of what could not be read is. An
    InputError of a document is noted, and counted in `n_unread`.
    """
    if output is not None and has_pages and _is_directory(output):
        pages = _Pages(output, printer, inputs, live, note)
        yield pages
        pages.finish()
        return
    with open_output(output, inputs, live) as out:
        out.write(printer.header())
        yield _File(out, printer, note)
        out.write(printer.footer())
    if out.left is not None:
        note(f"{output}: not written: not all inputs could be read; {out.left}")


def _is_directory(path):
    return path.endswith("/") or os.path.isdir(path)


class _Outputs:
    """Destination of documents, one after the other."""

    def __init__(self, note):
        self.n_unread = 0  # documents that could not be read to their end
        self._note = note

    def add(self, name, batches, progress):
        """Write a document: its batches, each Printed, which may raise InputError."""
        with self._writer(name) as writer:
            try:
                for printed in batches:
                    writer.write(printed)
                    progress.update(printed.end, printed.n_sentences)
            except InputError as error:
                self._note(str(error))
                self.n_unread += 1
                writer.is_whole = False
        progress.finish()


class _Writer:
    """Writes a document, from its first batch with anything to print."""

    def __init__(self, begin):
        """begin: a function that writes what stands before that and returns an Output."""
        self._begin, self.out = begin, None
        self.n_sentences, self.is_whole = 0, True

    def write(self, printed):
        """Write a batch."""
        if self.out is None and printed.data:
            self.out = self._begin()
        if self.out is not None:
            self.out.write(printed.data)
        self.n_sentences += printed.n_sentences


class _File(_Outputs):
    """A file with all documents."""

    def __init__(self, out, printer, note):
        super().__init__(note)
        self._out, self._printer = out, printer

    @contextlib.contextmanager
    def _writer(self, name):
        writer = _Writer(lambda: self._begin(name))
        yield writer
        if writer.out is not None:
            self._out.write(self._printer.end())
        if not writer.is_whole:
            self._out.incomplete()

    def _begin(self, name):
        self._out.write(self._printer.begin(name))
        return self._out


class _Pages(_Outputs):
    """A directory with a page for each document, and an index."""

    def __init__(self, directory, printer, inputs, live, note):
        super().__init__(note)
        self._directory, self._printer = directory, printer
        self._inputs, self._live = inputs, live
        self._pages = []  # [document, file name, number of sentences]
        self._taken = {"index.html"}
        try:
            os.makedirs(directory, exist_ok=True)
        except FileExistsError:
            raise SennaError(f"{directory}: a file, no directory") from None
        except OSError as error:
            raise SennaError(f"{directory}: {error.strerror}") from None

    def finish(self):
        """Write the index."""
        with open_output(os.path.join(self._directory, "index.html"), self._inputs) as out:
            out.write(self._printer.index(self._pages))

    @contextlib.contextmanager
    def _writer(self, name):
        """A page; a document without sentences has an empty one, if it could be read."""
        printer = self._printer.page_of(name)

        def begin():
            file_name = self._file_name(name)
            path = os.path.join(self._directory, file_name)
            out = page.enter_context(open_output(path, self._inputs, self._live))
            out.write(printer.header() + printer.begin(name))
            self._pages.append([name, file_name, 0])
            return out

        with contextlib.ExitStack() as page:
            writer = _Writer(begin)
            yield writer
            if writer.out is None:
                if not writer.is_whole:
                    return
                writer.out = begin()
            writer.out.write(printer.end() + printer.footer())
            if not writer.is_whole:
                writer.out.incomplete()
        self._pages[-1][2] = writer.n_sentences
        if writer.out.left is not None:
            self._pages.pop()
            self._note(f"{name}: no page: not all of it could be read; {writer.out.left}")

    def _file_name(self, document):
        """Name of the page of a document, which no other page of the directory has."""
        base, number = os.path.basename(document), 1
        name = f"{base}.html"
        while name.casefold() in self._taken:
            number += 1
            name = f"{base}.{number}.html"
        self._taken.add(name.casefold())
        return name
