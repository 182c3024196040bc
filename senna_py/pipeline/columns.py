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

    def n_characters(self) -> int:
        """Return the length of the text, with a newline instead of the last space."""
        n_characters = sum(map(len, self.forms)) + sum(self.spaces[:-1]) + 1
        for first, end, row in self.ranges:
            n_characters += len(row[_FORM]) - len(" ".join(self.forms[first:end]))
        return n_characters


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
            sentence.begins_document,
        )
        yield _Sentence(sentence.forms, sentence.spaces, line, sentence.word_ranges)
        begins = False


def _layout_sentences(file: LayoutFile) -> Iterator[_Sentence]:
    """Yield the sentences of the column of words.

    The first sentence after a document mark begins a document.
    """
    begins = True
    for sentence in file:
        (forms,) = sentence.columns
        if forms == [DOCUMENT_MARK]:
            begins = True
            continue
        line = ColumnLine(sentence.line, None, b" ", begins, begins_document=begins)
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
    """Return words with their places in a text that has the surface tokens of ranges.

    Args:
        words: The words, from `_words`.
        sentences: Their sentences.
    """
    pieces: list[bytes] = []
    copied = 0  # The number of bytes of `words.data` that have their pieces.
    begin, end = words.begin.copy(), words.end.copy()
    longer = np.zeros(len(words) + 1, np.int32)  # by how much, before each word
    continues = np.zeros(len(words), bool)
    spelling = np.full(len(words), -1, np.int32)
    spellings: dict[bytes, int] = {}
    for start, sentence in zip(words.starts[:-1].tolist(), sentences, strict=True):
        for first, stop, row in sentence.ranges:
            members = slice(start + first, start + stop)
            form, forms = (
                _encode(row[_FORM]),
                [*map(_encode, sentence.forms[first:stop])],
            )
            range_begin, range_end = int(begin[members][0]), int(end[members][-1])
            pieces += words.data[copied:range_begin], form
            copied = range_end
            longer[members.stop] = len(form) - (range_end - range_begin)
            continues[members] = [False] + [True] * (len(forms) - 1)
            places = places_in_form(forms, form)
            if places is None:
                places = [(0, len(form))] * len(forms)
                numbers = [spellings.setdefault(e, len(spellings)) for e in forms]
                spelling[members] = numbers
            begin[members], end[members] = np.array(places).T + range_begin
    moved = np.cumsum(longer[:-1], dtype=np.int32)
    begin, end = begin + moved, end + moved
    text_begin, text_end = begin[words.starts[:-1]], end[words.starts[1:] - 1]
    return replace(
        words,
        data=b"".join([*pieces, words.data[copied:]]),
        begin=begin,
        end=end,
        line_begin=text_begin,
        text_begin=text_begin,
        text_end=text_end,
        continues=continues,
        spelling=spelling if spellings else None,
        spellings=tuple(spellings),
    )


def _encode(form: str) -> bytes:
    return form.encode("utf-8", "surrogateescape")
