"""Native models: weights that are rounded in use have 8 bits a number in files, too."""

import numpy as np
import pytest

from senna_py.errors import SennaError
from senna_py.layers.declarations import Array
from senna_py.layers.int8 import ByteColumns
from senna_py.layers.lookup import dense
from senna_py.models.build import build_model
from senna_py.models.native import NativeModel
from senna_py.models.tensors import read_tensors
from tests.helpers.native_models import answers, arc_parts, change_array, joint_parts, write_parts

TEXTS = ["He reads in New York City .", "x", "the s-bahn in Chicago ."]
ROUNDED = {"block1_weight", "block2_weight", "hidden_weight", "predicate_weight", "word_factor",
           "predicate_factor"}  # fmt: skip
WEIGHT, INPUT = "networks/vbs/block1_weight", "networks/vbs/input_weight"
SCALES = f"{WEIGHT}_scales"


@pytest.fixture
def path(tmp_path):
    """File of a model with dilated and chart networks, which share blocks, and others."""
    return write_parts(tmp_path / "model.safetensors", joint_parts(np.random.default_rng(0)))


@pytest.fixture
def old(tmp_path, monkeypatch):
    """File of the same model as it was written when all weights had 16 bits."""
    with monkeypatch.context() as patch:
        patch.setattr(Array, "rounded", False)
        return write_parts(tmp_path / "old.safetensors", joint_parts(np.random.default_rng(0)))


def test_arrays(path):
    _, tensors = read_tensors(path)
    for name in ("vbs/block1_weight", "srl/hidden_weight", "psg/word_factor"):
        numbers, scales = (tensors[f"networks/{name}{end}"] for end in ("", "_scales"))
        assert (numbers.dtype, scales.dtype) == (np.int8, np.float32)
        assert scales.shape == numbers.shape[1:]
    for name in ("vbs/input_weight", "vbs/block1_bias", "srl/output_weight", "pt0/hidden_weight"):
        assert tensors[f"networks/{name}"].dtype == np.float16
    network = NativeModel(path).network("srl")
    kept = {name for name, array in network.arrays().items() if isinstance(array, ByteColumns)}
    assert kept == ROUNDED
    for array in vars(network.block1_weight).values():
        assert not array.flags.owndata and not array.flags.writeable  # they are in the file
    model = NativeModel(path)
    assert model.network("srl").block1_weight is model.network("vbs").block1_weight


def test_other_networks_have_none(tmp_path):
    path = write_parts(tmp_path / "m", arc_parts(np.random.default_rng(0)))
    network = NativeModel(path).network("dep")
    kept = {name for name, array in network.arrays().items() if isinstance(array, ByteColumns)}
    assert kept == {"block1_weight", "block2_weight"}


def test_a_file_of_16_bits_is_converted_without_another_answer(path, old, tmp_path):
    assert read_tensors(old)[1][WEIGHT].dtype == np.float16
    new = build_model(tmp_path / "new.safetensors", [old])
    assert read_tensors(new)[1][WEIGHT].dtype == np.int8
    for plain in (False, True):
        models = (answers(path, ["pos", "pt0", "srl", "psg", "mine"], TEXTS, plain)
                  for path in (old, new))  # fmt: skip
        assert all(np.array_equal(one, other) for one, other in zip(*models, strict=True))


def test_the_same_bytes_whenever_a_model_is_written_again(path, tmp_path):
    model = NativeModel(path)
    parts = [model.part(name) for name in model.networks]
    assert build_model(tmp_path / "built", [path]).read_bytes() == path.read_bytes()
    for part in parts:  # as training would have it, and what it gives back
        arrays = {name: dense(array) for name, array in part.network.arrays().items()}
        part.network = part.network.changed(**arrays)
    _, ours = read_tensors(path)
    _, again = read_tensors(write_parts(tmp_path / "again", parts))
    for name, array in again.items():
        if name.partition("_scales")[0].endswith(tuple(ROUNDED)) and name in ours:
            assert np.array_equal(array, ours[name])


@pytest.mark.parametrize(
    ("name", "alter", "problem"),
    [
        (SCALES, lambda a: a[1:], f"{SCALES}: float32[15], for int8[24, 16]: expected a"),
        (SCALES, lambda a: a.astype(np.float16), f"array '{SCALES}': float16[16], expec"),
        (SCALES, lambda a: -a, f"{SCALES}: a number that is negative, too large or not"),
        (SCALES, lambda a: a * np.nan, f"{SCALES}: a number that is negative, too"),
        (WEIGHT, lambda a: np.full_like(a, -128), f"{SCALES}: it scales numbers below -127"),
        (WEIGHT, lambda a: a.astype(np.float16), f"network vbs: array '{SCALES}' belongs to no"),
        (WEIGHT, lambda a: a[:5], "network vbs: block1_weight: a window of 0 words"),
        (WEIGHT, lambda a: a[0], f"{SCALES}: float32[16], for int8[16]"),
        (WEIGHT, lambda a: a.view(np.uint8), f"array '{WEIGHT}': uint8[24, 16], expected float16"),
        ("networks/srl/hidden_weight_scales", None,
         "array 'networks/srl/hidden_weight_scales' is missing"),
        (INPUT, lambda a: a.astype(np.int8), f"array '{INPUT}': int8"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_arrays(name, alter, problem, path):
    assert change_array(path, name, alter).startswith(problem)


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
