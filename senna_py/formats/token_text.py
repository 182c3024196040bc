"""The format `tokens`: tokenized text, one sentence per line, for language models."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from senna_py.formats.base import Printer

if TYPE_CHECKING:
    from senna_py.answers.annotations import Annotations
    from senna_py.corpora.places import BatchPlace
    from senna_py.model import Model
    from senna_py.tagger import Tagger
    from senna_py.text.tokens import Tokens

_BLANK = re.compile(rb"\s")


def token_lines(tokens: Tokens) -> bytes:
    """Return a line for each sentence; white space in tokens becomes an underscore."""
    texts, starts = [*tokens.texts()], tokens.starts.tolist()
    with_blanks = (
        i
        for i, text in enumerate(texts)
        if len(text.split()) != 1 or text != text.strip()
    )
    for i in with_blanks:
        texts[i] = _BLANK.sub(b"_", texts[i])
    lines = (texts[begin:end] for begin, end in pairwise(starts))
    return b"".join(b" ".join(line) + b"\n" for line in lines)


class TokenPrinter(Printer):
    """Prints the tokens of a sentence per line, without layers."""

    splits_lines = True

    def __init__(self, tagger: Tagger, by_word: bool = False) -> None:
        """Set the options.

        Args:
            tagger: The tagger, whose tasks are not printed.
            by_word: Whether to print words that are not in the text instead of their
                surface token.
        """
        super().__init__(tagger)
        self._by_word = by_word

    @classmethod
    def tasks(
        cls, model: Model, asked: tuple[str, ...], predicates: str
    ) -> tuple[str, ...]:
        """Return no tasks."""
        return ()

    def format(self, annotations: Annotations, place: BatchPlace) -> bytes:
        """Return a line of tokens for each sentence of a batch."""
        tokens = annotations.tokens
        by_word = self._by_word or place.column_lines
        return token_lines(tokens if by_word else tokens.tokens_in_text())
