"""Dilated and chart networks from settings to tags: trained, scored, stored, resumed,
tagged.
"""

import json
import subprocess
import sys

import pytest

from senna_py.cli.model_summary import model_summary, summary_lines
from senna_py.errors import SennaError
from senna_py.evaluation.evalb_parameters import EvalbParameters
from senna_py.evaluation.tree_report import tree_summary
from senna_py.model import Model
from senna_py.models.build import build_model
from senna_py.models.native import NativeModel
from senna_py.tagger import Tagger
from senna_py.tagging.score_model import score_model
from senna_py.tagging.settings import DataSet
from senna_py.tagging.trainer import predict_dev
from tests.helpers.gold import make_gold, plain
from tests.helpers.random_trees import format_tree
from tests.helpers.small_corpora import run, settings

CHART = {
    "approach": "chart",
    "width": 16,
    "dilations": [1, 2],
    "hidden": 12,
    "reach": 4,
}
TRAINING = {"optimizer": "adam", "rate": 0.01}
COLUMNS = ["word", "pos", "-", "-", "parse", "-", "-"]


def chart(network=(), training=(), task="psg", **changes):
    return settings(
        task,
        network=CHART | dict(network),
        training=TRAINING | dict(training),
        **changes,
    )


@pytest.fixture(scope="module")
def runs(corpora, tmp_path_factory):
    """Runs of pos and, with its labels, of trees."""
    directory = tmp_path_factory.mktemp("trees")
    pos = run(directory / "pos", settings("pos", training={"epochs": 15}), corpora)
    assert pos.trainer().run()
    features = {"caps": 2, "pos": 4}
    config = chart(
        training={"epochs": 15}, features=features, cascade={"pos": "../pos"}
    )
    said = []
    psg = run(directory / "psg", config, corpora, said.append)
    trainer = psg.trainer()
    assert trainer.run()
    build_model(directory / "all", [pos.directory, psg.directory])
    return psg, trainer, said


@pytest.mark.slow
def test_learns_the_language(runs):
    made, trainer, said = runs
    assert trainer.best[0] == 100
    scores = made.score_saved()["psg"]
    assert made.tagging_data.headline("psg", scores) == (100, "F1")
    assert scores.totals.complete == 100
    assert "psg: 60 sentences" in "".join(said)
    log = [
        json.loads(line)
        for line in (made.directory / "log.jsonl").read_text().splitlines()
    ]
    assert "dev_F1" in log[-1]


def test_the_model_can_be_used_at_once(runs):
    made, _, _ = runs
    path = made.directory.parent / "all"
    tagger = Tagger(path, "psg")
    assert tagger.networks == ("pos", "psg")
    text = "the big dog sees Anna ."
    expected = (
        "(S (NP (DT the) (JJ big) (NN dog)) (VP (VBZ sees)) (NP (NNP Anna)) (. .))"
    )
    assert str(tagger(text).tree).removesuffix(")").removeprefix("(S1 ") == expected
    assert NativeModel(made.directory).part("psg").features == ("word", "caps", "pos")
    lines = "\n".join(summary_lines(model_summary(Model(path))))
    assert "psg: chart network" in lines and "tasks: pos, psg" in lines
    assert "\n  types: NP S VP (3)\n" in lines
    blocks = (
        "psg: chart network, blocks of 16 units, dilations 1 2, 12 hidden units; word "
    )
    assert Model(path).describe(["psg"])[1].startswith(blocks)


def test_the_report_of_a_training_says_nothing_of_parts_of_speech(runs):
    made, _, _ = runs
    scores = made.score_saved()["psg"]
    every, own = tree_summary(scores), tree_summary(scores, tagged=False)
    assert [line for line in every if line not in own] == [
        "Tagging accuracy          = 100.00"
    ] * 2


def test_scores_of_the_model_are_those_of_the_run(runs, corpora, tmp_path):
    made, _, _ = runs
    path = made.directory.parent / "all"
    scores = score_model(path, "psg", DataSet(["dev.tsv"], COLUMNS), corpora)
    assert scores.totals.brackets == made.score_saved()["psg"].totals.brackets
    assert scores.totals.accuracy == 100
    (tmp_path / "dev.mrg").write_text(
        "".join(map(_lines, plain(made.data.dev.gold["psg"])))
    )
    brackets = DataSet(["dev.mrg"], ["brackets"], labels={"NP": "N"})
    again = score_model(path, "psg", brackets, tmp_path)
    assert again.sentences == scores.sentences
    assert again.labels["N"] == scores.labels["NP"]


def test_punctuation_is_that_of_the_gold_tree(runs, tmp_path):
    made, _, _ = runs
    text = "(TOP (S (NP (. Anna)) (VP (VBZ sees)) (NP (DT the) (NN cat)) (NN .)))"
    (tmp_path / "a.mrg").write_text(text)
    data = DataSet(["a.mrg"], ["brackets"])
    path = made.directory.parent / "all"
    scores = score_model(path, "psg", data, tmp_path)
    assert (scores.totals.words, scores.totals.tags, scores.totals.n_errors) == (
        4,
        3,
        0,
    )
    scores = score_model(path, "psg", data, tmp_path, parameters=EvalbParameters())
    assert (scores.totals.words, scores.totals.tags) == (5, 3)


def _lines(tree):
    return format_tree(tree).replace(" (", "\n  (") + "\n"


