import struct
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.models.senna_weights import read_network, write_network
from tests.helpers.random_networks import sentence_network, tree_network, window_network
from tests.helpers.refusal import refusal

FEATURES = ("word", "caps", "suffix")
NETWORKS = {
    "pos": (FEATURES, window_network),
    "vbs": (FEATURES, partial(window_network, sentence_level=False)),
    "srl": (("word", "caps", "pt0"), sentence_network),
    "psg": (("word", "caps", "pos", "psg"), tree_network),
}
seeds = st.integers(0, 999)
windows, size = st.sampled_from([1, 3, 5]), st.integers(1, 4)
three, four = st.tuples(size, size, size), st.tuples(size, size, size, size)
# What the functions of NETWORKS take behind a generator of random numbers.
SIZES = {
    "pos": (windows, three, three, size, size),
    "vbs": (windows, three, three, size, size),
    "srl": (windows, three, three, st.tuples(size, size), size, size, size, size),
    "psg": (
        three,
        four,
        st.integers(0, 3),
        size,
        size,
        st.integers(0, 3),
        st.integers(0, 2),
    ),
}


def assert_equal(found, expected):
    """Same fields, to the bit: the float32 may be anything, also NaN."""
    assert type(found) is type(expected)
    assert found.sizes() == expected.sizes()
    ours, theirs = (
        [*net.tables, net.padding, *net.arrays().values()] for net in (found, expected)
    )
    assert found.arrays().keys() == expected.arrays().keys()
    for one, other in zip(ours, theirs, strict=True):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        assert one.tobytes() == other.tobytes()


def assert_round_trip(folder, name, features, network):
    first, second = folder / f"{name}.dat", folder / "second.dat"
    write_network(first, network)
    found = read_network(first, name, features)
    assert_equal(found, network)
    write_network(second, found)
    assert second.read_bytes() == first.read_bytes()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("weights")


@pytest.mark.parametrize("name", NETWORKS)
@given(st.data(), seeds)
def test_round_trip(folder, name, data, seed):
    rng, (features, make) = np.random.default_rng(seed), NETWORKS[name]
    net = make(rng, *data.draw(st.tuples(*SIZES[name])))
    net.hidden_weight[0, 0] = rng.choice(np.array([np.nan, np.inf, -0.0], np.float32))
    assert_round_trip(folder, name, features, net)


def test_gazetteers_share_a_padding_index(folder):
    features = (
        "word",
        "caps",
        "gazetteer.loc",
        "gazetteer.msc",
        "gazetteer.org",
        "gazetteer.per",
    )
    net = window_network(
        np.random.default_rng(1), keys=(9, 5, 4, 4, 4, 4), dims=(2, 1, 1, 2, 3, 1)
    )
    net.padding[2:] = 3
    assert_round_trip(folder, "ner", features, net)


def test_the_layout_of_a_file(folder):
    """Numbers of a tiny network stand where the format says, columns first."""
    net = window_network(
        np.random.default_rng(0),
        1,
        keys=(2, 1, 1),
        dims=(2, 1, 1),
        n_hidden=2,
        n_tags=2,
    )
    net.tables[:] = [np.array(t, np.float32) for t in ([[1, 2], [3, 4]], [[5]], [[6]])]
    net.hidden_weight[:] = [[10, 20], [11, 21], [12, 22], [13, 23]]
    net.hidden_bias[:] = [30, 31]
    net.output_weight[:] = [[40, 50], [41, 51]]
    net.output_bias[:] = [60, 61]
    net.initial[:] = [70, 71]
    # From tag 0 to 0 and 1, from tag 1 to 0 and 1.
    net.transition[:] = [
        [80, 81],
        [90, 91],
    ]
    net.padding[:] = [1, 0, 0]
    write_network(folder / "tiny.dat", net)
    expected = struct.pack(
        "<i ii4f ii1f ii1f ii8f i2f ii4f i2f i2f ii4f iii f",
        1,
        2,
        2,
        1,
        2,
        3,
        4,
        1,
        1,
        5,
        1,
        1,
        6,
        4,
        2,
        10,
        11,
        12,
        13,
        20,
        21,
        22,
        23,
        2,
        30,
        31,
        2,
        2,
        40,
        41,
        50,
        51,
        2,
        60,
        61,
        2,
        70,
        71,
        2,
        2,
        80,
        90,
        81,
        91,
        1,
        0,
        0,
        777.0,
    )
    assert (folder / "tiny.dat").read_bytes() == expected
    assert_round_trip(folder, "pos", FEATURES, net)


def test_tables_are_mapped_and_not_writable(folder):
    net = window_network(np.random.default_rng(2))
    write_network(folder / "pos.dat", net)
    for table in read_network(folder / "pos.dat", "pos", FEATURES).tables:
        assert not table.flags.writeable
        assert not table.flags.owndata


# What is wrong with a file is said in one line that names it.

# Kinds of the values in a file, in order: an integer, a matrix, a vector, a padding
# index.
LAYOUTS = {
    "pos": "immmmvmvvmppp",
    "vbs": "immmmvmvppp",
    "srl": "immmmmmmmvmvmvvmppp",
    "psg": "mmmmmvmmvmvvmpppp",
}


