"""The protocols of features and of their resources: all that the package knows of
either.

A kind of feature is a subclass of Feature, and one line in `registry`. What it needs
beside its table, such as a list of phrases, is a Resource, of a ResourceKind that
stands in the same file: how it is configured, read, stored in models, and shown.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeVar

import numpy as np

from senna_py.errors import SennaError
from senna_py.text.tokens import Tokens
from senna_py.text.vocabulary import Vocabulary

PADDING = "PADDING"  # a key of every table: what is outside a sentence
_Made = TypeVar("_Made")


@dataclass(eq=False)
class Batch:
    """Tokens, what is known about them, and the columns computed so far.

    found: `networks.answers` by the name of the network, of those that have run;
    columns: one str per token by the name of the label, where labels are text.
    """

    tokens: Tokens
    found: dict[str, Any] = field(default_factory=dict)
    columns: Mapping[str, list[str]] = field(default_factory=dict)
    _made: dict[Any, Any] = field(default_factory=dict, init=False)

    def once(self, key: Any, make: Callable[["Batch"], _Made]) -> _Made:
        """The result of `make(self)`, computed once and kept under `key`."""
        if key not in self._made:
            self._made[key] = make(self)
        return self._made[key]


class Resource(Protocol):
    """Data that features need beside their tables; shared by threads."""

    @property
    def array(self) -> np.ndarray:
        """The bytes that a native model stores: uint8[n]."""


Resources = Mapping[str, Mapping[str, Resource]]  # by place and name


class ResourceKind:
    """A kind of resource.

    place: its name in native models and in `senna-model info`; setting: the table of a
    configuration that lists such resources; settings: all keys that a configuration may
    have for it, with defaults; expected, noun: describe an entry of the table, and name
    one, in messages.
    """

    place: ClassVar[str]
    setting: ClassVar[str]
    settings: ClassVar[dict[str, Any]]
    expected: ClassVar[str]
    noun: ClassVar[str]

    def accepts(self, value: Any) -> bool:
        """Return whether an entry of the table in a configuration has the right
        type.
        """
        return type(value) is str

    def read(self, settings: Mapping[str, Any], directory: Path) -> dict[str, Resource]:
        """The resources that a configuration names, by their names.

        settings: all settings of resources; directory: the one that file names are
        relative to. Raises SennaError naming the file of whatever cannot be read.
        """
        raise NotImplementedError

    def from_array(self, array: np.ndarray, name: str) -> Resource:
        """The resource stored as `array`; raises SennaError, with `name`, if it is
        malformed.
        """
        raise NotImplementedError

    def from_senna(self, keys: Vocabulary, marks: np.ndarray) -> Resource:
        """The resource that a SENNA directory stores as a list and a byte for each of
        its keys.
        """
        raise NotImplementedError(f"SENNA has no {self.noun}")

    def to_senna(self, resource: Resource, name: str) -> tuple[Vocabulary, np.ndarray]:
        """The list and the bytes, uint8[n_keys], as which a SENNA directory stores a
        resource.
        """
        raise NotImplementedError(f"SENNA has no {self.noun}")

    def describe(self, resource: Resource) -> Any:
        """Describe a resource, as `senna-model info --json` prints it."""
        raise NotImplementedError

    def lines(self, found: dict[str, Any]) -> list[str]:
        """Lines for `senna-model info`; found: results of `describe` by name, at least
        one.
        """
        raise NotImplementedError

    def call(self, name: str) -> str:
        """The resource `name` as messages refer to it."""
        return f"{self.noun} {name}"


@dataclass
class TrainingTokens:
    """The training data that a vocabulary is made of.

    tokens: those of the training sentences; min_count: how often a value must occur to
    become a key; resource: that of the feature; settings: all settings of resources;
    values: for a feature that is a label, the labels of the network or of the column,
    list of str.
    """

    tokens: Tokens
    min_count: int = 1
    resource: Resource | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    values: Iterable[str] = ()


class Feature:
    """A feature; base class of the kinds of features.

    Of the kind: pattern: matches the names of such features, with the groups `resource`
    and `length` if names have them; begins: the prefix that no other kind may use;
    keys: those of its table, if they are fixed; resource_kind: the kind of resource it
    needs, or None; own_table: whether its table is stored with the network, beside the
    list of its keys, and is not the shared vectors of words and the rows in which the
    network differs; of_tokens: whether it is computed from tokens, and not from what a
    network predicts.

    Of the feature: name; resource: the name of its resource, empty if it has none;
    length: a number of characters, or None.
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
        """Make the feature `name`; resource, length: the groups that `pattern` found in
        it.
        """
        self.name, self.resource = name, resource
        self.length = int(length) if length else None

    @classmethod
    def parse(cls, name: str) -> "Feature | None":
        """The feature called `name`, or None; raises SennaError for a malformed one of
        the kind.
        """
        if match := cls.pattern.fullmatch(name):
            return cls(name, **match.groupdict())
        if cls.begins is not None and name.startswith(cls.begins):
            raise SennaError(f"no such feature: {name!r}")
        return None

    def vocabulary(self, given: TrainingTokens) -> Vocabulary:
        """The keys of its own table, PADDING included."""
        return Vocabulary.from_keys(self.keys, self.name)

    def column(
        self, vocabulary: Vocabulary | None, resource: Resource | None
    ) -> Callable[[Batch], np.ndarray]:
        """A function that computes the feature for a Batch: indices of keys,
        int32[n_tokens].

        vocabulary: its keys, None for words. Raises SennaError if a key is missing.
        """
        raise NotImplementedError

    def padding(self, vocabulary: Vocabulary) -> int:
        """Row of what is outside a sentence."""
        return vocabulary.position(PADDING)


def positions(vocabulary: Vocabulary, *keys: str) -> np.ndarray:
    """Indices of keys: int32[n_keys]; raises SennaError if one is missing."""
    return np.array([vocabulary.position(key) for key in keys], np.int32)
