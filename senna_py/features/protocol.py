"""The base classes of features and of their resources.

A type of feature is a subclass of Feature that is listed in `registry`. The data that
it needs besides its table, such as a list of phrases, are a Resource. A ResourceType in
the same file configures, reads, stores and describes these resources.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar

import numpy as np

from senna_py.answers.layer import Layer
from senna_py.errors import SennaError
from senna_py.text.tokens import Tokens
from senna_py.text.vocabulary import Vocabulary

PADDING = "PADDING"  # the key of positions outside the sentence, in every table
_Result = TypeVar("_Result")


class FormValue(NamedTuple):
    """A value that depends on nothing but the form of a token.

    Attributes:
        width: The number of integers of the value.
        compute: A function that takes a Batch and returns the value of each of its
            tokens: int32[n_tokens, width].
    """

    width: int
    compute: Callable[["Batch"], np.ndarray]


class ValuesOfTokens(NamedTuple):
    """A value of the form of each token of a batch.

    Attributes:
        place: int32[n_tokens], where the value of each token is: k >= 0 is row k of
            `kept`, and k < 0 is row -1 - k of `new`.
        kept: int32[n_kept, width], values in a table.
        new: int32[n_new, width], values computed for this batch.
    """

    place: np.ndarray
    kept: np.ndarray
    new: np.ndarray

    def of_tokens(self) -> np.ndarray:
        """Return the value of each token: int32[n_tokens, width]."""
        values = np.empty((len(self.place), self.kept.shape[1]), np.int32)
        for rows, row in ((self.kept, self.place), (self.new, -1 - self.place)):
            tokens = np.flatnonzero(row >= 0)
            values[tokens] = rows[row[tokens]]
        return values


@dataclass(eq=False)
class Batch:
    """A batch of tokens with their labels, and a cache of computed columns.

    Attributes:
        tokens: The tokens.
        layers: The layers of the networks that have run, by network name.
        columns: Columns of the input, by name, with a label for each token.
        values: Values of the forms of the tokens, by key; see `features.forms`.
    """

    tokens: Tokens
    layers: Mapping[str, Layer] = field(default_factory=dict)
    columns: Mapping[str, list[str]] = field(default_factory=dict)
    values: Mapping[Hashable, ValuesOfTokens] = field(default_factory=dict)
    _results: dict[Any, Any] = field(default_factory=dict, init=False)

    def once(self, key: Any, compute: Callable[["Batch"], _Result]) -> _Result:
        """Return the cached value for `key`, calling `compute(self)` on first use."""
        if key not in self._results:
            self._results[key] = compute(self)
        return self._results[key]

    def of_forms(self, key: Hashable, value: FormValue) -> ValuesOfTokens:
        """Return a value of the forms of the tokens.

        If `values` lack it, it is computed once for each form of the batch.

        Args:
            key: The key of the value.
            value: The value.
        """
        if key in self.values:
            return self.values[key]
        rows, place = self.once("distinct forms", _distinct_forms)
        forms = Batch(self.tokens.rows(rows))
        new = self.once(("values", key), lambda _: value.compute(forms))
        return ValuesOfTokens(place, new[:0], new)


def _distinct_forms(batch: Batch) -> tuple[np.ndarray, np.ndarray]:
    """Return the first token with each form, and `ValuesOfTokens.place`."""
    first = batch.tokens.first_equal()
    rows = np.flatnonzero(first == np.arange(len(first)))
    return rows, (-1 - np.searchsorted(rows, first)).astype(np.int32)


class Resource(Protocol):
    """Data that a feature needs besides its table; several threads may share it."""

    @property
    def array(self) -> np.ndarray:
        """The bytes of the resource in a native model: uint8[n_bytes]."""


Resources = Mapping[str, Mapping[str, Resource]]  # by place, and then by name


class ResourceType:
    """The base class of types of resources.

    A type configures, reads, stores and describes its resources.

    Attributes:
        place: The name of the type in native models and in `senna-model info`.
        setting: The table of a configuration that lists resources of this type.
        settings: All configuration keys of the type, with their default values.
        expected: A description of the values in that table, for messages.
        noun: The word for a resource of this type in messages.
    """

    place: ClassVar[str]
    setting: ClassVar[str]
    settings: ClassVar[dict[str, Any]] = {}
    expected: ClassVar[str]
    noun: ClassVar[str]

    def accepts(self, value: Any) -> bool:
        """Return whether the value of an entry in the table has the right type.

        By default, the value must be a string.
        """
        return type(value) is str

    def read(self, settings: Mapping[str, Any], directory: Path) -> dict[str, Resource]:
        """Read the resources that a configuration names.

        By default, there are none: resources without a setting are learned.

        Args:
            settings: The settings of all types of resources.
            directory: The directory that file names are relative to.

        Returns:
            The resources by name.

        Raises:
            SennaError: If a file cannot be read; the message names it.
        """
        return {}

    def from_array(self, array: np.ndarray, name: str) -> Resource:
        """Return the resource that a native model stores as `array`, uint8[n_bytes].

        Raises:
            SennaError: If it is malformed; the message contains `name`.
        """
        raise NotImplementedError

    def from_senna(self, keys: Vocabulary, marks: np.ndarray) -> Resource:
        """Create a resource from the contents of SENNA's files.

        Args:
            keys: The keys.
            marks: uint8[n_keys], a number for each key.

        Raises:
            NotImplementedError: If SENNA has no resources of this type.
        """
        raise NotImplementedError(f"SENNA has no {self.noun}")

    def to_senna(self, resource: Resource, name: str) -> tuple[Vocabulary, np.ndarray]:
        """Return the contents of SENNA's files for a resource.

        Args:
            resource: The resource.
            name: The name of the resource, for messages.

        Returns:
            The keys, and a number for each key: uint8[n_keys].

        Raises:
            NotImplementedError: If SENNA has no resources of this type.
        """
        raise NotImplementedError(f"SENNA has no {self.noun}")

    def describe(self, resource: Resource) -> Any:
        """Return a description of a resource for `senna-model info --json`."""
        raise NotImplementedError

    def lines(self, descriptions: dict[str, Any]) -> list[str]:
        """Return the lines that `senna-model info` prints.

        Args:
            descriptions: The result of `describe` for each resource, by name. There is
                at least one.
        """
        raise NotImplementedError

    def title(self, name: str) -> str:
        """Return the name of a resource with its noun, for messages."""
        return f"{self.noun} {name}"


@dataclass
class TrainingTokens:
    """The training data from which the vocabulary of a feature is made.

    Attributes:
        tokens: The tokens of the training sentences.
        min_count: The minimum number of occurrences of a value that becomes a key.
        resource: The resource of the feature, or None.
        settings: The settings of all types of resources.
        values: The labels of the network or column if the feature is a label, otherwise
            empty.
    """

    tokens: Tokens
    min_count: int = 1
    resource: Resource | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    values: Iterable[str] = ()


class Feature:
    """The base class of features.

    Attributes:
        pattern: A pattern for the names of features of this type, with groups
            `resource` and `length` if names contain them.
        begins: A prefix that is reserved for the names of this type, or None.
        keys: The keys of the feature's table, if they are the same in all models.
        resource_type: The type of resource that the feature needs, or None.
        own_table: Whether each network stores a table and the list of its keys. Only
            the table of words is shared; networks store their changes to it.
        of_tokens: Whether the feature is computed from tokens. Otherwise it is the
            label that a network predicts.
        of_form: Whether the feature depends only on the text of a token, and not on
            its context.
        name: The name of the feature.
        resource: The name of the feature's resource, or an empty string.
        length: The number of characters, such as 3 in `suffix.3`, or None.
    """

    pattern: ClassVar[re.Pattern]
    begins: ClassVar[str | None] = None
    keys: ClassVar[tuple[str, ...]] = ()
    resource_type: ClassVar[ResourceType | None] = None
    own_table: ClassVar[bool] = True
    of_tokens: ClassVar[bool] = True
    of_form: ClassVar[bool] = False

    def __init__(
        self, name: str, resource: str = "", length: str | None = None
    ) -> None:
        """Create a feature.

        Args:
            name: The name of the feature.
            resource: The group `resource` of `pattern` in the name.
            length: The group `length` of `pattern` in the name.
        """
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
        """Return the keys of the feature's own table, including PADDING.

        Args:
            training: The training data, for keys that depend on it.
        """
        return Vocabulary.from_keys(self.keys, self.name)

    def column(
        self, vocabulary: Vocabulary | None, resource: Resource | None
    ) -> Callable[[Batch], np.ndarray]:
        """Return a function that computes the feature for a Batch.

        Args:
            vocabulary: The keys of the feature, or None for words.
            resource: The resource of the feature, or None.

        Returns:
            A function that takes a Batch and returns the index of each token's key:
            int32[n_tokens].

        Raises:
            SennaError: If the vocabulary lacks a key.
        """
        raise NotImplementedError

    def form_value(self, resource: Any) -> FormValue | None:
        """Return a value of forms that the feature reads, or None.

        Features that depend on the context may depend on such a value, too. The key of
        the value is the resource.
        """
        return None

    def padding(self, vocabulary: Vocabulary) -> int:
        """Return the row index of PADDING, for positions outside the sentence."""
        return vocabulary.position(PADDING)


def positions(vocabulary: Vocabulary, *keys: str) -> np.ndarray:
    """Return the indices of keys in a vocabulary: int32[n_keys].

    Raises:
        SennaError: If a key is missing.
    """
    return np.array([vocabulary.position(key) for key in keys], np.int32)
