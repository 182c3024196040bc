"""Networks for trees from their settings to trees: trained, scored, stored, resumed, tagged."""

import json
import shutil

import numpy as np
import pytest

from senna_py.cli.model_summary import model_summary, summary_lines
from senna_py.errors import SennaError, SettingError
from senna_py.evaluation.evalb_parameters import EvalbParameters
from senna_py.evaluation.tree_report import tree_summary
from senna_py.features.phrase import above_read
from senna_py.layers.pairs import OF_PATHS
from senna_py.model import Model
from senna_py.models.build import build_model
from senna_py.models.native import NativeModel
from senna_py.networks.dilated import BlockNetwork, DilatedNetwork
from senna_py.tagger import Tagger
from senna_py.tagging.cascade import Predictor
from senna_py.tagging.ensembles import Ensemble
from senna_py.tagging.evaluate import score_model
from senna_py.tagging.experiment import Run
from senna_py.tagging.initial import fill_initial
from senna_py.tagging.joint import JointRun
from senna_py.tagging.joint_config import JointConfig
from senna_py.tagging.settings import DataSet
from tests.helpers.random_trees import format_tree
from tests.helpers.small_corpora import run, settings, whole_and_resumed

NETWORK = {"approach": "chart", "width": 16, "dilations": [1, 2], "hidden": 12, "reach": 4}
TRAINING = {"optimizer": "adam", "rate": 0.01}
COLUMNS = ["word", "pos", "-", "-", "parse", "-", "-"]


def chart(network=(), training=(), **changes):
    return settings(
        "psg", network=NETWORK | dict(network), training=TRAINING | dict(training), **changes
    )


@pytest.fixture(scope="module")
def runs(corpora, tmp_path_factory):
    """Runs of pos and, with its labels, of trees."""
    directory = tmp_path_factory.mktemp("trees")
    pos = run(directory / "pos", settings("pos", training={"epochs": 15}), corpora)
    assert pos.trainer().run()
    features = {"caps": 2, "pos": 4}
    config = chart(training={"epochs": 15}, features=features, cascade={"pos": "../pos"})
    said = []
    psg = run(directory / "psg", config, corpora, said.append)
    trainer = psg.trainer()
    assert trainer.run()
    build_model(directory / "all", [pos.directory, psg.directory])
    return psg, trainer, said


def test_learns_the_language(runs):
    made, trainer, said = runs
    assert trainer.best[0] == 100
    scores, headline = made.score_saved()
    assert headline == (100, "F1")
    assert scores.totals.complete == 100
    assert "psg: 60 sentences" in "".join(said)
    log = [json.loads(line) for line in (made.directory / "log.jsonl").read_text().splitlines()]
    assert "dev_F1" in log[-1]


def test_the_model_can_be_used_at_once(runs):
    made, _, _ = runs
    path = made.directory.parent / "all"
    tagger = Tagger(path, "psg")
    assert tagger.networks == ("pos", "psg")
    text = "the big dog sees Anna ."
    expected = "(S (NP (DT the) (JJ big) (NN dog)) (VP (VBZ sees)) (NP (NNP Anna)) (. .))"
    assert str(tagger(text).tree).removesuffix(")").removeprefix("(S1 ") == expected
    assert NativeModel(made.directory).part("psg").features == ("word", "caps", "pos")
    lines = "\n".join(summary_lines(model_summary(Model(path))))
    assert "psg: chart network" in lines and "tasks: pos, psg" in lines
    assert "\n  types: NP, S, VP (3)\n" in lines
    blocks = "psg: chart network, blocks of 16 units, dilations 1 2, 12 hidden units; word "
    assert Model(path).describe(["psg"])[1].startswith(blocks)


def test_the_report_of_a_training_says_nothing_of_parts_of_speech(runs):
    made, _, _ = runs
    scores, _ = made.score_saved()
    every, own = tree_summary(scores), tree_summary(scores, tagged=False)
    assert [line for line in every if line not in own] == ["Tagging accuracy          = 100.00"] * 2


