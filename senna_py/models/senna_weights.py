"""SENNA's binary weight files `data/*.dat`, each of which holds one network.

The files are little-endian. They consist of int32 numbers, vectors (int32 n, then n
float32), matrices (int32 r and c, then c columns of r float32), and the float32 777.0
at the end. Each column of a lookup table is the vector of a key, so the tables here
have a row for each key. The weights of layers have the shape [n_in, n_out] here, the
transpose of their layout in the file.
"""

import struct
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

import numpy as np
from numpy.typing import NDArray

from senna_py.errors import SennaError
from senna_py.io.file_bytes import map_file
from senna_py.io.files import AnyPath
from senna_py.networks.base import TaggerNetwork
from senna_py.networks.checks import MOST_TAGS, WIDEST_WINDOW
from senna_py.networks.sentence import SentenceNetwork
from senna_py.networks.tree import TreeNetwork
from senna_py.networks.window import WindowNetwork

Floats = NDArray[np.float32]
_TRAILER = struct.pack("<f", 777.0)
# The number of padding indices in the file of a window network. All gazetteers share
# the last one.
_WINDOW_PADDINGS = 3


class _WeightReader:
    """Reads a weight file, and checks every size against the file before using it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._data, self._position = map_file(path), 0
        self._size = len(self._data)
        if not self._size:
            self.fail("the file is empty")

    def fail(self, problem: str) -> NoReturn:
        raise SennaError(f"{self.path}: {problem}")

    def _take(self, n_bytes: int, what: str) -> int:
        """Advance by `n_bytes`; return the previous offset. `what` is for messages."""
        begin, left = self._position, self._size - self._position
        if n_bytes > left:
            self.fail(
                f"{what} at byte {begin} needs {n_bytes:,} bytes, the file has {left:,} left"
            )
        self._position += n_bytes
        return begin

    def integer(self, what: str) -> int:
        """Read an int32; `what` is for messages."""
        return struct.unpack_from("<i", self._data, self._take(4, what))[0]

    def _positive(self, what: str) -> int:
        begin = self._position
        value = self.integer(what)
        if value < 1:
            self.fail(f"{what} at byte {begin} has the size {value}")
        return value

    def _floats(self, count: int, what: str) -> Floats:
        return np.frombuffer(self._data, "<f4", count, self._take(4 * count, what))

    def vector(self, what: str, size: int) -> Floats:
        """Read a vector of a known size: float32[size]."""
        self._expect(what, "size", self._positive(what), size)
        return self._floats(size, what).copy()

    def table(self, name: str) -> Floats:
        """Return the lookup table of a feature, memory-mapped: float32[n_keys, dim]."""
        return self.matrix(f"lookup table of {name}")

    def matrix(
        self, what: str, rows: int | None = None, columns: int | None = None
    ) -> Floats:
        """Return the transpose of a matrix, memory-mapped: float32[n_columns, n_rows].

        rows, columns: The required numbers of rows and columns; None allows any.
        """
        r, c = self._positive(what), self._positive(what)
        self._expect(what, "rows", r, rows)
        self._expect(what, "columns", c, columns)
        return self._floats(r * c, what).reshape(c, r)

    def layer(self, what: str, n_in: int) -> tuple[Floats, Floats]:
        """Read a linear layer: weights float32[n_in, n_out] and bias float32[n_out]."""
        weight = self.matrix(f"{what} weights", n_in).T.copy()
        return weight, self.vector(f"{what} bias", weight.shape[1])

    def sentence_scores(self, n_tags: int) -> tuple[Floats, Floats]:
        """Read the initial scores and the transition scores of tags.

        Returns:
            The initial scores, float32[n_tags], and the transition scores,
            float32[n_tags, n_tags], from the tag of the row to that of the column.
        """
        initial = self.vector("initial scores", n_tags)
        return initial, self.matrix("transition scores", n_tags, n_tags).T.copy()

    def window(self) -> int:
        """Read and check the size of a window, in tokens."""
        window = self.integer("window size")
        if not 1 <= window <= WIDEST_WINDOW or window % 2 == 0:
            self.fail(
                f"window size {window:,}; it must be odd and at most {WIDEST_WINDOW:,}"
            )
        return window

    def padding(self, names: Sequence[str], tables: Sequence[Floats]) -> list[int]:
        """Read the index of the padding key in each table."""
        indices = []
        for name, table in zip(names, tables, strict=True):
            index = self.integer(f"padding index of {name}")
            if not 0 <= index < len(table):
                self.fail(
                    f"padding index {index} of {name}; its table has {len(table)} keys"
                )
            indices.append(index)
        return indices

    def finish(self) -> None:
        """Check that the file ends here, with 777.0."""
        begin = self._take(4, "the closing 777.0")
        if self._data[begin : begin + 4] != _TRAILER:
            self.fail(f"the closing 777.0 is not at byte {begin}: the file is corrupt")
        if self._position != self._size:
            self.fail(f"{self._size - self._position:,} bytes follow the closing 777.0")

    def _expect(self, what: str, noun: str, actual: int, expected: int | None) -> None:
        if expected is not None and actual != expected:
            self.fail(f"{what}: {actual:,} {noun}, expected {expected:,}")


class _WeightWriter:
    """Writes the items that `_WeightReader` reads."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def integer(self, value: int) -> None:
        self._file.write(struct.pack("<i", value))

    def vector(self, values: Floats) -> None:
        self.integer(len(values))
        self._file.write(np.asarray(values, "<f4").tobytes())

    def matrix(self, runs: Floats) -> None:
        """Write the matrix whose transpose is `runs`: float32[n_columns, n_rows]."""
        self.integer(runs.shape[1])
        self.integer(runs.shape[0])
        self._file.write(np.asarray(runs, "<f4").tobytes())

    def layer(self, weight: Floats, bias: Floats) -> None:
        self.matrix(weight.T)
        self.vector(bias)

    def sentence_scores(self, initial: Floats, transition: Floats) -> None:
        self.vector(initial)
        self.matrix(transition.T)

    def finish(self) -> None:
        self._file.write(_TRAILER)


