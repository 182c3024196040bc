"""Files of models: arrays, whatever a header is; what would keep a program busy or in
circles.
"""

import io
import json
import shutil
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from senna_py.errors import SennaError
from senna_py.io.nesting import DEEPEST
from senna_py.io.toml import read_toml
from senna_py.model import Model
from senna_py.models.cascades import MOST_NETWORKS, cascade_order
from senna_py.models.checkpoint import read_npy
from senna_py.models.native import FILE_NAME
from senna_py.models.native_writer import write_model
from senna_py.models.senna_directory import SennaDirectory
from senna_py.models.tensors import read_tensors, write_tensors
from senna_py.text.vocabulary import Vocabulary
from tests.helpers.native_models import WORDS, vectors
from tests.helpers.native_models import word_part as part
from tests.helpers.refusal import refusal

names = st.text(min_size=1, max_size=5).filter(lambda name: name != "__metadata__")
any_array = st.sampled_from(["<f4", "<i4", "<f2", "|u1", "|i1"]).flatmap(
    lambda dtype: arrays.arrays(
        dtype, arrays.array_shapes(min_dims=0, min_side=0, max_side=4)
    )
)


@given(
    st.dictionaries(names, any_array, max_size=4),
    st.dictionaries(names, names, max_size=3),
)
def test_what_is_written_is_read(tmp_path_factory, tensors, metadata):
    path = tmp_path_factory.mktemp("tensors") / "file"
    write_tensors(path, metadata, tensors)
    found_metadata, found = read_tensors(path)
    assert found_metadata == metadata
    assert set(found) == set(tensors)
    for name, array in tensors.items():
        assert found[name].dtype == array.dtype
        assert found[name].shape == array.shape
        assert found[name].tobytes() == array.tobytes()
        assert found[name].flags.aligned
        assert not found[name].flags.writeable


def test_layout(tmp_path):
    path = tmp_path / "file"
    write_tensors(
        path, {"a": "b"}, {"one": np.array([7], np.uint8), "two": np.ones(2, "<f4")}
    )
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    assert (8 + length) % 64 == 0
    assert json.loads(data[8 : 8 + length]) == {
        "__metadata__": {"a": "b"},
        "two": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]},
        "one": {"dtype": "U8", "shape": [1], "data_offsets": [8, 9]},
    }
    assert data[8 + length :] == np.ones(2, "<f4").tobytes() + b"\7"


def entry(dtype="U8", shape=(2,), offsets=(0, 2)):
    return {"dtype": dtype, "shape": list(shape), "data_offsets": list(offsets)}


@pytest.mark.parametrize(
    ("header", "problem"),
    [
        ("[]", "header: not a JSON object"),
        ("{", "header: not JSON: "),
        ("[" * 100_000, "header: not JSON: "),
        (b"\xff", "header: not JSON: "),
        ('{"a": 1, "a": 1}', "header: not JSON: a name occurs twice"),
        (
            {"__metadata__": {"a": 1}},
            "header: __metadata__ is not an object of strings",
        ),
        ({"a": 1}, "array 'a': expected dtype, shape and data_offsets"),
        (
            {"a": entry() | {"more": 1}},
            "array 'a': expected dtype, shape and data_offsets",
        ),
        (
            {"a": entry("F64")},
            "array 'a': dtype 'F64', expected one of F32, I32, F16, U8, I8",
        ),
        ({"a": entry(shape=[-2])}, "array 'a': a shape of [-2]"),
        ({"a": entry(shape=[True, 2])}, "array 'a': a shape of [True, 2]"),
        ({"a": entry(shape=[2**60])}, "array 'a': a shape of "),
        (
            {"a": entry(shape=[0, 2**47, 2**47], offsets=(0, 0))},
            "array 'a': a shape of [0, ",
        ),
        ({"a": entry(shape=[1, 1, 1, 1, 2])}, "array 'a': a shape of "),
        ({"a": entry(shape=[3])}, "array 'a': 3 bytes by its shape, 2 given"),
        (
            {"a": entry(offsets=(0, 3))},
            "array 'a': data_offsets [0, 3], in 2 bytes of data",
        ),
        ({"a": entry(offsets=(2, 0))}, "array 'a': data_offsets [2, 0]"),
        (
            {"a": entry(), "b": entry(shape=[1], offsets=(1, 2))},
            "array 'b': begins at byte 1",
        ),
        (
            {"a": entry(shape=[1], offsets=(1, 2))},
            "array 'a': begins at byte 1 of the data, not 0",
        ),
        ({"a": entry(shape=[1], offsets=(0, 1))}, "1 bytes follow the last array"),
        ({}, "2 bytes follow the last array"),
        (
            {"b": entry(shape=[1], offsets=(0, 1)), "a": entry("F16", [0], (1, 1))},
            "array 'a': byte 209 is not a multiple of 2",
        ),
    ],
)
def test_malformed_headers(tmp_path, header, problem):
    path = tmp_path / "file"
    text = json.dumps(header) if isinstance(header, dict) else header
    text = text if isinstance(text, bytes) else text.encode()
    text = text.ljust(200)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"\0\1")
    assert refusal(path, read_tensors, path).startswith(problem)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "0 bytes: too short to be a model"),
        (b"1234567", "7 bytes: too short to be a model"),
        (struct.pack("<Q", 1), "not a model"),
        (b"\xff" * 8, "not a model"),
        (b"The cat sat on the mat.\n", "not a model"),
    ],
)
def test_what_is_too_short_or_a_text_is_no_model(write, data, problem):
    path = write(data)
    assert refusal(path, read_tensors, path) == problem


