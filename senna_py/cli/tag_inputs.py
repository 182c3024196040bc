"""Inputs of text that is tagged, cut into batches: lines of text, or sentences of column files."""

import contextlib
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from senna_py.cli.tag_advice import advice
from senna_py.corpora.layouts import layout_of
from senna_py.corpora.places import Place, blank_test
from senna_py.errors import SennaError
from senna_py.io.streaming import BY_MARK, InputError, Source, check_text, read_batches
from senna_py.kernels.runtime.pace import COMPILED
from senna_py.text.paragraphs import ParagraphLines

if TYPE_CHECKING:
    import numpy as np

    from senna_py.text.tokens import Tokens

__all__ = ["MARKUP_NOTE", "NAME_ENCODING", "Lines", "Sentences", "open_input", "read_lines"]

_MARKUP = re.compile(
    rb"&(?:#\d+|amp|[lg]t|quot|nbsp);|</?(?:p|br|div|span|a|b|i|li|td)(?: [^<>\n]*)?/?>"
)
MARKUP_NOTE = (
    " and other markup of HTML are tokens like any other; take the text out of the page first"
)
NAME_ENCODING = "name its --encoding, such as utf-16-le"


@dataclass(frozen=True)
class Lines:
    """Whole lines of text, as they were read.

    source: name of the input, for messages; place: where they begin; text: their bytes; is_blank:
    see `blank_test`; way: the context in which they are tagged.
    """

    source: str
    place: Place
    text: bytes
    is_blank: Callable[[bytes], bool] | None = None
    way: Any = COMPILED

    def after(self):
        """Return the Place of the lines that follow."""
        original = self.place.original
        return self.place.after(self.text if original is None else original, self.is_blank)

    def cut(self, end):
        """Return the Lines up to byte `end`, where one ends, and those from there on."""
        original = self.place.original
        place = replace(self.place, original=None if original is None else original[:end])
        first = replace(self, place=place, text=self.text[:end])
        place = replace(first.after(), original=None if original is None else original[end:])
        return first, replace(self, place=place, text=self.text[end:])


@dataclass(frozen=True)
class Sentences:
    """Tokens of whole lines, in sentences.

    source, place, way: as of Lines; is_predicate: bool[n_tokens], the caller's, or None.
    """

    source: str
    place: Place
    tokens: "Tokens"
    is_predicate: "np.ndarray | None" = None
    way: Any = COMPILED

    @property
    def text(self):
        """The bytes of the lines."""
        return self.tokens.data


@contextlib.contextmanager
def open_input(path, document, options, tokenizer, note):
    """Context of a pair: the Source of a file, and its batches, Lines or Sentences.

    None among the batches stands before a read that may have to wait. document: what the file is
    called; options: TagOptions; tokenizer: of the model; note: called with lines of text for the
    user. Raises InputError, also as the batches are read, but SennaError where predicates are
    given: those that follow belong to what could not be read.
    """
    layout, encoding = layout_of(path, options.layout), options.encoding or BY_MARK
    try:
        _check_path(path)
        if layout:
            from senna_py.cli.tag_columns import ColumnText

            text = ColumnText(path, layout, options.multiwords, encoding)
            yield text.source, _read_columns(text, document, tokenizer, note)
        else:
            with Source(path, encoding) as source:
                yield source, read_lines(source, Place(document), options, tokenizer, note)
    except InputError as error:
        if options.usrvbs is None:
            raise
        raise SennaError(str(error)) from None


def _check_path(path):
    """Raise InputError for a directory, and for a text in place of a file's name."""
    if os.path.isdir(path):
        raise InputError(f"{path}: a directory: name its files, or tag it with senna-py corpus")
    if not os.path.exists(path) and (" " in path or path.endswith((".", "!", "?"))):
        raise InputError(f"{path}: no such file; a text itself is piped in: echo TEXT | senna-tag")


def read_lines(source, place, options, tokenizer, note):
    """Yield the batches of a Source, whose first line is at `place`; see `open_input`."""
    is_blank = blank_test(tokenizer.kind, options.usrtokens, options.paragraphs)
    has_places = not options.output.load().splits_lines
    batches = _checked(source, options, note)
    for data, original in _joined(batches) if options.paragraphs else batches:
        if data is None:
            yield None
            continue
        lines = Lines(source.name, replace(place, original=original), data, is_blank)
        yield lines
        if has_places:
            place = lines.after()


def _checked(source, options, note):
    """Yield pairs of a batch, or None, and None; the beginning of the text is checked.

    Markup of HTML is noted once.
    """
    first, marked = source.begins, False
    for data in read_batches(source):
        if data is not None and first:
            _check_encoding(source.name, data, note)
            if found := advice(data, options):
                note(f"{source.name}: {found}")
            first = False
        if data is not None and not marked and (markup := _MARKUP.search(data)):
            marked = True
            note(f"{source.name}: {markup[0].decode()}{MARKUP_NOTE}")
        yield data, None


def _joined(batches):
    """Yield batches of which paragraphs are joined to lines, with what they were."""
    joined = ParagraphLines()
    for data, _ in batches:
        if data is None:
            yield None, None
        elif paragraphs := joined.add(data):
            yield paragraphs, joined.original
    if paragraphs := joined.rest():
        yield paragraphs, joined.original


def _read_columns(text, document, tokenizer, note):
    """Yield the batches of a ColumnText; the beginning is checked."""
    for number, (tokens, place) in enumerate(text.batches(tokenizer, document)):
        if number == 0:
            lines = [given.line for given in place.given]  # where sentences begin
            _check_encoding(text.source.name, tokens.data, note, "stay as they are", lines)
        yield Sentences(text.source.name, place, tokens)


def _check_encoding(name, data, note, fate="are tokens of their own", lines=None):
    """Note bytes that are not UTF-8; raises InputError for what is no text.

    fate: what happens to such bytes; lines: of the file, for those of `data`; None: they are these.
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
