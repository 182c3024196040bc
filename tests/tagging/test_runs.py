"""Runs: what they tell, cascades, and that networks learn."""

import os

import numpy as np
import pytest

from senna_py.errors import SennaError
from senna_py.models.native import NativeModel
from senna_py.tagger import Tagger
from senna_py.tagging.config import Config
from senna_py.tagging.data import Data
from senna_py.tagging.run import Run
from senna_py.tagging.trainer import predict_dev
from tests.helpers.small_corpora import (
    WORDS,
    corpus,
    predicted,
    run,
    settings,
    write_columns,
    write_vectors,
)


def headline(made):
    """Dev score of the model that a Run of one task has saved."""
    ((name, scores),) = made.score_saved().items()
    return made.tagging_data.headline(name, scores)[0]


RATES = {"sgd": 0.1, "adagrad": 0.1, "adam": 0.02}
DILATED = {"approach": "dilated", "width": 16, "dilations": [1, 2]}


@pytest.mark.parametrize(
    ("task", "network", "optimizer"),
    [
        ("pos", {"criterion": "word"}, "sgd"),
        ("chk", {"hidden": 0}, "adagrad"),
        ("ner", {"vectors": "random"}, "adam"),
        ("pt0", {"constrained": False}, "sgd"),
        ("srl", {"criterion": "word"}, "sgd"),
        ("pos", {"approach": "sentence", "criterion": "word"}, "adagrad"),
        *(
            pytest.param(task, DILATED | network, optimizer, marks=pytest.mark.slow)
            for task, network, optimizer in (
                ("pos", {"criterion": "word", "hidden": 0}, "sgd"),
                ("chk", {"kernel": [5, 1], "hidden": 0}, "adagrad"),
                ("srl", {"criterion": "word"}, "adam"),
            )
        ),
    ],
)
def test_learns_the_language(task, network, optimizer, corpora, tmp_path):
    training = {
        "optimizer": optimizer,
        "rate": RATES[optimizer],
        "epochs": 12,
        "patience": 3,
    }
    made = run(tmp_path, settings(task, network=network, training=training), corpora)
    trainer = made.trainer()
    assert trainer.run()
    assert trainer.best[0] == 100
    assert headline(made) == 100


def far_away(n_sentences, seed):
    """Sentences whose last label is told by their first word, which no window of the
    last has.
    """
    rng = np.random.default_rng(seed)
    sentences = []
    for _ in range(n_sentences):
        first, label = [("dog", "X"), ("cat", "Y")][rng.integers(2)]
        middle = rng.choice(["big", "old", "the"], rng.integers(5, 9))
        words = [first, *middle, "."]
        sentences.append([(word, "O") for word in words[:-1]] + [(".", label)])
    return sentences


def test_the_sentence_approach_sees_far(tmp_path):
    for name, n, seed in (("train.tsv", 60, 1), ("dev.tsv", 20, 2)):
        write_columns(tmp_path / name, far_away(n, seed))
    write_vectors(tmp_path / "vectors.txt")
    data = [{"files": ["train.tsv"], "columns": ["word", "far"]}]
    dev = [{"files": ["dev.tsv"], "columns": ["word", "far"]}]
    scores = {}
    for approach in ("window", "sentence"):
        config = settings(
            "far",
            kind="tags",
            train=data,
            dev=dev,
            network={"approach": approach},
            training={"epochs": 12, "patience": 4},
        )
        made = run(tmp_path / approach, config, tmp_path)
        assert made.trainer().run()
        scores[approach] = headline(made)
    assert scores["sentence"] == 100
    assert scores["window"] < 97  # one of the eight words or so is guessed


def test_learns_with_what_regularises(corpora, tmp_path):
    training = {
        "dropout": 0.3,
        "embedding_dropout": 0.2,
        "unknown": 0.1,
        "final_rate": 0.0,
    }
    made = run(tmp_path, settings("chk", training={"epochs": 12, **training}), corpora)
    trainer = made.trainer()
    trainer.run()
    assert trainer.best[0] > 95


def test_fixed_tables_stay(corpora, tmp_path):
    made = run(tmp_path, settings(training={"fixed": ["word"]}), corpora)
    trainer = made.trainer()
    caps = trainer.trainable.networks["chk"].tables[1].copy()
    trainer.run()
    assert np.array_equal(
        trainer.trainable.networks["chk"].tables[0], made.data.vectors
    )
    assert not np.array_equal(trainer.trainable.networks["chk"].tables[1], caps)


