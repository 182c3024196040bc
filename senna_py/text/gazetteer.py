"""A gazetteer: listed phrases and their token-prefixes, ready to be searched."""

from typing import NamedTuple

import numpy as np

from senna_py.kernels.dictionary import Dictionary
from senna_py.kernels.gazetteer import enter_phrases

__all__ = ["Gazetteer", "phrase_lines"]


class Gazetteer(NamedTuple):
    """A searchable list of entities and their token-prefixes.

    phrases: Dictionary; entity: uint8[n_phrases], 1 where a phrase is a whole entity.
    """

    phrases: Dictionary
    entity: np.ndarray

    @classmethod
    def from_lines(cls, data):
        """Gazetteer of `data`: bytes or uint8[n_bytes], as `phrase_lines` writes them."""
        blob = np.frombuffer(data, np.uint8)
        if len(blob) and blob[-1] != ord("\n"):
            blob = np.append(blob, np.uint8(ord("\n")))
        room = int(((blob == ord(" ")) | (blob == ord("\n"))).sum())
        begin, end = np.empty(room, np.int32), np.empty(room, np.int32)
        entity = np.empty(room, np.uint8)
        slots = np.full(1 << (2 * room).bit_length(), -1, np.int32)
        n = enter_phrases(blob, begin, end, slots, entity)
        begin, end, entity = begin[:n].copy(), end[:n].copy(), entity[:n].copy()
        longest = int((end - begin).max(initial=0))
        return cls(Dictionary(blob, begin, end, slots, longest), entity)

    def entries(self):
        """All phrases in byte order, with whether each is a whole entity: pairs of bytes, int."""
        blob, begin, end = self.phrases.blob.tobytes(), self.phrases.begin, self.phrases.end
        keys = (blob[a:b] for a, b in zip(begin.tolist(), end.tolist(), strict=True))
        return sorted(zip(keys, self.entity.tolist(), strict=True))

    def lines(self):
        """The entities as `phrase_lines` writes them: bytes."""
        return b"".join(key + b"\n" for key, entity in self.entries() if entity)


def phrase_lines(phrases):
    """Bytes of an iterable of str: a phrase a line, in lower case, a space between its tokens."""
    lines = sorted({" ".join(phrase.lower().split()) for phrase in phrases} - {""})
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")
