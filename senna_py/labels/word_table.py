"""Known words of a language and its irregular forms: hashes, which are searched as they
lie there.

A model may know 100,000 words and needs some hundred of them for a text, so none is
read when it is loaded. One unknown word in 50,000 has the hash of a known one, which
costs it its other lemmas.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from zlib import crc32

import numpy as np

_SHORTEST = 4  # characters of a known word that another one may end with


class WordTable:
    """Words by their class, such as NOUN, and the numbers of the edits of irregular
    forms.
    """

    def __init__(
        self, words: Sequence[int], forms: Sequence[int], edits: Sequence[int]
    ) -> None:
        """Make a table of hashes in ascending order.

        words: those of known words and of the ends that known words have; forms: those
        of irregular forms; edits: of these.
        """
        self.n_words, self.n_forms = len(words), len(forms)
        self.n_edits = 1 + max(edits, default=-1)
        self._words, self._forms, self._edits = words, forms, edits

    def knows(self, of_class: str, word: str) -> bool:
        """Return whether a word of a class is known."""
        return _find(self._words, _hash(of_class, word)) is not None

    def ends_with_known(self, of_class: str, word: str) -> bool:
        """Return whether a known word is the end of another one: *hero* of
        *superhero*.
        """
        begins = range(1, len(word) - _SHORTEST + 1)
        return any(self.knows(of_class, word[begin:]) for begin in begins)

    def ends_as_known(self, of_class: str, word: str) -> bool:
        """Return whether the last three characters are those of a known word."""
        return _find(self._words, _hash(of_class, _last(word, 3))) is not None

    def ends_like_known(self, of_class: str, word: str) -> bool:
        """Return whether the last two characters are those of a known word."""
        return _find(self._words, _hash(of_class, _last(word, 2))) is not None

    def edit(self, of_class: str, form: str) -> int | None:
        """Return the number of the edit of an irregular form, or None if it is not
        irregular.
        """
        row = _find(self._forms, _hash(of_class, form))
        return None if row is None else self._edits[row]

    def to_bytes(self) -> bytes:
        """The arrays after one another, little-endian."""
        arrays = zip(
            (self._words, self._forms, self._edits), ("<u4", "<u4", "<u2"), strict=True
        )
        return b"".join(np.array(array, kind).tobytes() for array, kind in arrays)

    @staticmethod
    def n_bytes(n_words: int, n_forms: int) -> int:
        """The bytes of a table with such numbers of hashes."""
        return 4 * n_words + 6 * n_forms

    @staticmethod
    def from_bytes(data: memoryview, n_words: int, n_forms: int) -> WordTable | None:
        """The table that `to_bytes` wrote, over its bytes, or None for hashes out of
        order.
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
        """Make a table of pairs of a class and a word, and of the edits of such
        pairs.
        """
        words = set(words)
        ends = {(of_class, _last(word, n)) for of_class, word in words for n in (2, 3)}
        known = {_hash(*pair) for pair in (*words, *ends)}
        edits = {_hash(*pair): number for pair, number in forms.items()}
        numbers = [edits[each] for each in sorted(edits)]
        return WordTable(
            array("I", sorted(known)), array("I", sorted(edits)), array("H", numbers)
        )


def _numbers(data, kind):
    """Little-endian numbers of an array type, over their bytes if that is how they are
    read.
    """
    if sys.byteorder == "little" or not len(data):
        return data.cast("B").cast(kind) if len(data) else ()
    swapped = array(kind, data.tobytes())
    swapped.byteswap()
    return swapped


def _last(word, n):
    """The end of a word, its beginning included if it is shorter; no word has a tab."""
    return "\t" + f"\t{word}"[-n:]


def _hash(of_class, word):
    return crc32(f"{of_class}\t{word}".encode("utf-8", "surrogateescape"))


def _find(hashes, wanted):
    row = bisect_left(hashes, wanted)
    return row if row < len(hashes) and hashes[row] == wanted else None
