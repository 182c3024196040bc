"""Tagging of whole files: what `senna-tag` does."""

import contextlib
import os
import stat
import sys
import time

import click
import numpy as np

from senna_py.errors import SennaError, one_line
from senna_py.formats.columns import ColumnFormat
from senna_py.formats.jsonl import JsonFormat
from senna_py.formats.predicates import PredicateFile
from senna_py.streaming import InputError, Source, ordered_map, read_batches
from senna_py.tagger import Tagger

__all__ = ["tag_files"]

# Tokens annotated at once: a batch has fewer, unless a long line makes it larger.
_PART = 1 << 15


def tag_files(
    paths, tasks=None, path=None, usrtokens=False, posvbs=False, usrvbs=None, iobtags=False,
    brackettags=False, notokentags=False, offsettags=False, output_format="senna", output=None,
    jobs=1, progress=None, verbose=False,
):  # fmt: skip
    """Tag files, in order, and write the annotations.

    paths: files, `-` for standard input; the other parameters are the options of senna-tag.
    Returns the number of inputs that could not be read; each was reported on standard error.
    Raises SennaError for whatever concerns all inputs: model, predicates, output.
    """
    predicates = "given" if usrvbs is not None else "pos" if posvbs else "vbs"
    tagger = Tagger(path, tasks, predicates)
    if verbose:
        click.echo("\n".join(tagger.model.describe(tagger.networks)), err=True)
    scheme = "iob" if iobtags else "brackets" if brackettags else "iobes"
    if output_format == "jsonl":
        printer = JsonFormat(tagger, scheme)
    else:
        padded = output_format == "senna"
        printer = ColumnFormat(tagger, not notokentags, offsettags, scheme, padded)
    given = PredicateFile(usrvbs) if usrvbs is not None else None
    with _open_output(output, paths) as write:
        write(printer.header())
        job = _Job(tagger, printer, usrtokens, given, jobs)
        errors = _tag_all(paths, job, write, progress)
    if given is not None and not errors:
        given.finish()
    return errors


class _Job:
    """The work on batches, with what it needs."""

    def __init__(self, tagger, printer, whitespace, predicates, jobs):
        self._tagger, self._printer = tagger, printer
        self._whitespace, self._predicates, self._jobs = whitespace, predicates, jobs

    def run(self, source):
        """Yield (pieces of printed bytes, number of sentences) for the batches of a Source."""

        def tag(data):
            return self._annotate(source.name, self._tokenize(data))

        def annotate(found):
            return self._annotate(source.name, *found)

        if self._predicates is None:
            return ordered_map(tag, read_batches(source), self._jobs)
        return ordered_map(annotate, self._with_predicates(source), self._jobs)

    def _tokenize(self, data):
        return self._tagger.tokenizer.lines(data, self._whitespace)

    def _with_predicates(self, source):
        """Batches as Tokens and bool[n_tokens]; the predicate file is read in step with them."""
        for data, waiting in read_batches(source):
            tokens = self._tokenize(data)
            marks, count, error = self._predicates.take(np.diff(tokens.starts).tolist())
            yield (tokens if error is None else tokens.first_sentences(count), marks), waiting
            if error is not None:
                raise SennaError(str(error)) from None

    def _annotate(self, name, tokens, is_predicate=None):
        longest = self._tagger.longest_sentence
        if longest is not None:
            uncut, tokens = tokens, tokens.cut(longest)
            for length in np.diff(uncut.starts)[np.diff(uncut.starts) > longest]:
                click.echo(
                    f"senna-tag: {name}: a line of {length:,} tokens is cut into sentences of "
                    f"at most {longest:,} for roles and trees",
                    err=True,
                )
        printed, done = [], 0
        for part in tokens.parts(_PART if self._printer.splits_lines else len(tokens) + 1):
            marks = None if is_predicate is None else is_predicate[done : done + len(part)]
            printed.append(self._printer.print(self._tagger.annotate(part, marks)))
            done += len(part)
        return printed, tokens.n_sentences


def _tag_all(paths, job, write, progress):
    """Tag each file; returns how many could not be read."""
    errors = 0
    with _Progress(paths, progress) as report:
        for path in paths:
            try:
                with Source(path) as source:
                    for printed, n_sentences in job.run(source):
                        for piece in printed:
                            write(piece)
                        report.update(source, n_sentences)
            except InputError as error:
                click.echo(f"senna-tag: {one_line(error)}", err=True)
                errors += 1
    return errors


@contextlib.contextmanager
def _open_output(path, inputs):
    """Give a function that writes bytes to the file `path`, or to standard output if it is None."""
    if path is None:
        if sys.stdout is None:
            raise SennaError("standard output is closed")
        yield _writer(sys.stdout.buffer, "standard output")
        return
    for name in inputs:
        if os.path.isfile(path) and os.path.isfile(name) and os.path.samefile(path, name):
            raise SennaError(f"{path}: input and output are the same file")
    try:
        file = open(path, "wb")  # noqa: SIM115 - closed below
    except OSError as error:
        raise SennaError(f"{path}: {error.strerror}") from None
    with file:
        yield _writer(file, path)


def _writer(file, name):
    def write(data):
        try:
            file.write(data)
            file.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise SennaError(f"{name}: {error.strerror}") from None

    return write


class _Progress:
    """Bytes done and sentences a second, on standard error.

    On a terminal a bar; elsewhere, if asked for, a line every few seconds.
    """

    _SECONDS_BETWEEN_LINES = 5

    def __init__(self, paths, wanted):
        sizes = [_file_size(path) for path in paths]
        known = None not in sizes
        if wanted is None:
            wanted = known and sys.stderr is not None and sys.stderr.isatty()
        self._total = sum(sizes) if known else None
        self._bar = None
        if wanted:
            self._bar = click.progressbar(
                length=self._total or 1, file=sys.stderr, show_pos=False,
                show_percent=known, show_eta=known, item_show_func=lambda status: status,
            )  # fmt: skip
        self._terminal = wanted and sys.stderr.isatty()
        self._begin = self._printed = time.monotonic()
        self._source, self._seen = None, 0
        self._bytes = self._sentences = 0

    def __enter__(self):
        if self._bar:
            self._bar.__enter__()
        return self

    def __exit__(self, *error):
        if self._bar:
            if not self._terminal:
                self._bar.label = self._status()
                self._bar.render_progress()
            self._bar.__exit__(*error)

    def update(self, source, n_sentences):
        """Count a finished batch of `source`."""
        if not self._bar:
            return
        if source is not self._source:
            self._source, self._seen = source, 0
        position = source.position() if source.size is not None else 0
        step, self._seen = position - self._seen, position
        self._bytes += step
        self._sentences += n_sentences
        now = time.monotonic()
        if not self._terminal and now - self._printed >= self._SECONDS_BETWEEN_LINES:
            self._printed = now
            self._bar.label = self._status()
        self._bar.update(step if self._total else 0, self._status())
        self._bar.render_progress()

    def _status(self):
        seconds = max(time.monotonic() - self._begin, 1e-9)
        of = f" of {self._total:,}" if self._total is not None else ""
        return (
            f"{self._bytes:,}{of} bytes, {self._sentences:,} sentences, "
            f"{self._sentences / seconds:,.0f} sentences/s"
        )


def _file_size(path):
    """Bytes in a regular file (0 if it cannot be looked at), or None for anything else."""
    try:
        status = os.fstat(0) if path == "-" else os.stat(path)
    except OSError:
        return 0
    return status.st_size if stat.S_ISREG(status.st_mode) else None