def test_a_missing_file(tmp_path):
    with pytest.raises(SennaError, match=f"{tmp_path}/file: No such file or directory"):
        read_tensors(tmp_path / "file")


ARRAY = np.arange(6, dtype=np.float32).reshape(2, 3)


def written(header=None):
    """Bytes of ARRAY, perhaps with another text as header."""
    file = io.BytesIO()
    np.save(file, ARRAY)
    data = file.getvalue()
    if header is None:
        return data
    return data[:8] + len(header).to_bytes(2, "little") + header + ARRAY.tobytes()


def test_an_array():
    data = written()
    assert read_npy(io.BytesIO(data), len(data)).tolist() == ARRAY.tolist()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "header",
    [
        b"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3",
        b"(" * 500,
        b"'''",
        b"{}",
        b"1L",
        b"{'descr': 'O', 'fortran_order': False, 'shape': (2, 3)}",
    ],
)
def test_headers_that_are_none(header):
    data = written(header)
    with pytest.raises(ValueError):
        read_npy(io.BytesIO(data), len(data))


@pytest.mark.filterwarnings("ignore")
@given(st.integers(0, 127), st.sampled_from(b"0123456789(),'<>|OfVUx {}:L\n\xff"))
def test_any_byte_of_the_header(place, byte):
    data = bytearray(written())
    data[place] = byte
    try:
        found = read_npy(io.BytesIO(data), len(data))
    except (ValueError, EOFError, TypeError):
        return
    assert found.nbytes == ARRAY.nbytes


def write(path, *parts):
    path.parent.mkdir(parents=True, exist_ok=True)
    write_model(path, WORDS, vectors(), parts)
    return path


def ladder(n_levels):
    """Parts of which each takes the labels of both below it: 2 ** n_levels ways lead
    down.
    """
    parts, below = [], ()
    for level in range(n_levels):
        names = f"a{level}", f"b{level}"
        parts += [part(name, below) for name in names]
        below = names
    return [part("top", below), *reversed(parts)]


@pytest.mark.slow
def test_every_network_is_walked_once(tmp_path):
    # 2 ** 48 ways: without an end.
    model = Model(write(tmp_path / FILE_NAME, *ladder(48)))
    assert model.tasks() == ("top",)
    order = model.networks_for(["top"])
    assert len(order) == len(set(order)) == 97
    for place, name in enumerate(order):
        assert {*model.storage.features(name)} <= {"caps", *order[:place]}


