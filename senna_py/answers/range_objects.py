"""The JSON objects of multiword tokens, which are ranges of tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.answers.word_forms import WordFormsBuilder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from senna_py.answers.lists import Lists

RANGES = "ranges"
_KEYS = ("start_token", "end_token", "text")


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
        ranges: Any,
        sentence: int,
        first: int,
        characters: Sequence[tuple[int, int]],
        text_between: Callable[[int, int], str],
    ) -> set[int]:
        """Add the ranges of a sentence.

        Args:
            ranges: The JSON objects of the ranges. None stands for no ranges, because
                rows of Parquet have all columns.
            sentence: The index of the sentence.
            first: The first token of the sentence.
            characters: The offsets of the document's tokens up to the end of the
                sentence.
            text_between: A function that returns the text between two offsets.

        Returns:
            The tokens that have the offsets of their surface token.

        Raises:
            ValueError: If the ranges are not a list, or one of them does not consist of
                several tokens of the sentence, or has another text than these.
        """
        if not isinstance(ranges, list | tuple | None):
            raise ValueError(
                f"sentence {sentence}: {RANGES}: expected a list, not "
                f"{type(ranges).__name__}"
            )
        spelled: set[int] = set()
        for number, each in enumerate(ranges or ()):
            place = f"sentence {sentence}: {RANGES}[{number}]"
            try:
                begin, end, form = (each[key] for key in _KEYS)
            except (KeyError, TypeError, IndexError):
                keys = ", ".join(_KEYS)
                raise ValueError(f"{place}: expected an object with {keys}") from None
            if type(begin) is not int or type(end) is not int:
                raise ValueError(f"{place}: token indices that are no whole numbers")
            begin, end = begin + first, end + first
            if not first <= begin < end - 1 < len(characters):
                raise ValueError(
                    f"{place}: no words from {begin - first} to {end - first}"
                )
            expected = text_between(characters[begin][0], characters[end - 1][1])
            if form != expected:
                raise ValueError(
                    f"{place}: the text {form!r}, but the document has {expected!r}"
                )
            self.add_surface_token(begin, end)
            if characters[begin] == characters[end - 1]:
                spelled.update(range(begin, end))
        return spelled
