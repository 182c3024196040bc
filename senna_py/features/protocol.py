"""What a kind of feature is, and what a kind of resource: all that the package knows of either.

A kind of feature is a subclass of Feature in a file of its own, and one line in `registry`. What
it needs beside its table, such as a list of phrases, is a Resource, of a ResourceKind that stands
in the same file: how it is configured, read, stored in models, and shown.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar

import numpy as np

from senna_py.errors import SennaError
from senna_py.text.tokens import Tokens
from senna_py.text.vocabulary import Vocabulary

__all__ = [
    "Batch",
    "Column",
    "Configured",
    "Feature",
    "NewRows",
    "Resource",
    "ResourceKind",
    "Table",
    "Training",
    "positions",
]

PADDING = "PADDING"  # a key of every table: what is outside a sentence
_Made = TypeVar("_Made")


class Table(Enum):
    """Where the rows of a feature's lookup table come from."""

    OWN = "stored with the network, beside the list of its keys"
    WORDS = "the shared vectors of words, and the rows in which the network differs"
    COMPUTED = "computed from the words of a batch; no keys, and nothing that training changes"


class NewRows(NamedTuple):
    """A column whose table is computed.

    row: int32[n_tokens], that of each token, 0 for those that have none; rows: float32[n, dim],
    the first of which is zero.
    """

    row: np.ndarray
    rows: np.ndarray


Column = np.ndarray | NewRows  # int32[n_tokens], or rows besides


class Batch:
    """Tokens, what is known of them, and the columns that were computed so far.

    labels: int32[n_tokens] by the name of the network that predicted them; columns: a list of one
    str a token by the name of the label, for whoever has labels as text; row: int32[n_tokens], for
    training, the row of each word in tables computed for a whole corpus, or None.
    """

    def __init__(
        self,
        tokens: Tokens,
        labels: dict[str, np.ndarray] | None = None,
        columns: Mapping[str, list[str]] | None = None,
        row: np.ndarray | None = None,
    ) -> None:
        """See the class."""
        self.tokens = tokens
        self.labels = {} if labels is None else labels
        self.columns = {} if columns is None else columns
        self.row = row
        self._made: dict[Any, Any] = {}

    def once(self, key: Any, make: Callable[["Batch"], _Made]) -> _Made:
        """What `make` gives for this batch, computed when it is first asked for under `key`."""
        if key not in self._made:
            self._made[key] = make(self)
        return self._made[key]


class Resource(Protocol):
    """What features need beside their tables; shared by threads.

    arrays: what a native model stores of it, by name; one array alone has the name "".
    """

    @property
    def arrays(self) -> dict[str, np.ndarray]:
        """See the class."""


@dataclass
class Configured:
    """What a run has when resources are read.

    settings: all settings of resources; features: sizes by the names of features; directory: below
    which files stand; words: list of str; vectors: float32[n_words, dim]; readers: by
    the place of a kind, a function for files that only another part of the package can read.
    """

    settings: dict[str, Any]
    features: dict[str, int]
    directory: Path
    words: list[str] = field(default_factory=list)
    vectors: np.ndarray | None = None
    readers: Mapping[str, Callable[..., Any]] = field(default_factory=dict)