def test_a_model_has_a_most_of_networks(tmp_path):
    chain = [part(f"n{i}", [f"n{i - 1}"] * (i > 0)) for i in range(MOST_NETWORKS + 1)]
    model = Model(write(tmp_path / FILE_NAME, *chain[:-1]))
    assert model.networks_for([f"n{MOST_NETWORKS - 1}"]) == list(model.storage.networks)
    with pytest.raises(SennaError, match="101 networks, of which a model may have 100"):
        write(tmp_path / FILE_NAME, *chain)


def test_the_order_of_a_cascade_is_that_of_a_deep_one():
    n = 20_000  # deeper than Python recurs
    order = cascade_order([str(n)], lambda name: [str(int(name) - 1)] * (name != "0"))
    assert order == list(map(str, range(n + 1)))
    with pytest.raises(
        SennaError, match=r"^networks 1, 2: each needs labels of another$"
    ):
        cascade_order("0", lambda name: ["1", "2", "1"][int(name)])


def test_labels_are_short_enough_to_stand_at_every_token(tmp_path, golden):
    long = part("x")
    long.labels = Vocabulary.from_keys(["a", "(S" * 501])
    with pytest.raises(SennaError, match="labels: line 2: a label of 1,002 bytes"):
        write(tmp_path / FILE_NAME, long)
    shutil.copytree(golden / "model", tmp_path / "senna")
    read = {
        "pos": lambda model: model.labels("pos"),
        "psg-right": lambda m: m.closing_brackets,
    }
    for name, of in read.items():
        path = tmp_path / "senna" / "hash" / f"{name}.lst"
        path.write_bytes(path.read_bytes().replace(b"\n", b"x" * 1000 + b"\n"))
        with pytest.raises(
            SennaError, match=f"{name}.lst: line [0-9]+: a label of 1,0"
        ):
            of(SennaDirectory(tmp_path / "senna"))


def nested(depth):
    return "[" * depth + "]" * depth


def test_what_a_model_says_of_itself_is_not_nested_deeply(tmp_path):
    path = write(tmp_path / FILE_NAME, part("x"))
    metadata, tensors = read_tensors(path)
    text = metadata["model"]
    for depth, fits in (
        (DEEPEST - 2, True),
        (DEEPEST - 1, False),
        (900, False),
        (99_999, False),
    ):
        said = text.replace('"info": {}', f'"info": {{"data": {nested(depth)}}}', 1)
        write_tensors(
            tmp_path / "deep.safetensors", metadata | {"model": said}, tensors
        )
        if fits:
            info = Model(tmp_path / "deep.safetensors").storage.info
            assert json.dumps(info["data"]) == nested(depth)
            continue
        with pytest.raises(SennaError, match=f"nested more than {DEEPEST} deep"):
            Model(tmp_path / "deep.safetensors")


@pytest.mark.parametrize(
    "line",
    [
        "x = " + nested(400),
        ".".join("x" * 3000) + " = 1",
        "x = " + "[" * 5000 + "]" * 5000,
    ],
    ids=["lists", "tables", "beyond the parser"],
)
def test_settings_are_not_nested_deeply(tmp_path, line):
    (tmp_path / "deep.toml").write_text(line)
    with pytest.raises(
        SennaError, match=r"deep.toml: not TOML: .*nested more than 64 deep"
    ):
        read_toml(tmp_path / "deep.toml")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_mark_before_settings(encoding, tmp_path):
    (tmp_path / "a.toml").write_text('a = "é"\r\n', encoding, newline="")
    assert read_toml(tmp_path / "a.toml") == {"a": "é"}


@pytest.mark.parametrize(
    "text",
    [
        ".".join("a" * 20_000) + " = 1",
        f"[{' . '.join(['a'] * 20_000)}]",
        "a = {" + ".".join(["'a b'"] * 20_000) + " = 1}",
        'a = "' + "x" * (1 << 20) + '"',
    ],
)
def test_toml_that_takes_memory_out_of_proportion_is_refused(text, tmp_path):
    (tmp_path / "a.toml").write_text(text)
    with pytest.raises(
        SennaError, match=r"nested more than 64 deep|more than 1,048,576 bytes"
    ):
        read_toml(tmp_path / "a.toml")


def test_a_file_without_end_is_no_toml():
    with pytest.raises(SennaError, match="more than 1,048,576 bytes"):
        read_toml("/dev/zero")
