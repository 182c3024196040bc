"""Tagging whole files: one output for all of them, or a page for each."""

from __future__ import annotations

import contextlib
import itertools
import os
from typing import TYPE_CHECKING

from senna_py.cli.tag_inputs import Reader
from senna_py.cli.tag_job import Job
from senna_py.cli.warm_up import compile_apart
from senna_py.corpora.sentence_places import document_id
from senna_py.errors import SennaError, UsageError
from senna_py.io.output import open_output
from senna_py.io.parallel import ordered_map
from senna_py.io.progress import FileProgress
from senna_py.io.streaming import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from senna_py.formats.registry import Format

_STANDARD_INPUT = "stdin"  # as a document


def tag_files(
    paths, options, note, output=None, live=False, jobs=1, progress=None, verbose=False
):
    """Tag files, in order, and write the annotations.

    paths: files, `-` for standard input; options: TagOptions; note: called with a line
    of text for the user, and the kind of a note on how text is read, see `tag_advice`;
    output: a path, or None for standard output; live: see `open_output`; jobs: threads;
    progress: see FileProgress;
    verbose: describe the model. Returns the number of inputs that could not be read;
    each was noted. Raises SennaError for whatever concerns all inputs: model,
    predicates, output.
    """
    if options.usrvbs == "-" and "-" in paths:
        raise UsageError("text and usrvbs cannot both be standard input")
    form, alone = options.output, len(paths) == 1
    apart = form.has_pages and _is_directory(output)
    if apart and form.pairs:
        _check_names(paths, form)
    tagger = options.tagger()
    title = paths[0] if alone and paths[0] != "-" else None
    printer = options.printer(tagger, alone or apart, title)
    if verbose:
        for line in tagger.model.describe(tagger.networks):
            note(line)
    job = Job(options, tagger, printer, note)
    reader = Reader(options, job, note)
    compile_apart(options, tagger)
    known = [*paths, options.usrvbs, tagger.model.path]
    with (
        open_outputs(
            output, printer, form if apart else None, known, live, note
        ) as out,
        FileProgress(paths, progress) as report,
    ):
        for path, name in _named(paths):
            out.add(name, ordered_map(job.print, reader.read(path, name), jobs), report)
        reader.finish()
    return out.n_unread


def _is_directory(output: str | None) -> bool:
    """Return whether an output is a directory or is to be one."""
    return output is not None and (
        output.endswith(("/", os.sep)) or os.path.isdir(output)
    )


def _check_names(paths: Sequence[str], form: Format) -> None:
    """Raise UsageError if the outputs of two inputs would have the same name in a
    directory.
    """
    taken: dict[str, str] = {}
    for path in paths:
        name = form.paired_name(os.path.basename(_name_of(path)))
        if (other := taken.setdefault(name.casefold(), path)) is not path:
            raise UsageError(
                f"{other} and {path}: both would be {name}; write them to two directories"
            )


def _name_of(path: str) -> str:
    return _STANDARD_INPUT if path == "-" else str(path)


def _named(paths):
    """Yield each path with its name as a document, whose identifier no other one
    has.
    """
    seen = set()
    for path in paths:
        name = _name_of(path)
        names = itertools.chain(
            [name], (f"{name}.{number}" for number in itertools.count(2))
        )
        chosen = next(each for each in names if document_id(each) not in seen)
        seen.add(document_id(chosen))
        yield path, chosen


@contextlib.contextmanager
def open_outputs(output, printer, apart, inputs, live, note):
    """Context of an object whose `add(name, batches, progress)` writes a document.

    output: path, or None for standard output; apart: the Format of a directory, which
    gets a file for each input, or None; inputs: paths that are read; live and errors:
    see `open_output`. note: prints a line, such as where the output of what could not
    be read is. An InputError of a document is noted, and counted in `n_unread`.
    """
    if apart is not None:
        pages = _Pages(output, apart, printer, inputs, live, note)
        yield pages
        pages.finish()
        return
    with open_output(output, inputs, live) as out:
        out.write(printer.header())
        yield _File(out, printer, note)
        out.write(printer.footer())
    if out.left is not None:
        note(f"{output}: not written: not all inputs could be read; {out.left}")


class _File:
    """A file with all documents; has_empty: whether one that has nothing to print is
    begun.
    """

    has_empty = False

    def __init__(self, out, printer, note):
        self.n_unread = 0  # documents that could not be read to their end
        self._between = b""  # what the next batch of the file begins with
        self._out, self._printer, self._note = out, printer, note

    def add(self, name, batches, progress):
        """Write a document: batches, each Printed, of which reading may raise
        InputError.
        """
        with contextlib.ExitStack() as files:
            out, n_sentences, is_whole = None, 0, True
            try:
                for printed in batches:
                    if out is None and printed.data:
                        out = self._begin(name, files)
                    if out is not None and printed.data:
                        out.write(self._between + printed.data)
                        self._between = self._printer.between
                    n_sentences += printed.n_sentences
                    progress.update(printed.end, printed.n_sentences)
            except InputError as error:
                self._note(str(error))
                self.n_unread += 1
                is_whole = False
            progress.finish()
            if out is None and is_whole and self.has_empty:
                out = self._begin(name, files)
            if out is not None:
                out.write(self._last())
            out = out or self._out
            if out is not None and not is_whole:
                out.incomplete()
        return out, n_sentences

    def _begin(self, name, files):
        """Write what stands before a document; returns an Output, whose context `files`
        may end.
        """
        self._out.write(self._printer.begin(name))
        return self._out

    def _last(self):
        return self._printer.end()


class _Pages(_File):
    """A directory with a page for each document, and an index, or with files that pair
    with texts.

    The files of texts are called as these are.
    """

    has_empty = True

    def __init__(self, directory, form, printer, inputs, live, note):
        super().__init__(None, printer, note)
        self._directory, self._form, self._inputs, self._live = (
            directory,
            form,
            inputs,
            live,
        )
        self._pages = []  # (document, file name, number of sentences)
        self._taken = {f"index.{form.ending}"}
        try:
            os.makedirs(directory, exist_ok=True)
        except FileExistsError:
            raise SennaError(f"{directory}: a file, no directory") from None
        except OSError as error:
            raise SennaError(f"{directory}: {error.strerror}") from None

    def add(self, name, batches, progress):
        """Write a page; a document without sentences has an empty one, if it could be
        read.
        """
        out, n_sentences = super().add(name, batches, progress)
        if out is not None and out.left is None:
            self._pages.append((name, self._file, n_sentences))
        elif out is not None:
            what = "file" if self._form.pairs else "page"
            self._note(f"{name}: no {what}: not all of it could be read; {out.left}")

    def finish(self):
        """Write the index."""
        if not self._form.pairs:
            with open_output(
                os.path.join(self._directory, "index.html"), self._inputs
            ) as out:
                out.write(self._printer.index(self._pages))

    def _begin(self, name, files):
        self._file, page = self._file_name(name), self._printer.page_of(name)
        path = os.path.join(self._directory, self._file)
        out = files.enter_context(open_output(path, self._inputs, self._live))
        out.write(page.header() + page.begin(name))
        return out

    def _last(self):
        return self._printer.end() + self._printer.footer()

    def _file_name(self, document):
        """Name of the page of a document, which no other page of the directory has."""
        base, number = os.path.basename(document), 1
        if self._form.pairs:
            return self._form.paired_name(base)
        name = f"{base}.html"
        while name.casefold() in self._taken:
            number += 1
            name = f"{base}.{number}.html"
        self._taken.add(name.casefold())
        return name
