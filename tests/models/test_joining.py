"""Networks that a model carries for the sake of others, and how they are joined."""

import pytest

from senna_py.errors import SennaError
from senna_py.models.build import build_model
from senna_py.models.joining import carried_networks
from senna_py.models.native import NativeModel
from senna_py.models.native_writer import write_model
from tests.helpers.native_models import WORDS, change, vectors
from tests.helpers.native_models import word_part as part


@pytest.fixture
def model(tmp_path):
    """A function that writes a model of some parts, and opens it."""

    def write(name, *parts):
        own = [each.name for each in parts if not each.carried]
        path = tmp_path / f"{name}.safetensors"
        write_model(
            path, WORDS, vectors(), parts, info={"tokenizer": "senna", "tasks": own}
        )
        return NativeModel(path)

    return write


def test_what_is_named_comes_first_then_what_brings_it(model):
    x, y = (
        model("x", part("x")),
        model("y", part("x"), part("v"), part("y", ["x", "v"])),
    )
    found = carried_networks("new", ("word", "y"), {"x": x, "y": y})
    assert list(found.items()) == [("x", x), ("v", y), ("y", y)]
    found = carried_networks("new", ("word", "y", "gold"), {"y": y})
    assert list(found.items()) == [("x", y), ("v", y), ("y", y)]
    assert carried_networks("new", ("word",), {"y": y}) == {}


def test_what_finds_predicates_comes_with_roles(model):
    pos = model("pos", part("pos"), part("vbs", ["pos"]))
    assert list(carried_networks("srl", ("pos",), {"pos": pos})) == ["pos", "vbs"]
    assert list(carried_networks("other", ("pos",), {"pos": pos})) == ["pos"]


def test_networks_that_need_each_other(model):
    y = model("y", part("x"), part("y", ["x"]))
    with pytest.raises(SennaError, match="networks x, y: each needs labels of another"):
        carried_networks("x", ("y",), {"y": y})


def test_networks_of_other_labels(model):
    x, y = (
        model("x", part("x", labels=("b", "a"))),
        model("y", part("x"), part("y", ["x"])),
    )
    with pytest.raises(
        SennaError, match=r"x\.safetensors: the labels of its network x are not "
    ):
        carried_networks("new", ("y",), {"x": x, "y": y})


def test_what_is_carried_gives_way(model, tmp_path):
    one, other = part("x", carried=True, seed=1), part("x", carried=True, seed=2)
    y, z = model("y", one, part("y", ["x"])), model("z", other, part("z", ["x"]))
    assert (y.networks, y.own_networks) == (("x", "y"), ("y",))
    x = model("x", part("x", seed=3))
    for sources, seed, tasks in (
        ([y, z, x], 3, ["y", "z", "x"]),
        ([x, y], 3, ["x", "y"]),
        ([z, y], 2, ["z", "y"]),
        ([y], 1, ["y"]),
        ([f"{y.path}:x", x.path, y], None, None),
    ):
        paths = [getattr(source, "path", source) for source in sources]
        if seed is None:  # one that was named is wanted
            with pytest.raises(
                SennaError, match=r"network x is in .*y\.safetensors too"
            ):
                build_model(tmp_path / "built.safetensors", paths)
            continue
        built = NativeModel(build_model(tmp_path / "built.safetensors", paths))
        assert built.part_info("x") == {"seed": seed}
        assert built.own_networks == built.networks
        if seed == 3:  # networks stand as their models were named
            assert built.networks == tuple(tasks)
        assert sorted(built.info["tasks"]) == sorted(tasks)


def test_whether_a_network_is_carried_is_true_or_false(model):
    path = model("x", part("x")).path
    assert change(
        path, lambda _, found, arrays: found["networks"][0].update(carried=1)
    ) == ("network x: carried is neither true nor false")
