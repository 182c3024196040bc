"""Native models whose word vectors, and weights that are rounded in use, have 8 bits a
number.
"""

from functools import partial

import numpy as np
import pytest

from senna_py.errors import SennaError
from senna_py.layers.int8 import ByteColumns
from senna_py.layers.lookup import ByteRows, dense
from senna_py.layers.protocol import Array
from senna_py.model import Model
from senna_py.models.build import build_model
from senna_py.models.embeddings import read_embeddings
from senna_py.models.native import NativeModel
from senna_py.models.native_writer import write_model
from senna_py.models.senna_conversion import export_senna
from senna_py.models.senna_directory import SennaDirectory
from senna_py.models.tensors import read_tensors, write_tensors
from senna_py.tagger import Tagger
from tests.helpers.native_models import (
    WORDS,
    all_parts,
    answers,
    arc_parts,
    change_array,
    joint_parts,
    model_arguments,
    senna_parts,
    vectors,
    write_parts,
)

TEXTS = [
    "He reads in New York City .",
    "x",
    "the s-bahn in Chicago .",
    *["He reads a z"] * 60,
]
ROUNDED = {
    "block1_weight",
    "block2_weight",
    "hidden_weight",
    "predicate_weight",
    "word_factor",
    "predicate_factor",
}
WEIGHT, INPUT = "networks/vbs/block1_weight", "networks/vbs/input_weight"
SCALES = f"{WEIGHT}_scales"

write = partial(write_parts, vector_bits=8)


@pytest.fixture
def path(tmp_path):
    """File of a model with every feature and every kind of network."""
    return write(tmp_path / "model.safetensors", all_parts(np.random.default_rng(0)))


def test_arrays(path):
    _, tensors = read_tensors(path)
    assert (
        tensors["vectors"].dtype
        == tensors["networks/pos/changed_vectors"].dtype
        == np.int8
    )
    assert tensors["networks/pos/changed_rows"].shape == (5,)
    assert tensors["networks/pos/changed_scales"].shape == (5,)
    assert tensors["networks/pos/changed_scales"].dtype == np.float32
    assert tensors["networks/pos/tables/1"].dtype == np.float16
    assert "networks/mine/changed_scales" not in tensors  # it sees no words
    model = NativeModel(path)
    table = model.network("pos").tables[0]
    for array in (*vars(model.vectors).values(), *table._base, *table._changed):
        # They are in the file.
        assert not array.flags.owndata and not array.flags.writeable


def test_rows_that_training_has_hardly_moved_are_not_stored(tmp_path):
    parts = [
        part for part in senna_parts(np.random.default_rng(0)) if part.name == "pos"
    ]
    table = vectors()
    table[::2] *= np.float32(1.03)
    table[1::2] *= np.float32(1.08)
    parts[0].network.tables[0] = table
    few, all_rows = (
        read_tensors(write_parts(tmp_path / f"{bits}.safetensors", parts, bits))[1]
        for bits in (8, 16)
    )
    few, all_rows = (
        each["networks/pos/changed_rows"].tolist() for each in (few, all_rows)
    )
    not_zero = np.flatnonzero(vectors().any(axis=1)).tolist()
    assert (few, all_rows) == ([row for row in not_zero if row % 2], not_zero)


def test_the_tagger_finds_what_it_finds_with_rows_of_float32(path):
    expected = Model(path)
    for name in expected.storage.networks:
        tables = expected.storage.network(name).tables
        tables[:] = map(dense, tables)
    tasks = ["pos", "pt0", "srl", "psg", "mine"]
    for plain in (False, True):
        models = (
            answers(Tagger(model, tasks), TEXTS, plain)
            for model in (Model(path), expected)
        )
        assert all(
            np.array_equal(one, other) for one, other in zip(*models, strict=True)
        )