def test_a_run_goes_on_with_the_same_trees_only(corpora, tmp_path):
    run(tmp_path, chart(), corpora).trainer().run(time_limit=0)
    made = run(tmp_path, chart(), corpora)
    trees = plain(made.data.train.gold["psg"])
    trees[0] = trees[0].children[0]  # without the root, and so without S
    made.data.train.gold["psg"] = make_gold("psg", trees)
    with pytest.raises(SennaError, match="training data"):
        made.trainer().resume()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"task": "psg1", "kind": "trees"},
            "learned by the task psg only, found 'psg1'",
        ),
        ({"task": "chk"}, 'need network.approach = "window" or "sentence"'),
        (
            {"network": {"constrained": False}},
            "network.constrained: trees leave no choice",
        ),
        ({"network": {"hidden": 0}}, "network.chart.hidden: expected 1 at least"),
        ({"kind": "tags"}, "kind: psg is of the kind trees, found 'tags'"),
        (
            {"train": [{"files": ["a"], "columns": ["brackets"], "scheme": "iob1"}]},
            "scheme: trees have none",
        ),
        (
            {"train": [{"files": ["a"], "columns": ["word", "parse"]}]},
            "psg needs columns `pos` and `parse`, or `brackets` alone",
        ),
        (
            {"train": [{"files": ["a"], "columns": ["brackets", "-"]}]},
            "`brackets` is for psg only, and stands alone",
        ),
        (
            {"train": [{"files": ["a"], "columns": ["-", "parse"]}]},
            "there is no `word`",
        ),
    ],
)
def test_settings_that_cannot_be(changes, message):
    with pytest.raises(SennaError, match=message):
        chart(**changes)


@pytest.mark.parametrize(
    ("text", "features", "message"),
    [
        (
            "(TOP (S (NP (NNP Anna)) (VP (VBZ sees))))",
            {"chk": 3},
            "chk is no feature, no column of train",
        ),
        (
            "(TOP (NNP Anna) (VBZ sees))",
            {},
            r"a\.mrg: no phrase below the roots of the trees",
        ),
    ],
)
def test_bracketed_text_that_cannot_be_used(text, features, message, corpora, tmp_path):
    (tmp_path / "a.mrg").write_text(text)
    train = [{"files": [str(tmp_path / "a.mrg")], "columns": ["brackets"]}]
    with pytest.raises(SennaError, match=message):
        run(tmp_path, chart(features=features, train=train), corpora)


DILATED = {
    "approach": "dilated",
    "width": 16,
    "dilations": [1, 2],
    "hidden": 12,
    "reach": 4,
}


def dilated(task="chk", network=(), **training):
    return settings(task, network=DILATED | dict(network), training=training)


@pytest.fixture(scope="module")
def model(corpora, tmp_path_factory):
    """Path of a model with chunks and roles by the dilated approach, and the run of
    chunks.
    """
    directory = tmp_path_factory.mktemp("dilated")
    runs = []
    for task in ("vbs", "chk", "srl"):
        runs.append(run(directory / task, dilated(task, epochs=8), corpora))
        assert runs[-1].trainer().run()
    build_model(directory / "all", [made.directory for made in runs])
    return directory / "all", runs[1]


@pytest.mark.slow
def test_a_tagger_gives_what_training_scored(model):
    path, made = model
    tagger = Tagger(path, ["chk", "srl"])
    tokens = tagger.tokenizer.pretokenized(made.data.dev.words)
    found = tagger.annotate(tokens)
    network = NativeModel(path).network("chk")
    layer = predict_dev({"chk": network}, made.tagging_data)["chk"]
    assert (
        found.layers["chk"].of_tokens(len(found.tokens)).tolist()
        == layer.tags.tag.tolist()
    )
    assert tagger.longest_sentence == 1024


@pytest.mark.process
def test_a_short_text_is_tagged_without_numba(model):
    code = (
        "import sys, senna_py\n"
        "sentence = senna_py.load(sys.argv[1])('the big dog sees Anna .')\n"
        "print(*(token.chk for token in sentence.tokens))\n"
        "assert 'numba' not in sys.modules\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(model[0])],
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.stderr
    assert done.stdout.split() == ["B-NP", "I-NP", "E-NP", "S-VP", "S-NP", "O"]


@pytest.mark.parametrize(
    ("network", "message"),
    [
        ({"hidden": 0}, "roles need hidden units, found hidden = 0"),
        ({"dilations": []}, "network.dilated.dilations: expected 1 to 64 numbers"),
        ({"dilations": [1, 0]}, r"from 1 to 1,024, found \[1, 0\]"),
        ({"dilations": 2}, "network.dilated.dilations: expected a list, found 2"),
        (
            {"kernel": 4},
            "network.dilated.kernel: expected odd numbers, 1,001 at most, found 4",
        ),
        ({"kernel": [3]}, "network.dilated.kernel: 1 sizes for 2 dilations"),
        (
            {"kernel": "3"},
            "network.dilated.kernel: expected a whole number or a list, found '3'",
        ),
        ({"width": 0}, "network.dilated.width: expected 1 at least, found 0"),
    ],
)
def test_dilated_networks_that_cannot_be(network, message):
    with pytest.raises(SennaError, match=message):
        settings("srl", network={"approach": "dilated", "dilations": [1, 2], **network})
