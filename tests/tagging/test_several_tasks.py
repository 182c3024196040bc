"""Tasks that one network learns together: what they share, how they learn, and how runs
go on.
"""

import shutil

import numpy as np
import pytest

from senna_py.errors import SennaError, SettingError
from senna_py.layers.lookup import dense
from senna_py.models.build import build_model
from senna_py.models.native import NativeModel
from senna_py.models.native_writer import write_model
from senna_py.tagger import Tagger
from senna_py.tagging.config import Config
from senna_py.tagging.config_lines import config_lines
from senna_py.tagging.defaults import complete
from senna_py.tagging.ensembles import Ensemble
from senna_py.tagging.run import Run
from tests.helpers.finite_differences import check_directions
from tests.helpers.gold import plain
from tests.helpers.small_corpora import run, write_columns

COLUMNS = ["word", "pos", "chk", "ner", "parse", "predicate", "roles"]
DILATED = {"approach": "dilated", "dilated": {"width": 16, "dilations": [1, 2, 1]}}
HEADS = {
    "pos": {"after": 1},
    "vbs": {"after": 1, "criterion": "word"},
    "srl": {"hidden": 12},
    "psg": {"hidden": 14, "reach": 4},
}
WINDOW = {"approach": "window", "window": {"window": 3, "hidden": 12}}
SENTENCE = {
    "approach": "sentence",
    "sentence": {"conv": 14, "hidden": 12, "window": 3, "distance": 3},
}
GROUPS = {
    "window": (WINDOW, ["pos", "chk", "ner"]),
    "sentence": (SENTENCE, ["srl", "pos", "chk"]),
    "dilated": (DILATED, ["pos", "chk", "pt0", "vbs", "psg", "srl"]),
}


def config(group, heads=None, columns=COLUMNS, **changes):
    """A Config of the tasks of a group; changes: of the first level, or of
    `training`.
    """
    network, tasks = GROUPS[group]
    heads = {
        n: dict(h) for n, h in HEADS.items() if group == "dilated" and n in tasks
    } | (heads or {})
    training = {
        "rate": 0.02,
        "batch": 4,
        "dropout": 0.0,
        "embedding_dropout": 0.0,
        "unknown": 0.0,
    }
    values = {
        "tasks": tasks,
        "features": {"caps": 2},
        "network": network,
        "heads": heads,
        "train": [{"files": ["train.tsv"], "columns": columns}],
        "dev": [{"files": ["dev.tsv"], "columns": columns}],
    }
    training |= changes.pop("training", {})
    return Config.of(values | {"training": training} | changes)


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_learns_all_tasks(group, corpora, tmp_path):
    made = run(tmp_path, config(group, training={"epochs": 10, "patience": 3}), corpora)
    trainer = made.trainer()
    assert trainer.run()
    assert trainer.best[0] > 99
    scores = made.score_saved()
    headlines = [
        made.tagging_data.headline(name, each)[0] for name, each in scores.items()
    ]
    assert np.mean(headlines) == pytest.approx(trainer.best[0], abs=0.5)
    model = NativeModel(tmp_path)
    assert model.networks == tuple(GROUPS[group][1])
    assert model.part_info(model.networks[0])["config"] == made.data.config.as_dict()


@pytest.fixture(scope="module")
def first(corpora, tmp_path_factory):
    """Trainer of all tasks of a dilated network, an epoch of them."""
    made = config("dilated", training={"epochs": 1})
    trainer = run(tmp_path_factory.mktemp("tasks") / "first", made, corpora).trainer()
    assert trainer.run()
    return trainer


def test_what_is_shared_in_training_in_files_and_in_models_built_of_them(
    first, tmp_path
):
    below = {"input_weight", "input_bias", "tables/0", "tables/1"}
    block = {f"block1_{part}" for part in ("gain", "shift", "weight", "bias")}
    build_model(tmp_path / "built", [first.directory])
    networks = first.trainable.networks
    for found in (networks, *map(NativeModel, (first.directory, tmp_path / "built"))):
        pos, vbs, chk, psg = (
            found[name] if isinstance(found, dict) else found.network(name)
            for name in ("pos", "vbs", "chk", "psg")
        )
        assert set(pos.shared_names(psg)) == below | block
        assert set(pos.shared_names(vbs)) == below | block
        assert {"block3_weight", "norm_gain"} <= set(chk.shared_names(psg))
        assert (pos.depth, chk.depth) == (1, 3)
    sizes = [
        (path / "model.safetensors").stat().st_size
        for path in (first.directory, tmp_path / "built")
    ]
    assert sizes[1] < 1.1 * sizes[0]