def test_export_to_senna(tmp_path):
    model = NativeModel(
        write(tmp_path / "model", senna_parts(np.random.default_rng(0)))
    )
    export_senna(model, tmp_path / "senna")
    senna = SennaDirectory(tmp_path / "senna")
    for name in senna.networks:
        rows = [
            dict(
                zip(
                    each.words.keys(),
                    dense(each.network(name).tables[0]).tolist(),
                    strict=True,
                )
            )
            for each in (model, senna)
        ]
        assert rows[0] == rows[1]


def test_vectors_are_read_without_networks(path):
    found = read_embeddings(path)
    assert found.words == WORDS.keys()
    assert np.array_equal(found.vectors, ByteRows.of(vectors()).dense())
    _, tensors = read_tensors(path)
    del tensors["vector_scales"]
    write_tensors(path.with_name("bad"), {}, tensors)
    with pytest.raises(SennaError, match="bad: vectors are int8"):
        read_embeddings(path.with_name("bad"))


# Networks of models of either kind are joined.


@pytest.fixture
def single(tmp_path):
    """Paths of models of one network each, with 16 bits and, made of these, with 8."""
    paths = {}
    for part in all_parts(np.random.default_rng(0)):
        if part.name in ("pos", "pt0"):
            whole = write_parts(tmp_path / f"{part.name}16.safetensors", [part])
            half = build_model(
                tmp_path / f"{part.name}8.safetensors", [whole], vector_bits=8
            )
            paths |= {(part.name, 16): whole, (part.name, 8): half}
    return paths


@pytest.mark.parametrize("bits", [(8, 8), (8, 16), (16, 8)])
def test_models_of_8_bits_stay_as_they_are(bits, single, tmp_path):
    """Whatever they are joined with; what has more bits is rounded."""
    paths = [single[name, n] for name, n in zip(("pos", "pt0"), bits, strict=True)]
    built = NativeModel(build_model(tmp_path / "all.safetensors", paths))
    assert built.vector_bits == 8
    for name in built.networks:
        _, alone = read_tensors(single[name, 8])
        _, joined = read_tensors(built.path)
        for key in ("changed_rows", "changed_vectors", "changed_scales"):
            place = f"networks/{name}/{key}"
            assert np.array_equal(joined[place], alone[place])
        for key in ("vectors", "vector_scales"):
            assert np.array_equal(joined[key], alone[key])


def test_a_network_trained_with_vectors_of_8_bits_is_joined_with_their_model(
    single, tmp_path
):
    given = read_embeddings(single["pos", 8]).vectors
    (part,) = (
        part for part in all_parts(np.random.default_rng(0)) if part.name == "pt0"
    )
    part.network.tables[0] = given.copy()
    part.network.tables[0][3] *= 2
    *_, resources, info = model_arguments([part])
    write_model(tmp_path / "run", WORDS, given, [part], resources, info)  # as float16
    built = build_model(
        tmp_path / "all.safetensors", [tmp_path / "run", single["pos", 8]]
    )
    _, tensors = read_tensors(built)
    assert np.array_equal(NativeModel(built).vectors.dense(), given)
    assert tensors["networks/pt0/changed_rows"].tolist() == [3]


def test_the_number_of_bits_may_be_given(single, tmp_path):
    paths = [single["pos", 16], single["pt0", 16]]
    built = build_model(tmp_path / "16.safetensors", paths)
    assert NativeModel(built).vector_bits == 16
    eight = build_model(tmp_path / "8.safetensors", paths, vector_bits=8)
    same = build_model(
        tmp_path / "same.safetensors", [single["pos", 8], single["pt0", 8]]
    )
    assert eight.read_bytes() == same.read_bytes()
    # Float16 holds rows of 8 bits well enough to give them back.
    more = build_model(tmp_path / "more.safetensors", [eight], vector_bits=16)
    again = build_model(tmp_path / "again.safetensors", [more], vector_bits=8)
    assert more.stat().st_size == built.stat().st_size
    assert again.read_bytes() == eight.read_bytes()


def test_models_that_cannot_be_joined(single, tmp_path):
    first, other = single["pos", 8], single["pt0", 16]
    with pytest.raises(
        SennaError, match=f"{other}: its shared vectors are not those of {first}"
    ):
        build_model(tmp_path / "all", [first, other], vector_bits=16)
    assert not (tmp_path / "all").exists()


