"""The base classes of features and of their resources.

A type of feature is a subclass of Feature and one line in `registry`. If it needs more
than its table, such as a list of phrases, this is a Resource. Its ResourceKind, in the
same file, says how the resource is configured, read, stored in models and shown.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeVar

import numpy as np

from senna_py.answers.layer import Layer
from senna_py.errors import SennaError
from senna_py.text.tokens import Tokens
from senna_py.text.vocabulary import Vocabulary

PADDING = "PADDING"  # the key, in every table, of positions outside the sentence
_Result = TypeVar("_Result")


@dataclass(eq=False)
class Batch:
    """A batch of tokens, with what is known about them and the columns computed so far.

    Attributes:
        tokens: The tokens.
        layers: The layers of the networks that have run, by name.
        columns: Labels as text, one for each token, by the name of the label.
    """

    tokens: Tokens
    layers: Mapping[str, Layer] = field(default_factory=dict)
    columns: Mapping[str, list[str]] = field(default_factory=dict)
    _results: dict[Any, Any] = field(default_factory=dict, init=False)

    def once(self, key: Any, compute: Callable[["Batch"], _Result]) -> _Result:
        """Return `compute(self)`, which is computed once and kept under `key`."""
        if key not in self._results:
            self._results[key] = compute(self)
        return self._results[key]


class Resource(Protocol):
    """Data that a feature needs beside its table; threads may share it."""

    @property
    def array(self) -> np.ndarray:
        """The bytes that a native model stores: uint8[n]."""


Resources = Mapping[str, Mapping[str, Resource]]  # by place and name


class ResourceKind:
    """A type of resource: how it is configured, read, stored and shown.

    Attributes:
        place: Its name in native models and in the output of `senna-model info`.
        setting: The table of a configuration that lists such resources.
        settings: All keys that a configuration may have for it, with their defaults.
        expected: The value of an entry in that table, as messages describe it.
        noun: The word for such a resource in messages.
    """

    place: ClassVar[str]
    setting: ClassVar[str]
    settings: ClassVar[dict[str, Any]]
    expected: ClassVar[str]
    noun: ClassVar[str]

    def accepts(self, value: Any) -> bool:
        """Return whether an entry of the configuration's table has the right type."""
        return type(value) is str

    def read(self, settings: Mapping[str, Any], directory: Path) -> dict[str, Resource]:
        """Read the resources that a configuration names.

        Args:
            settings: All settings of resources.
            directory: The directory that file names are relative to.

        Returns:
            The resources by name.

        Raises:
            SennaError: If a file cannot be read; the message names it.
        """
        raise NotImplementedError

    def from_array(self, array: np.ndarray, name: str) -> Resource:
        """Return the resource that a native model stores as `array`.

        Raises:
            SennaError: If it is malformed; the message contains `name`.
        """
        raise NotImplementedError

    def from_senna(self, keys: Vocabulary, marks: np.ndarray) -> Resource:
        """Return the resource that SENNA stores as keys with one byte each."""
        raise NotImplementedError(f"SENNA has no {self.noun}")

    def to_senna(self, resource: Resource, name: str) -> tuple[Vocabulary, np.ndarray]:
        """Return the keys and bytes, uint8[n_keys], that SENNA stores."""
        raise NotImplementedError(f"SENNA has no {self.noun}")

    def describe(self, resource: Resource) -> Any:
        """Describe a resource as `senna-model info --json` prints it."""
        raise NotImplementedError

    def lines(self, descriptions: dict[str, Any]) -> list[str]:
        """Return lines for `senna-model info`.

        Args:
            descriptions: The results of `describe` by name, at least one.
        """
        raise NotImplementedError

    def title(self, name: str) -> str:
        """Return how messages refer to the resource `name`."""
        return f"{self.noun} {name}"


@dataclass
class TrainingTokens:
    """The training data from which a vocabulary is made.

    Attributes:
        tokens: The tokens of the training sentences.
        min_count: How often a value must occur to become a key.
        resource: The resource of the feature.
        settings: All settings of resources.
        values: If the feature is a label, the labels of the network or of the column.
    """

    tokens: Tokens
    min_count: int = 1
    resource: Resource | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    values: Iterable[str] = ()


class Feature:
    """The base class of features.

    Attributes:
        pattern: What the names of such features match. Its groups are `resource` and
            `length` if names contain them.
        begins: The prefix that no other type of feature may use.
        keys: The keys of its table, if they are fixed.
        resource_kind: The type of resource it needs, or None.
        own_table: Whether its table is stored with the network, next to the list of its
            keys. Only words have a shared table, of which a network stores its changes.
        of_tokens: Whether it is computed from tokens, not from what a network predicts.
        name: The name of the feature.
        resource: The name of its resource, empty if it has none.
        length: A number of characters, or None.
    """

    pattern: ClassVar[re.Pattern]
    begins: ClassVar[str | None] = None
    keys: ClassVar[tuple[str, ...]] = ()
    resource_kind: ClassVar[ResourceKind | None] = None
    own_table: ClassVar[bool] = True
    of_tokens: ClassVar[bool] = True

    def __init__(
        self, name: str, resource: str = "", length: str | None = None
    ) -> None:
        """Make the feature `name`; `resource` and `length` are groups of `pattern`."""
        self.name, self.resource = name, resource
        self.length = int(length) if length else None

    @classmethod
    def parse(cls, name: str) -> "Feature | None":
        """Return the feature `name`, or None if it is of another type.

        Raises:
            SennaError: If the name has the prefix of this type but is malformed.
        """
        if match := cls.pattern.fullmatch(name):
            return cls(name, **match.groupdict())
        if cls.begins is not None and name.startswith(cls.begins):
            raise SennaError(f"no such feature: {name!r}")
        return None

    def vocabulary(self, training: TrainingTokens) -> Vocabulary:
        """Return the keys of its own table, including PADDING."""
        return Vocabulary.from_keys(self.keys, self.name)

    def column(
        self, vocabulary: Vocabulary | None, resource: Resource | None
    ) -> Callable[[Batch], np.ndarray]:
        """Return a function that computes the feature for a Batch.

        Args:
            vocabulary: The keys of the feature, or None for words.
            resource: The resource of the feature, or None.

        Returns:
            A function from a Batch to the indices of keys: int32[n_tokens].

        Raises:
            SennaError: If the vocabulary lacks a key.
        """
        raise NotImplementedError

    def padding(self, vocabulary: Vocabulary) -> int:
        """Return the row of the table for positions outside the sentence."""
        return vocabulary.position(PADDING)


def positions(vocabulary: Vocabulary, *keys: str) -> np.ndarray:
    """Return the indices of keys: int32[n_keys].

    Raises:
        SennaError: If one of them is missing.
    """
    return np.array([vocabulary.position(key) for key in keys], np.int32)