def test_the_same_labels_alone_and_together(first):
    tasks = [task for task in GROUPS["dilated"][1] if task not in ("srl", "psg")]
    words = ["the", "big", "dog", "sees", "Rome", "."]
    tokens = Tagger(first.directory, tasks[0]).tokenizer.pretokenized(
        [words, words[3:], words[:2]]
    )
    together = Tagger(first.directory, tasks).annotate(tokens).layers
    for task in tasks:
        alone = Tagger(first.directory, [task]).annotate(tokens).layers[task]
        assert alone == together[task], task


def test_an_ensemble_of_one_of_several_tasks(first, tmp_path):
    shutil.copytree(first.directory, tmp_path / "two")
    Ensemble([first.directory, tmp_path / "two"], "vote", "chk").save(tmp_path / "chk")
    model = NativeModel(tmp_path / "chk")
    assert model.own_networks == ("chk",) and model.info["tasks"] == ["chk"]


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_gradients_of_all_tasks_are_summed_by_their_weights(group, corpora, tmp_path):
    """Also where sentences have labels of some tasks only."""
    heads = (
        {"pos": {"weight": 3.0, **HEADS["pos"]}}
        if group == "dilated"
        else {"pos": {"weight": 3.0}}
    )
    some = ["word", "pos", "-", "-", "-", "-", "-"]
    sets = [
        {"files": ["train.tsv"], "columns": columns, "part": part}
        for columns, part in ((COLUMNS, [0.0, 0.1]), (some, [0.1, 0.15]))
    ]
    made = run(
        tmp_path, config(group, heads, train=sets, training={"batch": 60}), corpora
    )
    training = made.training()
    training.begin_epoch()
    assert training.n_batches() == 1
    rng = np.random.default_rng(1)
    for name, array in training.parameters.items():
        if not name.endswith(("initial", "transition")):  # what is impossible stays so
            array[...] += np.float32(0.1) * rng.standard_normal(array.shape).astype(
                np.float32
            )
    _, n, trace = training.forward(0)
    assert n > 0
    gradients = training.backward(trace)
    check_directions(
        gradients, training.parameters, lambda: training.forward(0)[0], rng, 0.1
    )


def test_each_sentence_teaches_the_tasks_whose_labels_it_has(corpora, tmp_path):
    some = ["word", "-", "chk", "-", "-", "-", "-"]
    sets = [
        {"files": ["train.tsv"], "columns": some, "part": [0.0, 0.5]},
        {
            "files": ["train.tsv"],
            "columns": COLUMNS,
            "part": [0.5, 1.0],
            "tasks": ["psg"],
        },
        {"files": ["train.tsv"], "columns": COLUMNS, "part": [0.9, 1.0]},
    ]
    made = run(tmp_path, config("dilated", train=sets), corpora)
    train = made.data.train
    assert len(train) == 66
    counts = {name: len(gold.labeled) for name, gold in train.gold.items()}
    assert counts == {"pos": 6, "chk": 36, "pt0": 6, "vbs": 6, "psg": 36, "srl": 6}
    batches = made.tagging_data.train.batches(np.array([0, 29, 30, 65]))
    assert set(batches) == set(made.data.learners)
    lengths = [len(train.words[i]) for i in (0, 29, 30, 65)]
    starts = np.append(0, np.cumsum(lengths))
    assert batches["chk"].rows.tolist() == [
        *range(starts[2]),
        *range(starts[3], starts[4]),
    ]
    assert batches["psg"].rows.tolist() == list(range(starts[2], starts[4]))
    assert batches["srl"].words.starts.tolist() == [0, lengths[3]]


def test_hard_and_soft_labels_of_one_file(corpora, tmp_path):
    rows = [
        [
            ("Anna", "NNP:0.9,NN:0.1", "S-NP", "S/4:0.8,NP/1:1", "-", "S-A0:0.7,O:0.3"),
            ("sees", "VBZ:1", "S-VP", "VP/1:0.6", "sees", "S-V:1"),
            ("Rome", "NNP:1", "S-NP", "NP/1:0.9", "-", "S-A1:1"),
            (".", ".:1", "O", "-", "-", "O:1"),
        ]
    ]
    write_columns(tmp_path / "soft.tsv", rows * 4)
    for name in ("train.tsv", "dev.tsv", "vectors.txt"):
        (tmp_path / name).symlink_to(corpora / name)
    soft = {
        "files": ["soft.tsv"],
        "soft": ["pos", "psg", "srl"],
        "columns": ["word", "pos", "chk", "psg", "predicate", "roles"],
    }
    given = [{"files": ["train.tsv"], "columns": COLUMNS}, soft]
    config_of_both = config("dilated", train=given, training={"epochs": 2})
    made = run(tmp_path / "run", config_of_both, tmp_path)
    gold = made.data.train.gold
    labels = {name: plain(gold[name])[-1] for name in ("pos", "chk", "vbs", "srl")}
    assert labels["pos"] == ["NNP", "VBZ", "NNP", "."]
    shares = gold["pos"].soft.dense(len(gold["pos"].layer.names))[-4]
    names = gold["pos"].layer.names
    assert shares[[names.index("NNP"), names.index("NN")]].tolist() == pytest.approx(
        [0.9, 0.1]
    )
    assert labels["chk"] == ["S-NP", "S-VP", "S-NP", "O"] and gold["chk"].soft is None
    assert labels["vbs"] == ["NOVB", "VB", "NOVB", "NOVB"]
    assert len(made.data.train) - 1 not in gold["pt0"].labeled
    assert labels["srl"] == {1: ["S-A0", "S-V", "S-A1", "O"]}
    assert made.trainer().run()


