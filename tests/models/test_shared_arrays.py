"""Native models whose networks share tables and layers, which the file has once."""

import json
from collections import Counter
from copy import copy

import numpy as np
import pytest

from senna_py.layers.lookup import dense
from senna_py.models.build import build_model
from senna_py.models.native import NativeModel
from senna_py.models.senna_conversion import export_senna
from senna_py.models.tensors import read_tensors
from senna_py.networks.dilated import BlockNetwork
from senna_py.networks.trunk import Trunk
from senna_py.networks.window import WindowNetwork
from senna_py.tagger import Tagger
from tests.helpers.native_models import (
    answers,
    change,
    joint_parts,
    senna_parts,
    write_parts,
)

TEXTS = [
    "He reads in New York City .",
    "x",
    "the s-bahn in Chicago .",
    *["He reads a zebra"] * 60,
]
BLOCKS = [
    f"block{k}_{part}" for k in (1, 2) for part in ("gain", "shift", "weight", "bias")
]
DILATED = {
    "tables/0",
    "tables/1",
    "tables/2",
    "input_weight",
    "input_bias",
    "norm_gain",
    "norm_shift",
    *BLOCKS,
}
WINDOW = {"tables/0", "tables/1", "tables/2", "hidden_weight", "hidden_bias"}


@pytest.fixture
def path(tmp_path):
    """File of a model with two groups of networks that share."""
    return write_parts(
        tmp_path / "model.safetensors", joint_parts(np.random.default_rng(0))
    )


@pytest.fixture
def apart(path):
    """File of the same model, of which each network has its own arrays."""
    return write_apart(path)


def write_apart(path):
    """Write the model again, without anything that is shared; returns the path."""
    model = NativeModel(path)
    parts = [model.part(name) for name in model.networks]
    for part in parts:
        network = part.network
        arrays = {name: copy(array) for name, array in network.arrays().items()}
        tables = [dense(table).copy() for table in network.tables]
        part.network = network.changed(tables=tables, **arrays)
    return write_parts(path.with_name("apart.safetensors"), parts)


def test_networks_share_what_they_shared(path):
    model = NativeModel(path)
    for first, others, shared in (
        ("vbs", ("pos", "srl", "psg"), DILATED),
        ("pt0", ("mine",), WINDOW),
    ):
        for other in others:
            pair = model.part(first), model.part(other)
            assert set(pair[1].network.shared_names(pair[0].network)) == shared
            for feature in pair[0].vocabularies.keys() & pair[1].vocabularies.keys():
                assert pair[0].vocabularies[feature] is pair[1].vocabularies[feature]
    assert not model.network("pt0").shared_names(model.network("pos"))


def test_an_array_is_in_the_file_once(path, apart, tmp_path):
    _, tensors = read_tensors(path)
    places = Counter(
        name.split("/", 2)[2] for name in tensors if name.startswith("networks/")
    )
    assert (
        places["block1_weight"]
        == places["norm_gain"]
        == places["hidden_weight"] - 4
        == 1
    )
    assert (
        places["changed_rows"] == places["changed_vectors"] == places["tables/1"] == 2
    )
    assert places["vocabularies/suffix.3"] == places["vocabularies/pos"] == 1
    assert places["output_weight"] == places["labels"] == places["padding"] == 6
    _, more = read_tensors(apart)
    assert len(more) > len(tensors) + 50
    assert "shared" not in json.dumps(read_tensors(apart)[0])
    # What is read and written again is the same, byte for byte.
    for source in (path, apart):
        built = build_model(tmp_path / "built.safetensors", [source])
        assert built.read_bytes() == source.read_bytes()


@pytest.mark.parametrize("order", [("pos", "psg"), ("psg", "vbs", "srl", "pos")])
def test_the_network_that_has_the_arrays_may_be_any(order, path, tmp_path):
    model = NativeModel(path)
    other = NativeModel(
        write_parts(tmp_path / "other", [model.part(name) for name in order])
    )
    for name in order:
        assert other.network(name).shared_names(other.network(order[0]))
        assert (
            set(other.network(name).shared_names(other.network(order[-1]))) >= DILATED
        )


def test_networks_of_other_models_share_nothing(path, tmp_path):
    first = NativeModel(write_parts(tmp_path / "a", [NativeModel(path).part("pos")]))
    second = NativeModel(write_parts(tmp_path / "b", [NativeModel(path).part("srl")]))
    both = NativeModel(
        build_model(tmp_path / "both.safetensors", [first.path, second.path])
    )
    assert not both.network("srl").shared_names(both.network("pos"))


