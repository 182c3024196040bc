"""Ensembles in native models."""

import json

import numpy as np
import pytest

from senna_py.answers.layer import Layer
from senna_py.cli.model_summary import model_summary, summary_lines
from senna_py.errors import SennaError, UsageError
from senna_py.features.assembly import Assembly
from senna_py.features.protocol import Batch
from senna_py.labels.tasks import find_task
from senna_py.layers.lookup import ByteRows, ChangedTable, dense
from senna_py.model import Model
from senna_py.models.build import build_model
from senna_py.models.joining import all_resources
from senna_py.models.native import NativeModel
from senna_py.models.native_writer import write_model
from senna_py.models.senna_conversion import export_senna
from senna_py.models.tensors import read_tensors
from senna_py.networks.batch import WordBatch
from senna_py.tagger import Tagger
from senna_py.tagging.ensembles import Ensemble
from tests.helpers import native_models
from tests.helpers.tagging import print_columns

TEXT = "He reads the S-Bahn in New York City ."


@pytest.fixture
def path(tmp_path):
    """File of a model with an ensemble for pt0, which srl and others need."""
    ensemble = Ensemble(native_models.parts_apart(tmp_path, "pt0"), "scores")
    built = ensemble.save(tmp_path / "ensemble")
    return build_model(
        tmp_path / "model.safetensors", [built, tmp_path / "others.safetensors"]
    )


@pytest.mark.parametrize("how", ["vote", "scores"])
@pytest.mark.parametrize("name", ["pos", "pt0"])
def test_round_trip(tmp_path, name, how):
    ensemble = Ensemble(native_models.parts_apart(tmp_path, name), how)
    model = NativeModel(ensemble.save(tmp_path / "ensemble"))
    ours, theirs = model.network(name), ensemble.part.network
    assert (ours.kind, ours.how, ours.columns) == ("ensemble", how, theirs.columns)
    assert [type(m) for m in ours.networks] == [type(m) for m in theirs.networks]
    tokens = Tagger(model.path, ()).tokenizer.texts([TEXT, "x"])
    known = {
        "pos": Layer(find_task("pos"), (), np.arange(len(tokens), dtype=np.int32) % 3)
    }
    words = WordBatch(
        Assembly.of_network(model, name)(Batch(tokens, known)), tokens.starts
    )
    if name == "pos":
        found = Tagger(model.path, name).annotate(tokens).layers["pos"].label
        assert found.tolist() == ours.decode(words).tags.tolist()
    np.testing.assert_allclose(  # means of transitions are rounded, nothing else
        ours.posteriors(words),
        theirs.posteriors(words),
        atol=0 if how == "vote" else 1e-3,
    )
    for k, source in enumerate(ensemble.models):
        own = ours.networks[k].decode(words).tags
        assert own.tolist() == source.network(name).decode(words).tags.tolist()
    # What was read can be written again, and is the same.
    again = tmp_path / "again.safetensors"
    write_model(
        again,
        model.words,
        model.vectors,
        [model.part(name)],
        all_resources(model),
        model.info,
    )
    assert again.read_bytes() == model.path.read_bytes()


def test_words_and_vectors_are_stored_once(path):
    _, tensors = read_tensors(path)
    assert [name for name in tensors if name.endswith("vectors")].count("vectors") == 1
    for k in range(4):
        assert tensors[f"networks/pt0/members/{k}/changed_rows"].shape == (5,)
        assert isinstance(
            NativeModel(path).network("pt0").networks[k].tables[0], ChangedTable
        )
    assert tensors["networks/pt0/output_weight"].shape == (8, 2)
    assert "networks/pt0/padding" not in tensors


def tags(path, name):
    tagger = Tagger(path, name)
    return (
        tagger.annotate(tagger.tokenizer.texts([TEXT] * 9)).layers[name].label.tolist()
    )


@pytest.mark.parametrize("bits", [(8, 8, 8, 8), (16, 8, 16, 16)])
def test_vectors_with_8_bits(tmp_path, bits):
    """An ensemble has the fewest bits of a member; one of 16 can be stored with 8
    later.
    """
    plain = Ensemble(native_models.parts_apart(tmp_path, "pt0")).save(
        tmp_path / "plain"
    )
    assert NativeModel(plain).vector_bits == 16
    later = build_model(tmp_path / "later", [plain], vector_bits=8)
    from_plain = [
        member.tables[0].dense()
        for member in NativeModel(plain).network("pt0").networks
    ]
    paths = native_models.parts_apart(tmp_path, "pt0", bits=bits)
    small = Ensemble(paths).save(tmp_path / "small")
    from_small = [
        NativeModel(source).network("pt0").tables[0].dense() for source in paths
    ]
    for path, tables in ((later, from_plain), (small, from_small)):
        model, (_, tensors) = NativeModel(path), read_tensors(path)
        assert model.vector_bits == 8
        for k, table in enumerate(tables):
            place = f"networks/pt0/members/{k}/"
            assert tensors[f"{place}changed_vectors"].dtype == np.int8
            assert (
                tensors[f"{place}changed_scales"].shape
                == tensors[f"{place}changed_rows"].shape
            )
            member = model.network("pt0").networks[k]
            np.testing.assert_array_equal(
                member.tables[0].dense(), ByteRows.of(table).dense()
            )
        assert build_model(tmp_path / "again", [path]).read_bytes() == path.read_bytes()


