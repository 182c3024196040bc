"""The arrays and the description of a native model, checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import numpy as np

from senna_py.errors import SennaError
from senna_py.features.registry import RESOURCES
from senna_py.io.file_errors import prefix_errors
from senna_py.layers.int8 import ByteColumns
from senna_py.layers.lookup import ByteRows
from senna_py.models.native_header import NAME, check_tokenizer, read_description
from senna_py.text.abbreviations import parse_abbreviations
from senna_py.text.splitter import SentenceSplitter
from senna_py.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

    from senna_py.features.protocol import Resource
    from senna_py.io.files import AnyPath

SPLITTER_ARRAYS = ("weights", "known", "abbreviations")  # below `sentences/`
_LONGEST_LIST = 2**31 - 2  # bytes; positions in a list are int32
_Value = TypeVar("_Value")
_Rounded = TypeVar("_Rounded", ByteRows, ByteColumns)


class Contents:
    """The arrays and the description of a model, in a file or on the way to it.

    SennaError names the file and whatever is missing or malformed.

    Attributes:
        path: The file.
        tensors: The arrays by name.
        info: What the model says about itself.
        entries: What the header says about each network, by name.
        names_by_owner: The names of arrays, by what precedes their second slash.
        words: The dictionary.
        vectors: The shared word vectors: float16[n_words, dim] or ByteRows.
    """

    def __init__(
        self,
        path: AnyPath,
        metadata: Mapping[str, str],
        tensors: Mapping[str, NDArray[Any]],
    ) -> None:
        """Check metadata and arrays, as `models.tensors.read_tensors` returns them."""
        self.path, self.tensors = path, tensors
        with prefix_errors(path):
            self.info, self.entries = read_description(metadata, tensors)
            check_tokenizer(self.info)
        self._check_names()
        self.names_by_owner: dict[str, list[str]] = {}
        for name in tensors:
            owner = "/".join(name.split("/")[:2])
            self.names_by_owner.setdefault(owner, []).append(name)
        self._shared = {
            f"networks/{owner}/{name}"
            for entry in self.entries.values()
            for owner, names in entry["shared"].items()
            for name in names
        }
        self._values: dict[tuple[str, ...], Any] = {}
        self.words = self.lines("words")
        if self.in_bytes():
            self.vectors: Any = self.rounded(ByteRows, "vectors", "vector_scales")
        else:
            self.vectors = self.tensor("vectors", np.float16)
        shape = self.vectors.shape
        if len(shape) != 2 or 0 in shape or shape[0] != len(self.words):
            self.fail(f"vectors: shape {list(shape)} for {len(self.words):,} words")

    def fail(self, problem: object) -> NoReturn:
        """Raise SennaError for a problem in the file."""
        raise SennaError(f"{self.path}: {problem}")

    def _check_names(self) -> None:
        """Raise SennaError for an array that belongs to no part of the model."""
        for name in self.tensors:
            if not self._is_known(name):
                self.fail(f"array {name!r} is unexpected")

    def _is_known(self, name: str) -> bool:
        place, _, rest = name.partition("/")
        owner, slash, more = rest.partition("/")
        if place in RESOURCES:
            return NAME.fullmatch(rest) is not None
        if place == "networks":
            return bool(slash) and owner in self.entries
        if place == "sentences":
            return not more and owner in SPLITTER_ARRAYS
        if name == "vector_scales":
            return self.in_bytes()
        return name in ("words", "vectors")

    def in_bytes(self, name: str = "vectors") -> bool:
        """Return whether the numbers of an array have 8 bits, not 16."""
        array = self.tensors.get(name)
        return array is not None and array.dtype == np.int8

    def tensor(self, name: str, dtype: DTypeLike) -> NDArray[Any]:
        """Return an array, which must have this dtype.

        Arrays have one dimension, except those of float16 and int8.
        """
        array = self.tensors.get(name)
        if array is None:
            self.fail(f"array {name!r} is missing")
        is_flat = dtype not in (np.float16, np.int8)
        if array.dtype != dtype or (is_flat and array.ndim != 1):
            actual = f"{array.dtype}{list(array.shape)}"
            self.fail(f"array {name!r}: {actual}, expected {np.dtype(dtype)}")
        return array

    def rounded(self, rounding: type[_Rounded], name: str, scales: str) -> _Rounded:
        """Return an array of 8-bit numbers with its scales, as ByteRows or ByteColumns."""
        array = rounding(self.tensor(name, np.int8), self.tensor(scales, np.float32))
        with prefix_errors(f"{self.path}: {scales}"):
            return array.checked()

    def text(self, name: str) -> NDArray[np.uint8]:
        """Return the bytes of a list: uint8[n_bytes]."""
        array = self.tensor(name, np.uint8)
        if len(array) > _LONGEST_LIST:
            self.fail(f"{name}: {len(array):,} bytes; the limit is {_LONGEST_LIST:,}")
        return array

    def lines(self, name: str) -> Vocabulary:
        """Return the keys of a list."""
        return Vocabulary(self.text(name).tobytes(), f"{self.path}: {name}")

    def once(self, make: Callable[[], _Value], *names: str) -> _Value:
        """Return `make()`; networks that share the arrays `names` get the same object."""
        if not self._shared.issuperset(names):
            return make()
        if names not in self._values:
            self._values[names] = make()
        return self._values[names]

    def resources(self, place: str) -> tuple[str, ...]:
        """List the names of the resources at a place of `features.registry.RESOURCES`."""
        prefix = f"{place}/"
        return tuple(
            owner.removeprefix(prefix)
            for owner in self.names_by_owner
            if owner.startswith(prefix)
        )

    def read_resource(self, place: str, name: str) -> Resource:
        """Read and check a resource."""
        resource, array_name = RESOURCES[place], f"{place}/{name}"
        if array_name not in self.tensors:
            self.fail(f"the {resource.title(name)} is missing")
        with prefix_errors(f"{self.path}: {resource.title(name)}"):
            return resource.from_array(
                self.text(array_name), f"{self.path}: {array_name}"
            )

    def read_splitter(self) -> SentenceSplitter | None:
        """Read and check the splitter of sentences; return None if there is none."""
        names = [f"sentences/{name}" for name in SPLITTER_ARRAYS]
        if not self.tensors.keys() & set(names):
            return None
        weights = self.tensor(names[0], np.float16)
        known = np.unpackbits(self.tensor(names[1], np.uint8)).astype(bool)
        lines = self.text(names[2]).tobytes().split(b"\n")
        abbreviations = parse_abbreviations(lines, f"{self.path}: {names[2]}")
        with prefix_errors(f"{self.path}: sentences"):
            return SentenceSplitter(weights, known, abbreviations)
