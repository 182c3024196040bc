"""SENNA's binary weight files: `data/*.dat`, one network each.

Little-endian: int32, vectors (int32 n, n float32), matrices (int32 r, int32 c, c runs
of r float32), and the float32 777.0 at the end. A matrix is held as rows of its runs
for lookup tables, and transposed, from input to output, for the weights of layers.
"""

import struct
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.file_bytes import map_file
from senna_py.io.files import AnyPath
from senna_py.networks.base import TaggerNetwork
from senna_py.networks.checks import MOST_TAGS, WIDEST_WINDOW
from senna_py.networks.sentence import SentenceNetwork
from senna_py.networks.tree import TreeNetwork
from senna_py.networks.window import WindowNetwork

_TRAILER = struct.pack("<f", 777.0)


class _WeightReader:
    """Reads values in order; every size is checked against the file before it is
    used.
    """

    def __init__(self, path):
        self.path = path
        self._data, self._position = map_file(path), 0
        self._size = len(self._data)
        if not self._size:
            self.fail("the file is empty")

    def fail(self, problem):
        raise SennaError(f"{self.path}: {problem}")

    def _take(self, n_bytes, what):
        begin, left = self._position, self._size - self._position
        if n_bytes > left:
            self.fail(
                f"{what} at byte {begin} needs {n_bytes:,} bytes, the file has {left:,} left"
            )
        self._position += n_bytes
        return begin

    def integer(self, what):
        return struct.unpack_from("<i", self._data, self._take(4, what))[0]

    def _positive(self, what):
        begin = self._position
        value = self.integer(what)
        if value < 1:
            self.fail(f"{what} at byte {begin} has the size {value}")
        return value

    def _floats(self, count, what):
        return np.frombuffer(self._data, "<f4", count, self._take(4 * count, what))

    def vector(self, what, size):
        self._expect(what, "size", self._positive(what), size)
        return self._floats(size, what).copy()

    def table(self, name):
        """Lookup table of a feature: float32[n_keys, dim], mapped from the file."""
        return self.matrix(f"lookup table of {name}")

    def matrix(self, what, rows=None, columns=None):
        """Matrix of r rows and c columns as float32[c, r], mapped from the file."""
        r, c = self._positive(what), self._positive(what)
        self._expect(what, "rows", r, rows)
        self._expect(what, "columns", c, columns)
        return self._floats(r * c, what).reshape(c, r)

    def layer(self, what, n_in):
        """Weights float32[n_in, n_out] and bias float32[n_out] of a linear layer."""
        weight = self.matrix(f"{what} weights", n_in).T.copy()
        return weight, self.vector(f"{what} bias", weight.shape[1])

    def sentence_scores(self, n_tags):
        """Initial scores float32[n_tags], transitions float32[source, destination]."""
        initial = self.vector("initial scores", n_tags)
        return initial, self.matrix("transition scores", n_tags, n_tags).T.copy()

    def window(self):
        window = self.integer("window size")
        if not 1 <= window <= WIDEST_WINDOW or window % 2 == 0:
            self.fail(
                f"window size {window:,}; it must be odd and at most {WIDEST_WINDOW:,}"
            )
        return window

    def padding(self, names, tables):
        indices = []
        for name, table in zip(names, tables, strict=True):
            index = self.integer(f"padding index of {name}")
            if not 0 <= index < len(table):
                self.fail(
                    f"padding index {index} of {name}; its table has {len(table)} keys"
                )
            indices.append(index)
        return indices

    def finish(self):
        begin = self._take(4, "the closing 777.0")
        if self._data[begin : begin + 4] != _TRAILER:
            self.fail(f"the closing 777.0 is not at byte {begin}: the file is corrupt")
        if self._position != self._size:
            self.fail(f"{self._size - self._position:,} bytes follow the closing 777.0")

    def _expect(self, what, kind, found, expected):
        if expected is not None and found != expected:
            self.fail(f"{what}: {found:,} {kind}, expected {expected:,}")


class _WeightWriter:
    """Writes what `_WeightReader` reads."""

    def __init__(self, file):
        self._file = file

    def integer(self, value):
        self._file.write(struct.pack("<i", value))

    def vector(self, values):
        self.integer(len(values))
        self._file.write(np.asarray(values, "<f4").tobytes())

    def matrix(self, runs):
        """Write float32[c, r]."""
        self.integer(runs.shape[1])
        self.integer(runs.shape[0])
        self._file.write(np.asarray(runs, "<f4").tobytes())

    def layer(self, weight, bias):
        self.matrix(weight.T)
        self.vector(bias)

    def sentence_scores(self, initial, transition):
        self.vector(initial)
        self.matrix(transition.T)

    def finish(self):
        self._file.write(_TRAILER)


def _total(tables):
    return sum(table.shape[1] for table in tables)


