"""Tagging whole files, for `senna-tag`."""

import contextlib
import gc
import itertools
import sys
import threading
from dataclasses import replace

import numpy as np

from senna_py.cli.tag_formats import make_printer, tasks_of_format
from senna_py.cli.tag_outputs import open_outputs
from senna_py.corpora.layouts import layout_of
from senna_py.corpora.places import Place, blank_test, id_of_document
from senna_py.errors import SennaError, UsageError
from senna_py.io.overwriting import one_call
from senna_py.io.progress import Progress
from senna_py.io.streaming import (
    BATCH_BYTES,
    BY_MARK,
    InputError,
    Source,
    check_text,
    ordered_map,
    read_batches,
)
from senna_py.kernels.runtime.jit import plain_way
from senna_py.kernels.runtime.pace import Pace
from senna_py.labels.tasks import POS, VERBS
from senna_py.model import Model
from senna_py.tagger import Tagger
from senna_py.text.known_texts import read_abbreviations
from senna_py.text.paragraphs import ParagraphLines
from senna_py.text.tokens import Tokenizer

__all__ = ["NAME_ENCODING", "Job", "prepare", "tag_files"]

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
    paths, tasks=None, path=None, usrtokens=False, posvbs=False, usrvbs=None, iobtags=False,
    brackettags=False, notokentags=False, offsettags=False, split_sentences=False,
    output_format="senna", output=None, jobs=1, progress=None, verbose=False, note=_print_note,
    probabilities=False, least=0.0, encoding=None, paragraphs=False, layout="", multiwords="words",
    header=False, abbreviations=None, live=False, limit=None,
):  # fmt: skip
    """Tag files, in order, and write the annotations.

    paths: files, `-` for standard input; note: called with lines of text for the user; the other
    parameters are the options of senna-tag; with the format `trees` there is no other task.
    Returns the number of inputs that could not be read; each was noted. Raises SennaError for
    whatever concerns all inputs: model, predicates, output.
    """
    if usrvbs == "-" and "-" in paths:
        raise UsageError("text and -usrvbs cannot both be standard input")
    tagger, printer = prepare(
        tasks, path, posvbs, usrvbs is not None, iobtags, brackettags, notokentags, offsettags,
        split_sentences, output_format, verbose, note, probabilities, least, header,
        () if abbreviations is None else read_abbreviations(abbreviations), alone=len(paths) == 1,
        title=paths[0] if len(paths) == 1 and paths[0] != "-" else None,
    )  # fmt: skip
    given = None
    if usrvbs is not None:
        from senna_py.corpora.predicates import PredicateFile

        given = PredicateFile(usrvbs)
    read = [*paths, *([usrvbs] if given else [])]
    with open_outputs(output, printer, output_format, read, live, note) as out:
        uncertain = tagger.tasks if probabilities else ()
        job = Job(tagger, printer, usrtokens, split_sentences, given, jobs, note, uncertain)
        job.joins_lines, job.limit = paragraphs, limit
        text_only = output_format == "brat"
        inputs = _Inputs(job, layout, multiwords, encoding, text_only)
        errors = _tag_all(paths, inputs, out, progress, note)
        if given is not None:
            given.finish()
    return errors


def prepare(
    tasks, path, posvbs, given, iobtags, brackettags, notokentags, offsettags, split_sentences,
    output_format, verbose, note, probabilities, least, header, abbreviations, alone, title=None,
):  # fmt: skip
    """What finds and what prints: a pair of a Tagger, or what stands in for it, and a format.

    given: whether predicates are the caller's; abbreviations: words; alone: whether there is one
    input only; title: of a page; the other parameters are those of `tag_files`. Raises SennaError
    if the model cannot be used.
    """
    predicates = "given" if given else POS if posvbs else VERBS
    model = Model(path)
    if output_format == "tokens":
        from senna_py.printers.token_lines import TokensOnly

        storage = model.storage
        tagger = TokensOnly(Tokenizer(storage.words, storage.tokenizer, abbreviations))
    else:
        tasks = tasks_of_format(output_format, model, tasks, predicates)
        tagger = Tagger(model, tasks, predicates, abbreviations=abbreviations)
    if verbose:
        for line in model.describe(tagger.networks):
            note(line)
    if probabilities:
        from senna_py.printers.probabilities import ProbabilityFormat

        return tagger, ProbabilityFormat(tagger, least)
    scheme = "iob" if iobtags else "brackets" if brackettags else None
    return tagger, make_printer(
        output_format, tagger, scheme, words=not notokentags, offsets=offsettags, header=header,
        split=split_sentences, alone=alone, title=title,
    )  # fmt: skip


