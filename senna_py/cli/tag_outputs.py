"""Where `senna-tag` writes what it has printed: one file for all inputs, or a page for each."""

import contextlib
import os

from senna_py.errors import SennaError
from senna_py.io.output import open_output

__all__ = ["open_outputs"]


@contextlib.contextmanager
def open_outputs(output, printer, output_format, inputs, live, note):
    """Context of an object with `write` and `end_document`, which the inputs are printed to.

    output: path, or None for standard output; a directory, or a path that ends in a slash, gets a
    page for each input if the format is `html`. inputs: paths that are read; live and errors: see
    `open_output`. note: prints a line, such as where the output of what could not be read is.
    """
    if output_format == "html" and output is not None and _is_directory(output):
        with contextlib.ExitStack() as page:
            pages = _Pages(output, printer, inputs, live, note, page)
            yield pages
            pages.finish()
        return
    with open_output(output, inputs, live) as out:
        out.write(printer.header())
        if output_format == "html":
            yield _HtmlOutput(out, printer)
            out.write(printer.footer())
        else:
            yield _Output(out)
    if out.left is not None:
        note(f"{output}: not written: not all inputs could be read; {out.left}")


def _is_directory(path):
    return path.endswith("/") or os.path.isdir(path)


class _Output:
    """A file with all documents, one after the other."""

    def __init__(self, out):
        self._out = out
        self._begun = False  # whether the document has anything yet

    def write(self, document, beginning, printed, n_sentences):
        """Write a batch of a document, and before its first one what stands at its beginning."""
        if not self._begun and len(printed):
            self._out.write(beginning)
            self._begun = True
        self._out.write(printed)

    def end_document(self, document, was_read):
        """What follows belongs to another document; was_read: whether this one could be read."""
        self._begun = False
        if not was_read:
            self._out.incomplete()


class _HtmlOutput(_Output):
    """A page with a list for each document."""

    def __init__(self, out, printer):
        super().__init__(out)
        self._printer = printer

    def end_document(self, document, was_read):
        """End the list, if it has begun."""
        if self._begun:
            self._out.write(self._printer.end())
        super().end_document(document, was_read)


class _Pages:
    """A directory with a page for each document, and an index."""

    def __init__(self, directory, printer, inputs, live, note, page):
        self._directory, self._printer, self._inputs = directory, printer, inputs
        self._live, self._note = live, note
        self._pages = []  # (document, file name, number of sentences)
        self._taken = {"index.html"}
        self._page = page  # an ExitStack with the page of the document that is being read
        self._out = None  # the Output of this page
        try:
            os.makedirs(directory, exist_ok=True)
        except FileExistsError:
            raise SennaError(f"{directory}: a file, no directory") from None
        except OSError as error:
            raise SennaError(f"{directory}: {error.strerror}") from None

    def write(self, document, beginning, printed, n_sentences):
        """Write a batch of a document to its page."""
        if self._out is None:
            self._begin(document, beginning)
        self._out.write(printed)
        self._pages[-1][2] += n_sentences

    def end_document(self, document, was_read):
        """End the page of a document; one without sentences has an empty page."""
        if self._out is None:
            if not was_read:
                return
            self._begin(document, self._printer.begin(document))
        out, self._out = self._out, None
        out.write(self._printer.end() + self._printer.footer())
        if not was_read:
            out.incomplete()
        self._page.close()
        if out.left is not None:
            self._pages.pop()
            self._note(f"{document}: no page: not all of it could be read; {out.left}")

    def finish(self):
        """Write the index."""
        from senna_py.printers.html_lines import index_page

        with open_output(os.path.join(self._directory, "index.html"), self._inputs) as out:
            out.write(index_page(self._pages))

    def _begin(self, document, beginning):
        self._printer.title = document
        name = self._name(document)
        path = os.path.join(self._directory, name)
        self._out = self._page.enter_context(open_output(path, self._inputs, self._live))
        self._pages.append([document, name, 0])
        self._out.write(self._printer.header() + beginning)

    def _name(self, document):
        """Name of the page of a document, which no other page of the directory has."""
        base, number = os.path.basename(document), 1
        name = f"{base}.html"
        while name.casefold() in self._taken:
            number += 1
            name = f"{base}.{number}.html"
        self._taken.add(name.casefold())
        return name