def _total_width(tables: Sequence[Floats]) -> int:
    """Return the dimension of a token's concatenated feature vectors."""
    return sum(table.shape[1] for table in tables)


def _read_head(
    reader: _WeightReader,
    n_input: int,
    sentence_level: bool = True,
    check: Callable[[int], None] | None = None,
) -> dict[str, Floats]:
    """Read the last two layers and the initial and transition scores.

    reader: The reader of the file.
    n_input: The number of inputs of the hidden layer.
    sentence_level: Whether there are initial and transition scores.
    check: A function that is called with the number of labels, before the scores are
        read.

    Returns:
        The arrays, by the names that networks use for them.
    """
    hidden = reader.layer("hidden layer", n_input)
    output = reader.layer("output layer", len(hidden[1]))
    if len(output[1]) > MOST_TAGS:
        reader.fail(f"{len(output[1]):,} labels; the limit is {MOST_TAGS:,}")
    if check is not None:
        check(len(output[1]))
    arrays = {
        "hidden_weight": hidden[0],
        "hidden_bias": hidden[1],
        "output_weight": output[0],
        "output_bias": output[1],
    }
    if sentence_level:
        initial, transition = reader.sentence_scores(len(output[1]))
        arrays |= {"initial": initial, "transition": transition}
    return arrays


def _write_head(
    writer: _WeightWriter, network: Any, n_padding: int | None = None
) -> None:
    """Write the arrays that `_read_head` reads, and then the padding indices.

    n_padding: The number of padding indices to write; None writes all.
    """
    writer.layer(network.hidden_weight, network.hidden_bias)
    writer.layer(network.output_weight, network.output_bias)
    if network.initial is not None:
        writer.sentence_scores(network.initial, network.transition)
    for index in network.padding[:n_padding]:
        writer.integer(index)


def _read_window(
    reader: _WeightReader, features: Sequence[str], sentence_level: bool
) -> WindowNetwork:
    window = reader.window()
    tables = [reader.table(name) for name in features]
    head = _read_head(reader, window * _total_width(tables), sentence_level)
    padding = reader.padding(features[:_WINDOW_PADDINGS], tables[:_WINDOW_PADDINGS])
    padding += padding[-1:] * (len(features) - _WINDOW_PADDINGS)
    for name, table, index in zip(features, tables, padding, strict=True):
        if index >= len(table):
            reader.fail(
                f"padding index {index} of {name}; its table has {len(table)} keys"
            )
    return WindowNetwork(tables, np.array(padding, np.int32), window=window, **head)


def _write_window(writer: _WeightWriter, network: Any) -> None:
    writer.integer(network.window)
    for table in network.tables:
        writer.matrix(table)
    _write_head(writer, network, _WINDOW_PADDINGS)