def test_a_run_has_its_parts_of_speech(runs, tmp_path):
    made, _, _ = runs
    shutil.copy(made.directory / "model.safetensors", tmp_path)
    tagger = Tagger(tmp_path)
    assert (tagger.tasks, tagger.networks) == (("psg",), ("pos", "psg"))


def test_scores_of_the_model_are_those_of_the_run(runs, corpora, tmp_path):
    made, _, _ = runs
    path = made.directory.parent / "all"
    scores = score_model(path, "psg", DataSet(["dev.tsv"], COLUMNS), corpora)
    assert scores.totals.brackets == made.score_saved()[0].totals.brackets
    assert scores.totals.accuracy == 100
    (tmp_path / "dev.mrg").write_text("".join(map(_lines, made.dev.labels)))
    brackets = DataSet(["dev.mrg"], ["brackets"], labels={"NP": "N"})
    again = score_model(path, "psg", brackets, tmp_path)
    assert again.sentences == scores.sentences
    assert again.labels["N"] == scores.labels["NP"]


PHRASES = {"phrase.0": 3, "phrase.1": 3}


def above_words(directory, task, phrases=PHRASES, **network):
    """A Config with the constituents above words, of the trees of `runs`, as features."""
    features = {"pos": 3} | phrases
    cascade = {name: str(directory / name) for name in ("pos", "psg")}
    network = {"approach": "dilated", "width": 8, "hidden": 8, "dilations": [1, 2]} | network
    return settings(task, features=features, cascade=cascade, network=network, training=TRAINING)


@pytest.fixture(scope="module", params=[False, True], ids=["features", "paths"])
def roles(request, runs, corpora):
    """A run of roles that has the constituents above words as features, or paths."""
    directory = runs[0].directory.parent
    config = above_words(directory, "srl", {} if request.param else PHRASES, paths=request.param)
    found = run(directory / f"srl{request.param}", config, corpora)
    assert found.trainer().run()
    return found


def test_constituents_above_words_are_features(roles):
    assert roles.train.columns["psg"][0][0].split()[-1] == "B-S"
    if not roles.config.network.paths:
        above = roles.features.vocabularies["phrase.1"].keys()
        assert above[0] == "O" and above[-1] == "PADDING" and "B-NP" in above


def test_roles_by_trees_are_those_of_the_run(roles, runs, corpora, monkeypatch):
    # Training scores what the network finds by itself, without the rules that tagging keeps.
    monkeypatch.setattr(Tagger, "_constraints_of", lambda self, name: None)
    parts = [roles.directory.parent / name for name in ("pos", "psg", roles.directory.name)]
    build_model(roles.directory.parent / "roles", parts)
    tagger = Tagger(roles.directory.parent / "roles", "srl", "given")
    assert tagger.networks == ("pos", "psg", "srl")
    data = DataSet(["dev.tsv"], ["word", "-", "-", "-", "-", "predicate", "roles"])
    scores = score_model(tagger.model, "srl", data, corpora)
    assert scores.overall == roles.score_saved()[0].overall
    sentence = tagger(["the", "dog", "sees", "Anna", "."], predicates=[2])
    assert "tree" not in sentence.found and sentence.frames
    with pytest.raises(SennaError, match=r"srl needs psg, which none of .*: add .*:psg$"):
        build_model(roles.directory.parent / "lacking", [parts[0], f"{parts[2]}:srl"])
    alone = Tagger(roles.directory, predicates="given")
    assert alone.networks == ("pos", "psg", "srl")
    words = ["the", "dog", "sees", "Anna", "."]
    assert alone(words, predicates=[2]).frames == sentence.frames