def test_export_to_senna(tmp_path):
    """A SENNA directory has the arrays of each network."""
    parts = {part.name: part for part in senna_parts(np.random.default_rng(0))}
    for name in ("pt0", "vbs"):
        parts[name].network = parts[name].network.share(parts["chk"].network)
    path = write_parts(tmp_path / "model.safetensors", list(parts.values()))
    model = NativeModel(path)
    assert set(model.network("vbs").shared_names(model.network("chk"))) == WINDOW
    found = []
    for number, source in enumerate((path, write_apart(path))):
        directory = tmp_path / str(number)
        export_senna(NativeModel(source), directory)
        files = sorted(each for each in directory.rglob("*") if each.is_file())
        found.append({each.relative_to(directory): each.read_bytes() for each in files})
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("tasks", "n_dilated", "n_window"),
    [
        (["pos"], 0, 0),
        (["pos", "srl"], 1, 0),
        (["pos", "psg"], 1, 0),
        (["mine"], 0, 0),
        (["pt0", "mine"], 0, 1),
        (["pos", "pt0", "srl", "psg", "mine"], 1, 1),
    ],
)
def test_the_tagger_computes_what_is_shared_once(
    tasks, n_dilated, n_window, path, apart, monkeypatch
):
    """And finds the same as if each network did it alone, also where products are
    kept.
    """
    calls, compute = Counter(), Trunk.states

    def count(trunk, *given, **named):
        (kind,) = {
            BlockNetwork if isinstance(each, BlockNetwork) else type(each)
            for each in trunk.networks.values()
        }
        calls[kind] += 1
        return compute(trunk, *given, **named)

    monkeypatch.setattr(Trunk, "states", count)
    together, alone = Tagger(path, tasks), Tagger(apart, tasks)
    for _ in range(3):
        calls.clear()
        ours = answers(together, TEXTS)
        assert (calls[BlockNetwork], calls[WindowNetwork]) == (n_dilated, n_window)
        calls.clear()
        theirs = answers(alone, TEXTS)
        assert not calls
        assert len(ours) == len(theirs)
        for one, other in zip(ours, theirs, strict=True):
            assert np.array_equal(one, other)
    for task in tasks:
        if task in ("pos", "pt0", "mine"):
            tagger = Tagger(path, task)
            tokens = tagger.tokenizer.texts(TEXTS)
            expected = together.annotate(tokens).layers[task]
            assert tagger.annotate(tokens).layers[task] == expected


def test_networks_that_share_layers_but_not_their_input(path, tmp_path):
    """Each computes its own."""
    model = NativeModel(path)
    parts = [model.part("pos"), model.part("pt0"), model.part("mine")]
    parts[2].features = ("word", "caps", "vbs")
    parts[2].vocabularies["vbs"] = parts[2].vocabularies.pop("pos")
    parts.append(model.part("vbs"))
    labels = parts[3].labels.keys()
    assert len(labels) == 2
    first, second = (parts[1].vocabularies["pos"], parts[2].vocabularies["vbs"])
    data = b"\n".join([*map(str.encode, labels), *second.data.splitlines()[2:]]) + b"\n"
    parts[2].vocabularies["vbs"] = type(first)(data, "vbs")
    tagger = Tagger(write_parts(tmp_path / "other", parts), ["pt0", "mine"])
    trunks = {name: trunk for name, (trunk, _) in tagger._trunks.items()}
    assert trunks["pos"] is trunks["vbs"]
    assert len({*map(id, trunks.values())}) == 3
    assert tagger._networks["mine"].common_depth(tagger._networks["pt0"])


@pytest.mark.parametrize(
    ("shared", "problem"),
    [
        ([], "network pos: shared is not an object of lists"),
        (
            {"none": ["norm_gain"]},
            "network pos: shared: network 'none' has no array 'norm_gain'",
        ),
        ({"vbs": ["none"]}, "network pos: shared: network 'vbs' has no array 'none'"),
        ({"vbs": ["labels"]}, "network pos: shared: it has 'labels' twice"),
        (
            {"vbs": ["norm_gain", "norm_gain"]},
            "network pos: shared: it has 'norm_gain' twice",
        ),
        ({"vbs": []}, "array 'networks/pos/changed_rows' is missing"),
    ],
)
def test_what_is_wrong(shared, problem, path):
    def alter(metadata, model, tensors):
        model["networks"][1]["shared"] = shared

    assert change(path, alter).startswith(problem)


def test_an_array_that_nothing_uses(path):
    def alter(metadata, model, tensors):
        model["networks"][1]["shared"]["pt0"] = ["vocabularies/pos"]

    expected = "network pos: array 'networks/pt0/vocabularies/pos' is unexpected"
    assert change(path, alter) == expected
