"""Native models: networks, words and the resources of features in one file.

The format is described in `docs/reference/file-formats.md`. The arrays are stored by
`models.tensors`. The word vectors are stored once, as float16 or in 8 bits. The word
table of a network is stored as the rows that differ from these vectors. Arrays that
several networks share are stored with the first of these networks.
"""

from typing import Any

from senna_py.features.protocol import Resource
from senna_py.features.registry import find_feature
from senna_py.io.files import AnyPath
from senna_py.labels.tasks import TREES
from senna_py.models.native_contents import Contents
from senna_py.models.native_header import FORMAT, VERSION
from senna_py.models.native_parts import ModelPart, begins_with_labels, read_part
from senna_py.models.storage import Storage
from senna_py.models.tensors import read_tensors, release_pages
from senna_py.networks.base import TaggerNetwork
from senna_py.text.learned_tokens import TokenFinder
from senna_py.text.splitter import SentenceSplitter
from senna_py.text.tokenizer_kinds import LEARNED, SENNA
from senna_py.text.vocabulary import Vocabulary
from senna_py.text.word_splitting import WordSplitter

FILE_NAME = "model.safetensors"


class NativeModel(Storage):
    """A native model, which is memory-mapped from a file.

    Attributes:
        vectors: The shared word vectors: float16[n_words, dim] or ByteRows.
    """

    format, version = FORMAT, VERSION

    def __init__(self, path: AnyPath) -> None:
        """Memory-map the file at `path`, or the file FILE_NAME in a directory `path`.

        Raises:
            SennaError: If the file cannot be read or is damaged.
        """
        super().__init__(path)
        if self.path.is_dir():
            self.path /= FILE_NAME
        self._contents = Contents(self.path, *read_tensors(self.path))
        self.vectors = self._contents.vectors
        self.networks = tuple(self._contents.entries)
        self.info = self._contents.info
        self.tokenizer = self.info.get("tokenizer", SENNA)
        self.vector_bits = 8 if self._contents.in_bytes() else 16

    @property
    def own_networks(self) -> tuple[str, ...]:
        """The names of the networks that are not carried (`ModelPart.carried`)."""
        return tuple(
            name
            for name, entry in self._contents.entries.items()
            if not entry["carried"]
        )

    @property
    def words(self) -> Vocabulary:
        return self._contents.words

    @property
    def splitter(self) -> SentenceSplitter | None:
        return self._once(("splitter",), self._contents.read_splitter)

    @property
    def word_splitter(self) -> WordSplitter | None:
        return self._once(("word splitter",), self._contents.read_word_splitter)

    @property
    def finder(self) -> TokenFinder | None:
        if self.tokenizer != LEARNED:
            return None
        from senna_py.models.unit_network import UnitNetwork  # noqa: PLC0415 - few have it

        return self._once(("finder",), lambda: UnitNetwork(self))

    def part(self, name: str) -> ModelPart:
        """Return a network with its vocabularies; read and check it on first use."""
        return self._once(("part", name), lambda: self._read_part(name))

    def _read_part(self, name: str) -> ModelPart:
        part = read_part(self._contents, name)
        for feature, vocabulary in part.vocabularies.items():
            part.vocabularies[feature] = self._first_equal(feature, vocabulary)
        # All rows have been read for a check, but few of them will be used.
        release_pages(self._contents.tensors["vectors"])
        return part

    def _first_equal(self, feature: str, vocabulary: Vocabulary) -> Vocabulary:
        """Return the first vocabulary of a feature that is equal to this one.

        Networks that share the object compute the feature only once.
        """
        return self._once(("list", feature, vocabulary.data), lambda: vocabulary)

    def network(self, name: str) -> TaggerNetwork:
        return self.part(name).network

    def features(self, name: str) -> tuple[str, ...]:
        entry = self._contents.entries.get(name)
        return tuple(entry["features"]) if entry else ()

    def reads(self, name: str) -> tuple[str, ...]:
        entry = self._contents.entries.get(name)
        return tuple(entry["reads"]) if entry else ()

    def knows_labels(self, name: str, other: ModelPart) -> bool:
        """Return whether a network was trained with the labels of another.

        The result is True if the network does not read them.
        """
        if other.name not in self.reads(name):
            return True
        keys = self.feature_vocabulary(name, other.name)
        return begins_with_labels(keys, other.labels)

    def labels(self, name: str) -> Vocabulary:
        return self.part(name).labels

    @property
    def closing_brackets(self) -> Vocabulary:
        return self.part(TREES).vocabularies[f"{TREES}-right"]

    def feature_vocabulary(self, name: str, feature: str) -> Vocabulary:
        if find_feature(feature).own_table:
            return self.part(name).vocabularies[feature]
        return self.words

    def labelled(self, name: str) -> str:
        return self._contents.entries[name]["labelled"]

    def resources(self, place: str) -> tuple[str, ...]:
        return self._contents.resources(place)

    def resource(self, place: str, name: str) -> Resource:
        key = "resource", place, name
        return self._once(key, lambda: self._contents.read_resource(place, name))

    def pooling(self, name: str) -> float:
        entry = self._contents.entries.get(name)
        return entry["pooling"] if entry else 0

    def part_info(self, name: str) -> dict[str, Any]:
        return self._contents.entries[name]["info"]
