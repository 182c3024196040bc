"""senna-model ensemble: from runs to a model that tags, is scored, and teaches."""

import json

import numpy as np
import pytest

from senna_py.errors import SennaError, SettingError, UsageError
from senna_py.labels.tag_schemes import first_misfit
from senna_py.layers.lookup import dense
from senna_py.models.native import NativeModel
from senna_py.networks.batch import WordBatch
from senna_py.networks.decoding import DecodedTags
from senna_py.tagger import Tagger
from senna_py.tagging.ensembles import Ensemble, joined_run
from senna_py.training.run import TrainingRun
from tests.helpers.commands import assert_one_line_error, printed
from tests.helpers.commands import run as run_command
from tests.helpers.small_corpora import (
    predicted,
    run,
    settings,
    toml,
    write_columns,
    write_corpora,
    write_vectors,
)

TEXT = b"Anna sees the old dog .\n\nthe cat gives a stars .\n"
CHUNKS = {"features": {"caps": 2, "pos": 2}, "cascade": {"pos": "../pos"}}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Directory with corpora, a run `pos`, weak runs `chk1` to `chk3`, and
    `chk.toml`.
    """
    place = tmp_path_factory.mktemp("ensembles")
    write_vectors(write_corpora(place) / "vectors.txt")
    how = {"epochs": 1, "rate": 0.05}
    assert run(place / "pos", settings("pos"), place).trainer().run()
    for seed, network in enumerate(
        ({}, {"approach": "dilated", "width": 8}, {"window": 1}), 1
    ):
        training = how | {"seed": seed, "optimizer": "adam" if seed == 2 else "adagrad"}
        config = settings("chk", training=training, network=network, **CHUNKS)
        assert run(place / f"chk{seed}", config, place).trainer().run()
    training = {"optimizer": "adam", "rate": 0.01, "batch": 8, "epochs": 4}
    (place / "chk.toml").write_text(toml(cascade={"pos": "../pos"}, training=training))
    return place


def members(place):
    return [place / f"chk{k}" for k in (1, 2, 3)]


def ensemble(*arguments):
    """What senna-model ensemble prints."""
    return printed(run_command("senna-model", "ensemble", *arguments))


def built(path, place, directory):
    """Path of the model at `path` and the one for parts of speech, in one file."""
    whole = directory / f"{path.name}.all.safetensors"
    assert printed(run_command("senna-model", "build", whole, path, place / "pos"))
    return whole


def f1(whole, place):
    options = "--columns", "word,-,chk,-,-,-,-", "-path", whole, "--json"
    result = run_command("senna-eval", "model", "chk", place / "dev.tsv", *options)
    return json.loads(printed(result))["f1"]


@pytest.mark.parametrize("how", ["vote", "scores"])
def test_several_runs_are_one_model(place, tmp_path, how):
    options = [] if how == "vote" else ["--how", how]
    said = ensemble(tmp_path / "out", *members(place), *options)
    path = tmp_path / "out" / "model.safetensors"
    assert said == f"{path}: {path.stat().st_size:,} bytes: chk, pos\n"
    whole = built(tmp_path / "out", place, tmp_path)
    alone = [f1(built(member, place, tmp_path), place) for member in members(place)]
    assert f1(whole, place) >= min(alone)
    tag = "senna-tag", "-chk", "-usrtokens", "-path", whole
    assert printed(run_command(*tag, stdin=TEXT)).count("\n") == 14
    assert printed(run_command(*tag, "--probabilities", stdin=TEXT)).count(":") > 12


def test_a_vote_on_segments_is_well_formed(place, tmp_path):
    """Also where the words' majorities are no sequence of IOBES."""
    ensemble = Ensemble(members(place), "vote")
    network, rng = ensemble.part.network, np.random.default_rng(0)
    for member in network.networks:
        member.decode = lambda batch, cache: DecodedTags(
            rng.integers(len(ensemble.keys), size=len(batch.features)).astype(np.int32),
            None,
        )
    words = WordBatch(np.zeros((300, 3), np.int32), np.array([0, 120, 300], np.int32))
    tags = network.decode(words).tags
    for a, b in ((0, 120), (120, 300)):
        assert first_misfit([ensemble.keys[tag] for tag in tags[a:b]], "iobes") is None


def test_tags_need_not_be_well_formed(place):
    ensemble = Ensemble([place / "pos", place / "pos"], "vote")
    assert ensemble.part.network.initial is None
    assert ensemble.part.info["kind"] == "tags"
    assert len(ensemble.part.info["members"]) == 2