def test_vectors_that_are_not_finite(single, tmp_path):
    metadata, tensors = read_tensors(single["pt0", 16])
    bad = tmp_path / "bad"
    write_tensors(
        bad, metadata, tensors | {"vectors": tensors["vectors"] * np.float16("inf")}
    )
    with pytest.raises(SennaError, match="bad: vectors: a number that is not finite"):
        build_model(tmp_path / "all", [bad], vector_bits=8)
    parts = [part for part in all_parts(np.random.default_rng(0)) if part.name == "pos"]
    parts[0].network.tables[0][3, 2] = np.nan
    with pytest.raises(
        SennaError, match=r"not written: pos: table 0 \(word\) has a number that"
    ):
        write(tmp_path / "all", parts)


# Weights.


@pytest.fixture
def joint(tmp_path):
    """File of a model with dilated and chart networks, which share blocks, and
    others.
    """
    return write_parts(
        tmp_path / "model.safetensors", joint_parts(np.random.default_rng(0))
    )


@pytest.fixture
def old(tmp_path, monkeypatch):
    """File of the same model as it was written when all weights had 16 bits."""
    with monkeypatch.context() as patch:
        patch.setattr(Array, "rounded", False)
        return write_parts(
            tmp_path / "old.safetensors", joint_parts(np.random.default_rng(0))
        )


def test_arrays_of_weights(joint):
    _, tensors = read_tensors(joint)
    for name in ("vbs/block1_weight", "srl/hidden_weight", "psg/word_factor"):
        numbers, scales = (tensors[f"networks/{name}{end}"] for end in ("", "_scales"))
        assert (numbers.dtype, scales.dtype) == (np.int8, np.float32)
        assert scales.shape == numbers.shape[1:]
    for name in (
        "vbs/input_weight",
        "vbs/block1_bias",
        "srl/output_weight",
        "pt0/hidden_weight",
    ):
        assert tensors[f"networks/{name}"].dtype == np.float16
    network = NativeModel(joint).network("srl")
    kept = {
        name
        for name, array in network.arrays().items()
        if isinstance(array, ByteColumns)
    }
    assert kept == ROUNDED
    for array in vars(network.block1_weight).values():
        # They are in the file.
        assert not array.flags.owndata and not array.flags.writeable
    model = NativeModel(joint)
    assert model.network("srl").block1_weight is model.network("vbs").block1_weight


def test_other_networks_have_no_weights_of_8_bits(tmp_path):
    path = write_parts(tmp_path / "m", arc_parts(np.random.default_rng(0)))
    network = NativeModel(path).network("dep")
    kept = {
        name
        for name, array in network.arrays().items()
        if isinstance(array, ByteColumns)
    }
    assert kept == {"block1_weight", "block2_weight"}


def test_a_file_of_16_bits_is_converted_without_another_answer(old, tmp_path):
    assert read_tensors(old)[1][WEIGHT].dtype == np.float16
    new = build_model(tmp_path / "new.safetensors", [old])
    assert read_tensors(new)[1][WEIGHT].dtype == np.int8
    tasks = ["pos", "pt0", "srl", "psg", "mine"]
    for plain in (False, True):
        models = (answers(Tagger(path, tasks), TEXTS, plain) for path in (old, new))
        assert all(
            np.array_equal(one, other) for one, other in zip(*models, strict=True)
        )


