"""The training loop: the same model however it came about, checkpoints, and full
disks.
"""

import dataclasses
import itertools
import json
from types import SimpleNamespace

import numpy as np
import pytest

from senna_py.errors import SennaError
from senna_py.layers.activations import Dropout
from senna_py.models.native import FILE_NAME
from senna_py.tagging import trainer
from senna_py.training import run as loop
from senna_py.training.log import read_log
from tests.helpers.refusal import refusal
from tests.helpers.small_corpora import run, settings, write_corpora, write_vectors

DROPOUT = {"dropout": 0.3, "embedding_dropout": 0.2, "unknown": 0.1}


def new(directory, corpora, config=None):
    """Trainer of a new run."""
    return run(directory, config or settings(), corpora).trainer()


def test_same_seed_same_model(corpora, tmp_path):
    for name, seed in (("a", 3), ("b", 3), ("c", 4)):
        config = settings(training={"seed": seed, **DROPOUT})
        assert new(tmp_path / name, corpora, config).run()
    data = [(tmp_path / name / FILE_NAME).read_bytes() for name in "abc"]
    assert data[0] == data[1]
    assert data[0] != data[2]


def test_a_data_set_for_the_first_epochs_only(corpora, tmp_path):
    """One with until = 0.5 is read in epochs 1 and 2 of 3, also by a run that was
    stopped.
    """
    config = settings(training={"batch": 60})
    whole = config.train[0]
    config.train = [
        dataclasses.replace(whole, part=[0.0, 0.5]),
        dataclasses.replace(whole, part=[0.5, 1.0], until=0.5),
    ]
    made = run(tmp_path / "run", config, corpora)
    assert made.data.train.until == [1.0] * 30 + [0.5] * 30
    trainer = made.trainer()
    training, seen = trainer.trainable, []
    words = training.tagging_data.train.words
    training.tagging_data.train.words = lambda chosen: (
        seen.append(len(chosen)),
        words(chosen),
    )[1]
    assert not trainer.run(time_limit=0)  # after a batch
    assert trainer.run()
    assert seen == [60, 60, 30]
    assert training.rate() == 0.1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"training": {"rate": 0.2}}, "training.rate 0.1, asked for 0.2"),
        ({"training": {"seed": 5}}, "training.seed 1, asked for 5"),
        ({"network": {"hidden": 9}}, "network.window.hidden 12, asked for 9"),
        ({"features": {"shape": 2}}, "features.shape none, asked for 2"),
        ({"task": "ner"}, "task chk, asked for ner"),
        (
            {"dev": settings().as_dict()["train"]},
            'dev.1.files ["dev.tsv"], asked for ["train.tsv"]',
        ),
    ],
)
def test_checkpoint_of_other_settings(changes, message, corpora, tmp_path):
    new(tmp_path, corpora).run(time_limit=0)
    other = new(tmp_path, corpora, settings(**{"task": "chk", **changes}))
    said = refusal(tmp_path / "checkpoint.npz", other.resume)
    assert said.startswith(f"made with {message}")


def test_checkpoint_of_other_data(corpora, tmp_path):
    new(tmp_path / "run", corpora).run(time_limit=0)
    other = write_corpora(tmp_path)
    write_vectors(other / "vectors.txt")
    for name, old, now, message in (
        ("train.tsv", "NP", "XP", "labels"),
        ("train.tsv", "dog", "cat", "training data"),
        ("train.tsv", "B-VP", "B-NP", "labels"),
        ("train.tsv", "\n\n", "\n", "sentences"),
        ("dev.tsv", "\n\n", "\n", "dev data"),
        ("vectors.txt", "0.1", "0.2", "vectors"),
    ):
        text = (other / name).read_text()
        (other / name).write_text(text.replace(old, now, 1 if now == "\n" else -1))
        with pytest.raises(SennaError, match=f"made with other {message}$"):
            new(tmp_path / "run", other).resume()
        (other / name).write_text(text)
    new(tmp_path / "run", other).resume()


# Which model is kept.


