"""Models made to keep a program busy or to lead it in circles are refused in one line, or read."""

import json
import shutil

import pytest

from senna_py.errors import SennaError
from senna_py.io.nesting import DEEPEST
from senna_py.io.toml import read_toml
from senna_py.model import Model
from senna_py.models.cascades import MOST_NETWORKS, cascade_order
from senna_py.models.native import FILE_NAME, write_model
from senna_py.models.senna_directory import SennaDirectory
from senna_py.models.tensors import read_tensors, write_tensors
from senna_py.text.vocabulary import Vocabulary
from tests.helpers.native_models import WORDS, vectors
from tests.helpers.native_models import word_part as part


def write(path, *parts):
    path.parent.mkdir(parents=True, exist_ok=True)
    write_model(path, WORDS, vectors(), parts)
    return path


def ladder(n_levels):
    """Parts of which each takes the labels of both below it: 2 ** n_levels ways lead down."""
    parts, below = [], ()
    for level in range(n_levels):
        names = f"a{level}", f"b{level}"
        parts += [part(name, below) for name in names]
        below = names
    return [part("top", below), *reversed(parts)]


def test_every_network_is_walked_once(tmp_path):
    model = Model(write(tmp_path / FILE_NAME, *ladder(48)))  # 2 ** 48 ways: without an end
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
    with pytest.raises(SennaError, match=r"^networks 1, 2: each needs labels of another$"):
        cascade_order("0", lambda name: ["1", "2", "1"][int(name)])


def test_labels_are_short_enough_to_stand_at_every_token(tmp_path, golden):
    long = part("x")
    long.labels = Vocabulary.from_keys(["a", "(S" * 501])
    with pytest.raises(SennaError, match="labels: line 2: a label of 1,002 bytes"):
        write(tmp_path / FILE_NAME, long)
    shutil.copytree(golden / "model", tmp_path / "senna")
    read = {"pos": lambda model: model.labels("pos"), "psg-right": lambda m: m.closing_brackets}
    for name, of in read.items():
        path = tmp_path / "senna" / "hash" / f"{name}.lst"
        path.write_bytes(path.read_bytes().replace(b"\n", b"x" * 1000 + b"\n"))
        with pytest.raises(SennaError, match=f"{name}.lst: line [0-9]+: a label of 1,0"):
            of(SennaDirectory(tmp_path / "senna"))


def nested(depth):
    return "[" * depth + "]" * depth


def test_what_a_model_says_of_itself_is_not_nested_deeply(tmp_path):
    path = write(tmp_path / FILE_NAME, part("x"))
    metadata, tensors = read_tensors(path)
    text = metadata["model"]
    for depth, fits in ((DEEPEST - 2, True), (DEEPEST - 1, False), (900, False), (99_999, False)):
        said = text.replace('"info": {}', f'"info": {{"data": {nested(depth)}}}', 1)
        write_tensors(tmp_path / "deep.safetensors", metadata | {"model": said}, tensors)
        if fits:
            info = Model(tmp_path / "deep.safetensors").storage.info
            assert json.dumps(info["data"]) == nested(depth)
            continue
        with pytest.raises(SennaError, match=f"nested more than {DEEPEST} deep"):
            Model(tmp_path / "deep.safetensors")


@pytest.mark.parametrize(
    "line",
    ["x = " + nested(400), ".".join("x" * 3000) + " = 1", "x = " + "[" * 5000 + "]" * 5000],
    ids=["lists", "tables", "beyond the parser"],
)
def test_settings_are_not_nested_deeply(tmp_path, line):
    (tmp_path / "deep.toml").write_text(line)
    with pytest.raises(SennaError, match=r"deep.toml: not TOML: .*nested more than 64 deep"):
        read_toml(tmp_path / "deep.toml")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_mark_before_settings(encoding, tmp_path):
    (tmp_path / "a.toml").write_text('a = "é"\r\n', encoding, newline="")
    assert read_toml(tmp_path / "a.toml") == {"a": "é"}
