"""Gazetteers, which are lists of phrases, and the feature that marks their tokens."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from senna_py.errors import SennaError
from senna_py.features.protocol import Feature, ResourceType, positions
from senna_py.io.paths import match_paths
from senna_py.io.streaming import Source, read_lines
from senna_py.kernels.runtime.search import PhraseSearch
from senna_py.kernels.text import gazetteer as kernels
from senna_py.kernels.text.dictionary import Dictionary
from senna_py.kernels.text.key_table import WithFallback
from senna_py.text.characters import KIND, LOWER
from senna_py.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.features.protocol import Batch, Resource, TrainingTokens

    Bytes = NDArray[np.uint8]
    Ints = NDArray[np.int32]

GAZETTEER_KEYS = ("NO", "PADDING", "UNAVAILABLE", "YES")
PLACE_KEYS = ("O", "B", "I", "E", "S", "PADDING")
_WIKI_PAGE = re.compile(
    r"(category|draft|file|help|image|portal|special|talk|template|user|wikipedia)( talk)?:\S",
    re.IGNORECASE,
)
# The marks of a prefix and of an entity. PhraseSearch returns indices in this array.
_PREFIX_OR_ENTITY = np.array([0, 1], np.uint8)


class Gazetteer:
    """A searchable list of phrases, called entities, and of their prefixes.

    A prefix consists of whole tokens. Several threads may share a gazetteer.
    """

    def __init__(
        self, find_tables: Callable[[], tuple[Any, Bytes]], lines: Bytes | None = None
    ) -> None:
        """Create a gazetteer.

        Args:
            find_tables: A function that returns the value of the property `tables`.
            lines: The entities in the format of `phrase_lines`, uint8[n_bytes], or None
                to derive them from the tables when they are needed.
        """
        self._find_tables, self._lines = find_tables, lines

    @staticmethod
    def from_lines(data: bytes | Bytes, name: str = "gazetteer") -> Gazetteer:
        """Create a gazetteer from the bytes that `phrase_lines` returns.

        The prefixes are collected when they are first needed.

        Args:
            data: The bytes.
            name: The name of the gazetteer, for messages about malformed lines.
        """
        blob = np.frombuffer(data, np.uint8)
        tables = WithFallback(
            lambda: _enter_phrases(blob, name),
            lambda: (PhraseSearch(blob), _PREFIX_OR_ENTITY),
        )
        return Gazetteer(tables.get, blob)

    @property
    def array(self) -> Bytes:
        """The entities in the format of `phrase_lines`: uint8[n_bytes]."""
        if self._lines is None:
            return np.frombuffer(self.lines(), np.uint8)
        return self._lines

    @property
    def tables(self) -> tuple[Any, Bytes]:
        """The Dictionary that kernels search, and the marks of its keys: uint8[n_keys].

        The mark of an entity is 1, and the mark of a prefix is 0. For the NumPy
        fallback, a PhraseSearch replaces the Dictionary (`kernels.runtime.search`).
        """
        return self._find_tables()

    def entries(self) -> list[tuple[bytes, int]]:
        """Return all entities and prefixes in byte order, each with its mark.

        The mark of an entity is 1, and the mark of a prefix is 0.
        """
        phrases, entity = self.tables
        blob, begin, end = phrases.blob.tobytes(), phrases.begin, phrases.end
        keys = (blob[a:b] for a, b in zip(begin.tolist(), end.tolist(), strict=True))
        return sorted(zip(keys, entity.tolist(), strict=True))

    def lines(self) -> bytes:
        """Return the entities in the format of `phrase_lines`."""
        return b"".join(key + b"\n" for key, entity in self.entries() if entity)


def _enter_phrases(blob: Bytes, name: str) -> tuple[Dictionary, Bytes]:
    """Return `Gazetteer.tables` for lines in the format of `phrase_lines`."""
    Vocabulary(blob.tobytes(), name).check_order()  # PhraseSearch relies on the order
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


def phrase_lines(phrases: Iterable[str]) -> bytes:
    """Return distinct phrases as bytes, sorted, with one phrase per line.

    Phrases are written in lower case, with one space between tokens. Empty phrases are
    left out.
    """
    lines = {" ".join(phrase.lower().split()) for phrase in phrases} - {""}
    encoded = sorted(line.encode("utf-8", "surrogateescape") for line in lines)
    return b"".join(line + b"\n" for line in encoded)


class Gazetteers(ResourceType):
    """Gazetteers as a type of resource, which is read from files of phrases.

    If the setting `gazetteer_places` is true, the value of their features is the place
    of a token in a phrase; otherwise it is only whether the token is in a phrase.
    """

    place = setting = "gazetteers"
    settings = {"gazetteers": {}, "gazetteer_places": True}  # noqa: RUF012 - never changed
    expected = "a list of files"
    noun = "gazetteer"

    def accepts(self, value: Any) -> bool:
        return (
            type(value) is list
            and value != []
            and all(type(path) is str for path in value)
        )

    def read(self, settings: Mapping[str, Any], directory: Path) -> dict[str, Resource]:
        """Read the gazetteers that a configuration names.

        Each line of a file is a phrase. Titles of a wiki's administrative pages, such
        as `Category:...`, are left out.

        Raises:
            SennaError: If no file matches a pattern, or a file cannot be read or is not
                UTF-8.
        """
        return {
            name: Gazetteer.from_lines(_read_phrases(directory, patterns))
            for name, patterns in settings[self.setting].items()
        }

    def from_array(self, array: Bytes, name: str) -> Resource:
        return Gazetteer.from_lines(array, name)

    def from_senna(self, keys: Vocabulary, marks: Bytes) -> Resource:
        """Create a gazetteer from its keys and their marks.

        Args:
            keys: The entities and their prefixes.
            marks: uint8[n_keys], 1 for an entity and 0 for a prefix.

        Raises:
            SennaError: If a mark has another value.
        """
        if (invalid := np.flatnonzero(marks > 1)).size:
            index = invalid[0]
            raise SennaError(f"byte {index} is {marks[index]}, expected 0 or 1")
        return Gazetteer(lambda: (keys.table, marks))

    def to_senna(self, resource: Any, name: str) -> tuple[Vocabulary, Bytes]:
        entries = resource.entries()
        keys = Vocabulary(b"".join(key + b"\n" for key, _ in entries), name)
        keys.check_order()
        return keys, np.array([entity for _, entity in entries], np.uint8)

    def describe(self, resource: Any) -> int:
        """Return the number of entities."""
        return int(resource.tables[1].sum())

    def lines(self, descriptions: dict[str, Any]) -> list[str]:
        counts = (f"{name} {n:,}" for name, n in descriptions.items())
        return [f"gazetteers: {', '.join(counts)} phrases"]


def _read_phrases(directory: Path, patterns: Iterable[str]) -> bytes:
    """Return the phrases of all matching files in the format of `phrase_lines`.

    Raises:
        SennaError: If no file matches a pattern, or a file cannot be read or is not
            UTF-8.
    """
    paths = (
        path
        for pattern in patterns
        for path in match_paths(directory, pattern, "gazetteer")
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
    """The feature `gazetteer.NAME`: whether a token is in a listed phrase.

    The keys are `NO` and `YES`. If `gazetteer_places` is set, the keys are instead `O`,
    `B`, `I`, `E` and `S`, for the token's place in the longest phrase that contains it.
    """

    pattern = re.compile(r"gazetteer\.(?P<resource>.+)", re.DOTALL)
    resource_type = Gazetteers()

    def vocabulary(self, training: TrainingTokens) -> Vocabulary:
        places = training.settings.get("gazetteer_places")
        return Vocabulary.from_keys(PLACE_KEYS if places else GAZETTEER_KEYS, self.name)

    def column(self, vocabulary: Any, resource: Any) -> Callable[[Batch], Ints]:
        if "B" in vocabulary:
            keys, search = positions(vocabulary, *"OBIES"), _find_places
        else:
            keys, search = positions(vocabulary, "NO", "YES"), _find_membership

        def compute(batch: Batch) -> Ints:
            joined = batch.once("joined tokens", _join_tokens)
            return search((*joined, batch.tokens.starts, *resource.tables), keys)

        return compute


def listed_tokens(batch: Batch, gazetteer: Gazetteer) -> NDArray[np.bool_]:
    """Return whether each token is in a listed phrase: bool[n_tokens]."""
    joined = batch.once("joined tokens", _join_tokens)
    search_arguments = (*joined, batch.tokens.starts, *gazetteer.tables)
    return _find_membership(search_arguments, np.array([0, 1], np.int32)) == 1


def _join_tokens(batch: Batch) -> tuple[Bytes, Ints, Ints]:
    """Return the text to search for phrases, and the offsets of each token in it.

    The text, uint8[n_bytes], has the tokens in lower case, with a space after each. The
    offsets of the first and the last byte of each token are int32[n_tokens].
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


def _find_membership(search_arguments: tuple[Any, ...], keys: Ints) -> Ints:
    """Return whether each token is in a listed phrase, as an index in the vocabulary.

    The result, int32[n_tokens], is `keys[1]` for tokens in a phrase and `keys[0]` for
    all others. `keys` has the indices of `NO` and `YES`.
    """
    out = np.empty(len(search_arguments[1]), np.int32)
    kernels.gazetteer_feature(*search_arguments, int(keys[0]), int(keys[1]), out)
    return out


def _find_places(search_arguments: tuple[Any, ...], keys: Ints) -> Ints:
    """Return the index of each token's place in the longest phrase: int32[n_tokens].

    `keys` has the indices of `O`, `B`, `I`, `E` and `S` in the vocabulary.
    """
    n_tokens = len(search_arguments[1])
    longest, out = np.empty(n_tokens, np.int32), np.empty(n_tokens, np.int32)
    kernels.gazetteer_places(*search_arguments, keys, longest, out)
    return out