def test_paths_are_learned(roles):
    network = NativeModel(roles.directory).part("srl").network
    assert network.has_paths == roles.config.network.paths
    if network.has_paths:
        assert all(np.abs(getattr(network, name)).max() > 0 for name in OF_PATHS)
        labels = NativeModel(roles.directory).labels("psg")
        assert len(network.constituents) == len(labels)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [({"cascade": {"pos": "../pos"}}, "they need cascade.psg"),
     ({"network": {"approach": "sentence", "paths": True}}, "network.sentence.paths: no such")],
)  # fmt: skip
def test_paths_that_cannot_be(changes, complaint, tmp_path, corpora):
    given = {"network": {"approach": "dilated", "hidden": 8, "paths": True},
             "features": {"phrase.0": 3}, "cascade": {"psg": "../psg"}} | changes  # fmt: skip
    with pytest.raises(SennaError, match=complaint):
        run(tmp_path, settings("srl", **given), corpora)


def test_paths_belong_to_one_of_several_tasks(runs, corpora, tmp_path):
    directory = runs[0].directory.parent
    configs = {task: above_words(directory, task, paths=task == "srl") for task in ("chk", "srl")}
    joint = JointConfig(configs, dict.fromkeys(configs, 1.0))
    made = JointRun(joint, corpora, tmp_path / "joint", corpora / "vectors.txt", lambda line: None)
    assert made.trainer().run()
    build_model(tmp_path / "all", [directory / "pos", directory / "psg", tmp_path / "joint"])
    tagger = Tagger(tmp_path / "all", ["chk", "srl"], "given")
    networks = [tagger.model.storage.network(task) for task in ("chk", "srl")]
    assert [network.has_paths for network in networks] == [False, True]
    assert networks[0].has_states_of(networks[1])
    _, *lines = tagger.model.describe(["chk", "srl"])
    assert ["paths in trees" in line for line in lines] == [False, True]
    words = ["the", "dog", "sees", "Anna", "."]
    assert tagger(words, predicates=[2]).frames and not tagger(words, predicates=[]).frames


@pytest.fixture(scope="module")
def shared(runs, corpora):
    """A run of trees, predicates and roles, whose paths are in trees of `runs`."""
    directory = runs[0].directory.parent
    network = {"width": 16, "dilations": [1, 2]}
    made = {task: above_words(directory, task, {}, **network) for task in ("vbs", "srl")}
    made["srl"].network.own.paths = True
    made["vbs"].cascade.pop("psg")
    trees = chart(features={"pos": 3}, cascade=made["vbs"].cascade)
    trees.train[0].labels = {"VP": "XP"}
    configs = {"psg": trees, **made}
    said = []
    joint = JointConfig(configs, dict.fromkeys(configs, 1.0))
    run = JointRun(joint, corpora, directory / "shared", corpora / "vectors.txt", said.append)
    assert run.trainer().run()
    return run, said


def test_trees_are_learned_beside_their_paths(shared, runs, monkeypatch):
    """Roles learn from trees of another network, and in use see those beside them."""
    run, said = shared
    assert run.runs[0].keys == runs[0].keys
    text = "does not know XP: constituents get the labels that it knows"
    assert any(line.endswith(text) for line in said)
    model = NativeModel(run.directory)
    assert model.networks == ("psg", "vbs", "srl", "pos")
    assert {"psg", "pos"} == set(model.reads("srl"))
    networks = {name: model.network(name) for name in model.networks}
    calls, above = [], []
    states = BlockNetwork.batch_states

    def batch_states(network, *given):
        calls.append(network)
        return states(network, *given)

    def tag(words, *given):
        above.append(words.above)
        return DilatedNetwork.tag(networks["srl"], words, *given)

    monkeypatch.setattr(BlockNetwork, "batch_states", batch_states)
    tagger = Tagger(run.directory, "srl")
    assert tagger.networks == ("pos", "psg", "vbs", "srl")
    monkeypatch.setattr(tagger.model.storage.network("srl"), "tag", tag)
    dev = run.runs[2].dev
    tokens = tagger.tokenizer.pretokenized(dev.words)
    tagger.annotate(tokens)
    assert len(calls) == 1
    predict = Predictor(run.directory, "psg")
    paths = [path for sentence in predict(dev) for path in sentence]
    expected = above_read(paths, predict.keys, tokens.starts)
    for found, known in zip(above[0], expected, strict=True):
        assert np.array_equal(found, known)
    assert Tagger(run.directory, "vbs").networks == ("pos", "vbs")
    build_model(run.directory.parent / "joined", [run.directory, run.directory.parent / "pos"])


