"""senna-tag --probabilities: what it prints is what senna-train reads."""

import pytest

from senna_py.models.native import NativeModel
from senna_py.tagger import Tagger
from senna_py.tagging.data import read_sentences
from tests.helpers.commands import MODEL
from tests.helpers.commands import run as run_command
from tests.helpers.small_corpora import corpus, run, settings, write_corpora, write_vectors

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
    result = run_command("senna-tag", "--probabilities", "-usrtokens", *options, stdin=stdin)
    assert (result.returncode, result.stderr) == (0, b"")
    return result.stdout


def test_they_are_those_of_the_network(place, tmp_path):
    path = tmp_path / "soft.tsv"
    path.write_bytes(probabilities("-pos", "-path", place / "pos"))
    config = settings("pos", train=[{"files": ["soft.tsv"], "columns": ["word", "pos"],
                                     "soft": True}])  # fmt: skip
    found = read_sentences(config.train, "pos", "tags", tmp_path)
    assert [len(words) for words in found.words] == [6, 6]
    tagger = Tagger(place / "pos", "pos")
    tokens = tagger.tokenizer.pretokenized(found.words)
    shares = tagger.annotate(tokens, uncertain=["pos"]).probabilities["pos"]
    keys = NativeModel(place / "pos").labels("pos").keys()
    assert not tagger.annotate(tokens).probabilities
    assert len({len(word) for soft in found.soft for word in soft}) > 1
    for row, word in zip(shares, [word for soft in found.soft for word in soft], strict=True):
        assert word[0][0] == keys[row.argmax()]
        assert row.sum() == pytest.approx(1, abs=1e-5)
        assert word[0][1] == pytest.approx(row.max() / row[row >= 0.01].sum(), abs=1e-4)


def test_a_network_is_trained_on_what_another_says(place, tmp_path):
    """Distillation, end to end, with a feature that a third network predicts."""
    text = "\n".join(" ".join(row[0] for row in rows) for rows in corpus(80, seed=5))
    soft = place / "soft.chk.tsv"
    (tmp_path / "all.safetensors").unlink(missing_ok=True)
    built = run_command("senna-model", "build", tmp_path / "all", place / "pos", place / "chk")
    assert built.returncode == 0
    soft.write_bytes(probabilities("-chk", "-path", tmp_path / "all", stdin=text.encode()))
    train = [{"files": ["soft.chk.tsv"], "columns": ["word", "chk"], "soft": True, "weight": 0.5}]
    config = settings("chk", train=train, training={"epochs": 6})
    trainer = run(tmp_path / "student", config, place).trainer()
    assert trainer.run()
    assert trainer.best[0] > 95


def test_batches_do_not_matter(place):
    text = TEXT * 3000
    whole = probabilities("-pos", "-path", place / "pos", "--jobs", 2, stdin=text)
    assert whole.count(b"\n") == 14 * 3000
    assert len(set(whole.split(b"\n\n")[-3000:-1])) == 2


def test_least(place):
    all_of = probabilities("-pos", "-path", place / "pos").count(b"\n\n")
    assert probabilities("-pos", "-path", place / "pos", "--least", 0).count(b"\n\n") == all_of
    assert probabilities("-pos", "-path", place / "pos", "--least", 1) == b""


def test_of_a_senna_directory():
    found = probabilities("-ner", "-path", MODEL)
    assert found.count(b"\n\n") == 2
    assert all(b":" in line for line in found.split(b"\n") if line)