def _read_head(reader, n_input, sentence_level=True, check=None):
    """Arrays of the last two layers, and of sequences, read after `check(number of
    labels)`.
    """
    hidden = reader.layer("hidden layer", n_input)
    output = reader.layer("output layer", len(hidden[1]))
    if len(output[1]) > MOST_TAGS:
        reader.fail(f"{len(output[1]):,} labels; the limit is {MOST_TAGS:,}")
    if check is not None:
        check(len(output[1]))
    found = {
        "hidden_weight": hidden[0],
        "hidden_bias": hidden[1],
        "output_weight": output[0],
        "output_bias": output[1],
    }
    if sentence_level:
        found["initial"], found["transition"] = reader.sentence_scores(len(output[1]))
    return found


def _write_head(writer, net, n_padding=None):
    """The same, and the padding of the first tables, which ends each file."""
    writer.layer(net.hidden_weight, net.hidden_bias)
    writer.layer(net.output_weight, net.output_bias)
    if net.initial is not None:
        writer.sentence_scores(net.initial, net.transition)
    for index in net.padding[:n_padding]:
        writer.integer(index)


def _read_window(reader, features, sentence_level):
    window = reader.window()
    tables = [reader.table(name) for name in features]
    head = _read_head(reader, window * _total(tables), sentence_level)
    # The four gazetteers share one padding index.
    stored = 3
    padding = reader.padding(features[:stored], tables[:stored])
    padding += padding[-1:] * (len(features) - stored)
    for name, table, index in zip(features, tables, padding, strict=True):
        if index >= len(table):
            reader.fail(
                f"padding index {index} of {name}; its table has {len(table)} keys"
            )
    padding = np.array(padding, np.int32)
    return WindowNetwork(tables, padding, window=window, **head)


def _write_window(writer, net):
    writer.integer(net.window)
    for table in net.tables:
        writer.matrix(table)
    _write_head(writer, net, 3)


def _read_distances(reader, name):
    table = reader.table(name)
    if len(table) % 2 == 0:
        reader.fail(
            f"lookup table of {name}: {len(table)} distances, expected an odd number"
        )
    return table


def _read_sentence(reader, features):
    window = reader.window()
    tables = [reader.table(name) for name in features]
    verbs = _read_distances(reader, "verb distance")
    words = _read_distances(reader, "word distance")
    if len(verbs) != len(words):
        reader.fail(f"{len(verbs)} verb distances but {len(words)} word distances")
    of_words = reader.matrix("first layer", window * _total(tables)).T.copy()
    n_conv = of_words.shape[1]
    of_verbs, of_distances = (
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
        word_weight=of_words,
        verb_distance_weight=of_verbs,
        word_distance_weight=of_distances,
        conv_bias=bias,
        **head,
    )


def _write_sentence(writer, net):
    writer.integer(net.window)
    for table in (*net.tables, net.verb_distances, net.word_distances):
        writer.matrix(table)
    for block in (net.word_weight, net.verb_distance_weight, net.word_distance_weight):
        writer.matrix(block.T)
    writer.vector(net.conv_bias)
    _write_head(writer, net)


def _read_tree(reader, features):
    tables = [reader.table(name) for name in features]
    first = reader.layer("first layer", _total(tables))
    position = reader.matrix("position bias", len(first[1])).copy()
    if len(position) % 2 == 0:
        reader.fail(f"position bias: {len(position)} positions, expected an odd number")

    def check(n_labels):
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


def _write_tree(writer, net):
    for table in net.tables:
        writer.matrix(table)
    writer.layer(net.word_weight, net.word_bias)
    writer.matrix(net.position_bias)
    _write_head(writer, net)


def read_network(path: AnyPath, name: str, features: Sequence[str]) -> TaggerNetwork:
    """Read the network `name` (pos, chk, ner, pt0, vbs, srl or psg) from a `.dat` file.

    features: names of its input features that are looked up by key, in the file's
    order. Lookup tables are mapped from the file, not read. Raises SennaError naming
    the file and the place if a size does not fit the file or another size.
    """
    reader = _WeightReader(Path(path))
    if name == "srl":
        network = _read_sentence(reader, features)
    elif name == "psg":
        network = _read_tree(reader, features)
    else:
        network = _read_window(reader, features, sentence_level=name != "vbs")
    reader.finish()
    return network


def write_network(path: AnyPath, network: TaggerNetwork) -> None:
    """Write `network` to a `.dat` file, byte for byte as it was read."""
    writers = {
        SentenceNetwork: _write_sentence,
        TreeNetwork: _write_tree,
        WindowNetwork: _write_window,
    }
    # Under its name only when whole: `path` may be mapped by the very network that is
    # written.
    unfinished = Path(f"{path}.tmp")
    with open(unfinished, "wb") as file:
        writer = _WeightWriter(file)
        writers[type(network)](writer, network)
        writer.finish()
    unfinished.replace(path)