def test_the_same_bytes_whenever_a_model_is_written_again(joint, tmp_path):
    model = NativeModel(joint)
    parts = [model.part(name) for name in model.networks]
    assert build_model(tmp_path / "built", [joint]).read_bytes() == joint.read_bytes()
    for part in parts:  # as training would have it, and what it gives back
        arrays = {name: dense(array) for name, array in part.network.arrays().items()}
        part.network = part.network.changed(**arrays)
    _, ours = read_tensors(joint)
    _, again = read_tensors(write_parts(tmp_path / "again", parts))
    for name, array in again.items():
        if name.partition("_scales")[0].endswith(tuple(ROUNDED)) and name in ours:
            assert np.array_equal(array, ours[name])


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (np.nan, "not written: vbs: block1_weight has a number that is not finite"),
        (1e9, f"{SCALES}: a number that is negative, too large or not finite"),
    ],
)
def test_numbers_that_are_not_written(value, problem, tmp_path):
    parts = joint_parts(np.random.default_rng(0))
    parts[0].network.block1_weight[3, 2] = value
    with pytest.raises(SennaError, match=f"model: {problem}"):
        write_parts(tmp_path / "model", parts)
    assert not (tmp_path / "model").exists()


# What is wrong with a model is said in one line that names the file.


@pytest.mark.parametrize(
    ("name", "alter", "problem"),
    [
        ("vector_scales", None, "array 'vector_scales' is missing"),
        (
            "vector_scales",
            lambda a: a[1:],
            "vector_scales: float32[34], for int8[35, 6]: expected",
        ),
        (
            "vector_scales",
            lambda a: a[:, None],
            "array 'vector_scales': float32[35, 1], expected float32",
        ),
        (
            "vector_scales",
            lambda a: -a,
            "vector_scales: a number that is negative, too",
        ),
        (
            "vectors",
            lambda a: a.astype(np.float16),
            "array 'vector_scales' is unexpected",
        ),
        ("vectors", lambda a: a[0, 0], "vector_scales: float32[35], for int8[]"),
        ("vectors", lambda a: a[:, :0], "vectors: shape [35, 0] for 35 words"),
        (
            "networks/pos/changed_scales",
            lambda a: a[1:],
            "networks/pos/changed_scales: float32[4], for int8[5, 6]: expected a float32 for each",
        ),
        (
            "networks/pos/changed_vectors",
            lambda a: a.astype(np.float16),
            "array 'networks/pos/changed_vectors': float16[5, 6], expected int8",
        ),
    ],
)
def test_what_is_wrong_with_arrays(name, alter, problem, path):
    assert change_array(path, name, alter).startswith(problem)


@pytest.mark.parametrize(
    ("name", "alter", "problem"),
    [
        (
            SCALES,
            lambda a: a[1:],
            f"{SCALES}: float32[15], for int8[24, 16]: expected a",
        ),
        (
            SCALES,
            lambda a: a.astype(np.float16),
            f"array '{SCALES}': float16[16], expec",
        ),
        (
            SCALES,
            lambda a: -a,
            f"{SCALES}: a number that is negative, too large or not",
        ),
        (SCALES, lambda a: a * np.nan, f"{SCALES}: a number that is negative, too"),
        (
            WEIGHT,
            lambda a: np.full_like(a, -128),
            f"{SCALES}: it scales numbers below -127",
        ),
        (
            WEIGHT,
            lambda a: a.astype(np.float16),
            f"network vbs: array '{SCALES}' is unexp",
        ),
        (WEIGHT, lambda a: a[:5], "network vbs: block1_weight: a window of 0 words"),
        (WEIGHT, lambda a: a[0], f"{SCALES}: float32[16], for int8[16]"),
        (
            WEIGHT,
            lambda a: a.view(np.uint8),
            f"array '{WEIGHT}': uint8[24, 16], expected float16",
        ),
        (
            "networks/srl/hidden_weight_scales",
            None,
            "array 'networks/srl/hidden_weight_scales' is missing",
        ),
        (INPUT, lambda a: a.astype(np.int8), f"array '{INPUT}': int8"),
    ],
)
def test_what_is_wrong_with_weights(name, alter, problem, joint):
    assert change_array(joint, name, alter).startswith(problem)


def test_scales_of_a_model_of_16_bits(tmp_path):
    path = write_parts(tmp_path / "model", all_parts(np.random.default_rng(0)))
    found = change_array(
        path, "networks/pos/changed_scales", lambda _: np.ones(5, np.float32)
    )
    assert found == "network pos: array 'networks/pos/changed_scales' is unexpected"
