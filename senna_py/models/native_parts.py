"""Read the networks of a native model, with their labels and vocabularies."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from senna_py.errors import SennaError
from senna_py.features.registry import find_feature
from senna_py.io.file_errors import prefix_errors
from senna_py.layers.int8 import ByteColumns
from senna_py.layers.lookup import ByteRows, ChangedTable, table_name
from senna_py.networks.registry import NETWORKS, network_class

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import DTypeLike, NDArray

    from senna_py.models.native_contents import Contents
    from senna_py.networks.base import TaggerNetwork
    from senna_py.text.vocabulary import Vocabulary


def begins_with_labels(keys: Vocabulary, labels: Vocabulary) -> bool:
    """Return whether the keys of a feature begin with all labels, in the same order."""
    names = labels.keys()
    return keys.keys()[: len(names)] == names


@dataclass
class ModelPart:
    """A network together with its labels, its vocabularies and its description.

    Attributes:
        name: The name of the network: a task of `labels.tasks`, or any other name.
        network: The network.
        features: The name of the feature of each lookup table.
        labels: The labels that it predicts. For a network of trees, they are the
            left-hand brackets.
        vocabularies: The keys of each feature that has its own table, by feature; and
            the right-hand brackets of a network of trees, as `NAME-right`.
        info: Its configuration, scores, license and data, for JSON.
        carried: Whether the model has it only because another network reads its labels.
            Any other network with the same name replaces it.
        pooling: The share of the document in the probabilities of a repeated name; see
            `networks.pooling`.
    """

    name: str
    network: TaggerNetwork
    features: tuple[str, ...]
    labels: Vocabulary
    vocabularies: dict[str, Vocabulary] = field(default_factory=dict)
    info: dict[str, Any] = field(default_factory=dict)
    carried: bool = False
    pooling: float = 0


def read_part(contents: Contents, name: str) -> ModelPart:
    """Read and check the network `name`; its float16 layers become float32."""
    return _PartReader(contents, name).read()


class _PartReader:
    """Reads one network, and checks that all its arrays are used."""

    def __init__(self, contents: Contents, name: str) -> None:
        self._contents, self._name = contents, name
        self._entry, prefix = contents.entries[name], f"networks/{name}/"
        self._features = tuple(self._entry["features"])
        # The full names of the network's arrays. Shared arrays are stored with the
        # first network that has them.
        names = contents.names_by_owner.get(prefix[:-1], ())
        self._names = {full[len(prefix) :]: full for full in names}
        for owner, keys in self._entry["shared"].items():
            self._names |= {key: f"networks/{owner}/{key}" for key in keys}
        self._unused = set(self._names)

    def read(self) -> ModelPart:
        network = self._read_network(self._entry, self._features)
        vocabularies = self._read_vocabularies(network)
        labels = self._lines("labels")
        labels.check_labels()
        if len(labels) != network.n_labels:
            self._fail(f"{len(labels):,} labels, it scores {network.n_labels:,}")
        if self._unused:
            self._fail(f"array {self._names[min(self._unused)]!r} is unexpected")
        return ModelPart(
            self._name,
            network,
            self._features,
            labels,
            vocabularies,
            self._entry["info"],
            self._entry["carried"],
            self._entry["pooling"],
        )

    def _read_vocabularies(self, network: TaggerNetwork) -> dict[str, Vocabulary]:
        """Read the keys of features with their own tables, and additional labels."""
        vocabularies: dict[str, Vocabulary] = {}
        every_column = range(len(self._features))
        for member, columns in network.members() or [(network, every_column)]:
            for column, table in zip(columns, member.tables, strict=True):
                feature = self._features[column]
                if find_feature(feature).own_table:
                    vocabularies[feature] = self._read_keys(feature, table)
        for suffix in network.label_lists:
            name = f"{self._name}-{suffix}"
            vocabulary = vocabularies[name] = self._lines(f"vocabularies/{name}")
            vocabulary.check_labels()
            if len(vocabulary) < network.n_labels:
                self._fail(f"{len(vocabulary):,} {suffix}-hand brackets are too few")
        return vocabularies

    def _fail(self, problem: str) -> NoReturn:
        self._contents.fail(f"network {self._name}: {problem}")

    def _use(self, key: str) -> str:
        """Return the full name of an array, and mark the array as used."""
        self._unused.discard(key)
        return self._names.get(key, f"networks/{self._name}/{key}")

    def _tensor(self, key: str, dtype: DTypeLike) -> NDArray[Any]:
        return self._contents.tensor(self._use(key), dtype)

    def _float(self, key: str) -> NDArray[np.float32]:
        return self._contents.once(
            lambda: self._half(key).astype(np.float32), self._use(key)
        )

    def _half(self, key: str) -> NDArray[np.float16]:
        array = self._tensor(key, np.float16)
        if not np.isfinite(array).all():
            self._fail(f"{key}: a number that is not finite")
        return array

    def _lines(self, key: str) -> Vocabulary:
        name = self._use(key)
        return self._contents.once(lambda: self._contents.lines(name), name)

    def _read_network(
        self, entry: Mapping[str, Any], features: Sequence[str], prefix: str = ""
    ) -> TaggerNetwork:
        """Read a network, which may be a member of an ensemble.

        entry: The header's description of the network.
        features: The names of its features.
        prefix: The prefix of the names of its arrays.
        """
        cls: Any = network_class(entry["kind"])
        with prefix_errors(f"{self._contents.path}: network {self._name}"):
            sizes = cls.read_sizes(entry)
        network: TaggerNetwork
        if entries := sizes.get("members"):
            members = [self._read_member(k, member) for k, member in enumerate(entries)]
            columns = [member["columns"] for member in entries]
            layers = self._read_layers(cls, sizes, prefix)
            network = cls(sizes["how"], columns, members, **layers)
        else:
            tables = [self._table(k, name, prefix) for k, name in enumerate(features)]
            padding = self._tensor(f"{prefix}padding", np.int32)
            layers = self._read_layers(cls, sizes, prefix)
            network = cls(tables, padding, **sizes, **layers)
        try:
            network.check()
        except SennaError as error:
            self._fail(f"{prefix.replace('/', ' ')}{error}")
        return network

    def _read_member(self, k: int, entry: Mapping[str, Any]) -> TaggerNetwork:
        """Read member `k` of an ensemble, whose entry is `entry`."""
        kind = entry.get("kind")
        if (
            not isinstance(kind, str)
            or kind not in NETWORKS
            or kind == self._entry["kind"]
        ):
            self._fail(f"member {k}: kind {kind!r}")
        features = [self._features[column] for column in entry["columns"]]
        return self._read_network(entry, features, f"members/{k}/")

    def _read_layers(
        self, cls: type[TaggerNetwork], sizes: Mapping[str, Any], prefix: str
    ) -> dict[str, Any]:
        """Return the arrays of the layers by name; missing optional arrays are None."""
        arrays: dict[str, Any] = {}
        for array in cls.declare(sizes):
            key = prefix + array.name
            if array.group and key not in self._names:
                arrays[array.name] = None
            elif array.rounded:
                arrays[array.name] = self._weight(key)
            else:
                arrays[array.name] = self._float(key)
        return arrays

    def _weight(self, key: str) -> ByteColumns | NDArray[np.float32]:
        """Read a weight matrix that is stored as 8-bit numbers or float16."""
        contents, name = self._contents, self._use(key)
        if not contents.in_bytes(name):
            return self._float(key)
        scales = self._use(f"{key}_scales")
        return contents.once(
            lambda: contents.rounded(ByteColumns, name, scales), name, scales
        )

    def _table(self, k: int, feature: str, prefix: str) -> Any:
        """Read lookup table `k` of a network, for the feature `feature`."""
        if find_feature(feature).own_table:
            return self._float(prefix + table_name(k))
        keys = ["changed_rows", "changed_vectors"]
        if self._contents.in_bytes():
            keys.append("changed_scales")
        names = [self._use(prefix + key) for key in keys]
        return self._contents.once(lambda: self._word_table(prefix), *names)

    def _word_table(self, prefix: str) -> ChangedTable:
        """Read a word table, which is stored as changes of the shared vectors."""
        rows = self._tensor(f"{prefix}changed_rows", np.int32)
        changed: Any
        if self._contents.in_bytes():
            vectors = self._use(f"{prefix}changed_vectors")
            scales = self._use(f"{prefix}changed_scales")
            changed = self._contents.rounded(ByteRows, vectors, scales)
        else:
            changed = self._half(f"{prefix}changed_vectors")
        n_words, dim = self._contents.vectors.shape
        if changed.shape != (len(rows), dim):
            self._fail(
                f"changed_vectors: shape {list(changed.shape)} for {len(rows):,} rows of {dim}"
            )
        is_inside = not len(rows) or (rows[0] >= 0 and rows[-1] < n_words)
        if not is_inside or not (rows[1:] > rows[:-1]).all():
            self._fail(f"changed_rows: not increasing, or beyond {n_words:,} words")
        return ChangedTable(self._contents.vectors, rows, changed)

    def _read_keys(self, feature: str, table: Any) -> Vocabulary:
        """Read the keys of a feature, one for each row of its table.

        If the feature is the labels of a network in the file, the keys must begin with
        these labels.
        """
        keys = self._lines(f"vocabularies/{feature}")
        if len(keys) != len(table):
            self._fail(f"{len(keys):,} keys of {feature}, its table has {len(table):,}")
        if feature in self._contents.entries and not find_feature(feature).of_tokens:
            labels = self._contents.lines(f"networks/{feature}/labels")
            if not begins_with_labels(keys, labels):
                self._fail(
                    f"its keys of {feature} do not begin with the labels of network {feature}"
                )
        return keys