def test_a_model_has_what_made_it(corpora, tmp_path):
    made = run(tmp_path, settings("pos", info={"license": "CC0"}), corpora)
    trainer = made.trainer()
    trainer.run()
    info = NativeModel(tmp_path).part_info("pos")
    assert info["config"] == made.data.config.as_dict()
    assert info["scores"]["dev"]["accuracy"] == round(trainer.best[0], 2)
    assert info["license"] == "CC0"
    # What the tagger does with the model is what was scored.
    sentences = Tagger(tmp_path, ["pos"]).pipe(made.data.dev.words)
    tags = [[token.pos for token in sentence] for sentence in sentences]
    network = NativeModel(tmp_path).network("pos")
    layer = predict_dev({"pos": network}, made.tagging_data)["pos"]
    assert layer.texts() == [tag for sentence in tags for tag in sentence]


def test_classes_tell_what_a_new_word_is(corpora, tmp_path):
    (corpora / "kinds.tsv").write_text(
        "00\tdog\t3\n00\tcat\t2\n00\tWug\t1\n01\tbig\n01\told\n"
    )
    config = settings(
        "pos",
        features={"class.kinds": 8},
        classes={"kinds": "kinds.tsv"},
        training={"epochs": 20, "unknown": 0.5},
    )
    run(tmp_path, config, corpora).trainer().run()
    classes = NativeModel(tmp_path).resource("classes", "kinds")
    assert classes.array.tobytes() == b"00\tcat\tdog\twug\n01\tbig\told\n"
    tagger = Tagger(tmp_path, ["pos"])
    tags = [
        token.pos for token in tagger(["the", "wug", "sees", "the", "bixy", "cat", "."])
    ]
    assert tags[:2] == ["DT", "NN"]
    # A resumed run has the same classes, or is refused.
    resumed = run(tmp_path, config, corpora).trainer()
    resumed.resume()
    (corpora / "kinds.tsv").write_text("01\tdog\n00\tbig\n")
    with pytest.raises(SennaError, match="made with other training data"):
        run(tmp_path, config, corpora).trainer().resume()


def test_labels_that_training_lacks_are_told(corpora, tmp_path):
    sentences = corpus(3)
    for i in range(7):
        row = sentences[i % 3][i // 3]
        sentences[i % 3][i // 3] = (row[0], f"T{i}", *row[2:])
    write_columns(tmp_path / "dev.tsv", sentences)
    for name in ("train.tsv", "vectors.txt"):
        (tmp_path / name).symlink_to(corpora / name)
    lines = []
    run(tmp_path / "run", settings("pos"), tmp_path, lines.append)
    assert "pos: 60 sentences, " in lines[0]
    assert f"{tmp_path / 'dev.tsv'}: line 1: dev has the label T0, which" in lines[1]
    assert f"{tmp_path / 'dev.tsv'}: line 2: dev has the label T3, which" in lines[4]
    assert len(lines) == 7
    assert lines[-1] == "and 2 more such labels"


# Cascades.


@pytest.fixture(scope="module")
def pos(corpora, tmp_path_factory):
    """Run of a POS network, hardly trained."""
    directory = tmp_path_factory.mktemp("runs") / "pos"
    training = {"rate": 0.01, "epochs": 1}
    made = run(directory, settings("pos", training=training), corpora)
    assert made.trainer().run()
    return made


def test_labels_that_a_model_predicts_are_features(pos, corpora, tmp_path):
    config = settings("chk", features={"pos": 3}, cascade={"pos": "../pos"})
    made = run(pos.directory.parent / "chk", config, corpora)
    for sentences in (made.data.train, made.data.dev):
        assert sentences.columns["pos"] == predicted(pos.directory, sentences)
    keys = made.data.features.vocabularies["pos"].keys()
    assert keys == [*pos.data.learners["pos"].keys, "PADDING", "UNAVAILABLE"]


def test_gold_labels_of_the_cascade_are_not_read(pos, corpora, tmp_path):
    """Not even where only some of the files have them."""
    columns = ["word", "-", "chk", "-", "-", "-", "-"]
    data = {"files": ["train.tsv"], "columns": columns}
    config = settings(
        "chk",
        features={"pos": 3},
        cascade={"pos": str(pos.directory)},
        train=[data, {**data, "columns": ["word", "pos", *columns[2:]]}],
    )
    assert len(run(tmp_path / "chk", config, corpora).data.train) == 120


def test_without_vectors_the_dictionary_is_that_of_the_cascade(pos, corpora, tmp_path):
    directory = pos.directory.parent / "alone"
    config = settings(
        "chk", features={"pos": 3}, cascade={"pos": "../pos"}, training={"epochs": 1}
    )
    made = Run.load(config, corpora, directory, None, lambda line: None)
    assert np.array_equal(made.data.vectors, pos.data.vectors)
    assert made.trainer().run()
    model = NativeModel(directory)
    assert model.words.data == NativeModel(pos.directory).words.data
    assert (model.networks, model.own_networks) == (("chk", "pos"), ("chk",))
    assert predicted(directory, made.data.dev) == predicted(
        pos.directory, made.data.dev
    )


def test_another_dictionary_than_that_of_the_cascade(pos, corpora, tmp_path):
    for words, dim in ((WORDS[:-1], 6), (WORDS, 5)):
        vectors = write_vectors(tmp_path / "vectors.txt", words, dim)
        config = settings(
            "chk", features={"pos": 3}, cascade={"pos": str(pos.directory)}
        )
        with pytest.raises(
            SennaError, match=r"its words and vectors are not those of .*vectors\."
        ):
            Run.load(config, corpora, tmp_path, vectors, lambda line: None)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"cascade": {"pos": "../none"}},
            "none: no model there to predict pos; train that first",
        ),
        ({"cascade": {"pos": "../srl"}}, "has no pos network"),
        (
            {"features": {"srl": 2}, "cascade": {"srl": "../srl"}},
            "its srl network does not label",
        ),
        (
            {"features": {"pt5": 2}},
            "pt5 is no feature, no column of train, and not in the casc",
        ),
        (
            {"features": {"gazetteer.x": 2}},
            "features: gazetteer.x, but there is no gazetteer x",
        ),
        (
            {"features": {"class.x.4": 2}},
            "class.x.4, but there is no list of word classes x",
        ),
        ({"classes": {"x": "none.tsv"}}, r"none\.tsv: No such file"),
        (
            {"classes": {"x": "train.tsv"}},
            r"train\.tsv: line 1: expected class, word and count",
        ),
    ],
)
def test_features_that_cannot_be_made(changes, message, corpora, tmp_path):
    if "srl" in str(changes):
        made = run(tmp_path / "srl", settings("srl", training={"epochs": 1}), corpora)
        made.trainer().run()
    with pytest.raises(SennaError, match=message):
        run(tmp_path / "chk", settings("chk", **changes), corpora)


