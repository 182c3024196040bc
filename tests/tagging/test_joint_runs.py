"""Tasks that are trained together: what they share, how they learn, and how runs go on."""

from collections import Counter
from itertools import chain

import numpy as np
import pytest

from senna_py.errors import SennaError
from senna_py.models.build import build_model
from senna_py.models.native import FILE_NAME, NativeModel
from senna_py.tagger import Tagger
from senna_py.tagging.cascade import Predictor, decode
from senna_py.tagging.joint import JointRun
from senna_py.tagging.joint_config import JointConfig
from senna_py.tagging.joint_training import share_out
from tests.helpers.finite_differences import slope_along
from tests.helpers.small_corpora import (
    run,
    settings,
    write_columns,
    write_corpora,
    write_vectors,
)
from tests.helpers.whole_gradients import whole_gradients

WINDOW = {"approach": "window"}
SENTENCE = {"approach": "sentence"}
DILATED = {"approach": "dilated", "width": 16, "dilations": [1, 2]}
GROUPS = {
    "window": (WINDOW, ("pos", "chk", "ner")),
    "linear": ({"hidden": 0}, ("pos", "chk")),
    "sentence": (SENTENCE, ("srl", "pos", "chk")),
    "dilated": (DILATED, ("pos", "srl", "chk")),
    "trees": (DILATED, ("chk", "psg")),
}
ADAM = {"optimizer": "adam", "rate": 0.02}


def joint_config(group, weights=(), **changes):
    """A JointConfig of the tasks of a group; changes: as of `settings`."""
    network, tasks = GROUPS[group]
    training = {"optimizer": "adagrad", "rate": 0.1}
    if network is DILATED:
        training = ADAM
    changes = {**changes, "training": training | changes.get("training", {})}
    configs = {}
    for task in tasks:
        own = {**network, "approach": "chart"} if task == "psg" else network
        configs[task] = settings(task, **changes, network=own)
    return JointConfig(configs, dict.fromkeys(tasks, 1.0) | dict(weights))


def joint_run(directory, corpora, config, say=lambda line: None):
    return JointRun(config, corpora, directory, corpora / "vectors.txt", say)


def networks_of(training):
    return {name: task.network for name, task in training.tasks.items()}


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_learns_all_tasks(group, corpora, tmp_path):
    config = joint_config(group, training={"epochs": 14, "patience": 4})
    made = joint_run(tmp_path / "run", corpora, config)
    trainer = made.trainer()
    assert trainer.run()
    assert trainer.best[0] > 99
    scores = [each.score_saved()[1][0] for each in made.runs]
    assert np.mean(scores) == pytest.approx(trainer.best[0], abs=0.5)
    model = NativeModel(tmp_path / "run")
    assert model.networks == tuple(config.configs)
    assert model.part_info(model.networks[0])["joint"] == config.weights


@pytest.mark.parametrize(
    ("group", "shared"),
    [
        ("window", {"tables/0", "tables/1", "hidden_weight", "hidden_bias"}),
        ("linear", {"tables/0", "tables/1"}),
        ("sentence", {"tables/0", "tables/1", "word_weight", "conv_bias", "word_distances",
                      "word_distance_weight"}),
        ("dilated", {"tables/0", "tables/1", "input_weight", "input_bias", "norm_gain",
                     "norm_shift", *(f"block{k}_{part}" for k in (1, 2)
                                     for part in ("gain", "shift", "weight", "bias"))}),
    ],
)  # fmt: skip
def test_what_is_shared(group, shared, corpora, tmp_path):
    """In training, in the file, and in networks that are read or joined with others again."""
    made = joint_run(tmp_path / "run", corpora, joint_config(group, training={"epochs": 1}))
    trainer = made.trainer()
    first, *others = networks_of(trainer.trainable).values()
    for other in others:
        assert set(other.shared_names(first)) == shared
    assert trainer.run()
    alone = trainer.trainable.tasks[first_task := made.runs[0].config.task].network
    build_model(tmp_path / "built", [tmp_path / "run"])
    for path in ("run", "built"):
        model = NativeModel(tmp_path / path)
        entry = model.part(first_task)
        for name in model.networks[1:]:
            found = model.network(name)
            assert set(found.shared_names(entry.network)) == shared
            for array in shared - {"tables/0", "tables/1"}:
                half = alone.arrays()[array].astype(np.float16).astype(np.float32)
                assert np.array_equal(found.arrays()[array], half)
            assert model.part(name).vocabularies["caps"] is entry.vocabularies["caps"]
    assert (tmp_path / "built" / FILE_NAME).stat().st_size < 1.1 * (
        tmp_path / "run" / FILE_NAME
    ).stat().st_size


