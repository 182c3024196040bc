"""Exceptions of tokens: texts that are always divided into the same tokens."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.text.characters import byte_offsets
from senna_py.text.joined_tokens import cut_tokens, join_ranges
from senna_py.text.learned_tokens import LearnedTokens

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    Ints = NDArray[np.int32]


class TokenException(NamedTuple):
    """A text and its tokens.

    Attributes:
        text: The text, without white space.
        tokens: The tokens, which together are the text.
        ignore_case: Whether the text is found in upper and lower case.
    """

    text: str
    tokens: tuple[str, ...]
    ignore_case: bool


class TokenExceptions:
    """Finds texts that are always divided into the same tokens.

    A text is found where no letter, digit or underscore adjoins it. If two overlap, the
    first one in the text counts and, of two that begin together, the longer one.
    """

    def __init__(self, exceptions: Iterable[TokenException]) -> None:
        """Compile the exceptions; the first of equal texts counts."""
        import regex  # noqa: PLC0415 - few taggers have exceptions

        # The offsets within a text at which it is divided.
        self._cuts: tuple[dict[str, list[int]], dict[str, list[int]]] = ({}, {})
        for text, tokens, ignore_case in exceptions:
            cuts = [*accumulate(map(len, tokens))][:-1]
            key = text.lower() if ignore_case else text
            self._cuts[ignore_case].setdefault(key, cuts)
        self._patterns = [
            regex.compile(rf"(?V0)(?<!\w){texts}(?!\w)", texts=[*cuts])
            for texts, cuts in zip(
                (r"\L<texts>", r"(?i:\L<texts>)"), self._cuts, strict=True
            )
            if cuts
        ]

    def apply(self, tokens: LearnedTokens, data: bytes) -> LearnedTokens:
        """Return the tokens of a text with the exceptions applied."""
        text = data.decode("utf-8", "surrogateescape")
        spans = self._spans(text)
        if not spans:
            return tokens
        to_bytes = byte_offsets(text)
        ranges = to_bytes[np.array(spans, np.int32)]
        tokens = cut_tokens(tokens, data, ranges.ravel().tolist())
        tokens = join_ranges(tokens, ranges)
        inner = [
            begin + cut
            for begin, end in spans
            for cut in self._cuts_of(text[begin:end])
        ]
        tokens = cut_tokens(tokens, data, to_bytes[np.array(inner, np.int32)].tolist())
        place = np.searchsorted(ranges[:, 0], tokens.begin, "right") - 1
        is_within = (place >= 0) & (tokens.begin < ranges[place, 1])
        return tokens._replace(is_multiword=tokens.is_multiword & ~is_within)

    def places(self, data: bytes, begin: Ints, end: Ints) -> tuple[Ints, Ints]:
        """Return the places of a text's tokens with the exceptions applied."""
        flags = np.zeros(len(begin), bool)
        tokens = self.apply(LearnedTokens(begin, end, flags, flags), data)
        return tokens.begin.astype(np.int32), tokens.end.astype(np.int32)

    def _spans(self, text: str) -> list[tuple[int, int]]:
        """Return the characters of the exceptions in a text, none of which overlap."""
        found = [
            match.span()
            for pattern in self._patterns
            for match in pattern.finditer(text)
        ]
        spans: list[tuple[int, int]] = []
        for begin, end in sorted(found, key=lambda span: (span[0], -span[1])):
            if not spans or begin >= spans[-1][1]:
                spans.append((begin, end))
        return spans

    def _cuts_of(self, text: str) -> list[int]:
        exact, in_any_case = self._cuts
        cuts = exact.get(text)
        return in_any_case.get(text.lower(), []) if cuts is None else cuts
