"""The interface to the file or directory that stores a model."""

import threading
from collections.abc import Callable, Hashable, Iterable
from pathlib import Path
from typing import Any, TypeVar

from senna_py.features.combination_lists import COMBINATIONS, CombinationLists
from senna_py.features.protocol import Resource
from senna_py.io.files import AnyPath
from senna_py.labels.tag_combinations import TagCombinations
from senna_py.text.learned_tokens import TokenFinder
from senna_py.text.splitter import SentenceSplitter
from senna_py.text.vocabulary import Vocabulary
from senna_py.text.word_splitting import WordSplitter

_Part = TypeVar("_Part")


class Storage:
    """The base class of NativeModel and SennaDirectory, which read a model's files.

    Each part is read on first use and cached. Threads may share a storage. Methods
    raise SennaError, with the name of the file, if a part is missing or malformed.

    Attributes:
        path: The path of the file or directory.
        format: The name of the format.
        version: The version of the format, or None if it has none.
        networks: The names of the networks.
        vector_bits: The number of bits of each number in the word vectors.
        info: The information about the model (`native_header.INFO_KEYS`).
        tokenizer: The `kind` of the tokenizer for raw text; see
            `text.tokenizer.Tokenizer`.
    """

    format: str
    version: str | None = None
    networks: tuple[str, ...]
    vector_bits: int
    info: dict[str, Any]
    tokenizer: str

    def __init__(self, path: AnyPath) -> None:
        self.path = Path(path)
        self._parts: dict[Any, Any] = {}
        self._lock = threading.RLock()

    def _once(self, key: Hashable, read: Callable[[], _Part]) -> _Part:
        """Return the cached value for `key`, calling `read` on first use."""
        with self._lock:
            if key not in self._parts:
                self._parts[key] = read()
            return self._parts[key]

    @property
    def words(self) -> Vocabulary:
        """The dictionary that all networks share."""
        raise NotImplementedError

    @property
    def splitter(self) -> SentenceSplitter | None:
        """The trained sentence splitter, or None if the model has none."""
        return None

    @property
    def word_splitter(self) -> WordSplitter | None:
        """The splitter for multiword tokens, or None if the model has none."""
        return None

    @property
    def finder(self) -> TokenFinder | None:
        """The learned tokenizer; None unless `tokenizer` is `learned`."""
        return None

    @property
    def combinations(self) -> TagCombinations | None:
        """The combinations of labels of words, or None if the model has none."""
        place = CombinationLists.place
        if COMBINATIONS not in self.resources(place):
            return None
        combinations: Any = self.resource(place, COMBINATIONS)
        return combinations

    @property
    def closing_brackets(self) -> Vocabulary:
        """The closing brackets of the labels of the tree network, by label index."""
        raise NotImplementedError

    def network(self, name: str) -> Any:
        """Return the network `name`, which is a TaggerNetwork."""
        raise NotImplementedError

    def features(self, name: str) -> tuple[str, ...]:
        """Return the names of a network's input features in the order of its tables."""
        raise NotImplementedError

    def reads(self, name: str) -> Iterable[str]:
        """Return the names of the networks whose labels a network reads as features."""
        raise NotImplementedError

    def feature_vocabulary(self, name: str, feature: str) -> Vocabulary:
        """Return the keys of a network's feature, one for each row of its table."""
        raise NotImplementedError

    def labels(self, name: str) -> Vocabulary:
        """Return the labels of a network; for a tree network, the opening brackets."""
        raise NotImplementedError

    def labelled(self, name: str) -> str:
        """Return what a network labels: `words`, `roles`, `trees` or `arcs`."""
        raise NotImplementedError

    def pooling(self, name: str) -> float:
        """Return the share of the document in the probabilities of a repeated name.

        See `networks.pooling`. By default, names are not pooled.
        """
        return 0

    def part_info(self, name: str) -> dict[str, Any]:
        """Return the information about a network; the default is an empty dict."""
        return {}

    def missing(self, name: str) -> str:
        """Return the error message for a missing network."""
        return f"it has no {name} network"

    def resources(self, place: str) -> tuple[str, ...]:
        """Return the names of all resources of one type.

        place: The key of the type in `features.registry.RESOURCES`.
        """
        raise NotImplementedError

    def resource(self, place: str, name: str) -> Resource:
        """Return the resource `name` of the type `place`; see `resources`."""
        raise NotImplementedError