def test_vectors_that_cannot_be_used(corpora, tmp_path):
    for name in ("train.tsv", "dev.tsv"):
        (tmp_path / name).symlink_to(corpora / name)
    text = write_vectors(tmp_path / "vectors.txt").read_text()
    too_large = r"numbers that float16 cannot hold"
    for vectors, how, message in (
        (text.replace("\ndog ", "\ncat ", 1), "given", ".*cat"),
        (text + "large" + 6 * " 1e9" + "\n", "given", too_large),
        (text + "large" + 6 * " 3e38" + "\n", "random", too_large),
        ("a 1 2\nb 1\n", "given", "line 2: 1 numbers"),
    ):
        (tmp_path / "vectors.txt").write_text(vectors)
        with pytest.raises(SennaError, match=rf"vectors\.txt: {message}"):
            run(tmp_path / "run", settings(network={"vectors": how}), tmp_path)


def test_nothing_to_learn_from(corpora, tmp_path):
    write_columns(tmp_path / "train.tsv", [[("a", "-"), ("b", "-")]])
    for name in ("dev.tsv", "vectors.txt"):
        (tmp_path / name).symlink_to(corpora / name)
    data = {"files": ["train.tsv"], "columns": ["word", "predicate", "roles"]}
    with pytest.raises(SennaError, match=r"train\.tsv: no sentence has labels of srl"):
        run(tmp_path / "run", settings("srl", train=[data]), tmp_path)


@pytest.mark.parametrize(
    ("labels", "criterion", "problem"),
    [
        (
            ["A", "B" * 2000],
            "word",
            "a.tsv: line 3: a label of 2,000 bytes, of which it may have 1,000",
        ),
        (
            [f"L{i}" for i in range(4097)],
            "sentence",
            "a.tsv: 4,097 labels of mine; a network that scores which label follows which may have "
            '4,096, one with criterion = "word" 32,767',
        ),
    ],
)
def test_labels_that_no_model_can_have(labels, criterion, problem, tmp_path):
    (tmp_path / "a.tsv").write_text("".join(f"w {label}\n\n" for label in labels))
    data = {"files": ["a.tsv"], "columns": ["word", "mine"]}
    config = Config.of(
        {
            "task": "mine",
            "kind": "tags",
            "train": [data],
            "dev": [data],
            "network": {"criterion": criterion},
        }
    )
    with pytest.raises(SennaError) as error:
        assert Data(config, tmp_path, tmp_path / "run", None).notes is None
    assert str(error.value).removeprefix(f"{tmp_path}{os.sep}") == problem