def test_the_best_epoch_is_that_of_the_weighted_mean(corpora, tmp_path):
    heads = {"pos": {"score_weight": 3.0}, "ner": {"score_weight": 0}}
    trained = run(
        tmp_path, config("window", heads, training={"epochs": 1}), corpora
    ).trainer()
    lines = []
    trained.report = lambda line, figures: lines.append((line, figures))
    assert trained.run()
    line, figures = lines[0]
    expected = (3 * figures["dev_pos_accuracy"] + figures["dev_chk_F1"]) / 4
    assert figures["dev_mean"] == pytest.approx(expected, abs=0.01)
    assert (
        f"dev mean {figures['dev_mean']:.2f}: pos accuracy " in line
        and "ner F1 " in line
    )


def test_a_run_goes_on_with_the_same_settings_and_data_only(corpora, tmp_path):
    run(tmp_path, config("dilated"), corpora).trainer().run(time_limit=0)
    other = config("dilated", {"psg": {"weight": 2.0}})
    with pytest.raises(SennaError, match=r"made with heads\.psg\."):
        run(tmp_path, other, corpora).trainer().resume()


def go_apart(path, task):
    """Give a task of a model a last block of its own."""
    model = NativeModel(path)
    parts = [model.part(name) for name in model.networks]
    (part,) = (part for part in parts if part.name == task)
    assert part.network.depth > 1
    own = {
        name: dense(array) + np.float32(0.25)
        for name, array in part.network.arrays().items()
        if name.startswith(f"block{part.network.depth}_")
    }
    part.network = part.network.changed(**own)
    write_model(model.path, model.words, model.vectors, parts, info=model.info)


def new_networks(values, corpora, directory):
    """Networks as they begin, by task, of a configuration without data."""
    data = {
        name: [{"files": [f"{name}.tsv"], "columns": COLUMNS}]
        for name in ("train", "dev")
    }
    config = Config.of(values | data)
    return Run.load(config, corpora, directory, None, str).training().networks


@pytest.mark.parametrize("apart", [None, "chk", "psg"])
def test_tasks_begin_with_the_networks_of_a_model(apart, first, corpora, tmp_path):
    shutil.copytree(first.directory, tmp_path / "first")
    if apart:
        go_apart(tmp_path / "first", apart)
    values = {
        "tasks": ["ner", *GROUPS["dilated"][1]],
        "network": {"init": "../first"},
        "heads": {"srl": {"weight": 0.5}},
    }
    values = complete(values, tmp_path / "second")
    assert values["heads"]["srl"] == {
        **config("dilated").as_dict()["heads"]["srl"],
        "weight": 0.5,
    }
    networks = new_networks(values, corpora, tmp_path / "second")
    known = NativeModel(tmp_path / "first")
    for name in GROUPS["dilated"][1]:
        for array, given in known.network(name).arrays().items():
            assert np.array_equal(networks[name].arrays()[array], dense(given)), (
                name,
                array,
            )
    assert all(networks["ner"].common_depth(network) for network in networks.values())


@pytest.mark.parametrize("task", ["pos", "chk", "psg", "srl"])
def test_a_task_alone_begins_with_a_network_of_several(task, first, corpora, tmp_path):
    values = {"task": task, "network": {"init": str(first.directory)}}
    values = complete(values, tmp_path / "second")
    (network,) = new_networks(values, corpora, tmp_path / "second").values()
    for name, array in NativeModel(first.directory).network(task).arrays().items():
        assert np.array_equal(network.arrays()[name], dense(array)), name


def test_a_model_keeps_how_names_are_pooled(corpora, tmp_path):
    made = config("window", {"chk": {"pooling": 0.5}}, training={"epochs": 1})
    assert run(tmp_path / "first", made, corpora).trainer().run()
    build_model(tmp_path / "built", [tmp_path / "first"])
    model = NativeModel(tmp_path / "built")
    assert [model.pooling(name) for name in ("pos", "chk")] == [0, 0.5]
    data = [{"files": ["train.tsv"], "columns": COLUMNS}]
    values = {"task": "chk", "train": data, "training": {"epochs": 1}}
    values |= {"dev": data, "network": {"init": str(tmp_path / "built")}}
    again = Config.of(values, tmp_path / "second")
    second = Run.load(again, corpora, tmp_path / "second", None, str)
    assert second.trainer().run()
    assert NativeModel(tmp_path / "second").pooling("chk") == 0.5