def test_a_joined_ensemble_is_trained(place, tmp_path):
    out = place / "joined"
    train = (
        "--how",
        "joined",
        "--train",
        place / "chk.toml",
        place,
        "--set",
        "training.epochs=6",
    )
    result = run_command("senna-model", "ensemble", out, *members(place), *train)
    assert result.returncode == 0, result.stderr
    assert result.stderr.count(b"\n") >= 6
    log = [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]
    assert log[-1]["epoch"] == 6 and log[-1]["cost"] < log[0]["cost"]
    network, mean = NativeModel(out).network("chk"), Ensemble(members(place), "joined")
    assert network.how == "joined"
    assert not np.array_equal(network.output_weight, mean.part.network.output_weight)
    for ours, theirs in zip(network.networks, mean.part.network.networks, strict=True):
        for name, array in theirs.arrays().items():
            np.testing.assert_array_equal(dense(ours.arrays()[name]), dense(array))
    info = NativeModel(out).part_info("chk")
    assert info["config"]["training"]["epochs"] == 6
    assert info["scores"]["dev"]["F1"] == max(round(row["dev_F1"], 2) for row in log)
    assert f1(built(out, place, tmp_path), place) == pytest.approx(
        info["scores"]["dev"]["F1"], abs=0.01
    )
    again = run_command("senna-model", "ensemble", out, *members(place), *train)
    assert_one_line_error(again, "joined", "there is a run already")


@pytest.mark.parametrize("criterion", ["word", "sentence"])
def test_joined_criteria(place, tmp_path, criterion):
    """The trained layer has scores of transitions of its own, or none."""
    changes = {"network": {"criterion": criterion}, "training": {"epochs": 1}}
    run = joined_run(
        Ensemble(members(place), "joined"),
        settings("chk", **changes, **CHUNKS),
        place,
        place / f"joined-{criterion}",
        lambda line: None,
    )
    assert run.run()
    network = NativeModel(run.directory).network("chk")
    assert (network.transition is None) == (criterion == "word")


def test_a_stopped_training_ends_the_process(place, monkeypatch):
    whole = TrainingRun.run
    monkeypatch.setattr(TrainingRun, "run", lambda self: whole(self, time_limit=0))
    train = "--how", "joined", "--train", place / "chk.toml", place
    result = run_command(
        "senna-model", "ensemble", place / "stopped", *members(place), *train
    )
    assert (result.returncode, result.stderr.splitlines()[-1]) == (130, b"stopped")


def test_an_ensemble_labels_for_others(place, tmp_path):
    """As a run of a cascade."""
    ensemble(place / "pos2", place / "pos", place / "pos")
    config = settings("chk", features={"caps": 2, "pos": 2}, cascade={"pos": "../pos2"})
    dev = run(tmp_path / ".." / place.name / "chk4", config, place).data.dev
    assert (
        predicted(place / "pos", dev)
        == predicted(place / "pos2", dev)
        == dev.columns["pos"]
    )
    assert Tagger(place / "pos2", "pos").tasks == ("pos",)


def test_what_joined_training_refuses(place, tmp_path):
    def refused(config):
        with pytest.raises(SennaError) as error:
            joined_run(
                Ensemble(members(place), "joined"), config, place, place / "x", print
            )
        assert not (place / "x").exists()
        return error

    error = refused(settings("pos"))
    assert error.type is SettingError
    assert str(error.value) == "task: pos (tags), but the networks do chk (segments)"
    columns = ["word", "-", "chk", "-", "-", "-", "-"]
    data = {
        part: [{"files": [f"{part}.tsv"], "columns": columns}]
        for part in ("train", "dev")
    }
    assert "neither a column of train and dev nor in the cascade" in str(
        refused(settings("chk", **data)).value
    )
    with pytest.raises(UsageError, match="would overwrite the input"):
        joined_run(
            Ensemble(members(place), "joined"), settings("chk"), place, place / "chk1"
        )


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ("chk1", "an ensemble needs at least two networks"),
        (
            "chk1 chk2 --how joined",
            "--how joined and --train CONFIG CORPORA must be used together",
        ),
        (
            "chk1 chk2 --train chk.toml .",
            "--how joined and --train CONFIG CORPORA must be used together",
        ),
        ("chk1 chk2 --set a=1", "--set can be used only with --train"),
    ],
)
def test_wrong_usage(place, arguments, problem):
    result = run_command(
        "senna-model", "ensemble", "out", *arguments.split(), cwd=place
    )
    assert_one_line_error(result, problem, code=2, is_last=True)


def test_errors_are_one_line(place, tmp_path):
    both = members(place)[:2]
    result = run_command("senna-model", "ensemble", tmp_path / "no" / "x", *both)
    assert_one_line_error(result, "not written", "there is no directory")
    train = "--how", "joined", "--train", place / "chk.toml", place
    result = run_command(
        "senna-model", "ensemble", tmp_path / "x.safetensors", *both, *train
    )
    assert_one_line_error(result, "a joined ensemble is a directory", code=2)
    result = run_command(
        "senna-model", "ensemble", tmp_path / "x", *both, *train, "--set", "x=1"
    )
    assert_one_line_error(result, place / "chk.toml", "x: no such setting")
    write_columns(tmp_path / "train.tsv", [])
    result = run_command(
        "senna-model",
        "ensemble",
        tmp_path / "x",
        *both,
        "--how",
        "joined",
        "--train",
        place / "chk.toml",
        tmp_path,
    )
    assert_one_line_error(result, tmp_path / "train.tsv", "no sentence")
