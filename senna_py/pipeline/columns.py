"""Batches of tokens from column files, which are not tokenized again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.corpora.conll import DOCUMENT_MARK
from senna_py.corpora.conllu import COLUMNS, ConlluFile, places_in_form
from senna_py.corpora.layout_files import LayoutFile
from senna_py.corpora.places import BatchPlace, ColumnLine
from senna_py.io.streaming import BATCH_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from senna_py.corpora.conllu import WordRange
    from senna_py.text.tokenizer import Tokenizer
    from senna_py.text.tokens import Tokens

_FORM = COLUMNS.index("form")


class _SurfaceToken(NamedTuple):
    """A surface token: its form, its words, and whether a space follows."""

    form: str
    words: Sequence[str]
    has_space: bool


class _Sentence(NamedTuple):
    """A sentence of a column file.

    Attributes:
        forms: The form of each word.
        spaces: Whether a space follows each word.
        line: The sentence's line in the file.
        ranges: The surface tokens that consist of several words.
    """

    forms: Sequence[str]
    spaces: Sequence[bool]
    line: ColumnLine
    ranges: Sequence[WordRange] = ()

    def surface_tokens(self) -> Iterator[_SurfaceToken]:
        """Yield the surface tokens."""
        ranges, begin = {each.first: each for each in self.ranges}, 0
        while begin < len(self.forms):
            form, end = self.forms[begin], begin + 1
            if begin in ranges:
                _, end, row = ranges[begin]
                form = row[_FORM]
            yield _SurfaceToken(form, self.forms[begin:end], self.spaces[end - 1])
            begin = end

    def n_characters(self) -> int:
        """Return the length of the text, with a newline instead of the last space."""
        if not self.ranges:
            return sum(map(len, self.forms)) + sum(self.spaces[:-1]) + 1
        tokens = [*self.surface_tokens()]
        n_spaces = sum(token.has_space for token in tokens[:-1])
        return sum(len(token.form) for token in tokens) + n_spaces + 1


class ColumnText:
    """The tokens of a column file, with a text that has a line for each sentence."""

    def __init__(self, path: str, layout: str, multiwords: str, encoding: str) -> None:
        """Open the file.

        Args:
            path: The path, or `-` for standard input.
            layout: The layout of the columns; see `corpora.layouts`.
            multiwords: The units of CoNLL-U that are tokens; see `ConlluFile`.
            encoding: The encoding.

        Raises:
            SennaError: If the file cannot be read.
        """
        self._sentences: Iterator[_Sentence]
        if layout == "conllu":
            file = ConlluFile(path, multiwords, encoding)
            self.source = file.source
            self._sentences = _conllu_sentences(file)
        else:
            columns = LayoutFile(path, layout, ["word"], encoding=encoding)
            self.source = columns.source
            self._sentences = _layout_sentences(columns)

    def batches(
        self, tokenizer: Tokenizer, document: str
    ) -> Iterator[tuple[Tokens, BatchPlace]]:
        """Yield batches of Tokens, each with its place.

        In their text, tokens are separated by spaces, except after SpaceAfter=No in
        CoNLL-U. Ranges of CoNLL-U are surface tokens of this text.

        Args:
            tokenizer: The tokenizer that creates the Tokens.
            document: The name of the document.

        Raises:
            SennaError: If a line is malformed; the message names it.
        """
        place = BatchPlace(document)
        sentences: list[_Sentence] = []
        n_characters = 0
        for sentence in self._sentences:
            # The last batch is yielded only when the end of the file is known.
            if n_characters >= BATCH_BYTES:
                yield _batch(tokenizer, sentences, place)
                lines = [each.line for each in sentences]
                begun = (e.line for e in reversed(lines) if e.begins_paragraph)
                place = replace(
                    place,
                    paragraph=next(begun, place.paragraph),
                    character=place.character + n_characters,
                )
                sentences, n_characters = [], 0
            sentences.append(sentence)
            n_characters += sentence.n_characters()
        if sentences:
            yield _batch(tokenizer, sentences, place)


def _batch(
    tokenizer: Tokenizer, sentences: list[_Sentence], place: BatchPlace
) -> tuple[Tokens, BatchPlace]:
    lines = tuple(sentence.line for sentence in sentences)
    tokens = _words(tokenizer, sentences)
    if any(sentence.ranges for sentence in sentences):
        tokens = _in_text(tokens, sentences)
    return tokens, replace(place, column_lines=lines)


def _conllu_sentences(file: ConlluFile) -> Iterator[_Sentence]:
    begins = True
    for sentence in file:
        begins = begins or sentence.begins_paragraph
        line = ColumnLine(
            sentence.lines[0],
            sentence.comment("sent_id"),
            b" " if sentence.spaces[-1] else b"",
            begins,
            sentence.file_lines,
            [line - sentence.first_line for line in sentence.lines],
        )
        yield _Sentence(sentence.forms, sentence.spaces, line, sentence.word_ranges)
        begins = False


def _layout_sentences(file: LayoutFile) -> Iterator[_Sentence]:
    """Yield the sentences of the column of words.

    The first sentence after a document mark begins a paragraph.
    """
    begins = True
    for sentence in file:
        (forms,) = sentence.columns
        if forms == [DOCUMENT_MARK]:
            begins = True
            continue
        line = ColumnLine(sentence.line, None, b" ", begins)
        yield _Sentence(forms, [True] * len(forms), line)
        begins = False


def _words(tokenizer: Tokenizer, sentences: Iterable[_Sentence]) -> Tokens:
    """Return the words of sentences as Tokens.

    Their text has a line for each sentence, in which words of ranges stand for their
    surface token.
    """
    pieces: list[bytes] = []  # Each token is followed by a space, "" or a newline.
    counts = []
    for sentence in sentences:
        for form, space in zip(sentence.forms, sentence.spaces, strict=True):
            pieces += _encode(form), b" " * space
        pieces[-1] = b"\n"
        counts.append(len(sentence.forms))
    bounds = np.cumsum([0, *map(len, pieces)], dtype=np.int32)
    begin, end = bounds[:-1:2].copy(), bounds[1::2].copy()
    n_tokens = np.array(counts)
    last = np.cumsum(n_tokens) - 1
    lines = begin[last + 1 - n_tokens], end[last]
    return tokenizer.placed(b"".join(pieces), begin, end, n_tokens, *lines)


def _in_text(words: Tokens, sentences: Iterable[_Sentence]) -> Tokens:
    """Return words with their places in a text of surface tokens.

    Args:
        words: The words, from `_words`.
        sentences: Their sentences.
    """
    text = bytearray()
    places: list[tuple[int, int]] = []
    spelling: list[int] = []  # See `Tokens`.
    continues: list[bool] = []
    spellings: dict[bytes, int] = {}
    for sentence in sentences:
        for token in sentence.surface_tokens():
            form, begin = _encode(token.form), len(text)
            forms = [*map(_encode, token.words)]
            inside = places_in_form(forms, form)
            if inside is None:
                places += [(begin, begin + len(form))] * len(forms)
                spelling += [spellings.setdefault(e, len(spellings)) for e in forms]
            else:
                places += [(begin + a, begin + b) for a, b in inside]
                spelling += [-1] * len(forms)
            continues += [i > 0 for i in range(len(forms))]
            text += form + b" " * token.has_space
        text[places[-1][1] :] = b"\n"
    begin, end = np.array(places, np.int32).T.copy()
    line_begin, line_end = begin[words.starts[:-1]], end[words.starts[1:] - 1]
    return replace(
        words,
        data=bytes(text),
        begin=begin,
        end=end,
        line_begin=line_begin,
        text_begin=line_begin,
        text_end=line_end,
        continues=np.array(continues),
        spelling=np.array(spelling, np.int32) if spellings else None,
        spellings=tuple(spellings),
    )


def _encode(form: str) -> bytes:
    return form.encode("utf-8", "surrogateescape")