@pytest.mark.parametrize("part", ["train", "dev"])
def test_each_task_has_labels_to_learn_and_to_be_scored_on(part, corpora, tmp_path):
    some = ["word", "-", "chk", "-", "-", "-", "-"]
    none = {
        "files": [f"{part}.tsv"],
        "columns": ["word", "pos", *some[2:]],
        "part": [0.0, 0.001],
    }
    sets = {part: [{"files": [f"{part}.tsv"], "columns": some}, none]}
    made = config("window", tasks=["pos", "chk"], **sets)
    with pytest.raises(
        SennaError, match=rf"^{part}\.tsv: no sentence has labels of pos$"
    ):
        run(tmp_path, made, corpora)


def test_a_configuration_says_itself_again():
    made = config("dilated")
    text = "\n".join(config_lines(made.as_dict()))
    assert "[heads.pos]\nafter = 1" in text and 'tasks = ["pos", "chk"' in text
    assert Config.of(made.as_dict()).as_dict() == made.as_dict()
    own = {name: plan.sizes for name, plan in made.plans.items()}
    assert (own["pos"].dilations, own["chk"].dilations) == ([1], [1, 2, 1])
    assert (own["chk"].hidden, own["srl"].hidden, own["psg"].reach) == (0, 12, 4)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"task": "pos"}, "task: there are tasks, too"),
        ({"tasks": []}, "task is missing"),
        ({"tasks": ["pos", "pos"]}, "tasks: a name occurs twice"),
        (
            {"tasks": ["pos", "a/b"]},
            "tasks: expected a name such as pos or srl, found 'a/b'",
        ),
        (
            {"tasks": ["text"]},
            "tasks: expected a name such as pos or srl, found 'text'",
        ),
        (
            {"tasks": ["pos", "tags"], "heads": {"tags": {"kind": "arcs"}}},
            "the task tags: in JSON, 'tags' is something else",
        ),
        ({"kind": "tags"}, r"kind: of several tasks, \[heads.NAME\] says it"),
        ({"heads": {"ner": {}}}, "heads.ner: no such task; there are pos, chk"),
        ({"heads": {"pos": 3}}, "heads.pos: expected a table, found 3"),
        ({"heads": {"pos": {"weight": 0}}}, "heads.pos.weight: expected more than 0"),
        ({"heads": {"pos": {"after": 4}}}, "heads: after: there are 3 blocks, found 4"),
        ({"heads": {"pos": {"reach": 4}}}, "heads: reach: tasks of words have none"),
        ({"heads": {"pos": {"pooling": 0.5}}}, "pooling: it is for segments, not tags"),
        ({"heads": {"chk": {"pooling": 2}}}, "heads.chk.pooling: expected"),
        (
            {"heads": {"psg": {"criterion": "word"}}},
            "network.criterion: trees leave no choice",
        ),
        (
            {"heads": {n: {"score_weight": 0} for n in GROUPS["dilated"][1]}},
            "score_weight above 0",
        ),
        (
            {"network": {"approach": "window"}, "heads": {}},
            'trees need network.approach = "dilated" or "chart"',
        ),
        ({"features": {"chk": 2}}, "features.chk: that is what this run predicts"),
        (
            {"train": [{"files": ["train.tsv"], "columns": ["word", "pos"]}]},
            "labels of chk",
        ),
        (
            {"train": [{"files": ["a"], "columns": COLUMNS, "tasks": ["ner"]}]},
            "train.tasks: ner is none of pos, chk",
        ),
        (
            {"train": [{"files": ["a"], "columns": COLUMNS, "soft": ["pos", "ner"]}]},
            "train.soft: 'ner' is none of pos, chk",
        ),
        (
            {"train": [{"files": ["a"], "columns": ["word", "pos"], "tasks": ["chk"]}]},
            "chk needs a column `chk`",
        ),
    ],
)
def test_configurations_that_cannot_be(changes, message):
    values = config("dilated").as_dict() | changes
    with pytest.raises(SennaError, match=message):
        Config.of(values)


def test_linear_networks_have_nothing_in_common(corpora, tmp_path):
    made = config("window", network={"approach": "window", "window": {"hidden": 0}})
    with pytest.raises(SettingError, match="tasks have no layers in common"):
        run(tmp_path, made, corpora).training()
    with pytest.raises(SennaError, match="tasks of words have the same hidden layer"):
        config("window", {"pos": {"hidden": 3}})