def test_paths_are_in_trees_of_the_labels_that_they_know(runs, corpora, tmp_path):
    directory = runs[0].directory.parent
    others = chart(
        training={"epochs": 1}, features={"pos": 3}, cascade={"pos": str(directory / "pos")}
    )
    others.train[0].labels = {"VP": "XP"}
    assert run(tmp_path / "psg", others, corpora).trainer().run()
    made = []
    for trees in (directory / "psg", tmp_path / "psg"):
        config = above_words(directory, "srl", {}, paths=True)
        config.cascade["psg"], config.training.epochs = str(trees), 1
        made.append(tmp_path / f"srl{len(made)}")
        assert run(made[-1], config, corpora).trainer().run()
    with pytest.raises(SennaError, match=r"labels of its network psg are not those that srl of"):
        build_model(tmp_path / "built", [directory / "pos", tmp_path / "psg", made[0]])
    with pytest.raises(SennaError, match=r"srl1.*: the labels of psg that its srl knows are not "):
        Ensemble(made, "scores", "srl")
    values = {"task": "srl", "network": {"init": str(made[0])}}
    fill_initial(values, tmp_path)
    assert values["cascade"] == {"psg": str(made[0])}
    config.network.init = str(made[0])
    with pytest.raises(SettingError, match=r"cascade.psg: its labels are not those that srl of "):
        Run(config, corpora, tmp_path / "tuned", None)


def test_punctuation_is_that_of_the_gold_tree(runs, tmp_path):
    made, _, _ = runs
    text = "(TOP (S (NP (. Anna)) (VP (VBZ sees)) (NP (DT the) (NN cat)) (NN .)))"
    (tmp_path / "a.mrg").write_text(text)
    data = DataSet(["a.mrg"], ["brackets"])
    path = made.directory.parent / "all"
    scores = score_model(path, "psg", data, tmp_path)
    assert (scores.totals.words, scores.totals.tags, scores.totals.n_errors) == (4, 3, 0)
    scores = score_model(path, "psg", data, tmp_path, parameters=EvalbParameters())
    assert (scores.totals.words, scores.totals.tags) == (5, 3)


def _lines(tree):
    return format_tree(tree).replace(" (", "\n  (") + "\n"


def test_bracketed_text_trains_the_same_model(runs, corpora, tmp_path):
    config = chart(training={"epochs": 1}, features={"pos": 3})
    made = run(tmp_path / "columns", config, corpora)
    for name in ("train", "dev"):
        (tmp_path / f"{name}.mrg").write_text("".join(map(_lines, getattr(made, name).labels)))
    (tmp_path / "vectors.txt").write_bytes((corpora / "vectors.txt").read_bytes())
    sets = {
        name: [{"files": [f"{name}.mrg"], "columns": ["brackets"]}] for name in ("train", "dev")
    }
    config = chart(training={"epochs": 1}, features={"pos": 3}, **sets)
    other = run(tmp_path / "brackets", config, tmp_path)
    for each in (made, other):
        assert each.trainer().run()
    networks = [NativeModel(each.directory).network("psg") for each in (made, other)]
    for name, array in networks[0].arrays().items():
        assert np.array_equal(array, networks[1].arrays()[name])


def test_a_run_goes_on_with_the_same_trees_only(corpora, tmp_path):
    config = chart(training={"average": 2, "unknown": 0.1, "dropout": 0.2})
    whole, resumed = whole_and_resumed(tmp_path, config, corpora)
    assert whole == resumed
    made = run(tmp_path / "whole", config, corpora)
    made.check_checkpoint()
    made = run(tmp_path / "whole", config, corpora)
    made.train.labels[0] = made.train.labels[0].children[0]  # without the root, and so without S
    with pytest.raises(SennaError, match="training data"):
        made.check_checkpoint()


