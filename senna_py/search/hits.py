"""Matches with the texts of their sentences, for output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from senna_py.search.pattern import Pattern
    from senna_py.search.table import Table


@dataclass(frozen=True)
class SentenceText:
    """The text of a sentence, and its place in the input.

    Attributes:
        text: The text.
        tokens: The start and end offset of each token in `text`.
        start_char: The offset of `text` in the line or document that it is from.
        place: The place in the input, with `printing.PLACE_KEYS`.
    """

    text: str
    tokens: Sequence[tuple[int, int]]
    start_char: int
    place: Mapping[str, Any]

    def between(self, begin: int, end: int) -> str:
        """Return the text of the tokens `begin:end`."""
        return self.text[self.tokens[begin][0] : self.tokens[end - 1][1]]


@dataclass(frozen=True)
class Hit:
    """A match in a sentence.

    Attributes:
        sentence: The sentence.
        begin: The index of the first token in the sentence.
        end: The index after the last token.
        captures: The first token and the index after the last one, by name.
        first_token: The index of the sentence's first token in the table.
    """

    sentence: SentenceText
    begin: int
    end: int
    captures: Mapping[str, tuple[int, int]]
    first_token: int

    @property
    def left(self) -> str:
        """The text of the sentence before the match."""
        return self.sentence.text[: self.sentence.tokens[self.begin][0]]

    @property
    def text(self) -> str:
        """The text of the match."""
        return self.sentence.between(self.begin, self.end)

    @property
    def right(self) -> str:
        """The text of the sentence after the match."""
        return self.sentence.text[self.sentence.tokens[self.end - 1][1] :]

    def place(self, begin: int, end: int) -> dict[str, Any]:
        """Return the tokens, the characters and the text of the tokens `begin:end`."""
        tokens, at = self.sentence.tokens, self.sentence.start_char
        return {
            "start_token": begin,
            "end_token": end,
            "start_char": tokens[begin][0] + at,
            "end_char": tokens[end - 1][1] + at,
            "text": self.sentence.between(begin, end),
        }

    def to_dict(self, context: int | None = None) -> dict[str, Any]:
        """Return the match as a dict that can be serialized as JSON.

        Token indices are relative to the sentence.

        Args:
            context: The number of characters on each side of the match, or None for
                the whole sentence.
        """
        captures = {name: self.place(*where) for name, where in self.captures.items()}
        left, right = self.left, self.right
        if context is not None:
            left = left[max(len(left) - context, 0) :]
            right = right[:context]
        return {
            **self.sentence.place,
            **self.place(self.begin, self.end),
            "left": left,
            "right": right,
            "captures": captures,
        }


class SearchBatch(Protocol):
    """A batch of sentences that can be searched.

    Attributes:
        table: The words and layers.
        end: The approximate number of bytes of the file up to the end of the batch.
    """

    table: Table
    end: int

    def sentence(self, number: int) -> SentenceText:
        """Return the text and the place of a sentence of the batch."""


def hits_in(batch: SearchBatch, pattern: Pattern) -> Iterator[Hit]:
    """Yield the matches of a pattern in a batch.

    Raises:
        PatternError: If a layer is missing.
    """
    starts = batch.table.starts
    hits = pattern.find(batch.table)
    numbers = np.searchsorted(starts, hits.begin, side="right") - 1
    latest, sentence = -1, None
    for number, (begin, end, captures) in zip(
        numbers.tolist(), hits.places(), strict=True
    ):
        if number != latest or sentence is None:
            latest, sentence = number, batch.sentence(number)
        first = int(starts[number])
        within = {name: (a - first, b - first) for name, (a, b) in captures.items()}
        yield Hit(sentence, begin - first, end - first, within, first)