def test_members_that_were_trained_with_other_tasks(tmp_path):
    """They share a trunk where they come from, but not in the ensemble, which has all
    of it.
    """
    paths = [tmp_path / f"{seed}.safetensors" for seed in range(3)]
    for seed, path in enumerate(paths):
        write_model(
            path,
            *native_models.model_arguments(
                native_models.joint_parts(np.random.default_rng(seed))
            ),
        )
    ensemble = Ensemble(paths, task="pos")
    model = NativeModel(ensemble.save(tmp_path / "ensemble"))
    for member, source in zip(model.network("pos").networks, paths, strict=True):
        alone = NativeModel(source).network("pos").arrays()
        assert alone.keys() == member.arrays().keys()
        for name, array in member.arrays().items():
            np.testing.assert_array_equal(dense(array), dense(alone[name]))
    with_others = NativeModel(paths[0])
    kept = [with_others.part(name) for name in ("vbs", "srl")]
    others = tmp_path / "others.safetensors"
    write_model(
        others,
        native_models.WORDS,
        with_others.vectors,
        kept,
        all_resources(with_others),
    )
    whole = build_model(tmp_path / "whole", [others, model.path])
    assert tags(whole, "pos") == tags(model.path, "pos")
    trunks = {
        name: trunk
        for name, (trunk, _) in Tagger(whole, ["pos", "srl"])._trunks.items()
    }
    assert trunks["vbs"] is trunks["srl"] is not trunks["pos"]
    # Beside networks that are its members, an ensemble has its own arrays.
    part = with_others.part("pos")
    part.name = "one"
    members = [with_others.network("pos"), NativeModel(paths[1]).network("pos")]
    ensemble.part.network.networks[:2] = members
    for parts in ([part, ensemble.part], [ensemble.part, part]):
        write_model(
            whole, native_models.WORDS, with_others.vectors, parts, ensemble.resources
        )
        again = NativeModel(whole)
        assert not again.part("one").network.shared_names(again.network("pos"))
        for name, array in again.network("one").arrays().items():
            np.testing.assert_array_equal(
                dense(array), dense(members[0].arrays()[name])
            )


def test_other_shared_vectors_are_changed_rows(tmp_path):
    parts = native_models.parts_named("pt0", (0, 3))
    paths = []
    for k, own in enumerate(parts):
        words, shared, _, resources, info = native_models.model_arguments(own)
        paths.append(tmp_path / f"{k}.safetensors")
        part = [part for part in own if part.name == "pt0"]
        write_model(paths[-1], words, shared + np.float32(k), part, resources, info)
    model = NativeModel(Ensemble(paths).save(tmp_path / "ensemble"))
    _, tensors = read_tensors(model.path)
    assert tensors["networks/pt0/members/0/changed_rows"].shape == (5,)
    tables = [NativeModel(p).network("pt0").tables[0].dense() for p in paths]
    for member, table in zip(model.network("pt0").networks, tables, strict=True):
        np.testing.assert_array_equal(member.tables[0].dense(), table)


