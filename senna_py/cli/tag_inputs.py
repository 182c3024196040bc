"""Inputs of text that is tagged, read in batches: lines of text, or sentences of column
files.
"""

import os
from dataclasses import dataclass, replace

import numpy as np

from senna_py.cli.tag_advice import MARKUP, advice, markup
from senna_py.corpora.layouts import layout_of
from senna_py.corpora.places import BatchPlace, blank_test
from senna_py.errors import SennaError
from senna_py.io.streaming import (
    BATCH_BYTES,
    BY_MARK,
    InputError,
    Source,
    check_text,
    read_batches,
)
from senna_py.kernels.runtime.pace import take, way
from senna_py.text.paragraphs import join_lines, whole_paragraphs
from senna_py.text.tokens import Tokens

NAME_ENCODING = "name its --encoding, such as utf-16-le"
_LARGE = 4 * BATCH_BYTES  # a batch that a long line makes larger is worked on in parts


@dataclass(frozen=True)
class Batch:
    """Whole lines of an input, on the way from their reader to the printer.

    source: name of the input, for messages; place: where they begin; text: their bytes,
    none where the lines that follow may have to be waited for; end: bytes of the file
    up to their end, about;
    tokens: theirs, in sentences that the tagger takes, or None if they are still to be
    found;
    is_predicate: bool[n_tokens], the caller's, or None.
    """

    source: str
    place: BatchPlace
    text: bytes
    end: int = 0
    tokens: "Tokens | None" = None
    is_predicate: np.ndarray | None = None

    def __len__(self):
        return len(self.text)


class Reader:
    """Reads inputs, one after the other, in Batches that threads may print at the same
    time.

    What depends on the batches before is done here: places, predicates of a file, a
    limit. A long line becomes many batches, and batches are small while kernels are
    loaded.
    """

    def __init__(self, options, job, note):
        """Read as TagOptions say, for a Job; raises SennaError for the file of
        predicates.
        """
        self._options, self._job, self._note = options, job, note
        self._tokenizer, self._predicates = job.tagger.tokenizer, None
        if options.usrvbs is not None:
            from senna_py.corpora.predicates import PredicateFile

            self._predicates = PredicateFile(options.usrvbs)

    def read(self, path, document):
        """Yield the Batches of a file; document: what it is called.

        Raises InputError, but SennaError where predicates are given: those that follow
        belong to what could not be read.
        """
        layout, encoding = (
            layout_of(path, self._options.layout),
            self._options.encoding or BY_MARK,
        )
        try:
            _check_path(path)
            if layout:
                from senna_py.cli.tag_columns import ColumnText

                text = ColumnText(path, layout, self._options.multiwords, encoding)
                yield from self.in_step(self._columns(text, document))
            else:
                with Source(path, encoding) as source:
                    yield from self.in_step(self.lines(source, BatchPlace(document)))
        except InputError as error:
            if self._predicates is None:
                raise
            raise SennaError(str(error)) from None

    def lines(self, source, place):
        """Yield the Batches of a Source, whose first line is at `place`, without
        tokens.
        """
        joins, tokenized = self._options.paragraphs, self._options.usrtokens
        is_blank = blank_test(self._tokenizer.kind, tokenized, joins)
        batches = self._checked(source)
        for read in whole_paragraphs(batches) if joins else batches:
            text, done = join_lines(read) if joins else read, 0
            wait = Batch(source.name, place, b"")
            if not text:
                yield wait
            while done < len(text):
                size = take(
                    text[done:], self._job.run_kernels, self._predicates is not None
                )
                begin, done = done, done + size
                original, end = read[begin:done], source.position() - len(text) + done
                place = replace(place, original=original if joins else None)
                yield Batch(source.name, place, text[begin:done], end)
                place = place.after(original, is_blank)
                if done < len(text):
                    yield wait

    def _checked(self, source):
        """Yield the batches of a Source; what they say of how it would better be read
        is noted.
        """
        first, is_marked = source.begins, False
        for data in read_batches(source):
            if data and first:
                _check_encoding(source.name, data, self._note)
                if found := advice(data, self._options):
                    self._note(f"{source.name}: {''.join(found)}", found[1])
                first = False
            if not is_marked and (found := markup(data)):
                is_marked = True
                self._note(f"{source.name}: {found}{MARKUP}", MARKUP)
            yield data

    def _columns(self, text, document):
        """Yield the Batches of a ColumnText, with its tokens."""
        source = text.source
        for number, (tokens, place) in enumerate(
            text.batches(self._tokenizer, document)
        ):
            if number == 0:
                lines = [
                    each.line for each in place.column_lines
                ]  # where sentences begin
                _check_encoding(
                    source.name, tokens.data, self._note, "stay as they are", lines
                )
            take(tokens.data, self._job.run_kernels, is_whole=True)
            yield Batch(source.name, place, tokens.data, source.position(), tokens)

    def in_step(self, batches):
        """Yield the batches of an input, with tokens where these are counted or
        divided.
        """
        left, counts = self._options.limit, self._options.limit or self._predicates
        for batch in batches:
            if batch.tokens is None and not counts and len(batch) <= _LARGE:
                yield batch
                continue
            with way():
                kept, error = self._with_tokens(batch)
            if left is not None:
                kept, left = _first(kept, left)
            yield from self._job.parts(kept)
            if error is not None:
                raise SennaError(str(error)) from None
            if left == 0:
                return

    def _with_tokens(self, batch):
        """The batch with tokens and marks of predicates, and an error of their file or
        None.
        """
        lines, marks, error = self._job.lines(batch), None, None
        if self._predicates is not None:
            marks, count, error = self._predicates.take(np.diff(lines.starts).tolist())
            lines = lines.sentences(0, count)
        return replace(
            batch, tokens=self._job.sentences(batch, lines), is_predicate=marks
        ), error

    def finish(self):
        """Raise SennaError if there are predicates after those of the last input."""
        if self._predicates is not None:
            self._predicates.finish()


def _check_path(path):
    """Raise InputError for a directory, and for a text in place of a file's name."""
    if os.path.isdir(path):
        raise InputError(
            f"{path}: a directory: name its files, or tag it with senna-py corpus"
        )
    if not os.path.exists(path) and (" " in path or path.endswith((".", "!", "?"))):
        raise InputError(
            f"{path}: no such file; a text itself is piped in: echo TEXT | senna-tag"
        )


def _check_encoding(name, data, note, fate="are tokens of their own", lines=None):
    """Note bytes that are not UTF-8; raises InputError for what is no text.

    fate: what happens to such bytes; lines: of the file, for those of `data`; None:
    they are these.
    """
    check_text(name, data, NAME_ENCODING)
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        line = line if lines is None else lines[line - 1]
        note(
            f"{name}: line {line} is not UTF-8: such bytes {fate}; --encoding names another "
            "encoding, such as cp1252"
        )


def _first(batch, left):
    """A Batch of which `left` sentences are kept, without the lines after, and what is
    left.
    """
    tokens = batch.tokens
    first = np.unique(tokens.source, return_index=True)[
        1
    ]  # part with which each begins
    if len(first) <= left:
        return batch, left - len(first)
    tokens = tokens.sentences(0, int(first[left]))
    end = tokens.data.find(b"\n", tokens.text_end[-1]) + 1 or len(tokens.data)
    return replace(batch, tokens=replace(tokens, data=tokens.data[:end])), 0