def test_folds_leave_their_sentences_out(corpora, tmp_path):
    made = run(tmp_path, chart(folds=2), corpora)
    parts = [made.trainer(fold).trainable.problem.train for fold in (0, 1)]
    assert sum(len(part.starts) - 1 for part in parts) == len(made.train)
    for part in parts:
        assert len(part.trees.starts) == len(part.starts)


def test_labels_of_dev_only(corpora, tmp_path):
    said = []
    (tmp_path / "dev.mrg").write_text("(TOP (S (UCP (XP (NNP Anna))) (VP (VBZ sees))))")
    sets = {"dev": [{"files": [str(tmp_path / "dev.mrg")], "columns": ["brackets"]}]}
    made = run(tmp_path, chart(**sets), corpora, said.append)
    expected = (
        f"{tmp_path / 'dev.mrg'}: line 1: dev has the label UCP, which the network will never"
    )
    assert expected in "\n".join(said)
    assert made._dev_inputs.trees.label.tolist() == [
        list(made.keys[1::4]).index(key) for key in ("B-S", "B-VP")
    ]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"network": {"criterion": "word"}}, "network.criterion: trees leave no choice"),
        ({"network": {"constrained": False}}, "network.constrained: trees leave no choice"),
        ({"network": {"hidden": 0}}, "network.chart.hidden: expected 1 at least"),
        ({"features": {"psg": 3}}, "features.psg: that is what this run predicts"),
        ({"kind": "tags"}, "kind: psg is of the kind trees, found 'tags'"),
        ({"train": [{"files": ["a"], "columns": ["brackets"], "scheme": "iob1"}]},
         "scheme: trees have none"),
        ({"train": [{"files": ["a"], "columns": ["word", "parse"]}]},
         "psg needs columns `pos` and `parse`, or `brackets` alone"),
        ({"train": [{"files": ["a"], "columns": ["brackets", "-"]}]},
         "`brackets` is for psg, and stands alone"),
        ({"train": [{"files": ["a"], "columns": ["-", "parse"]}]}, "there is no `word`"),
    ],
)  # fmt: skip
def test_settings_that_cannot_be(changes, message):
    with pytest.raises(SennaError, match=message):
        settings("psg", **{"network": NETWORK, **changes} | _merged(changes))


def test_networks_of_other_names_learn_no_trees():
    for changes in ({"kind": "trees"}, {"labels_of": "psg"}):
        with pytest.raises(SennaError, match="learned by the task psg only, found 'psg1'"):
            settings("psg1", network=NETWORK, **changes)


def _merged(changes):
    return {"network": NETWORK | changes["network"]} if "network" in changes else {}


def test_approaches_for_trees_are_for_nothing_else():
    for task in ("chk", "pos"):
        with pytest.raises(SennaError, match=r'need network.approach = "window" or "sentence"'):
            settings(task, network=NETWORK)
    with pytest.raises(SennaError, match=r'trees need network.approach = "chart"'):
        settings("psg", network={"approach": "window"})
    with pytest.raises(SennaError, match=r'roles need network.approach = "sentence" or'):
        settings("srl", network=NETWORK)


def test_features_of_bracketed_text(corpora, tmp_path):
    (tmp_path / "a.mrg").write_text("(TOP (S (NP (NNP Anna)) (VP (VBZ sees))))")
    sets = {
        name: [{"files": [str(tmp_path / "a.mrg")], "columns": ["brackets"]}]
        for name in ("train", "dev")
    }
    with pytest.raises(SettingError, match="chk is no feature, no column of train"):
        run(tmp_path, chart(features={"chk": 3}, **sets), corpora)


def test_trees_without_a_phrase(corpora, tmp_path):
    (tmp_path / "a.mrg").write_text("(TOP (NNP Anna) (VBZ sees))")
    sets = {"train": [{"files": [str(tmp_path / "a.mrg")], "columns": ["brackets"]}]}
    with pytest.raises(SennaError, match=r"a\.mrg: no phrase below the roots of the trees"):
        run(tmp_path, chart(**sets), corpora)
