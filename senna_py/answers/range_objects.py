"""The JSON objects of multiword tokens, which are ranges of tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.answers.word_forms import WordFormsBuilder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from senna_py.answers.lists import Lists

RANGES = "ranges"


def range_objects(
    lists: Lists, first: int, last: int, text: str, start_char: int
) -> list[dict[str, Any]]:
    """Return the JSON objects of the multiword tokens among the tokens `first:last`.

    Token indices in them are relative to the sentence.

    Args:
        lists: The lists of the document.
        first: The first token of the sentence.
        last: The index after its last token.
        text: The text of the document.
        start_char: The offset of `text` in the text that was tagged.
    """
    if not lists.continues:
        return []
    firsts, lasts = lists.first_characters, lists.last_characters
    return [
        {
            "start_token": begin - first,
            "end_token": end - first,
            "text": text[firsts[begin] - start_char : lasts[end - 1] - start_char],
        }
        for begin, end in lists.surface_tokens(first, last)
        if end - begin > 1
    ]


class RangeReader(WordFormsBuilder):
    """Collects the multiword tokens of the sentences of a document."""

    def add_ranges(
        self,
        ranges: Sequence[Mapping[str, Any]],
        first: int,
        characters: Sequence[tuple[int, int]],
    ) -> set[int]:
        """Add the ranges of a sentence.

        Args:
            ranges: The JSON objects of the ranges.
            first: The first token of the sentence.
            characters: The offsets of the document's tokens up to the end of the
                sentence.

        Returns:
            The tokens that have the offsets of their surface token.

        Raises:
            ValueError: If a range does not consist of several tokens of the sentence.
        """
        spelled: set[int] = set()
        for each in ranges:
            begin, end = (each[key] + first for key in ("start_token", "end_token"))
            if not first <= begin < end - 1 < len(characters):
                raise ValueError(f"no words from {begin - first} to {end - first}")
            self.add_surface_token(begin, end)
            if characters[begin] == characters[end - 1]:
                spelled.update(range(begin, end))
        return spelled
