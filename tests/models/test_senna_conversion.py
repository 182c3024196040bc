import shutil

import numpy as np
import pytest

from senna_py.errors import SennaError
from senna_py.features.registry import RESOURCES
from senna_py.layers.lookup import dense
from senna_py.models.build import build_model
from senna_py.models.native import NativeModel
from senna_py.models.native_writer import write_model
from senna_py.models.senna_conversion import copy_native, export_senna, import_senna
from senna_py.models.senna_directory import NETWORKS, SennaDirectory
from senna_py.models.senna_weights import write_network
from senna_py.tagger import Tagger
from senna_py.text.vocabulary import Vocabulary
from tests.helpers.native_models import (
    ARGUMENTS,
    GAZETTEERS,
    WORDS,
    all_parts,
    by_sentence,
    model_arguments,
    resources,
    senna_parts,
    vectors,
    write_singles,
)
from tests.helpers.refusal import refusal

SENTENCE = [
    "He",
    "reads",
    "the",
    "S-Bahn",
    "in",
    "New",
    "York",
    "City",
    "1999",
    "x",
    "y",
    "z",
    ".",
]


def written(tmp_path, parts, **changes):
    """NativeModel of parts, with other arguments of `write_model` if they are given."""
    arguments = dict(zip(ARGUMENTS, model_arguments(parts), strict=True))
    write_model(tmp_path / "model.safetensors", **(arguments | changes))
    return NativeModel(tmp_path / "model.safetensors")


def test_export_after_import_changes_nothing_more(golden, tmp_path):
    import_senna(golden / "model", tmp_path / "one.safetensors")
    export_senna(NativeModel(tmp_path / "one.safetensors"), tmp_path / "senna")
    import_senna(tmp_path / "senna", tmp_path / "two")
    one, two = tmp_path / "one.safetensors", tmp_path / "two" / "model.safetensors"
    assert one.read_bytes() == two.read_bytes()
    for path in (golden / "model" / "hash").iterdir():
        assert (
            tmp_path / "senna" / "hash" / path.name
        ).read_bytes() == path.read_bytes()
    for name in GAZETTEERS:
        file = f"data/ner.{name}.dat"
        assert (tmp_path / "senna" / file).read_bytes() == (
            golden / "model" / file
        ).read_bytes()


def test_import_rounds_numbers_and_keeps_the_rest(golden, tmp_path):
    import_senna(golden / "model", tmp_path)
    native, senna = NativeModel(tmp_path), SennaDirectory(golden / "model")
    assert native.networks == senna.networks
    for name in senna.networks:
        ours, theirs = native.network(name), senna.network(name)
        for one, other in zip(ours.tables, theirs.tables, strict=True):
            assert np.array_equal(
                dense(one), other.astype(np.float16).astype(np.float32)
            )
        assert np.array_equal(ours.padding, theirs.padding)
        n = len(theirs.output_bias)
        assert native.labels(name).keys() == senna.labels(name).keys()[:n]


def test_import_of_networks_with_other_words(copied_model, tmp_path):
    network = SennaDirectory(copied_model).network("chk")
    narrow = network.changed(
        tables=[network.tables[0][:, 1:], *network.tables[1:]],
        hidden_weight=network.hidden_weight[network.window :],
    )
    write_network(copied_model / "data" / "chk.dat", narrow)
    with pytest.raises(SennaError, match="the word table of chk has the shape"):
        import_senna(copied_model, tmp_path / "new")
    assert not (tmp_path / "new").exists()


# What SENNA's format cannot hold is said, and nothing is written.


def refused(tmp_path, parts, **changes):
    native = written(tmp_path, parts, **changes)
    said = refusal(native.path, export_senna, native, tmp_path / "senna")
    assert not (tmp_path / "senna").exists()
    assert said.startswith("SENNA's format cannot hold ")
    return said.removeprefix("SENNA's format cannot hold ")


def with_changes(name, **changes):
    """SENNA's networks, one of which has other arrays."""
    parts = senna_parts(np.random.default_rng(0))
    for part in parts:
        if part.name == name:
            part.network = part.network.changed(**changes)
    return parts


def with_list(feature, keys, *names):
    """SENNA's networks, some of which have other keys of a feature; as many as
    before.
    """
    parts = senna_parts(np.random.default_rng(0))
    for part in parts:
        if part.name in names:
            assert len(keys) == len(part.vocabularies[feature])
            part.vocabularies[feature] = Vocabulary.from_keys(keys)
    return parts


