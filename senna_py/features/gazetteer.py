"""Gazetteers, which are lists of phrases, and the feature that marks their tokens."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from senna_py.errors import SennaError
from senna_py.features.protocol import (
    Feature,
    FormValue,
    ResourceType,
    positions,
)
from senna_py.io.paths import match_paths
from senna_py.io.streaming import Source, read_lines
from senna_py.kernels.runtime.switch import runs_fallbacks
from senna_py.kernels.text import gazetteer as kernels
from senna_py.kernels.text.plain.search import PhraseSearch
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


class Gazetteer:
    """A searchable list of phrases, called entities. Several threads may share it.

    Attributes:
        array: uint8[n_bytes], the entities in the format of `phrase_lines`.
    """

    def __init__(self, data: bytes | Bytes) -> None:
        """Store lines in the format of `phrase_lines`."""
        self.array = np.frombuffer(data, np.uint8)
        self._search = PhraseSearch(self.array)

    @property
    def value(self) -> FormValue:
        """The phrases that begin with a form; see `kernels.text.gazetteer`."""
        return FormValue(3, self._find_phrases)

    def _find_phrases(self, forms: Batch) -> Ints:
        found = np.empty((len(forms.tokens), 3), np.int32)
        order = forms.once("order of tokens", _order)
        kernels.find_phrases(*_joined(forms), order, self.array, found)
        return found

    def places(self, batch: Batch, keys: Ints) -> Ints:
        """Return the place of each token in the longest phrase: int32[n_tokens].

        Args:
            batch: The batch.
            keys: int32[5], the values for O, B, I, E and S.
        """
        longest, out = np.empty((2, len(batch.tokens)), np.int32)
        phrases: Any = self._search
        if not runs_fallbacks():
            phrases = kernels.Phrases(self.array, *batch.of_forms(self, self.value))
        starts = batch.tokens.starts
        kernels.gazetteer_places(*_joined(batch), starts, phrases, keys, longest, out)
        return out

    def has(self, batch: Batch) -> NDArray[np.bool_]:
        """Return whether each token is in a listed phrase: bool[n_tokens]."""
        return self.places(batch, np.arange(5, dtype=np.int32)) > 0

    @property
    def n_entities(self) -> int:
        """The number of entities."""
        return self.lines().count(b"\n")

    def entries(self) -> list[tuple[bytes, int]]:
        """Return all entities and their prefixes in byte order, each with its mark.

        The mark of an entity is 1, and the mark of a prefix of whole tokens is 0.
        """
        marks: dict[bytes, int] = {}
        for entity in filter(None, self.array.tobytes().split(b"\n")):
            end = entity.find(b" ")
            while end >= 0:
                if end > 0:
                    marks.setdefault(entity[:end], 0)
                end = entity.find(b" ", end + 1)
            marks[entity] = 1
        return sorted(marks.items())

    def lines(self) -> bytes:
        """Return the entities in the format of `phrase_lines`."""
        data = self.array.tobytes()
        return data if not data or data.endswith(b"\n") else data + b"\n"


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
            name: Gazetteer(_read_phrases(directory, patterns))
            for name, patterns in settings[self.setting].items()
        }

    def from_array(self, array: Bytes, name: str) -> Resource:
        return Gazetteer(array)

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
        return Gazetteer(_reached_entities(keys, marks))

    def to_senna(self, resource: Any, name: str) -> tuple[Vocabulary, Bytes]:
        entries = resource.entries()
        keys = Vocabulary(b"".join(key + b"\n" for key, _ in entries), name)
        keys.check_order()
        return keys, np.array([entity for _, entity in entries], np.uint8)

    def describe(self, resource: Any) -> int:
        """Return the number of entities."""
        n_entities: int = resource.n_entities
        return n_entities

    def lines(self, descriptions: dict[str, Any]) -> list[str]:
        counts = (f"{name} {n:,}" for name, n in descriptions.items())
        return [f"gazetteers: {', '.join(counts)} phrases"]


def _reached_entities(keys: Vocabulary, marks: Bytes) -> bytes:
    """Return the entities that SENNA finds, in the format of `phrase_lines`.

    SENNA's search adds one token after another, and ends where the tokens are no key.
    So it only finds entities whose prefixes of whole tokens are all keys.

    Args:
        keys: The entities and their prefixes, in byte order.
        marks: uint8[n_keys], 1 for an entity and 0 for a prefix.
    """
    reached, lines = {b""}, []
    for key, is_entity in zip(keys.byte_keys(), marks.tolist(), strict=True):
        if key.rpartition(b" ")[0] in reached:
            reached.add(key)
            if is_entity:
                lines.append(key + b"\n")
    return b"".join(lines)


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
            of_places = positions(vocabulary, *"OBIES")
            return lambda batch: resource.places(batch, of_places)
        no_yes = positions(vocabulary, "NO", "YES")
        return lambda batch: no_yes[resource.has(batch).astype(np.int8)]

    def form_value(self, resource: Any) -> FormValue | None:
        value: FormValue | None = resource.value
        return value


def _order(batch: Batch) -> Ints:
    """Return the tokens in the byte order of their joined texts: int32[n_tokens]."""
    joined, first, last = _joined(batch)
    data, places = joined.tobytes(), zip(first.tolist(), last.tolist(), strict=True)
    texts = [data[a:b] for a, b in places]
    return np.array(sorted(range(len(texts)), key=texts.__getitem__), np.int32)


def _joined(batch: Batch) -> tuple[Bytes, Ints, Ints]:
    """Return the result of `_join_tokens`, which is computed once per batch."""
    return batch.once("joined tokens", _join_tokens)


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
