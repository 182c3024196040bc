"""Tagging whole files, for `senna-tag`."""

import contextlib
import gc
import itertools
import sys
import threading
from dataclasses import replace

import numpy as np

from senna_py.cli.tag_outputs import open_outputs
from senna_py.corpora.layouts import layout_of
from senna_py.corpora.places import Place, blank_test, id_of_document
from senna_py.errors import SennaError, UsageError
from senna_py.io.overwriting import one_call
from senna_py.io.progress import Progress
from senna_py.io.streaming import (
    BATCH_BYTES,
    BY_MARK,
    Source,
    check_text,
    ordered_map,
    read_batches,
)
from senna_py.kernels.runtime.jit import plain_way
from senna_py.kernels.runtime.pace import Pace
from senna_py.text.paragraphs import ParagraphLines

__all__ = ["NAME_ENCODING", "Job", "tag_files"]

NAME_ENCODING = "name its --encoding, such as utf-16-le"

_LARGE = 4 * BATCH_BYTES  # a batch that a long line makes larger is worked on in parts
_PART = 1 << 13  # tokens in such a part
_PIECE = 1 << 12  # bytes, and the rest of a line, tagged at once while kernels are compiled
_LONGEST_PIECE = 4 * _PIECE  # a longer line is not worth the plain way
_STANDARD_INPUT = "stdin"  # as a document
# Seconds to wait for kernels before the first piece and after it: those that were compiled before
# are ready within the first, if nothing else keeps the processor busy, or within both.
_PATIENCE = 0.5, 1.5


def _print_note(message):
    print(message, file=sys.stderr)


@one_call()
def tag_files(
    paths, options, output=None, live=False, jobs=1, progress=None, verbose=False, note=_print_note
):
    """Tag files, in order, and write the annotations.

    paths: files, `-` for standard input; options: TagOptions; output: a path, or None for standard
    output; live: see `open_output`; jobs: threads; progress: see Progress; verbose: describe the
    model; note: called with lines of text for the user. Returns the number of inputs that could not
    be read; each was noted. Raises SennaError for whatever concerns all inputs: model, predicates,
    output.
    """
    if options.usrvbs == "-" and "-" in paths:
        raise UsageError("text and -usrvbs cannot both be standard input")
    tagger, alone = options.tagger(), len(paths) == 1
    printer = options.printer(tagger, alone, str(paths[0]) if alone and paths[0] != "-" else None)
    if verbose:
        for line in tagger.model.describe(tagger.networks):
            note(line)
    given = None
    if options.usrvbs is not None:
        from senna_py.corpora.predicates import PredicateFile

        given = PredicateFile(options.usrvbs)
    read = [*paths, *([options.usrvbs] if given else [])]
    with open_outputs(output, printer, read, live, note, given is not None) as out:
        job = Job(options, tagger, printer, note, jobs, given)
        with Progress(paths, progress) as report:
            for path, document in _named(paths):
                with out.document(document) as write:
                    for source, printed, n_sentences in _read(job, options, path, document):
                        write(printed, n_sentences)
                        report.update(source, n_sentences)
        if given is not None:
            given.finish()
    return out.n_unread


def _named(paths):
    """Yield each path with its name as a document, whose identifier no other one has."""
    seen = set()
    for path in paths:
        name = _STANDARD_INPUT if path == "-" else str(path)
        names = itertools.chain([name], (f"{name}.{number}" for number in itertools.count(2)))
        chosen = next(each for each in names if id_of_document(each) not in seen)
        seen.add(id_of_document(chosen))
        yield path, chosen


def _read(job, options, path, document):
    """Yield the Source, printed bytes and number of sentences of the batches of a file."""
    encoding, layout = options.encoding or BY_MARK, layout_of(path, options.layout)
    if layout:
        from senna_py.cli.tag_columns import ColumnText

        if options.format == "brat":
            raise UsageError(f"{path}: places in text are printed, and this is none")
        text = ColumnText(path, layout, options.multiwords, encoding)
        for printed, n_sentences, _ in job.run_columns(text, document):
            yield text.source, printed, n_sentences
        return
    with Source(path, encoding) as source:
        for printed, n_sentences, _ in job.run(source, Place(document)):
            yield source, printed, n_sentences