def test_networks_that_cannot_be_exported(tmp_path):
    rng = np.random.default_rng(0)
    parts = all_parts(rng)
    scores = {
        "initial": np.zeros(2, np.float32),
        "transition": np.zeros((2, 2), np.float32),
    }
    linear = {
        "hidden_weight": None,
        "hidden_bias": None,
        "output_weight": np.ones((3 * 10, 3), np.float32),
    }
    turned = senna_parts(rng)
    turned[0].features = ("caps", "word", "suffix")
    turned[0].network.tables[:2] = turned[0].network.tables[1::-1]
    turned[0].network.padding[:] = 0
    for given, what in (
        (parts, "the feature shape of pos"),
        (
            [part for part in parts if part.name == "mine"],
            f"the network mine; it has {', '.join(NETWORKS)}",
        ),
        (
            with_changes("chk", initial=None, transition=None),
            "the network chk without transition scores",
        ),
        (with_changes("vbs", **scores), "transition scores of vbs"),
        (
            with_changes("pos", final=np.array([0, -10_000, 0], np.float32)),
            "the scores of the last tag of pos",
        ),
        (with_changes("pos", **linear), "the network pos without a hidden layer"),
        (
            by_sentence(senna_parts(rng), "chk"),
            "the sentence approach of chk; only srl has it",
        ),
        (
            with_changes("ner", padding=np.array([0, 4, 1, 1, 2, 1], np.int32)),
            "a padding of each gazetteer; it has one for all",
        ),
        (turned, "the features caps, word, suffix of pos; it has word, caps, suffix"),
    ):
        assert refused(tmp_path, given) == what


def test_lists_that_cannot_be_exported(tmp_path):
    caps = ["more", "allcaps", "hascap", "initcap", "nocaps"]
    pos = ["NN", "VB", "DT", "UNAVAILABLE", "PADDING"]
    renamed, placed = (senna_parts(np.random.default_rng(0)) for _ in range(2))
    renamed[4].labels = Vocabulary.from_keys(["none", "S1"])
    placed[2].vocabularies["gazetteer.loc"] = Vocabulary.from_keys(
        [*"OBIES", "PADDING"]
    )
    placed[2].network.tables[2] = np.ones((6, 2), np.float32)
    for given, what in (
        (
            with_list("caps", caps, *NETWORKS),
            "the keys of caps of pos; it has PADDING allcaps hascap initcap nocaps",
        ),
        (
            with_list("pos", pos, "chk", "pt0", "vbs", "psg"),
            "the feature pos of chk whose keys do not end with PADDING and UNAVAILABLE",
        ),
        (renamed, "a list vbs without the key NOVB"),
        (placed, "the keys of gazetteer.loc of ner; it has NO PADDING UNAVAILABLE YES"),
    ):
        assert refused(tmp_path, given) == what
    words = Vocabulary.from_keys([*WORDS.keys()[1:], "padding"])
    classes = resources(GAZETTEERS, {"kinds": [("0", "a", 1)]})
    for changes, what in (
        ({"words": words}, "a list words without the key PADDING"),
        (
            {"resources": resources({**GAZETTEERS, "city": ["Rome"]})},
            "the gazetteer city",
        ),
        ({"resources": classes}, "the list of word classes kinds"),
    ):
        assert (
            refused(tmp_path, senna_parts(np.random.default_rng(0)), **changes) == what
        )


def test_a_model_without_its_gazetteers_cannot_be_exported(tmp_path):
    one = resources({"loc": ["x"]})
    native = written(tmp_path, senna_parts(np.random.default_rng(0)), resources=one)
    with pytest.raises(SennaError, match="the gazetteer msc is missing"):
        export_senna(native, tmp_path / "senna")
    assert not (tmp_path / "senna").exists()


