"""A table of known words and irregular forms, as sorted hashes.

A model may know 100,000 words, but a text needs only some hundreds of them. The hashes
are therefore searched in the bytes of the model, without a copy. About one unknown word
in 50,000 has the hash of a known word, and is mistaken for it.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal
from zlib import crc32

import numpy as np

# The minimum number of characters of a known word at the end of another word.
_SHORTEST = 4


class WordTable:
    """The known words of each class, such as NOUN, and the edits of irregular forms."""

    def __init__(
        self, words: Sequence[int], forms: Sequence[int], edits: Sequence[int]
    ) -> None:
        """Create a table.

        Args:
            words: The hashes of known words and of their endings, in ascending order.
            forms: The hashes of irregular forms, in ascending order.
            edits: The index of the edit of each irregular form.
        """
        self.n_words, self.n_forms = len(words), len(forms)
        self.n_edits = 1 + max(edits, default=-1)
        self._words, self._forms, self._edits = words, forms, edits

    def knows(self, of_class: str, word: str) -> bool:
        """Return whether a word is a known word of a class."""
        return _find(self._words, _hash(of_class, word)) is not None

    def ends_with_known(self, of_class: str, word: str) -> bool:
        """Return whether a word ends with a shorter known word of a class: *superhero*.

        The known word must have at least four characters.
        """
        begins = range(1, len(word) - _SHORTEST + 1)
        return any(self.knows(of_class, word[begin:]) for begin in begins)

    def ends_as_known(self, of_class: str, word: str) -> bool:
        """Return whether a known word of a class has the same last three characters."""
        return _find(self._words, _hash(of_class, _last(word, 3))) is not None

    def ends_like_known(self, of_class: str, word: str) -> bool:
        """Return whether a known word of a class has the same last two characters."""
        return _find(self._words, _hash(of_class, _last(word, 2))) is not None

    def edit(self, of_class: str, form: str) -> int | None:
        """Return the index of the edit of an irregular form, or None."""
        row = _find(self._forms, _hash(of_class, form))
        return None if row is None else self._edits[row]

    def to_bytes(self) -> bytes:
        """Return the concatenated bytes of the hashes and edits, little-endian."""
        parts = [
            np.array(self._words, "<u4"),
            np.array(self._forms, "<u4"),
            np.array(self._edits, "<u2"),
        ]
        return b"".join(part.tobytes() for part in parts)

    @staticmethod
    def n_bytes(n_words: int, n_forms: int) -> int:
        """Return the size in bytes of a table with these numbers of hashes.

        Args:
            n_words: The number of hashes of words.
            n_forms: The number of hashes of irregular forms.
        """
        return 4 * n_words + 6 * n_forms

    @staticmethod
    def from_bytes(data: memoryview, n_words: int, n_forms: int) -> WordTable | None:
        """Return a table that shares these bytes, or None if hashes are out of order.

        Args:
            data: The bytes of the table.
            n_words: The number of hashes of words.
            n_forms: The number of hashes of forms.
        """
        begin, end = 4 * n_words, 4 * (n_words + n_forms)
        words, forms, edits = data[:begin], data[begin:end], data[end:]
        for hashes in (np.frombuffer(words, "<u4"), np.frombuffer(forms, "<u4")):
            if not (hashes[1:] > hashes[:-1]).all():
                return None
        return WordTable(
            _numbers(words, "I"), _numbers(forms, "I"), _numbers(edits, "H")
        )

    @staticmethod
    def of(
        words: Iterable[tuple[str, str]], forms: Mapping[tuple[str, str], int]
    ) -> WordTable:
        """Return a table of these words and irregular forms.

        Args:
            words: Pairs of a class and a known word.
            forms: The index of the edit of each irregular form, by class and form.
        """
        words = set(words)
        ends = {(of_class, _last(word, n)) for of_class, word in words for n in (2, 3)}
        known = {_hash(*pair) for pair in (*words, *ends)}
        edit_of_hash = {_hash(*pair): number for pair, number in forms.items()}
        hashes = sorted(edit_of_hash)
        return WordTable(
            array("I", sorted(known)),
            array("I", hashes),
            array("H", [edit_of_hash[form] for form in hashes]),
        )


def _numbers(data: memoryview, typecode: Literal["H", "I"]) -> Sequence[int]:
    """Return little-endian numbers as a view, or as a copy on big-endian machines."""
    if not len(data):
        return ()
    if sys.byteorder == "little":
        return data.cast("B").cast(typecode)
    swapped = array(typecode, data.tobytes())
    swapped.byteswap()
    return swapped


def _last(word: str, n: int) -> str:
    """Return the key of the last n characters of a word: a tab and these characters.

    The tab distinguishes them from words, which do not contain tabs. The key of a
    shorter word has a second tab.
    """
    return "\t" + f"\t{word}"[-n:]


def _hash(of_class: str, word: str) -> int:
    return crc32(f"{of_class}\t{word}".encode("utf-8", "surrogateescape"))


def _find(hashes: Sequence[int], wanted: int) -> int | None:
    row = bisect_left(hashes, wanted)
    return row if row < len(hashes) and hashes[row] == wanted else None
