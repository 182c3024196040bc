"""The tree approach from its settings to trees: trained, stored, exported, resumed, tagged."""

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from senna_py.cli.model_summary import model_summary, summary_lines
from senna_py.errors import SennaError
from senna_py.layers.dropout import Dropout
from senna_py.model import Model
from senna_py.models.build import build_model
from senna_py.models.exchange import export_senna
from senna_py.models.native import NativeModel
from senna_py.models.senna_directory import SennaDirectory
from senna_py.networks.tree import TreeNetwork
from senna_py.tagger import Tagger
from tests.helpers.small_corpora import run, settings, whole_and_resumed

NETWORK = {"approach": "tree", "conv": 30, "hidden": 20, "reach": 4}
TRAINING = {"optimizer": "adam", "rate": 0.01}
FEATURES = {"psg": 3, "caps": 2, "pos": 4}


def tree(network=(), training=(), **changes):
    changes = {"features": FEATURES} | changes
    return settings(
        "psg", network=NETWORK | dict(network), training=TRAINING | dict(training), **changes
    )


@pytest.fixture(scope="module")
def model(corpora, tmp_path_factory):
    """A model of pos and of trees, and the run of the latter with its best score."""
    directory = tmp_path_factory.mktemp("trees")
    pos_features = {"caps": 2, "suffix": 2}
    pos = run(directory / "pos", settings("pos", features=pos_features), corpora)
    assert pos.trainer().run()
    config = tree({"own_levels": 0.3}, {"epochs": 15, "patience": 4}, cascade={"pos": "../pos"})
    psg = run(directory / "psg", config, corpora)
    trainer = psg.trainer()
    assert trainer.run()
    path = directory / "model.safetensors"
    build_model(path, [pos.directory, psg.directory])
    return path, psg, trainer


def test_learns_the_language(model):
    path, made, trainer = model
    assert trainer.best[0] == 100
    assert made.score_saved()[1] == (100, "F1")
    assert NativeModel(path).part("psg").features == ("word", "caps", "pos", "psg")
    text = "the big dog sees Anna ."
    expected = "(S (NP (DT the) (JJ big) (NN dog)) (VP (VBZ sees)) (NP (NNP Anna)) (. .))"
    assert expected in str(Tagger(path, "psg")(text).tree)
    lines = "\n".join(summary_lines(model_summary(Model(path))))
    assert "psg: tree network" in lines


@pytest.mark.process
def test_senna_s_format_gives_the_same_trees(model, tmp_path):
    path, made, _ = model
    export_senna(NativeModel(path), tmp_path / "senna")
    assert type(SennaDirectory(tmp_path / "senna").network("psg")) is TreeNetwork
    words = sorted({word for words in made.dev.words for word in words})
    rng = np.random.default_rng(0)
    texts = [" ".join(words) for words in made.dev.words]
    texts += [" ".join(rng.choice(words, n)) for n in (1, 2, 5, 12, 30)]
    printed = [_tag("-path", each, "-psg", "-usrtokens", text="\n".join(texts))
               for each in (path, tmp_path / "senna")]  # fmt: skip
    assert printed[0] == printed[1]
    assert printed[0].count("(S1") == len(texts)
    assert "(NP*" in printed[0]


def _tag(*arguments, text):
    command = [Path(sys.executable).parent / "senna-tag", *arguments]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.parametrize("network", [{"own_levels": 0.0}, {"own_levels": 0.5}])
def test_a_resumed_run_equals_an_uninterrupted_one(network, corpora, tmp_path):
    config = tree(network, {"average": 2, "unknown": 0.1, "dropout": 0.2, "epochs": 2})
    whole, resumed = whole_and_resumed(tmp_path, config, corpora)
    assert whole == resumed


def test_the_costs_of_batches_are_those_of_their_sentences(corpora, tmp_path):
    training = run(tmp_path, tree({"own_levels": 0.0}), corpora).trainer().trainable
    inputs, network = training.problem.train, training.network
    each = [[k] for k in range(8)]
    found = [_cost(network, inputs.batch(np.array(chosen))) for chosen in (range(8), *each)]
    assert found[0][0] == pytest.approx(sum(cost for cost, _ in found[1:]), rel=1e-4)
    assert found[0][1] == sum(n for _, n in found[1:])
    lengths = [b - a for a, b in pairwise(inputs.starts[:9])]
    assert found[0][1] == 2 * sum(lengths)  # phrases, then the sentence


def _cost(network, inputs):
    return network.cost(inputs, (Dropout(None), Dropout(None)), np.random.default_rng(0))[:2]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"network": {"hidden": 0}}, "the tree approach needs hidden units"),
        ({"network": {"own_levels": -0.1}}, "network.own_levels: expected a share, found -0.1"),
        ({"network": {"conv": 0}}, "network.conv: expected 1 at least"),
        ({"network": {"criterion": "word"}}, "network.criterion: trees leave no choice"),
        ({"features": {"caps": 2}}, "features.psg is missing: the tree approach reads"),
    ],
)
def test_settings_that_cannot_be(changes, message):
    with pytest.raises(SennaError, match=message):
        tree(**changes)


def test_the_tree_approach_is_for_trees():
    for task in ("chk", "srl"):
        with pytest.raises(SennaError, match=r"need network\.approach ="):
            settings(task, network=NETWORK)