def _tag_all(paths, inputs, out, progress, note):
    """Tag each file; returns how many could not be read."""
    errors = 0
    with Progress(paths, progress) as report:
        for path in paths:
            was_read = False
            try:
                for source, printed, n_sentences in inputs.read(path):
                    out.write(inputs.document, inputs.beginning, printed, n_sentences)
                    report.update(source, n_sentences)
                was_read = True
            except InputError as error:
                if inputs.job.in_step:
                    raise  # the predicates that follow belong to what could not be read
                note(str(error))
                errors += 1
            out.end_document(inputs.document, was_read)
    return errors


class _Inputs:
    """The files, which are text or of a layout."""

    def __init__(self, job, layout, multiwords, encoding, text_only):
        self.job, self._layout, self._multiwords = job, layout, multiwords
        self._encoding, self._text_only, self._seen = encoding, text_only, set()
        # The input last read: what it is called, and what stands before its first sentence.
        self.document, self.beginning = "", b""

    def read(self, path):
        """Yield the Source, printed bytes and number of sentences of the batches of a file."""
        self.document = document = self._document(path)
        self.beginning = self.job.beginning(document)
        layout = layout_of(path, self._layout)
        if layout:
            from senna_py.cli.tag_columns import ColumnText

            if self._text_only:
                raise UsageError(f"{path}: places in text are printed, and this is none")
            text = ColumnText(path, layout, self._multiwords, self._encoding or BY_MARK)
            for printed, n_sentences, _ in self.job.run_columns(text, document):
                yield text.source, printed, n_sentences
            return
        with Source(path, self._encoding or BY_MARK) as source:
            for printed, n_sentences, _ in self.job.run(source, Place(document)):
                yield source, printed, n_sentences

    def _document(self, path):
        """What an input is called; a number tells it from one before with the same identifier."""
        name = _STANDARD_INPUT if path == "-" else str(path)
        names = itertools.chain([name], (f"{name}.{number}" for number in itertools.count(2)))
        chosen = next(each for each in names if id_of_document(each) not in self._seen)
        self._seen.add(id_of_document(chosen))
        return chosen


class Job:
    """The work on batches and all that it needs."""

    def __init__(self, tagger, printer, whitespace, split, predicates, jobs, note, uncertain):
        """Tag with a Tagger, print with a format; the others are those of `tag_files`.

        whitespace: as -usrtokens; split: as --split-sentences; predicates: a PredicateFile or None;
        uncertain: tasks that get probabilities.
        """
        self._tagger, self._printer, self._uncertain = tagger, printer, uncertain
        self._whitespace, self._split = whitespace, split
        self._predicates, self._jobs, self._note = predicates, jobs, note
        # The thread that gets compiled kernels ready, and whether it was given time for that.
        self._compiling, self._waited = None, False
        self.joins_lines = False  # up to an empty one, as paragraphs
        self.only_compiled = False  # whether the first text has to wait for kernels
        self.limit = None  # sentences of an input that are tagged, of all if None
        self._left = None  # of the input that is being read

    @property
    def in_step(self):
        """Whether a predicate file is read in step with the text."""
        return self._predicates is not None

    def beginning(self, document):
        """What is printed before the first sentence of a document: bytes."""
        return self._printer.begin(document) if self._printer.wants_places else b""

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
            self._left, first = self.limit, True
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
        self._left = self.limit
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
                if not self.in_step and self.limit is None and len(piece) <= _LARGE:
                    yield source.name, piece, None, plain, place
                else:
                    with plain_way(plain):
                        tokens = self._tokenize(piece)
                    yield from self._parts(source.name, tokens, plain, place)
                if self._left == 0:
                    return
                if self._printer.wants_places:
                    before = piece if original is None else place.original
                    place = place.after(before, is_blank)

    def _lines(self, source):
        """Yield batches of a Source, checked and joined, with what they were if lines are joined.

        None stands for a batch before a wait.
        """
        first, joined = source.begins, ParagraphLines() if self.joins_lines else None
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
            found = self._tagger.annotate(tokens, marks, self._uncertain)
            self._printer.print(found, *([Place("")] if self._printer.wants_places else []))

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
            found = self._tagger.annotate(tokens, is_predicate, self._uncertain)
            if self._printer.wants_places:
                printed = self._printer.print(found, place)
            else:
                printed = self._printer.print(found)
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