class Job:
    """The work on batches and all that it needs."""

    def __init__(self, options, tagger, printer, note, jobs=1, predicates=None):
        """Tag with a Tagger and print with a Printer that TagOptions made.

        note, jobs: those of `tag_files`; predicates: a PredicateFile or None.
        """
        self._tagger, self._printer = tagger, printer
        self._whitespace, self._split = options.usrtokens, options.split
        self._predicates, self._jobs, self._note = predicates, jobs, note
        # The thread that gets compiled kernels ready, and whether it was given time for that.
        self._compiling, self._waited = None, False
        self._joins_lines = options.paragraphs
        self.only_compiled = False  # whether the first text has to wait for kernels
        self._limit = options.limit  # sentences of an input that are tagged, of all if None
        self._left = None  # of the input that is being read

    @property
    def in_step(self):
        """Whether a predicate file is read in step with the text."""
        return self._predicates is not None

    def beginning(self, document):
        """What is printed before the first sentence of a document: bytes."""
        return self._printer.begin(document)

    def run(self, source, place):
        """Yield what is printed of the batches of a Source, in order, and how much that is.

        That is bytes, or what else the format makes, with the numbers of sentences and of tokens.
        place: the Place of the first line.
        """
        return ordered_map(self._annotate, self._batches(source, place), self._jobs)

    def run_records(self, name, batches):
        """The same for pairs of lines made from records, bytes, and their Place; see `Records`."""

        def work():
            for data, place in batches:
                if len(data) <= _LARGE:
                    yield name, data, None, False, place
                else:
                    yield from self._parts(name, self._tokenize(data), False, place)

        return ordered_map(self._annotate, work(), self._jobs)

    def run_columns(self, text, document):
        """The same for a ColumnText."""

        def batches():
            self._left, first = self._limit, True
            for tokens, place in text.batches(self._tagger.tokenizer, document):
                if first:
                    lines = [given.line for given in place.given]  # where sentences begin
                    self._check_text(text.source.name, tokens.data, "stay as they are", lines)
                first = False
                plain = self._compiling is None and Pace.takes_plain(len(tokens.data))
                yield from self._parts(text.source.name, tokens, plain, place)
                if self._left == 0:
                    return

        return ordered_map(self._annotate, batches(), self._jobs)

    def _batches(self, source, place):
        """Yield work for `_annotate`, and None before each read that may have to wait.

        Mostly that is text. The tokens are found here, not by the workers, where a predicate file
        is read in step with them, and where a long line becomes many batches.
        """
        self._left = self._limit
        is_blank = blank_test(self._tagger.tokenizer.kind, self._whitespace)
        for data, original in self._lines(source):
            if data is None:
                yield None
                continue
            done = 0
            for piece, plain in self._pieces(data):
                if piece is None:
                    yield None
                    continue
                if original is not None:
                    place = replace(place, original=original[done : done + len(piece)])
                    done += len(piece)
                if not self.in_step and self._limit is None and len(piece) <= _LARGE:
                    yield source.name, piece, None, plain, place
                else:
                    with plain_way(plain):
                        tokens = self._tokenize(piece)
                    yield from self._parts(source.name, tokens, plain, place)
                if self._left == 0:
                    return
                before = piece if original is None else place.original
                place = place.after(before, is_blank)

    def _lines(self, source):
        """Yield batches of a Source, checked and joined, with what they were if lines are joined.

        None stands for a batch before a wait.
        """
        first, joined = source.begins, ParagraphLines() if self._joins_lines else None
        for data in read_batches(source):
            if data is not None and first:
                self._check_text(source.name, data)
                first = False
            if data is None or joined is None:
                yield data, None
            elif paragraphs := joined.add(data):
                yield paragraphs, joined.original
        if joined is not None and (paragraphs := joined.rest()):
            yield paragraphs, joined.original

    def _check_text(self, name, data, what="are tokens of their own", lines=None):
        """Note bytes that are not UTF-8; raises InputError for what is no text.

        what: becomes of such bytes; lines: of the file, for those of `data`; None: they are these.
        """
        check_text(name, data, NAME_ENCODING)
        if (line := _line_outside_utf8(data)) is not None:
            line = line if lines is None else lines[line - 1]
            self._note(
                f"{name}: line {line} is not UTF-8: such bytes {what}; --encoding names another "
                "encoding, such as cp1252"
            )

    def _pieces(self, data):
        """Yield a batch with whether to go the plain way: in pieces while kernels are compiled.

        None stands for no piece, before a wait.
        """
        if self.only_compiled:
            yield data, False
            return
        if self._compiling is None:
            if Pace.takes_plain(len(data)):
                yield data, True
                return
            sample = data[: min(_line_end(data, _PIECE), _LONGEST_PIECE)]
            self._compiling = threading.Thread(target=self._compile, args=(sample,), daemon=True)
            self._compiling.start()
            yield None, True
            goes_on = Pace.in_background and not self.in_step
            self._compiling.join(_PATIENCE[0] if goes_on else None)
        while data and self._compiling.is_alive():
            end = _line_end(data, _PIECE)
            if end > _LONGEST_PIECE:
                yield None, True
                self._compiling.join()
                break
            yield data[:end], True
            data = data[end:]
            if not self._waited:
                yield None, True
                self._compiling.join(_PATIENCE[1])
                self._waited = True
        if data:
            yield data, False

    def _compile(self, data):
        """Call every kernel once on a sample, so that it is compiled; the result is dropped."""
        with contextlib.suppress(Exception):  # the same will come up where it counts
            _import_numba()
            tokens = self._tokenize(data)
            if self._split:
                tokens = self._tagger.tokenizer.split_sentences(tokens, self._whitespace)
            tokens = tokens.cut(self._tagger.longest_sentence or len(tokens))
            marks = np.ones(len(tokens), bool) if self.in_step else None
            found = self._tagger.annotate(tokens, marks, self._printer.uncertain)
            self._printer.print(found, Place(""))

    def _parts(self, name, tokens, plain, place):
        """Yield parts of a batch, tokenized, as work for `_annotate`."""
        marks = error = None
        if self.in_step:
            marks, count, error = self._predicates.take(np.diff(tokens.starts).tolist())
            tokens = tokens.sentences(0, count)
        with plain_way(plain):
            tokens, done = self._limited(self._cut(name, tokens, not place.given)), 0
        # Where lines are not split, they are printed together, with those that have no token.
        for part in tokens.parts(_PART) if self._printer.splits_lines else [tokens]:
            chosen = None if marks is None else marks[done : done + len(part)]
            yield name, part, chosen, plain, place
            done += len(part)
        if error is not None:
            raise SennaError(str(error)) from None

    def _limited(self, tokens):
        """Tokens of the sentences that the limit still allows, without the lines after them."""
        if self._left is None:
            return tokens
        first = np.unique(tokens.source, return_index=True)[1]  # part with which each begins
        if len(first) <= self._left:
            self._left -= len(first)
            return tokens
        tokens = tokens.sentences(0, int(first[self._left]))
        self._left = 0
        return replace(tokens, data=tokens.data[: _line_end(tokens.data, tokens.text_end[-1])])

    def _annotate(self, work):
        """What is printed of some work, and its numbers of sentences and of tokens.

        work: the source's name, bytes or Tokens, marks of predicates or None, whether to go the
        plain way, and the Place.
        """
        name, tokens, is_predicate, plain, place = work
        with plain_way(plain):
            if isinstance(tokens, bytes):
                tokens = self._cut(name, self._tokenize(tokens))
            found = self._tagger.annotate(tokens, is_predicate, self._printer.uncertain)
            printed = self._printer.print(found, place)
        return printed, tokens.n_sentences, len(tokens)

    def _tokenize(self, data):
        return self._tagger.tokenizer.lines(data, self._whitespace)

    def _cut(self, name, tokens, are_text=True):
        """Tokens of lines in sentences no longer than the tagger takes, with a note if one is.

        are_text: otherwise the lines are sentences already.
        """
        if self._split and are_text:
            tokens = self._tagger.tokenizer.split_sentences(tokens, self._whitespace)
        longest = self._tagger.longest_sentence
        if longest is None:
            return tokens
        lengths = np.diff(tokens.starts)
        what = "sentence" if self._split else "line"
        quadratic = any(self._tagger.task(name).labels != "words" for name in self._tagger.tasks)
        purpose = "roles and trees" if quadratic else "networks that see all of it"
        for length in lengths[lengths > longest]:
            self._note(
                f"{name}: a {what} of {length:,} tokens is cut into sentences of at most "
                f"{longest:,} for {purpose}"
            )
        return tokens.cut(longest)


def _import_numba():
    """Import the compiler without collecting garbage, which its many objects make slow."""
    if "numba" in sys.modules:
        return
    enabled = gc.isenabled()
    gc.disable()  # a fifth of the time
    try:
        import senna_py.kernels.runtime.compiling  # noqa: F401 - a short start
    finally:
        if enabled:
            gc.freeze()  # they stay
            gc.enable()


def _line_outside_utf8(data):
    """Number of the first line with bytes that are not UTF-8, or None."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return data.count(b"\n", 0, error.start) + 1
    return None


def _line_end(data, size):
    """End of the line in which byte `size` of `data` stands."""
    return data.find(b"\n", size) + 1 or len(data)