@pytest.mark.slow
@pytest.mark.parametrize("task", ["chk", "srl", "psg"])
def test_of_equal_epochs_the_one_of_the_lowest_dev_cost_is_kept(
    task, corpora, tmp_path, monkeypatch
):
    approach = "chart" if task == "psg" else "window" if task == "chk" else "sentence"
    monkeypatch.setattr(trainer.TaggingData, "headline", lambda *_: (50, "F1"))
    # Sentences of dev are enough to choose an epoch by.
    monkeypatch.setattr(trainer, "_FEW", 0)
    made = new(
        tmp_path,
        corpora,
        settings(
            task, network={"approach": approach}, training={"epochs": 4, "rate": 0.5}
        ),
    )
    costs, kept = [], []
    dev_cost = made.trainable.dev_cost
    monkeypatch.setattr(
        made.trainable, "dev_cost", lambda: costs.append(dev_cost()) or costs[-1]
    )
    made.trainable.write = lambda *_: kept.append(made.progress.epoch)
    assert made.run()
    assert len(costs) == len({*costs}) == 4
    assert made.best == (50, 1 + int(np.argmin(costs))) and kept[-1] == made.best[1]


def test_dev_cost_is_that_of_all_words_at_once(corpora, tmp_path):
    made = new(tmp_path, corpora, settings(training={"epochs": 1, "batch": 3}))
    assert made.run()
    training = made.trainable
    every = np.arange(len(training.tagging_data.dev.starts) - 1)
    words = training.tagging_data.dev.words(every)
    targets = training.tagging_data.dev.batches(every)["chk"].targets
    network = training.networks["chk"]
    cost, n, _ = network.cost(words, targets, (Dropout(None), Dropout(None)))
    assert training.dev_cost() == pytest.approx(cost / n, rel=1e-5)


@pytest.mark.parametrize(
    ("n_sentences", "batch", "epochs"),
    [
        (0, 16, 100),
        (1, 16, 100),
        (40, 16, 100),
        (640, 16, 50),
        (10_000, 16, 20),
        (60, 1, 33),
    ],
)
def test_epochs_where_none_are_given(n_sentences, batch, epochs):
    assert trainer.usual_epochs(n_sentences, batch) == epochs


@pytest.mark.parametrize(
    ("n_sentences", "epochs"), [(5, 30), (360, 30), (720, 22), (1800, 10), (9000, 10)]
)
def test_a_trained_network_learns_in_fewer_epochs(n_sentences, epochs):
    assert trainer.usual_epochs(n_sentences, 16, tunes=True) == epochs


def test_of_few_dev_sentences_the_last_epoch_is_kept(corpora, tmp_path, monkeypatch):
    scores = iter([90, 50, 70, 80, 60, 40])
    monkeypatch.setattr(
        trainer.TaggingData, "headline", lambda *_: (next(scores), "F1")
    )
    few = new(tmp_path / "few", corpora)
    assert few.run() and few.trainable.keeps_last and few.best == (70, 3)
    monkeypatch.setattr(trainer, "_FEW", 0)
    enough = new(tmp_path / "enough", corpora)
    assert enough.run() and not enough.trainable.keeps_last and enough.best == (80, 1)
    assert not new(
        tmp_path / "by", corpora, settings(training={"patience": 1})
    ).trainable.keeps_last


@pytest.mark.slow
def test_a_run_of_so_many_epochs(corpora, tmp_path):
    made = new(tmp_path, corpora, settings(training={"epochs": 0, "batch": 1}))
    assert made.run() and made.progress.epoch == 33


def test_rates_fall_linearly(corpora, tmp_path):
    made = new(tmp_path, corpora, settings(training={"rate": 0.4, "final_rate": 0.25}))
    assert made.trainable.rate() == 0.4
    made.run()
    assert made.trainable.rate() == pytest.approx(0.1)


def test_log_and_lines(corpora, tmp_path):
    lines = []
    made = new(tmp_path, corpora)
    made.report = lambda *line: lines.append(line)
    made.run()
    rows = [json.loads(line) for line in made.log.read_text().splitlines()]
    assert rows == [figures for _, figures in lines]
    assert set(rows[0]) == {
        "epoch",
        "cost",
        "dev_F1",
        "rate",
        "seconds",
        "tags_per_second",
    }
    assert rows[-1]["cost"] < rows[0]["cost"]
    assert lines[0][0].startswith(f"epoch 1/3  cost {rows[0]['cost']:.4f}  dev F1 ")
    assert lines[0][0].endswith(f"{rows[0]['tags_per_second']:,} tags/s")


def test_rates_are_without_compilation(corpora, tmp_path, monkeypatch):
    clock, compiled = itertools.count(), itertools.count(0, 0.25)
    monkeypatch.setattr(loop, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    monkeypatch.setattr(loop, "compile_seconds", lambda: next(compiled))
    made = new(tmp_path, corpora, settings(training={"epochs": 1}))
    made.run()
    (row,) = read_log(made.log)
    assert row["seconds"] == 15 * 0.75  # batches
