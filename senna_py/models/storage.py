"""What the files behind a model have in common."""

import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from senna_py.features.protocol import Resource
from senna_py.io.files import AnyPath
from senna_py.text.splitter import SentenceSplitter
from senna_py.text.vocabulary import Vocabulary


class Storage:
    """The file or directory behind a Model: a NativeModel or a SennaDirectory.

    format, version: of the format, the latter None if it has none; networks: their
    names;
    vector_bits: of a number of the word vectors; info: what the model says about
    itself; tokenizer: the kind that finds words in raw text, see
    `text.tokenizer.Tokenizer`.

    Everything is read when it is first asked for, and kept, for all threads; SennaError
    names the file if something is missing or malformed.
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

    def _once(self, key, read):
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
        """The SentenceSplitter that learned how texts of this kind are split, or
        None.
        """
        return None

    @property
    def closing_brackets(self) -> Vocabulary:
        """The right-hand brackets of tree labels."""
        raise NotImplementedError

    def network(self, name: str) -> Any:
        """The network `name`, a TaggerNetwork."""
        raise NotImplementedError

    def features(self, name: str) -> tuple[str, ...]:
        """Names of the input features of the network `name`, in the order of its
        tables.
        """
        raise NotImplementedError

    def reads(self, name: str) -> Iterable[str]:
        """Names of the networks whose labels the network `name` takes; none if there is
        none.
        """
        raise NotImplementedError

    def feature_vocabulary(self, name: str, feature: str) -> Vocabulary:
        """The Vocabulary whose indices are the values of a feature of the network
        `name`.
        """
        raise NotImplementedError

    def labels(self, name: str) -> Vocabulary:
        """The labels of the network `name`; of trees, the left-hand brackets."""
        raise NotImplementedError

    def labelled(self, name: str) -> str:
        """What the network `name` labels: a name in `networks.answers`."""
        raise NotImplementedError

    def part_info(self, name: str) -> dict[str, Any]:
        """What the model says about the network `name`."""
        return {}

    def missing(self, name: str) -> str:
        """Reason, for a message, that there is no network `name`."""
        return f"it has no {name} network"

    def resources(self, place: str) -> tuple[str, ...]:
        """Names of the resources at `place`, one of `features.registry.RESOURCES`."""
        raise NotImplementedError

    def resource(self, place: str, name: str) -> Resource:
        """The resource `name` at `place`."""
        raise NotImplementedError