@pytest.mark.parametrize("group", GROUPS)
def test_gradients_of_all_tasks_are_summed(group, corpora, tmp_path):
    """Those of what is shared are of the costs of all tasks, those of heads of their own."""
    config = joint_config(group, training={"batch": 60})
    for task in config.configs.values():
        task.train[0].part = [0.0, 0.1]
    training = joint_run(tmp_path, corpora, config).training()
    training.begin_epoch()
    assert training.n_batches() == len(training.tasks)

    def cost():
        return sum(training.forward(number)[0] for number in range(training.n_batches()))

    rng = np.random.default_rng(1)
    for name, array in training.parameters.items():
        if not name.endswith(("initial", "transition")):  # what is impossible stays so
            array[...] += np.float32(0.1) * rng.standard_normal(array.shape).astype(np.float32)
    expected = {name: np.zeros_like(array) for name, array in training.parameters.items()}
    for number in range(training.n_batches()):
        gradients = training.backward(training.forward(number)[2])
        for name, gradient in whole_gradients(gradients, training.parameters).items():
            expected[name] += gradient
    for name, array in training.parameters.items():
        direction = rng.standard_normal(array.shape).astype(np.float32)
        if name.endswith(("initial", "transition")):
            direction[array < -100] = 0
        direction /= np.linalg.norm(direction)
        slopes = [slope_along(cost, array, direction, step) for step in (1e-3, 3e-4, 1e-4)]
        gradient = (expected[name] * direction).sum()
        error = min(abs(slope - gradient) for slope in slopes)
        assert error < 0.02 * abs(gradient) + 0.1, (name, gradient, slopes)


def test_a_step_changes_one_head_and_what_is_shared(corpora, tmp_path):
    training = joint_run(tmp_path, corpora, joint_config("window")).training()
    training.begin_epoch()
    for number in range(6):
        before = {name: array.copy() for name, array in training.parameters.items()}
        cost, n, (task, trace) = training.forward(number)
        assert cost > 0 and n > 0
        training.step(training.backward((task, trace)), number)
        changed = {name for name, a in training.parameters.items() if (a != before[name]).any()}
        heads = {name.partition("/")[0] for name in changed if not name.startswith("tables/")}
        assert heads == {task, "hidden_weight", "hidden_bias"}
        assert {"tables/0", "tables/1"} <= changed


def test_batches_of_an_epoch(corpora, tmp_path):
    """Each task has its share; sentences come again only after all of them have come."""
    config = joint_config("window", weights={"pos": 3.0})
    training = joint_run(tmp_path, corpora, config).training()
    training.begin_epoch()
    assert training.n_batches() == 45  # of 15 each
    seen = Counter(name for name, _ in training._plan)
    assert seen == {"pos": 27, "chk": 9, "ner": 9}
    for name, n in seen.items():
        assert [own for task, own in training._plan if task == name] == list(range(n))
    orders = training.tasks["pos"]._orders
    assert [sorted(order) for order in orders] == [list(range(60))] * 2
    assert list(orders[0]) != list(orders[1])
    assert list(training.tasks["chk"]._orders[0]) != list(training.tasks["ner"]._orders[0])
    first, order = [name for name, _ in training._plan], training._plan
    training.progress.epoch = 1
    training.begin_epoch()
    assert training._plan != order
    assert Counter(name for name, _ in training._plan) == Counter(first)


@pytest.mark.parametrize("total", [1, 7, 100])
@pytest.mark.parametrize("weights", [[1.0, 1.0, 1.0], [0.1, 5.0], [3.0, 1e-9, 1.0]])
def test_shares(total, weights):
    found = share_out(total, weights)
    assert sum(found) == total
    for n, weight in zip(found, weights, strict=True):
        assert abs(n - total * weight / sum(weights)) <= 1


