"""The words of multiword tokens in a document, and their forms."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int32]


class WordForms(NamedTuple):
    """The tokens that are not whole surface tokens, or whose forms are not in the text.

    Attributes:
        continues: int32[n], the tokens that belong to the same surface token as the
            token before them, in ascending order.
        spelled: int32[m], the tokens whose forms are not the text at their offsets, in
            ascending order. They have the offsets of their surface token.
        forms: The form of each token in `spelled`.
    """

    continues: Ints
    spelled: Ints
    forms: tuple[str, ...]

    def part(self, begin: int, end: int) -> WordForms:
        """Return the word forms of the tokens `begin:end`; `begin` becomes token 0."""
        a, b = np.searchsorted(self.continues, (begin, end))
        c, d = np.searchsorted(self.spelled, (begin, end)).tolist()
        first = np.int32(begin)
        return WordForms(
            self.continues[a:b] - first, self.spelled[c:d] - first, self.forms[c:d]
        )


class WordFormsBuilder:
    """Collects the word forms of a document, whose tokens are added in text order."""

    def __init__(self) -> None:
        self._continues: list[int] = []
        self._forms: dict[int, str] = {}

    def add_surface_token(self, begin: int, end: int) -> None:
        """Add a surface token that consists of the tokens `begin:end`."""
        self._continues += range(begin + 1, end)

    def add_form(self, token: int, form: str) -> None:
        """Add a form that differs from the text at the offsets of its token."""
        self._forms[token] = form

    def word_forms(self) -> WordForms | None:
        """Return the collected word forms, or None if there are none."""
        if not self._continues and not self._forms:
            return None
        return WordForms(
            np.array(self._continues, np.int32),
            np.array([*self._forms], np.int32),
            tuple(self._forms.values()),
        )


def check_word_forms(words: WordForms, characters: Ints, starts: Ints) -> None:
    """Raise ValueError unless the word forms are consistent with tokens and sentences.

    Args:
        words: The word forms.
        characters: int32[n_tokens, 2], the start and end offset of each token.
        starts: int32[n_sentences + 1], the first token of each sentence.
    """
    continues, spelled = words.continues, words.spelled
    for tokens in (continues, spelled):
        is_sorted = (np.diff(tokens) > 0).all()
        if len(tokens) and not (
            is_sorted and 0 <= tokens[0] <= tokens[-1] < starts[-1]
        ):
            raise ValueError("words of surface tokens that are no tokens in order")
    if np.isin(continues, starts).any():
        raise ValueError("a sentence that begins within a surface token")
    if len(words.forms) != len(spelled) or not all(words.forms):
        raise ValueError(f"{len(words.forms)} forms of {len(spelled)} words")
    begin, end = characters.T
    same = (begin[continues] == begin[continues - 1]) & (
        end[continues] == end[continues - 1]
    )
    after = begin[continues] >= end[continues - 1]
    is_spelled = np.zeros(len(characters), bool)
    is_spelled[spelled] = True
    in_place = np.where(is_spelled[continues], same, after)
    if not (in_place & (is_spelled[continues] == is_spelled[continues - 1])).all():
        raise ValueError("words that are not in the order of their surface token")