def test_export_into_a_full_directory(golden, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(SennaError, match=f"{tmp_path}: the directory is not empty"):
        export_senna(SennaDirectory(golden / "model"), tmp_path)


# Models of one network are joined.


@pytest.fixture
def single(tmp_path):
    """Paths of models of one network each, by name."""
    parts = senna_parts(np.random.default_rng(0))
    return write_singles(tmp_path, parts, lambda name: {"license": "MIT", name: 1})


def test_build(single, tmp_path):
    build_model(tmp_path / "all", single.values(), {"name": "all", "pos": 2})
    built = NativeModel(tmp_path / "all")
    assert built.info == dict.fromkeys(NETWORKS, 1) | {
        "license": "MIT",
        "name": "all",
        "pos": 2,
    }
    whole = written(tmp_path, senna_parts(np.random.default_rng(0)))
    tasks = [name for name in NETWORKS if name != "vbs"]
    assert Tagger(built.path, tasks)(SENTENCE) == Tagger(whole.path, tasks)(SENTENCE)


def test_some_networks_of_a_model(single, tmp_path):
    whole = build_model(tmp_path / "whole", single.values())
    chosen = build_model(
        tmp_path / "chosen", [f"{tmp_path}/whole:chk,pos,chk", single["ner"]]
    )
    built = NativeModel(chosen)
    assert sorted(built.networks) == ["chk", "ner", "pos"]
    assert sorted(built.info) == ["chk", "license", "ner", "pos"]
    assert sorted(built.resources("gazetteers")) == sorted(GAZETTEERS)
    without = NativeModel(build_model(tmp_path / "without", [f"{whole}:pos"]))
    assert not any(without.resources(place) for place in RESOURCES)
    assert Tagger(without.path, ["pos"])(SENTENCE) == Tagger(whole, ["pos"])(SENTENCE)


def test_tasks_done_by_default_stay(single, tmp_path):
    whole = build_model(tmp_path / "whole", single.values(), {"tasks": ["pos"]})
    for name, sources, tasks in (
        ("again", [whole], ["pos"]),
        ("named", [f"{whole}:pos,chk"], ["pos", "chk"]),
        ("more", [f"{whole}:pos", single["ner"]], ["pos", "ner"]),
    ):
        assert NativeModel(build_model(tmp_path / name, sources)).info["tasks"] == tasks


def test_a_model_whose_name_has_a_colon(single, tmp_path):
    shutil.copy(single["ner"], tmp_path / "a:pos.safetensors")
    assert list(
        NativeModel(
            build_model(tmp_path / "b", [tmp_path / "a:pos.safetensors"])
        ).networks
    )


def test_models_that_cannot_be_joined(single, tmp_path):
    def problem(path, networks=""):
        said = refusal(
            path, build_model, tmp_path / "all", [single["ner"], f"{path}{networks}"]
        )
        assert not (tmp_path / "all").exists()
        return said

    copy, other = tmp_path / "copy.safetensors", tmp_path / "other.safetensors"
    shutil.copy(single["ner"], copy)
    assert problem(copy) == (
        f"network ner is in {single['ner']} too; "
        f"--replace takes the later one, or name those to take, as in {copy}:NAME"
    )
    assert problem(copy, ":pos") == "it has no pos network; there are ner"
    pos = NativeModel(single["pos"]).part("pos")
    words = Vocabulary.from_keys([*WORDS.keys()[:-1], "writes"])
    for arguments, said in (
        (
            (words, vectors(), [pos]),
            f"its words are not those of {single['ner']}: train it with",
        ),
        (
            (WORDS, vectors() + 1, [pos]),
            f"its shared vectors are not those of {single['ner']}",
        ),
        (
            (WORDS, vectors(), [pos], resources({"loc": ["Rome"]})),
            "its gazetteer loc differs from that of other models",
        ),
    ):
        write_model(other, *arguments)
        assert problem(other).startswith(said)


def test_word_classes_are_joined(single, tmp_path):
    paths = [single["pos"], single["chk"], single["vbs"]]
    for path, rows in zip(paths[:2], ([("0", "a", 1)], [("0", "b", 1)]), strict=True):
        (name,) = NativeModel(path).networks
        given = resources(classes={"kinds": rows})
        write_model(path, WORDS, vectors(), [NativeModel(path).part(name)], given)
    build_model(tmp_path / "all", paths[::2])
    joined = NativeModel(tmp_path / "all").resource("classes", "kinds")
    assert joined.array.tobytes() == b"0\ta\n"
    said = refusal(paths[1], build_model, tmp_path / "all", paths)
    assert said == "its list of word classes kinds differs from that of other models"


def test_a_copy_that_ends_early_leaves_nothing(golden, tmp_path, monkeypatch):
    import_senna(golden / "model", tmp_path / "m.safetensors")

    def fail(source, file):
        file.write(source.read(1000))
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shutil, "copyfileobj", fail)
    with pytest.raises(SennaError, match="No space left"):
        copy_native(NativeModel(tmp_path / "m.safetensors"), tmp_path / "copy")
    assert list((tmp_path / "copy").iterdir()) == []
