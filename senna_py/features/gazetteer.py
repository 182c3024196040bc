"""Gazetteers: listed phrases and their token-prefixes, and whether a token is in one of
them.
"""

import re

import numpy as np

from senna_py.errors import SennaError
from senna_py.features.protocol import Feature, ResourceKind, positions
from senna_py.io.files import matching
from senna_py.io.streaming import Source, read_lines
from senna_py.kernels.runtime.search import PhraseSearch
from senna_py.kernels.text import gazetteer as kernels
from senna_py.kernels.text.dictionary import Dictionary
from senna_py.kernels.text.key_table import WithFallback
from senna_py.text.characters import KIND, LOWER
from senna_py.text.vocabulary import Vocabulary

GAZETTEER_KEYS = ("NO", "PADDING", "UNAVAILABLE", "YES")
PLACE_KEYS = ("O", "B", "I", "E", "S", "PADDING")
_WIKI_PAGE = re.compile(
    r"(category|draft|file|help|image|portal|special|talk|template|user|wikipedia)( talk)?:\S",
    re.IGNORECASE,
)
_PREFIX_OR_ENTITY = np.array(
    [0, 1], np.uint8
)  # what PhraseSearch finds, marked as entities are


class Gazetteer:
    """A searchable list of entities and their token-prefixes; shared by threads."""

    def __init__(self, find_tables, lines=None):
        """Make a gazetteer of a function that gives its `tables`, and of its `lines` if
        known.
        """
        self._find_tables, self._lines = find_tables, lines

    @staticmethod
    def from_lines(data, name="gazetteer"):
        """Gazetteer of `phrase_lines`, bytes or uint8[n]; prefixes are found when first
        needed.
        """
        blob = np.frombuffer(data, np.uint8)
        tables = WithFallback(
            lambda: _entered(blob, name),
            lambda: (PhraseSearch(blob), _PREFIX_OR_ENTITY),
        )
        return Gazetteer(tables.get, blob)

    @property
    def array(self):
        """The entities as `phrase_lines` writes them, see Resource."""
        return (
            np.frombuffer(self.lines(), np.uint8)
            if self._lines is None
            else self._lines
        )

    @property
    def tables(self):
        """The Dictionary that kernels search, and the marks of its keys:
        uint8[n_phrases].

        An entity has the mark 1, a prefix 0. For the NumPy fallback what stands in the
        place of the Dictionary, see `kernels.runtime.search`.
        """
        return self._find_tables()

    def entries(self):
        """All phrases in byte order, with whether each is a whole entity: pairs of
        bytes, int.
        """
        phrases, entity = self.tables
        blob, begin, end = phrases.blob.tobytes(), phrases.begin, phrases.end
        keys = (blob[a:b] for a, b in zip(begin.tolist(), end.tolist(), strict=True))
        return sorted(zip(keys, entity.tolist(), strict=True))

    def lines(self):
        """The entities as `phrase_lines` writes them: bytes."""
        return b"".join(key + b"\n" for key, entity in self.entries() if entity)


def _entered(blob, name):
    """Tables of the lines of entities: uint8[n_bytes]."""
    Vocabulary(blob.tobytes(), name).check_order()  # as PhraseSearch has to trust
    if len(blob) and blob[-1] != ord("\n"):
        blob = np.append(blob, np.uint8(ord("\n")))
    room = int(((blob == ord(" ")) | (blob == ord("\n"))).sum())
    begin, end = np.empty(room, np.int32), np.empty(room, np.int32)
    entity = np.empty(room, np.uint8)
    slots = np.full(1 << (2 * room).bit_length(), -1, np.int32)
    n = kernels.enter_phrases(blob, begin, end, slots, entity)
    begin, end, entity = begin[:n].copy(), end[:n].copy(), entity[:n].copy()
    longest = int((end - begin).max(initial=0))
    return Dictionary(blob, begin, end, slots, longest), entity


def phrase_lines(phrases):
    """Bytes of an iterable of str: a phrase a line, in lower case, a space between its
    tokens.
    """
    lines = {" ".join(phrase.lower().split()) for phrase in phrases} - {""}
    encoded = sorted(line.encode("utf-8", "surrogateescape") for line in lines)
    return b"".join(line + b"\n" for line in encoded)


