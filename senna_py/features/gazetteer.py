"""A gazetteer: listed phrases and their token-prefixes, ready to be searched."""

import threading

import numpy as np

from senna_py.kernels.cold_start.jit import runs_plain
from senna_py.kernels.cold_start.search import PhraseSearch
from senna_py.kernels.dictionary import Dictionary
from senna_py.kernels.gazetteer import enter_phrases
from senna_py.text.vocabulary import Vocabulary

__all__ = ["Gazetteer", "phrase_lines"]

_PREFIX_OR_ENTITY = np.array([0, 1], np.uint8)  # what PhraseSearch finds, marked as entities are


class Gazetteer:
    """A searchable list of entities and their token-prefixes; shared by threads."""

    def __init__(self, phrases, entity):
        """Take the phrases, a Vocabulary, and their marks: uint8[n_phrases], 1 for an entity."""
        self._phrases, self.entity = phrases, entity

    @staticmethod
    def from_lines(data, name="gazetteer"):
        """Gazetteer of `data`: bytes or uint8[n_bytes], as `phrase_lines` writes them.

        name: stands in error messages.
        """
        return _ListedPhrases(np.frombuffer(data, np.uint8), name)

    @property
    def tables(self):
        """What kernels search: a Dictionary and the marks of its keys, uint8[n_phrases].

        In the plain way what stands in its place, see `kernels.cold_start.search`.
        """
        return self._phrases.table, self.entity

    def entries(self):
        """All phrases in byte order, with whether each is a whole entity: pairs of bytes, int."""
        phrases, entity = self.tables
        blob, begin, end = phrases.blob.tobytes(), phrases.begin, phrases.end
        keys = (blob[a:b] for a, b in zip(begin.tolist(), end.tolist(), strict=True))
        return sorted(zip(keys, entity.tolist(), strict=True))

    def lines(self):
        """The entities as `phrase_lines` writes them: bytes."""
        return b"".join(key + b"\n" for key, entity in self.entries() if entity)


class _ListedPhrases(Gazetteer):
    """A list of entities alone; their prefixes are found when they are first needed."""

    def __init__(self, blob, name):
        self._blob, self._name = blob, name
        self._search, self._tables = PhraseSearch(blob), None
        self._lock = threading.Lock()

    @property
    def tables(self):
        if runs_plain():
            return self._search, _PREFIX_OR_ENTITY
        with self._lock:
            if self._tables is None:
                self._tables = self._enter()
            return self._tables

    @property
    def entity(self):
        return self.tables[1]

    def _enter(self):
        Vocabulary(self._blob.tobytes(), self._name).check_order()  # as PhraseSearch has to trust
        blob = self._blob
        if len(blob) and blob[-1] != ord("\n"):
            blob = np.append(blob, np.uint8(ord("\n")))
        room = int(((blob == ord(" ")) | (blob == ord("\n"))).sum())
        begin, end = np.empty(room, np.int32), np.empty(room, np.int32)
        entity = np.empty(room, np.uint8)
        slots = np.full(1 << (2 * room).bit_length(), -1, np.int32)
        n = enter_phrases(blob, begin, end, slots, entity)
        begin, end, entity = begin[:n].copy(), end[:n].copy(), entity[:n].copy()
        longest = int((end - begin).max(initial=0))
        return Dictionary(blob, begin, end, slots, longest), entity


def phrase_lines(phrases):
    """Bytes of an iterable of str: a phrase a line, in lower case, a space between its tokens."""
    lines = {" ".join(phrase.lower().split()) for phrase in phrases} - {""}
    encoded = sorted(line.encode("utf-8", "surrogateescape") for line in lines)
    return b"".join(line + b"\n" for line in encoded)
