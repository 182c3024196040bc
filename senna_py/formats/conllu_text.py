"""The text of a CoNLL-U file, restored from its forms and spaces."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from senna_py.answers.document import Document
from senna_py.answers.word_forms import WordFormsBuilder
from senna_py.corpora.conllu import places_in_form

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from senna_py.answers.layer import Layer
    from senna_py.corpora.conllu import ConlluSentence, Row

_FORM, _MISC = 1, 9
_ESCAPED = re.compile(r"\\(?:u([0-9a-f]{4})|(.))", re.DOTALL)
_ESCAPES = {"s": " ", "t": "\t", "n": "\n", "r": "\r", "p": "|"}


def unescape(text: str) -> str:
    """Return a value of the last column with its escapes decoded."""
    return _ESCAPED.sub(
        lambda match: (
            chr(int(match[1], 16)) if match[1] else _ESCAPES.get(match[2], match[2])
        ),
        text,
    )


class RestoredText:
    """Restores the text of sentences, and the offsets of tokens in it.

    Attributes:
        starts: The first token of each sentence, and the number of tokens.
    """

    def __init__(self) -> None:
        self.starts = [0]
        self._parts: list[str] = []
        self._length = 0
        self._characters: list[tuple[int, int]] = []
        self._gap: str | None = ""  # the space after the latest token, if it has a key
        self._words = WordFormsBuilder()

    def add(self, sentence: ConlluSentence) -> None:
        """Add a sentence whose tokens are syntactic words."""
        if self._gap is None and sentence.begins_paragraph:
            self._gap = "\n"
        end = 0
        for first, last, row in sentence.word_ranges:
            self._add_single(sentence, end, first)
            self._add_token(row, [rows[0][_FORM] for rows in sentence.rows[first:last]])
            end = last
        self._add_single(sentence, end, len(sentence.rows))
        self.starts.append(len(self._characters))

    def text_of_sentence(self, number: int) -> tuple[str, list[tuple[int, int]]]:
        """Return the text of a sentence, and the offsets of its tokens in this text."""
        tokens = self._characters[self.starts[number] : self.starts[number + 1]]
        first, last = tokens[0][0], tokens[-1][1]
        offsets = [(begin - first, end - first) for begin, end in tokens]
        return "".join(self._parts)[first:last], offsets

    def document(self, layers: Mapping[str, Layer]) -> Document:
        """Return a document of the sentences.

        Args:
            layers: The layers by task, with token indices relative to the document.

        Raises:
            ValueError: If the layers are inconsistent.
        """
        self._write(self._gap or "")
        self._gap = ""
        text = "".join(self._parts)
        words = self._words.word_forms()
        return Document(text, self._characters, self.starts, layers, words)

    def _add_single(self, sentence: ConlluSentence, first: int, end: int) -> None:
        """Add the tokens `first:end` of a sentence, each of which is one word."""
        for (row,) in sentence.rows[first:end]:
            self._add_token(row, [row[_FORM]])

    def _add_token(self, row: Row, words: Sequence[str]) -> None:
        """Add a surface token.

        Args:
            row: The columns of the token's line.
            words: The forms of the token's words.
        """
        misc: dict[str, str] = {}
        for item in row[_MISC].split("|"):
            key, equals, value = item.partition("=")
            if equals:
                misc.setdefault(key, value)
        self._write(" " if self._gap is None else self._gap)
        self._write(unescape(misc.get("SpacesBefore", "")))
        form, begin = row[_FORM], self._length
        if "SpacesInToken" in misc:
            form = unescape(misc["SpacesInToken"])
        self._write(form)
        self._gap = "" if misc.get("SpaceAfter") == "No" else None
        if "SpacesAfter" in misc:
            self._gap = unescape(misc["SpacesAfter"])
        first = len(self._characters)
        self._words.add_surface_token(first, first + len(words))
        places = places_in_form(words, form)
        if len(words) == 1:
            self._characters.append((begin, self._length))
        elif places is not None:
            self._characters += [(begin + a, begin + b) for a, b in places]
        else:
            self._characters += [(begin, self._length)] * len(words)
            for i, word in enumerate(words, first):
                self._words.add_form(i, word)

    def _write(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)
