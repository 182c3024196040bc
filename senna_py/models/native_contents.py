"""Access to the checked arrays and the header of a native model."""

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
from senna_py.text.word_splitting import WordSplitter

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

    from senna_py.features.protocol import Resource
    from senna_py.io.files import AnyPath

WORDS_OF_TOKENS = "words_of_tokens"  # the array that has the lines of a WordSplitter
SPLITTER_ARRAYS = ("weights", "known", "abbreviations")  # with the prefix `sentences/`
_LONGEST_LIST = 2**31 - 2  # in bytes; offsets in a list are int32
_Value = TypeVar("_Value")
_Rounded = TypeVar("_Rounded", ByteRows, ByteColumns)


class Contents:
    """The arrays and the header of a model that was read or will be written.

    All methods raise SennaError if an item is missing or malformed; the message names
    the file and the item.

    Attributes:
        path: The file.
        tensors: The arrays by name.
        info: The information about the model (INFO_KEYS).
        entries: The header's entry for each network, by name.
        names_by_owner: The names of arrays by their owner, which is the part of the
            name before the second slash, such as `networks/pos`.
        words: The dictionary.
        vectors: The shared word vectors: float16[n_words, dim] or ByteRows.
    """

    def __init__(
        self,
        path: AnyPath,
        metadata: Mapping[str, str],
        tensors: Mapping[str, NDArray[Any]],
    ) -> None:
        """Check the names and types of arrays, and read the header.

        Args:
            path: The file, for messages.
            metadata: The metadata, as `models.tensors.read_tensors` returns them.
            tensors: The arrays by name.
        """
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
        """Raise SennaError with the name of the file and a problem."""
        raise SennaError(f"{self.path}: {problem}")

    def _check_names(self) -> None:
        """Raise SennaError if an array does not belong to any part of the model."""
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
        return name in ("words", "vectors", WORDS_OF_TOKENS)

    def in_bytes(self, name: str = "vectors") -> bool:
        """Return whether an array is stored as 8-bit numbers instead of float16."""
        array = self.tensors.get(name)
        return array is not None and array.dtype == np.int8

    def tensor(self, name: str, dtype: DTypeLike) -> NDArray[Any]:
        """Return an array, and check its dtype.

        Arrays of any dtype but float16 and int8 must be one-dimensional.
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
        """Return an array of 8-bit numbers together with its scales.

        Args:
            rounding: The class of the result.
            name: The name of the array of numbers.
            scales: The name of the array of scales.
        """
        array = rounding(self.tensor(name, np.int8), self.tensor(scales, np.float32))
        with prefix_errors(f"{self.path}: {scales}"):
            return array.checked()

    def text(self, name: str) -> NDArray[np.uint8]:
        """Return the bytes of the list in the array `name`: uint8[n_bytes]."""
        array = self.tensor(name, np.uint8)
        if len(array) > _LONGEST_LIST:
            self.fail(f"{name}: {len(array):,} bytes; the limit is {_LONGEST_LIST:,}")
        return array

    def lines(self, name: str) -> Vocabulary:
        """Return the vocabulary whose keys are stored in the array `name`."""
        return Vocabulary(self.text(name).tobytes(), f"{self.path}: {name}")

    def once(self, make: Callable[[], _Value], *names: str) -> _Value:
        """Return `make()`, which is cached if networks share all arrays `names`."""
        if not self._shared.issuperset(names):
            return make()
        if names not in self._values:
            self._values[names] = make()
        return self._values[names]

    def resources(self, place: str) -> tuple[str, ...]:
        """Return the names of the resources at `place`, a key of RESOURCES."""
        prefix = f"{place}/"
        return tuple(
            owner.removeprefix(prefix)
            for owner in self.names_by_owner
            if owner.startswith(prefix)
        )

    def read_resource(self, place: str, name: str) -> Resource:
        """Read and check the resource `name` at `place`, a key of RESOURCES."""
        resource, array_name = RESOURCES[place], f"{place}/{name}"
        if array_name not in self.tensors:
            self.fail(f"the {resource.title(name)} is missing")
        with prefix_errors(f"{self.path}: {resource.title(name)}"):
            return resource.from_array(
                self.text(array_name), f"{self.path}: {array_name}"
            )

    def read_splitter(self) -> SentenceSplitter | None:
        """Read and check the sentence splitter; return None if there is none."""
        names = [f"sentences/{name}" for name in SPLITTER_ARRAYS]
        if not self.tensors.keys() & set(names):
            return None
        weights = self.tensor(names[0], np.float16)
        known = np.unpackbits(self.tensor(names[1], np.uint8)).astype(bool)
        lines = self.text(names[2]).tobytes().split(b"\n")
        abbreviations = parse_abbreviations(lines, f"{self.path}: {names[2]}")
        with prefix_errors(f"{self.path}: sentences"):
            return SentenceSplitter(weights, known, abbreviations)

    def read_word_splitter(self) -> WordSplitter | None:
        """Read and check the splitter for multiword tokens; return None without one."""
        if WORDS_OF_TOKENS not in self.tensors:
            return None
        text = self.text(WORDS_OF_TOKENS).tobytes().decode("utf-8", "surrogateescape")
        lines = text.removesuffix("\n").split("\n")
        return WordSplitter.of_lines(lines, f"{self.path}: {WORDS_OF_TOKENS}")
