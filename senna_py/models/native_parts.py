"""The parts of a native model: how they are checked, on the way into a file and out of
it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np

from senna_py.errors import SennaError
from senna_py.features.protocol import Resource
from senna_py.features.registry import RESOURCES, find_feature
from senna_py.io.file_errors import prefix_errors
from senna_py.io.files import AnyPath
from senna_py.layers.int8 import ByteColumns
from senna_py.layers.lookup import ByteRows, ChangedTable, table_name
from senna_py.models.native_header import NAME, check_tokenizer, read_description
from senna_py.networks.base import TaggerNetwork
from senna_py.networks.registry import NETWORKS, network_class
from senna_py.text.abbreviations import parse_abbreviations
from senna_py.text.splitter import SentenceSplitter
from senna_py.text.vocabulary import Vocabulary

SPLITTER_ARRAYS = ("weights", "known", "abbreviations")  # below `sentences/`
_LONGEST_LIST = 2**31 - 2  # bytes; positions in a list are int32


def begins_with_labels(keys: Vocabulary, labels: Vocabulary) -> bool:
    """Whether a feature's keys begin with the labels of the network that it is taken
    from.
    """
    found = labels.keys()
    return keys.keys()[: len(found)] == found


@dataclass
class ModelPart:
    """One network with everything it needs.

    name: its task, see `labels.tasks`, or any other; features: one name per lookup
    table, in order (see `features.registry`); labels: the Vocabulary of what it
    predicts; vocabularies: the keys of each feature that has a table of its own. A
    network of trees named NAME has left-hand brackets as labels, and the right-hand
    ones under `NAME-right`. info: anything JSON can say: configuration, scores,
    license, data; carried: whether it is there for the sake of another one, which takes
    its labels, and gives way to any other of its name.
    """

    name: str
    network: TaggerNetwork
    features: tuple[str, ...]
    labels: Vocabulary
    vocabularies: dict[str, Vocabulary] = field(default_factory=dict)
    info: dict = field(default_factory=dict)
    carried: bool = False


class Contents:
    """The arrays and the description of a model, from a file or on the way to it.

    by_owner: names of arrays, lists by what is before their second slash.
    Raises SennaError naming the file for whatever is missing or malformed.
    """

    def __init__(
        self,
        path: AnyPath,
        metadata: Mapping[str, str],
        tensors: Mapping[str, np.ndarray],
    ) -> None:
        """Check metadata and tensors, as `models.tensors.read_tensors` returns them."""
        self.path, self.tensors = path, tensors
        with prefix_errors(path):
            self.info, self.entries = read_description(metadata, tensors)
            check_tokenizer(self.info)
        self._check_names()
        self.by_owner: dict[str, list[str]] = {}
        for name in tensors:
            self.by_owner.setdefault("/".join(name.split("/")[:2]), []).append(name)
        self._shared = {
            f"networks/{owner}/{name}"
            for entry in self.entries.values()
            for owner, names in entry["shared"].items()
            for name in names
        }
        self._made: dict[tuple[str, ...], Any] = {}
        self.words = self.lines("words")
        self.vectors: Any = (
            self.bytes_of(ByteRows, "vectors", "vector_scales")
            if self.in_bytes()
            else self.tensor("vectors", np.float16)
        )
        shape = self.vectors.shape
        if len(shape) != 2 or 0 in shape or shape[0] != len(self.words):
            self.fail(f"vectors: shape {list(shape)} for {len(self.words):,} words")

    def fail(self, problem: object) -> NoReturn:
        """Raise SennaError."""
        raise SennaError(f"{self.path}: {problem}")

    def _check_names(self):
        """Raise SennaError for an array that no part of the model asks for."""
        for name in self.tensors:
            place, _, rest = name.partition("/")
            owner, slash, own = rest.partition("/")
            if place in RESOURCES:
                known = NAME.fullmatch(rest)
            elif place == "networks":
                known = slash and owner in self.entries
            elif place == "sentences":
                known = own == "" and owner in SPLITTER_ARRAYS
            else:
                known = name in (
                    "words",
                    "vectors",
                    *["vector_scales"] * self.in_bytes(),
                )
            if not known:
                self.fail(f"array {name!r} belongs to nothing")

    def in_bytes(self, name: str = "vectors") -> bool:
        """Whether an array has 8 bits a number, and not 16."""
        array = self.tensors.get(name)
        return array is not None and array.dtype == np.int8

    def read_splitter(self) -> SentenceSplitter | None:
        """The SentenceSplitter, checked, or None."""
        names = [f"sentences/{name}" for name in SPLITTER_ARRAYS]
        if not self.tensors.keys() & set(names):
            return None
        weights, known = (
            self.tensor(names[0], np.float16),
            self.tensor(names[1], np.uint8),
        )
        lines = self.text(names[2]).tobytes().split(b"\n")
        own = parse_abbreviations(lines, f"{self.path}: {names[2]}")
        with prefix_errors(f"{self.path}: sentences"):
            return SentenceSplitter(weights, np.unpackbits(known).astype(bool), own)

    def resources(self, place: str) -> tuple[str, ...]:
        """Names of the resources of a kind."""
        prefix = f"{place}/"
        return tuple(
            key.removeprefix(prefix) for key in self.by_owner if key.startswith(prefix)
        )

    def tensor(self, name: str, dtype: Any) -> np.ndarray:
        """An array, of the dtype that it must have; all but float16 and int8 ones are
        flat.
        """
        array = self.tensors.get(name)
        if array is None:
            self.fail(f"array {name!r} is missing")
        if array.dtype != dtype or (
            dtype not in (np.float16, np.int8) and array.ndim != 1
        ):
            found = f"{array.dtype}{list(array.shape)}"
            self.fail(f"array {name!r}: {found}, expected {np.dtype(dtype)}")
        return array

    def bytes_of(self, kind: Any, name: str, scales: str) -> Any:
        """ByteRows or ByteColumns, whichever `kind` is, of the arrays of these
        names.
        """
        found = kind(self.tensor(name, np.int8), self.tensor(scales, np.float32))
        with prefix_errors(f"{self.path}: {scales}"):
            return found.checked()

    def text(self, name: str) -> np.ndarray:
        """Bytes of a list: uint8[n_bytes]."""
        array = self.tensor(name, np.uint8)
        if len(array) > _LONGEST_LIST:
            self.fail(f"{name}: {len(array):,} bytes; the limit is {_LONGEST_LIST:,}")
        return array

    def lines(self, name: str) -> Vocabulary:
        """Vocabulary of a list."""
        return Vocabulary(self.text(name).tobytes(), f"{self.path}: {name}")

    def once(self, make: Callable[[], Any], *names: str) -> Any:
        """Return `make()` of the arrays `names`; networks that share them get the same
        object.
        """
        if not self._shared.issuperset(names):
            return make()
        if names not in self._made:
            self._made[names] = make()
        return self._made[names]

    def read_resource(self, place: str, name: str) -> Resource:
        """A resource, checked; place: that of its kind."""
        kind, whole = RESOURCES[place], f"{place}/{name}"
        if whole not in self.tensors:
            self.fail(f"the {kind.title(name)} is missing")
        with prefix_errors(f"{self.path}: {kind.title(name)}"):
            return kind.from_array(self.text(whole), f"{self.path}: {whole}")

    def read_part(self, name: str) -> ModelPart:
        """The ModelPart `name`, with its layers as float32, checked."""
        return _PartReader(self, name).read()


class _PartReader:
    """Reads one network, and sees to it that all its arrays are used."""

    def __init__(self, contents, name):
        self._contents, self._name = contents, name
        self._entry, prefix = contents.entries[name], f"networks/{name}/"
        self._features = tuple(self._entry["features"])
        # Where each array is in the file: those that another network has as well are
        # with that.
        own = contents.by_owner.get(prefix[:-1], ())
        self._places = {key[len(prefix) :]: key for key in own}
        for owner, keys in self._entry["shared"].items():
            self._places |= {key: f"networks/{owner}/{key}" for key in keys}
        self._left = set(self._places)

    def read(self):
        network, lists = self._network(self._entry, self._features), {}
        for member, columns in network.members() or [
            (network, range(len(self._features)))
        ]:
            for column, table in zip(columns, member.tables, strict=True):
                if find_feature(feature := self._features[column]).own_table:
                    lists[feature] = self._feature_list(feature, table)
        for key in network.answers.lists:
            own = lists[f"{self._name}-{key}"] = self._lines(
                f"vocabularies/{self._name}-{key}"
            )
            own.check_labels()
            if len(own) < network.n_labels:
                self._fail(f"{len(own):,} {key}-hand brackets are too few")
        labels = self._lines("labels")
        labels.check_labels()
        if len(labels) != network.n_labels:
            self._fail(f"{len(labels):,} labels, it scores {network.n_labels:,}")
        if self._left:
            self._fail(f"array {self._places[min(self._left)]!r} belongs to nothing")
        entry = self._entry
        return ModelPart(
            self._name,
            network,
            self._features,
            labels,
            lists,
            entry["info"],
            entry["carried"],
        )

    def _fail(self, problem):
        self._contents.fail(f"network {self._name}: {problem}")

    def _place(self, key):
        self._left.discard(key)
        return self._places.get(key, f"networks/{self._name}/{key}")

    def _take(self, key, dtype):
        return self._contents.tensor(self._place(key), dtype)

    def _float(self, key):
        return self._contents.once(
            lambda: self._half(key).astype(np.float32), self._place(key)
        )

    def _half(self, key):
        array = self._take(key, np.float16)
        if not np.isfinite(array).all():
            self._fail(f"{key}: a number that is not finite")
        return array

    def _lines(self, key):
        place = self._place(key)
        return self._contents.once(lambda: self._contents.lines(place), place)

    def _network(self, entry, features, place=""):
        """A network whose arrays stand at `place`; entry: what the header says of
        it.
        """
        cls = network_class(entry["kind"])
        with prefix_errors(f"{self._contents.path}: network {self._name}"):
            sizes = cls.read_sizes(entry)
        if entries := sizes.get("members"):
            members = [self._member(k, each) for k, each in enumerate(entries)]
            columns = [each["columns"] for each in entries]
            network = cls(
                sizes["how"], columns, members, **self._layers(cls, sizes, place)
            )
        else:
            tables = [self._table(k, name, place) for k, name in enumerate(features)]
            padding = self._take(f"{place}padding", np.int32)
            network = cls(tables, padding, **sizes, **self._layers(cls, sizes, place))
        try:
            network.check()
        except SennaError as error:
            self._fail(f"{place.replace('/', ' ')}{error}")
        return network

    def _member(self, k, entry):
        kind = entry.get("kind")
        if (
            not isinstance(kind, str)
            or kind not in NETWORKS
            or kind == self._entry["kind"]
        ):
            self._fail(f"member {k}: kind {kind!r}")
        features = [self._features[column] for column in entry["columns"]]
        return self._network(entry, features, f"members/{k}/")

    def _layers(self, cls, sizes, place):
        arrays = {}
        for array in cls.declare(sizes):
            missing = place + array.name not in self._places and array.group
            read = self._weight if array.rounded else self._float
            arrays[array.name] = None if missing else read(place + array.name)
        return arrays

    def _weight(self, key):
        """ByteColumns, or float32 of what has 16 bits."""
        contents, name = self._contents, self._place(key)
        if not contents.in_bytes(name):
            return self._float(key)
        names = name, self._place(f"{key}_scales")
        return contents.once(lambda: contents.bytes_of(ByteColumns, *names), *names)

    def _table(self, k, feature, place):
        if find_feature(feature).own_table:
            return self._float(place + table_name(k))
        names = (
            "changed_rows",
            "changed_vectors",
            *["changed_scales"] * self._contents.in_bytes(),
        )
        places = (self._place(place + name) for name in names)
        return self._contents.once(lambda: self._word_table(place), *places)

    def _word_table(self, place):
        rows = self._take(f"{place}changed_rows", np.int32)
        vectors, scales = f"{place}changed_vectors", f"{place}changed_scales"
        if self._contents.in_bytes():
            changed = self._contents.bytes_of(
                ByteRows, self._place(vectors), self._place(scales)
            )
        else:
            changed = self._half(vectors)
        n_words, dim = self._contents.vectors.shape
        if changed.shape != (len(rows), dim):
            self._fail(
                f"changed_vectors: shape {list(changed.shape)} for {len(rows):,} rows of {dim}"
            )
        inside = not len(rows) or (rows[0] >= 0 and rows[-1] < n_words)
        if not inside or not (rows[1:] > rows[:-1]).all():
            self._fail(f"changed_rows: not increasing, or beyond {n_words:,} words")
        return ChangedTable(self._contents.vectors, rows, changed)

    def _feature_list(self, feature, table):
        """Keys of a feature; those of what a network predicts begin with its labels."""
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