class Gazetteers(ResourceKind):
    """Gazetteers, of files of phrases; `gazetteer_places` says what their features
    tell.
    """

    place = setting = "gazetteers"
    settings = {"gazetteers": {}, "gazetteer_places": True}  # noqa: RUF012 - never changed
    expected = "a list of files"
    noun = "gazetteer"

    def accepts(self, value):
        return (
            type(value) is list
            and value != []
            and all(type(path) is str for path in value)
        )

    def read(self, settings, directory):
        """Gazetteers of files of phrases, by their names.

        A line is a phrase; pages that a wiki has for itself (`Category:...`) are left
        out.
        """
        return {
            name: Gazetteer.from_lines(_read_phrases(directory, patterns))
            for name, patterns in settings[self.setting].items()
        }

    def from_array(self, array, name):
        return Gazetteer.from_lines(array, name)

    def from_senna(self, keys, marks):
        """Gazetteer of phrases and their prefixes, of which the former have the mark
        1.
        """
        if (wrong := np.flatnonzero(marks > 1)).size:
            raise SennaError(f"byte {wrong[0]} is {marks[wrong[0]]}, expected 0 or 1")
        return Gazetteer(lambda: (keys.table, marks))

    def to_senna(self, resource, name):
        entries = resource.entries()
        keys = Vocabulary(b"".join(key + b"\n" for key, _ in entries), name)
        keys.check_order()
        return keys, np.array([entity for _, entity in entries], np.uint8)

    def describe(self, resource):
        """Number of phrases."""
        return int(resource.tables[1].sum())

    def lines(self, found):
        counts = (f"{name} {n:,}" for name, n in found.items())
        return [f"gazetteers: {', '.join(counts)} phrases"]


def _read_phrases(directory, patterns):
    """Bytes of the phrases of files, as `phrase_lines` writes them."""
    paths = (
        path
        for pattern in patterns
        for path in matching(directory, pattern, "gazetteer")
    )
    phrases = []
    for path in sorted(paths):
        with Source(path) as source:
            for number, line in enumerate(read_lines(source), 1):
                try:
                    phrases.append(line.decode())
                except UnicodeDecodeError:
                    raise SennaError(f"{path}: line {number}: not UTF-8") from None
    return phrase_lines(phrase for phrase in phrases if not _WIKI_PAGE.match(phrase))


class InGazetteer(Feature):
    """`gazetteer.NAME`: whether, or where, a token is in a listed phrase.

    Keys are `NO` and `YES`, for tokens of any phrase, or `O B I E S`, for places in the
    longest.
    """

    pattern = re.compile(r"gazetteer\.(?P<resource>.+)", re.DOTALL)
    resource_kind = Gazetteers()

    def vocabulary(self, given):
        places = given.settings.get("gazetteer_places")
        return Vocabulary.from_keys(PLACE_KEYS if places else GAZETTEER_KEYS, self.name)

    def column(self, vocabulary, resource):
        if "B" in vocabulary:
            keys, search = positions(vocabulary, *"OBIES"), _places
        else:
            keys, search = positions(vocabulary, "NO", "YES"), _whether
        return lambda batch: search(
            (
                *batch.once("joined tokens", _join),
                batch.tokens.starts,
                *resource.tables,
            ),
            keys,
        )


def _join(batch):
    """The text that phrases are looked for in, and the first and last place of each
    token in it.
    """
    tokens = batch.tokens
    size = 2 * len(tokens.data) + len(tokens) + 1
    joined, kind = np.empty(size, np.uint8), np.empty(size, np.uint8)
    first, last = np.empty(len(tokens), np.int32), np.empty(len(tokens), np.int32)
    kernels.join_tokens(
        tokens.raw,
        tokens.begin,
        tokens.end,
        KIND,
        LOWER,
        joined,
        kind,
        np.empty(size, np.int32),
        first,
        last,
    )
    return joined, first, last


def _whether(given, keys):
    out = np.empty(len(given[1]), np.int32)
    kernels.gazetteer_feature(*given, int(keys[0]), int(keys[1]), out)
    return out


def _places(given, keys):
    longest, out = np.empty(len(given[1]), np.int32), np.empty(len(given[1]), np.int32)
    kernels.gazetteer_places(*given, keys, longest, out)
    return out