def test_it_is_used_as_any_other_network(path):
    model = Model(path)
    assert model.tasks() == ("pos", "pt0", "srl", "psg", "mine")
    tagger = Tagger(model, ["pos", "pt0", "srl"])
    assert tagger.longest_sentence
    assert all(token.pt0 in ("O", "S-VP") for token in tagger(TEXT))
    tokens = tagger.tokenizer.texts([TEXT] * 3)
    assert print_columns(tagger, tokens).count(b"\n") == 3 * (len(tokens) // 3 + 1)
    assert model.describe(["pt0"])[1] == (
        "pt0: ensemble network, scores of 2 window, 1 sentence, 1 dilated networks; "
        "word 35 x 6, caps 5 x 2, pos 5 x 2; 2 labels"
    )
    lines = summary_lines(model_summary(model))
    assert (
        "pt0: ensemble network, scores of 2 window, 1 sentence, 1 dilated networks"
        in lines
    )
    assert (
        "  member 4: configuration 2 settings (--json shows them), scores f1 90.5"
        in lines
    )
    json.dumps(model_summary(model))
    with pytest.raises(
        SennaError, match="ensemble approach of pt0; it has single networks"
    ):
        export_senna(_only_senna(path), path.parent / "senna")


def _only_senna(path):
    """The model without networks that SENNA's format would refuse before."""
    model = NativeModel(path)
    model.networks = ("pt0",)
    return model


@pytest.mark.parametrize(
    ("alter", "problem"),
    [
        (
            lambda entry: entry.pop("how"),
            "how is None, expected one of vote, scores, joined",
        ),
        (
            lambda entry: entry.pop("members"),
            "members: expected a list of 1 to 100 networks",
        ),
        (
            lambda entry: entry.update(members=[1]),
            "members: no usable columns of a member: None",
        ),
        (
            lambda entry: entry["members"][0].update(columns=[0, 9]),
            "members: no usable columns",
        ),
        (
            lambda entry: entry["members"][0].update(columns=[0, 0]),
            "members: no usable columns",
        ),
        (
            lambda entry: [m.update(columns=[0]) for m in entry["members"]],
            "members: a feature th",
        ),
        (lambda entry: entry["members"][1].update(kind="x"), "member 1: kind 'x'"),
        (
            lambda entry: entry["members"][1].update(kind="ensemble"),
            "member 1: kind 'ensemble'",
        ),
        (
            lambda entry: entry["members"][0].update(window=None),
            "window is None, not an integer",
        ),
        (
            lambda entry: entry["members"][0].update(window=5),
            "members 0 hidden_weight: shape",
        ),
        (
            lambda entry: entry["members"].pop(),
            "output_weight: shape [8, 2], 8 in place of 6",
        ),
    ],
)
def test_what_is_wrong_with_the_description(path, alter, problem):
    def alter_pt0(_, model, tensors):
        alter(next(entry for entry in model["networks"] if entry["name"] == "pt0"))

    assert (
        native_models.change(path, alter_pt0)
        .removeprefix("network pt0: ")
        .startswith(problem)
    )


@pytest.mark.parametrize(
    ("name", "alter", "problem"),
    [
        (
            "members/7/padding",
            lambda _: np.zeros(1, np.int32),
            "7/padding' is unexpected",
        ),
        (
            "members/1/tables/1",
            lambda a: np.repeat(a, 2, 0),
            "5 keys of caps, its table has 10",
        ),
        ("members/1/padding", lambda a: a[:-1], "members 1 padding: shape [2]"),
        ("members/1/output_bias", lambda a: a * np.nan, "that is not finite"),
        ("output_bias", lambda a: a[:-1], "member 1: 2 labels"),
        (
            "members/1/conv_bias",
            None,
            "array 'networks/pt0/members/1/conv_bias' is missing",
        ),
        ("transition", None, "initial, transition must be given together"),
    ],
)
def test_what_is_wrong_with_arrays(path, name, alter, problem):
    assert problem in native_models.change_array(path, f"networks/pt0/{name}", alter)


def test_what_does_not_fit_together(tmp_path):
    words, shared, parts, resources, info = native_models.model_arguments(
        native_models.all_parts(np.random.default_rng(0))
    )
    pt0 = next(part for part in parts if part.name == "pt0")

    def written(name, parts, **changes):
        arguments = {
            "words": words,
            "vectors": shared,
            "resources": resources,
            "info": info,
        }
        write_model(tmp_path / name, parts=parts, **(arguments | changes))
        return tmp_path / name

    def refused(*paths, **options):
        with pytest.raises(SennaError) as error:
            Ensemble(paths, **options).save(tmp_path / "out")
        return str(error.value).removeprefix(f"{tmp_path}/")

    first, every = written("a.safetensors", [pt0]), written("all.safetensors", parts)
    assert refused(every, every).startswith(
        "all.safetensors: it has pos, mine, vbs, pt0, srl, psg"
    )
    assert refused(every, every, task="srl") == (
        "all.safetensors: srl labels roles; ensembles are for labels of words"
    )
    assert refused(first, every, task="pos") == "a.safetensors: it has no pos network"
    keys = [*native_models.WORDS.keys()[:-1], "other"]
    other = written(
        "b.safetensors", [pt0], words=type(native_models.WORDS).from_keys(keys)
    )
    assert refused(first, other) == (
        f"b.safetensors: its words are not those of {first}"
    )
    new = native_models.all_parts(np.random.default_rng(0))
    changed = next(part for part in new if part.name == "pt0")
    changed.labels = type(native_models.WORDS).from_keys(["O", "S-NP"])
    assert refused(first, written("c.safetensors", [changed])) == (
        f"c.safetensors: its labels of pt0 are not those of {first}"
    )
    changed.labels = pt0.labels
    caps = changed.vocabularies["caps"]
    changed.vocabularies = changed.vocabularies | {
        "caps": type(native_models.WORDS).from_keys(caps.keys()[::-1])
    }
    assert refused(first, written("d.safetensors", [changed])) == (
        f"d.safetensors: its keys of caps are not those of {first}"
    )
    model = Ensemble([first, first]).save(tmp_path / "e")
    assert refused(first, model) == "e/model.safetensors: pt0 is an ensemble itself"
    with pytest.raises(UsageError, match="would overwrite the input"):
        Ensemble([first, every], task="pt0").save(first)
    assert native_models.vectors().shape == shared.shape