def integers_of(data, layout):
    """Pairs of kind (`i`, `r`, `c`, `v`, `p`) and position of every integer in a
    file.
    """
    found, at = [], 0
    for kind in layout:
        if kind == "m":
            r, c = struct.unpack_from("<ii", data, at)
            found += [("r", at), ("c", at + 4)]
            at += 8 + 4 * r * c
        elif kind == "v":
            found.append(("v", at))
            at += 4 + 4 * struct.unpack_from("<i", data, at)[0]
        else:
            found.append((kind, at))
            at += 4
    assert at == len(data) - 4
    return found


class File:
    """The file of a small network, and what is said of it when it holds something
    else.
    """

    def __init__(self, directory, name, network=None):
        self.name, (self.features, make) = name, NETWORKS[name]
        self.path = directory / f"{name}.dat"
        write_network(self.path, network or make(np.random.default_rng(3)))
        self.data = self.path.read_bytes()

    def read(self, data):
        self.path.write_bytes(data)
        return read_network(self.path, self.name, self.features)

    def problem(self, data=None):
        """The message about bytes, without the name of the file."""
        return refusal(self.path, self.read, self.data if data is None else data)

    def with_integer(self, at, value):
        return self.data[:at] + struct.pack("<i", value) + self.data[at + 4 :]


@pytest.fixture(params=NETWORKS)
def file(request, tmp_path):
    return File(tmp_path, request.param)


def test_files_of_another_length(file):
    data, n = file.data, len(file.data)
    assert file.problem(b"") == "the file is empty"
    for size in {*range(1, 40), *range(40, n, 97), *range(n - 20, n)}:
        assert "the file has" in file.problem(data[:size])
    assert file.problem(data + b"\0") == "1 bytes follow the closing 777.0"
    assert file.problem(data + data) == f"{n:,} bytes follow the closing 777.0"
    for trailer in (struct.pack("<f", 778.0), b"\0\0\0\0", struct.pack(">f", 777.0)):
        assert file.problem(data[:-4] + trailer) == (
            f"the closing 777.0 is not at byte {n - 4}: the file is corrupt"
        )


@pytest.mark.parametrize("size", [0, -1, -(2**31)])
def test_sizes_that_are_not_positive(file, size):
    for kind, at in integers_of(file.data, LAYOUTS[file.name]):
        data = file.with_integer(at, size)
        if kind == "p" and size == 0:
            file.read(data)  # a good padding index
        elif kind == "p":
            assert f"padding index {size} of" in file.problem(data)
        elif kind == "i":
            assert file.problem(data) == (
                f"window size {size:,}; it must be odd and at most 1,001"
            )
        else:
            assert file.problem(data).endswith(f" at byte {at} has the size {size}")


@pytest.mark.parametrize("size", [2**31 - 1, 1 << 20])
def test_absurd_sizes(file, size):
    for _, at in integers_of(file.data, LAYOUTS[file.name]):
        file.problem(file.with_integer(at, size))
    file.problem(struct.pack("<3i", 1, size, size))


def test_padding_index_outside_its_table(file):
    padding = [
        at for kind, at in integers_of(file.data, LAYOUTS[file.name]) if kind == "p"
    ]
    for at, feature, table in zip(
        padding, file.features, file.read(file.data).tables, strict=True
    ):
        n = len(table)
        expected = f"padding index {n} of {feature}; its table has {n} keys"
        assert file.problem(file.with_integer(at, n)) == expected


def shorter(name, *names):
    """A change of a network to arrays whose last axis, or rows of distances, are one
    shorter.
    """

    def change(network):
        for each in (name, *names):
            array = getattr(network, each)
            cut = (
                array[:-1]
                if "position" in each or "distances" in each
                else array[..., :-1]
            )
            setattr(network, each, cut.copy())

    return change


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        (
            "srl",
            shorter("verb_distances"),
            "lookup table of verb distance: 8 distances, expected an odd number",
        ),
        (
            "srl",
            shorter("word_distances"),
            "lookup table of word distance: 8 distances, expected an odd number",
        ),
        (
            "srl",
            lambda net: setattr(net, "word_distances", net.word_distances[:-2]),
            "9 verb distances but 7 word distances",
        ),
        (
            "psg",
            shorter("position_bias"),
            "position bias: 6 positions, expected an odd number",
        ),
        (
            "psg",
            shorter("output_weight", "output_bias"),
            "8 tree labels, expected one (O) more than a multiple of four",
        ),
        (
            "psg",
            lambda net: net.tables.append(net.tables.pop()[:-1]),
            "9 tree labels, but their table has 8 keys",
        ),
    ],
)
def test_arrays_that_do_not_fit(tmp_path, name, change, message):
    network = NETWORKS[name][1](np.random.default_rng(1))
    change(network)
    assert File(tmp_path, name, network).problem() == message


def test_more_labels_than_a_back_pointer_holds(tmp_path):
    net = window_network(
        np.random.default_rng(1), n_hidden=1, n_tags=2**15, sentence_level=False
    )
    assert File(tmp_path, "vbs", net).problem() == "32,768 labels; the limit is 32,767"