class ResourceKind:
    """A kind of resource.

    place: where native models have it, and `senna-model info`; setting: where a configuration has
    it, a table of one value for each; settings: all keys that a configuration may have for it, with
    their defaults; expected: what such a value is; noun, and whether it is plural: for messages.
    """

    place: ClassVar[str]
    setting: ClassVar[str]
    settings: ClassVar[dict[str, Any]]
    expected: ClassVar[str]
    noun: ClassVar[str]
    plural: ClassVar[bool] = False

    def accepts(self, value: Any) -> bool:
        """Whether a value of a configuration can say where a resource comes from."""
        return type(value) is str

    def read(self, given: Configured) -> dict[str, Resource]:
        """The resources that a configuration names, by their names.

        Raises SennaError naming the file of whatever cannot be read.
        """
        raise NotImplementedError

    def is_array(self, name: str) -> bool:
        """Whether one of them may have an array of this name."""
        return name == ""

    def dtype(self, name: str) -> type:
        """Type of the array `name` in a model: uint8 or float16."""
        return np.uint8

    def from_arrays(self, arrays: dict[str, np.ndarray], name: str) -> Resource:
        """The resource that `arrays` store; `name` stands in messages.

        Raises SennaError, without the file, if they make none.
        """
        raise NotImplementedError

    def from_senna(self, keys: Vocabulary, marks: np.ndarray) -> Resource:
        """A resource of SENNA's directories, from a list and a byte for each of its keys."""
        raise NotImplementedError(f"SENNA has no {self.noun}")

    def marks(self, resource: Resource) -> np.ndarray:
        """The bytes that `from_senna` got: uint8[n_keys]."""
        raise NotImplementedError(f"SENNA has no {self.noun}")

    def to_senna(self, resource: Resource, name: str) -> tuple[Vocabulary, np.ndarray]:
        """The list and the bytes, uint8[n_keys], that SENNA's directories have of a resource."""
        raise NotImplementedError(f"SENNA has no {self.noun}")

    def describe(self, resource: Resource) -> Any:
        """What `senna-model info --json` says of it."""
        raise NotImplementedError

    def lines(self, found: dict[str, Any]) -> list[str]:
        """Lines of `senna-model info`; found: what `describe` gave, by name, of one at least."""
        raise NotImplementedError

    def call(self, name: str) -> str:
        """How messages call the resource `name`."""
        return f"{self.noun} {name}"

    def missing(self, name: str) -> str:
        """Message: a model lacks it."""
        return f"the {self.call(name)} {'are' if self.plural else 'is'} missing"

    def differs(self, name: str) -> str:
        """Message: a model has another one under the same name."""
        verb = "are not those" if self.plural else "is not that"
        return f"its {self.call(name)} {verb} of the others"

    def unknown(self, name: str) -> str:
        """Message: a configuration lacks it."""
        return f"there {'are' if self.plural else 'is'} no {self.call(name)}"

    @staticmethod
    def same(one: Resource, other: Resource) -> bool:
        """Whether two resources are the same, number for number."""
        a, b = one.arrays, other.arrays
        return a.keys() == b.keys() and all(np.array_equal(a[name], b[name]) for name in a)


@dataclass
class Training:
    """What a vocabulary is made of.

    tokens: of the training sentences; min_count: how often a value must occur to become a key;
    resource: the one of the feature; settings: those of resources; values: the labels that a
    network gives or a column has, list of str, for features that are labels.
    """

    tokens: Tokens
    min_count: int = 1
    resource: Resource | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    values: Iterable[str] = ()


class Feature:
    """A feature by its name; base class of the kinds.

    pattern: what names there are, with the resource in the group of that name; begins: how names
    begin that mean this kind or nothing; keys: of its own table, if they are fixed; resource_kind:
    what kind of resource it needs, or None; table: where its rows come from; of_tokens: whether
    tokens tell it, else it is a label. resource: the name of its resource, or None; length: the
    number in the group of that name, or None.
    """

    pattern: ClassVar[re.Pattern]
    begins: ClassVar[str | None] = None
    keys: ClassVar[tuple[str, ...]] = ()
    resource_kind: ClassVar[ResourceKind | None] = None
    table: ClassVar[Table] = Table.OWN
    of_tokens: ClassVar[bool] = True

    def __init__(self, name: str, resource: str | None = None, length: str | None = None) -> None:
        """Take the name and what `pattern` finds in it."""
        self.name, self.resource = name, resource
        self.length = int(length) if length else None

    @classmethod
    def parse(cls, name: str) -> "Feature | None":
        """The feature of that name, or None if it is of another kind.

        Raises SennaError if it begins like one of this kind but means nothing.
        """
        if match := cls.pattern.fullmatch(name):
            return cls(name, **match.groupdict())
        if cls.begins is not None and name.startswith(cls.begins):
            raise SennaError(f"no such feature: {name!r}")
        return None

    def vocabulary(self, given: Training) -> Vocabulary:
        """The keys of its own table, PADDING among them."""
        return Vocabulary.from_keys(self.keys, self.name)

    def column(
        self, vocabulary: Vocabulary | None, resource: Resource | None, words: Vocabulary | None
    ) -> Callable[[Batch], Column]:
        """How the feature is computed for a Batch: indices of its keys, int32[n_tokens].

        vocabulary: its keys, None where they are computed; words: the dictionary. Raises SennaError
        if a key is missing.
        """
        raise NotImplementedError

    def empty_table(self, resource: Resource) -> Any:
        """A table without rows, for networks whose table is computed."""
        raise NotImplementedError

    def rows(self, resource: Resource, words: list[str]) -> np.ndarray:
        """Rows of a computed table: float32[n_words, dim]."""
        raise NotImplementedError

    def padding(self, vocabulary: Vocabulary | None) -> int:
        """Row of what is outside a sentence."""
        return 0 if vocabulary is None else vocabulary.position(PADDING)


def positions(vocabulary: Vocabulary, *keys: str) -> np.ndarray:
    """Indices of keys: int32[n_keys]; raises SennaError if one is missing."""
    return np.array([vocabulary.position(key) for key in keys], np.int32)