def test_checkpoint_of_other_settings_or_data(corpora, tmp_path):
    joint_run(tmp_path, corpora, joint_config("window")).trainer().run(time_limit=0)
    for changes, message in (
        ({"training": {"rate": 0.2}}, "made with pos.training.rate 0.1, asked for 0.2"),
        ({"weights": {"chk": 2.0}}, "made with joint weights.chk 1.0, asked for 2.0"),
    ):
        made = joint_run(tmp_path, corpora, joint_config("window", **changes))
        for use in (made.check_checkpoint, made.trainer().resume):
            with pytest.raises(SennaError, match=message):
                use()
    other = write_corpora(tmp_path / "other")
    write_vectors(other / "vectors.txt")
    (other / "train.tsv").write_text((other / "train.tsv").read_text().replace("dog", "cat"))
    with pytest.raises(SennaError, match=r"made with other training data of pos$"):
        joint_run(tmp_path, other, joint_config("window")).check_checkpoint()
    more = joint_run(tmp_path, corpora, joint_config("window", training={"epochs": 5}))
    more.check_checkpoint()


@pytest.mark.parametrize("group", GROUPS)
def test_the_same_labels_alone_and_together(group, corpora, tmp_path):
    config = joint_config(group, training={"epochs": 2})
    made = joint_run(tmp_path, corpora, config)
    assert made.trainer().run()
    model = NativeModel(tmp_path)
    tasks = [task for task in config.configs if task not in ("srl", "psg")]
    for each in made.runs:
        task = each.config.task
        expected = decode(model.network(task), each._inputs(each.dev), each.keys)
        if task in tasks:
            tokens = Tagger(tmp_path, task).tokenizer.pretokenized(each.dev.words)
            for together in ([task], tasks):
                tagger = Tagger(tmp_path, together)
                found = tagger.annotate(tokens).found[task].labels
                assert [each.keys[i] for i in found] == list(chain(*expected))


def test_keys_come_from_the_words_of_all_tasks(corpora, tmp_path):
    for name in ("dev.tsv", "vectors.txt"):
        (tmp_path / name).symlink_to(corpora / name)
    rows = [("Zebras", "NNS", "B-NP"), ("run", "VB", "B-VP")]
    write_columns(tmp_path / "train.tsv", [[(*row, "O", "*", "-", "O") for row in rows]] * 8)
    config = joint_config("window", features={"suffix.3": 2}, training={"epochs": 1})
    config.configs["pos"].train[0].files = [str(corpora / "train.tsv")]
    made = joint_run(tmp_path / "run", tmp_path, config)
    for each in made.runs:
        keys = each.features.vocabularies["suffix.3"].keys()
        assert {"ras", "dog"} <= set(keys)
        assert each.features is made.runs[0].features


def test_labels_of_columns_are_the_same_feature(corpora, tmp_path):
    """Their keys are those of all tasks' files."""
    configs = {task: settings(task, features={"pos": 3}) for task in ("chk", "ner")}
    config = JointConfig(configs, {"chk": 1.0, "ner": 1.0})
    made = joint_run(tmp_path, corpora, config)
    keys = made.runs[0].features.vocabularies["pos"].keys()
    assert keys == [".", "DT", "JJ", "NN", "NNP", "NNS", "VBZ", "PADDING", "UNAVAILABLE"]
    assert made.trainer().run()


def test_folds_label_the_training_data_of_others(corpora, tmp_path):
    config = joint_config("window", folds=2, training={"epochs": 1})
    made = joint_run(tmp_path / "joint", corpora, config)
    for fold in (0, 1, None):
        assert made.trainer(fold).run()
    lines = []
    other = settings("pt0", features={"pos": 3}, cascade={"pos": "../joint"})
    found = run(tmp_path / "pt0", other, corpora, lines.append)
    assert not any("has no folds" in line for line in lines)
    fold = Predictor(tmp_path / "joint" / "fold0", "pos")
    chosen = np.flatnonzero(found.train.folds(2) == 0).tolist()
    assert fold(found.train.take(chosen)) == [found.train.columns["pos"][i] for i in chosen]
