"""senna-train on several tasks at once: one model, its scores, and what a user can do wrong."""

import json
import re

import pytest

from tests.helpers.commands import assert_one_line_error, run
from tests.helpers.small_corpora import corpus, toml, write_corpora, write_vectors

JOINT = """
tasks = ["tasks/pos.toml", "tasks/chk.toml", "tasks/ner.toml"]
[weights]
ner = 2
[network.window]
hidden = 20
[training]
epochs = 6
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Directory with corpora, vectors and configurations."""
    directory = write_corpora(tmp_path_factory.mktemp("joint"))
    write_vectors(directory / "vectors.txt")
    (directory / "tasks").mkdir()
    for task in ("pos", "chk", "ner"):
        (directory / "tasks" / f"{task}.toml").write_text(toml(task))
    (directory / "joint.toml").write_text(JOINT)
    return directory


def train(place, directory, *args, config="joint.toml"):
    return run(
        "senna-train", place / config, place, directory, "--vectors", place / "vectors.txt", *args
    )


@pytest.fixture(scope="module")
def trained(place):
    """Directory of a finished run, and its result."""
    directory = place / "run"
    return directory, train(place, directory)


def test_what_is_said(trained):
    directory, result = trained
    assert result.returncode == 0, result.stderr
    said = result.stderr.decode().splitlines()
    assert [line.split(":")[0] for line in said[:3]] == ["pos", "chk", "ner"]
    score = r"[\d.]+"
    assert re.match(
        rf"epoch 1/6  cost {score}  dev mean {score}: pos accuracy {score}, chk F1 {score}, "
        rf"ner F1 {score}  \(best\)",
        said[3],
    )
    assert len(said) == 10
    assert re.fullmatch(
        rf"best: epoch \d, dev pos accuracy {score}, chk F1 {score}, ner F1 {score}, "
        rf"in {directory}",
        said[-1],
    )
    printed = result.stdout.decode().splitlines()
    assert [line for line in printed if line in ("pos:", "chk:", "ner:")] == [
        "pos:",
        "chk:",
        "ner:",
    ]
    rows = [json.loads(line) for line in (directory / "log.jsonl").read_text().splitlines()]
    assert [row["epoch"] for row in rows] == list(range(1, 7))
    assert set(rows[0]) == {
        "epoch", "cost", "dev_mean", "dev_pos_accuracy", "dev_chk_F1", "dev_ner_F1", "rate",
        "seconds", "tags_per_second",
    }  # fmt: skip


def test_the_model_tags_and_is_described(trained):
    sentences = corpus(5, seed=9)
    text = "".join(" ".join(row[0] for row in rows) + "\n" for rows in sentences)
    result = run("senna-tag", "-path", trained[0], "-usrtokens", stdin=text.encode())
    found = [line.split() for line in result.stdout.decode().splitlines() if line.strip()]
    assert [row[:2] for row in found] == [list(row[:2]) for rows in sentences for row in rows]
    told = run("senna-model", "info", "--verbose", trained[0]).stdout.decode().splitlines()
    assert told.count("  shared with pos: word, caps, hidden_weight, hidden_bias") == 2
    assert told.count("  joint: pos 1.0, chk 1.0, ner 2.0") == 3


def test_stopped_and_resumed(trained, place, tmp_path):
    first = train(place, tmp_path / "run", "--time-limit", "0.001s")
    assert first.stderr.endswith(b"stopped; continue with --resume\n")
    changed = train(place, tmp_path / "run", "--resume", "--set", "weights.pos=3")
    problem = "made with joint weights.pos 1.0, asked for 3.0"
    assert_one_line_error(changed, problem, is_last=True)
    assert train(place, tmp_path / "run", "--resume").returncode == 0
    models = [path / "model.safetensors" for path in (tmp_path / "run", trained[0])]
    assert models[0].read_bytes() == models[1].read_bytes()


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ('tasks = ["tasks/none.toml", "tasks/pos.toml"]', ["none.toml", "No such file"]),
        ('tasks = ["tasks/pos.toml"]', ["wrong.toml: tasks: expected the files of two tasks"]),
        (JOINT + "[features]\ncapz = 2",
         ["wrong.toml: pos: features: capz is no feature, no column of train"]),
        (JOINT + "[gazetteers]\na = ['none.txt']", ["none.txt", "no gazetteer has such a name"]),
    ],
)  # fmt: skip
def test_what_cannot_be_used(text, parts, place, tmp_path):
    (place / "wrong.toml").write_text(text)
    result = train(place, tmp_path, "--time-limit", "0.001s", config="wrong.toml")
    assert_one_line_error(result, *parts, is_last=True)