def _read_distances(reader: _WeightReader, name: str) -> Floats:
    table = reader.table(name)
    if len(table) % 2 == 0:
        reader.fail(
            f"lookup table of {name}: {len(table)} distances, expected an odd number"
        )
    return table


def _read_sentence(reader: _WeightReader, features: Sequence[str]) -> SentenceNetwork:
    window = reader.window()
    tables = [reader.table(name) for name in features]
    verbs = _read_distances(reader, "verb distance")
    words = _read_distances(reader, "word distance")
    if len(verbs) != len(words):
        reader.fail(f"{len(verbs)} verb distances but {len(words)} word distances")
    word_weight = reader.matrix("first layer", window * _total_width(tables)).T.copy()
    n_conv = word_weight.shape[1]
    verb_weight, distance_weight = (
        reader.matrix(
            f"first layer of {name}", window * table.shape[1], n_conv
        ).T.copy()
        for name, table in (("verb distance", verbs), ("word distance", words))
    )
    bias = reader.vector("first layer bias", n_conv)
    head = _read_head(reader, n_conv)
    padding = np.array(reader.padding(features, tables), np.int32)
    return SentenceNetwork(
        tables,
        padding,
        window=window,
        verb_distances=verbs,
        word_distances=words,
        word_weight=word_weight,
        verb_distance_weight=verb_weight,
        word_distance_weight=distance_weight,
        conv_bias=bias,
        **head,
    )


def _write_sentence(writer: _WeightWriter, network: Any) -> None:
    writer.integer(network.window)
    for table in (*network.tables, network.verb_distances, network.word_distances):
        writer.matrix(table)
    for weight in (
        network.word_weight,
        network.verb_distance_weight,
        network.word_distance_weight,
    ):
        writer.matrix(weight.T)
    writer.vector(network.conv_bias)
    _write_head(writer, network)


def _read_tree(reader: _WeightReader, features: Sequence[str]) -> TreeNetwork:
    tables = [reader.table(name) for name in features]
    first = reader.layer("first layer", _total_width(tables))
    position = reader.matrix("position bias", len(first[1])).copy()
    if len(position) % 2 == 0:
        reader.fail(f"position bias: {len(position)} positions, expected an odd number")

    def check(n_labels: int) -> None:
        if n_labels % 4 != 1:
            reader.fail(
                f"{n_labels} tree labels, expected one (O) more than a multiple of four"
            )
        if len(tables[-1]) < n_labels:
            reader.fail(
                f"{n_labels} tree labels, but their table has {len(tables[-1])} keys"
            )

    head = _read_head(reader, len(first[1]), check=check)
    padding = np.array(reader.padding(features, tables), np.int32)
    return TreeNetwork(
        tables,
        padding,
        word_weight=first[0],
        word_bias=first[1],
        position_bias=position,
        **head,
    )


def _write_tree(writer: _WeightWriter, network: Any) -> None:
    for table in network.tables:
        writer.matrix(table)
    writer.layer(network.word_weight, network.word_bias)
    writer.matrix(network.position_bias)
    _write_head(writer, network)


def read_network(path: AnyPath, name: str, features: Sequence[str]) -> TaggerNetwork:
    """Read a network from a `.dat` file; its lookup tables are memory-mapped.

    Args:
        path: The file.
        name: The name of the network: pos, chk, ner, pt0, vbs, srl or psg.
        features: The names of its features, in the order of the lookup tables.

    Raises:
        SennaError: If sizes are inconsistent with the file or with each other. The
            message names the file and the place.
    """
    reader = _WeightReader(Path(path))
    network: TaggerNetwork
    if name == "srl":
        network = _read_sentence(reader, features)
    elif name == "psg":
        network = _read_tree(reader, features)
    else:
        network = _read_window(reader, features, sentence_level=name != "vbs")
    reader.finish()
    return network


def write_network(path: AnyPath, network: TaggerNetwork) -> None:
    """Write a network to a `.dat` file.

    A network that `read_network` returned is written back byte for byte.
    """
    writers: dict[type[TaggerNetwork], Callable[[_WeightWriter, Any], None]] = {
        SentenceNetwork: _write_sentence,
        TreeNetwork: _write_tree,
        WindowNetwork: _write_window,
    }
    # The file is renamed when it is complete, because the tables of the network may be
    # mapped from the old file.
    unfinished = Path(f"{path}.tmp")
    with open(unfinished, "wb") as file:
        writer = _WeightWriter(file)
        writers[type(network)](writer, network)
        writer.finish()
    unfinished.replace(path)
