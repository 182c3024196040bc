"""Batches of tokens from column files, which are not tokenized again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from senna_py.corpora.conll import DOCUMENT_MARK
from senna_py.corpora.conllu import ConlluFile
from senna_py.corpora.layout_files import LayoutFile
from senna_py.corpora.places import BatchPlace, ColumnLine
from senna_py.io.streaming import BATCH_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from senna_py.text.tokenizer import Tokenizer
    from senna_py.text.tokens import Tokens

    # The forms of a sentence, whether a space follows each form, and its line in the
    # file.
    _Sentence = tuple[Sequence[str], Sequence[bool], ColumnLine]


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
        CoNLL-U.

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
                lines = [line for _, _, line in sentences]
                begun = (e.line for e in reversed(lines) if e.begins_paragraph)
                place = replace(
                    place,
                    paragraph=next(begun, place.paragraph),
                    character=place.character + n_characters,
                )
                sentences, n_characters = [], 0
            sentences.append(sentence)
            forms, spaces, _ = sentence
            # A newline replaces the last space.
            n_characters += sum(map(len, forms)) + sum(spaces[:-1]) + 1
        if sentences:
            yield _batch(tokenizer, sentences, place)


def _batch(
    tokenizer: Tokenizer, sentences: list[_Sentence], place: BatchPlace
) -> tuple[Tokens, BatchPlace]:
    lines = tuple(line for _, _, line in sentences)
    return _tokens(tokenizer, sentences), replace(place, column_lines=lines)


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
        yield sentence.forms, sentence.spaces, line
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
        yield forms, [True] * len(forms), ColumnLine(sentence.line, None, b" ", begins)
        begins = False


def _tokens(tokenizer: Tokenizer, sentences: Iterable[_Sentence]) -> Tokens:
    """Return the Tokens of sentences, whose text has a line for each sentence."""
    pieces: list[bytes] = []  # Each token is followed by a space, "" or a newline.
    counts = []
    for forms, spaces, _ in sentences:
        for form, space in zip(forms, spaces, strict=True):
            pieces += form.encode("utf-8", "surrogateescape"), b" " * space
        pieces[-1] = b"\n"
        counts.append(len(forms))
    bounds = np.cumsum([0, *map(len, pieces)], dtype=np.int32)
    begin, end = bounds[:-1:2].copy(), bounds[1::2].copy()
    n_tokens = np.array(counts)
    last = np.cumsum(n_tokens) - 1
    lines = begin[last + 1 - n_tokens], end[last]
    return tokenizer.placed(b"".join(pieces), begin, end, n_tokens, *lines)
