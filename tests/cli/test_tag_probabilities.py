"""senna-tag --probabilities: what it prints is what senna-train reads."""

import numpy as np
import pytest

from senna_py.labels.tasks import find_task
from senna_py.models.native import NativeModel
from senna_py.tagger import Tagger
from senna_py.tagging.sentences import read_sentences
from tests.helpers.commands import MODEL, assert_one_line_error, printed
from tests.helpers.commands import run as run_command
from tests.helpers.small_corpora import (
    corpus,
    run,
    settings,
    write_corpora,
    write_vectors,
)

TEXT = b"Anna sees the old dog .\n\nthe cat gives a stars .\n"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Directory with corpora and runs, one of sentence level and one of word level."""
    place = tmp_path_factory.mktemp("probabilities")
    write_vectors(write_corpora(place) / "vectors.txt")
    for task, changes in (
        ("pos", {"network": {"criterion": "word"}, "training": {"epochs": 1}}),
        ("chk", {"features": {"caps": 2, "pos": 2}, "cascade": {"pos": "../pos"}}),
    ):
        assert run(place / task, settings(task, **changes), place).trainer().run()
    return place


def probabilities(*options, stdin=TEXT):
    return printed(
        run_command("senna-tag", "--probabilities", "-usrtokens", *options, stdin=stdin)
    )


def test_they_are_those_of_the_network(place, write):
    path = write(probabilities("-pos", "-path", place / "pos"))
    train = [{"files": [path.name], "columns": ["word", "pos"], "soft": True}]
    config = settings("pos", train=train)
    found = read_sentences(config.train, {"pos": find_task("pos")}, path.parent)
    assert [len(words) for words in found.words] == [6, 6]
    tagger = Tagger(place / "pos", "pos")
    tokens = tagger.tokenizer.pretokenized(found.words)
    likely = tagger.annotate(tokens, uncertain=["pos"]).layers["pos"]
    shares = np.zeros((len(tokens), len(likely.names)))
    shares[likely.begin, likely.label] = likely.score
    keys = NativeModel(place / "pos").labels("pos").keys()
    assert tagger.annotate(tokens).layers["pos"].score is None
    gold = found.gold["pos"]
    names = gold.layer.names
    read = gold.soft.dense(len(names))
    assert len({*(read > 0).sum(1).tolist()}) > 1
    for row, word in zip(shares, read, strict=True):
        assert names[word.argmax()] == keys[row.argmax()]
        assert 0.9 < row.sum() < 1 + 1e-5
        assert word.max() == pytest.approx(row.max() / row[row >= 0.01].sum(), abs=1e-4)


def test_batches_do_not_matter(place):
    text = TEXT * 3000
    whole = probabilities("-pos", "-path", place / "pos", "--jobs", 2, stdin=text)
    assert whole.count("\n") == 14 * 3000
    assert len(set(whole.split("\n\n")[-3000:-1])) == 2


def test_least(place):
    all_of = probabilities("-pos", "-path", place / "pos")
    assert probabilities("-pos", "-path", place / "pos", "--least", 0) == all_of
    assert probabilities("-pos", "-path", place / "pos", "--least", 1) == ""


def students(place, task, columns, **changes):
    """Best dev score of a network that learns only from what the one in `place` says of
    text.
    """
    text = "\n".join(" ".join(row[0] for row in rows) for rows in corpus(80, seed=5))
    soft = place / f"soft.{task}.tsv"
    soft.write_text(
        probabilities(f"-{task}", "-path", place / task, stdin=text.encode())
    )
    train = [{"files": [soft.name], "columns": columns, "soft": True, "weight": 0.5}]
    config = settings(task, train=train, **changes)
    trainer = run(place / f"student-{task}", config, place).trainer()
    assert trainer.run()
    return trainer.best[0]


def test_chunks_are_learned_from_probabilities(place):
    """With a feature that a third network predicts."""
    assert students(place, "chk", ["word", "chk"], training={"epochs": 6}) > 95


@pytest.mark.slow
def test_roles_are_learned_from_probabilities(place):
    how = {"cascade": {"vbs": "../vbs"}, "features": {"vbs": 3}}
    assert run(place / "vbs", settings("vbs"), place).trainer().run()
    assert (
        run(place / "srl", settings("srl", training={"epochs": 3}, **how), place)
        .trainer()
        .run()
    )
    how["training"] = {"epochs": 12}
    assert students(place, "srl", ["word", "predicate", "roles"], **how) > 95


@pytest.mark.slow
def test_trees_are_learned_from_probabilities(place):
    how = {"features": {"pos": 4, "caps": 2}, "cascade": {"pos": "../pos"}}
    how["network"] = {
        "approach": "chart",
        "width": 16,
        "dilations": [1, 2],
        "hidden": 12,
        "reach": 4,
    }
    how["training"] = {"epochs": 12, "optimizer": "adam", "rate": 0.01}
    assert run(place / "psg", settings("psg", **how), place).trainer().run()
    assert students(place, "psg", ["word", "psg"], **how) > 95
    levels = run_command(
        "senna-tag", "--probabilities", "-psg", "-path", MODEL, stdin=TEXT
    )
    assert_one_line_error(levels, "only those of a chart network", code=2)
