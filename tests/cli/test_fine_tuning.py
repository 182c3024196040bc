"""Training that begins with a network of another model, or without any vectors."""

import numpy as np
import pytest

from senna_py.models.checkpoint import CHECKPOINT, read_arrays
from senna_py.models.native import NativeModel
from senna_py.tagger import Tagger
from senna_py.training.log import read_log
from tests.helpers.commands import assert_one_line_error, printed, run
from tests.helpers.small_corpora import (
    WORDS,
    corpus,
    write_columns,
    write_corpora,
    write_vectors,
)

SENTENCE = "the old dog sees Anna ."
DATA = """
[[train]]
files = ["train.tsv"]
columns = ["word", "{pos}", "chk", "ner", "-", "-", "-"]
{more}
[[dev]]
files = ["dev.tsv"]
columns = ["word", "{pos}", "chk", "ner", "-", "-", "-"]
{more}
"""
TRAINING = """
[training]
optimizer = "adagrad"
rate = 0.1
epochs = 4
batch = 4
"""
NETWORK = """
[network.window]
window = 3
hidden = 12
"""


def write(place, name, text, pos="-", more=""):
    (place / f"{name}.toml").write_text(
        text + DATA.format(pos=pos, more=more) + TRAINING
    )


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Directory with corpora, and runs of pos, and of ner which takes its labels."""
    place = write_corpora(tmp_path_factory.mktemp("tuning"))
    write_vectors(place / "vectors.txt")
    write(place, "pos", 'task = "pos"\n[info]\nlanguage = "xx"' + NETWORK, "pos")
    write(
        place,
        "ner",
        'task = "ner"\n[cascade]\npos = "runs/pos"\n[features]\npos = 3\ncaps = 2'
        + NETWORK,
    )
    for name in ("pos", "ner"):
        train(place, name, "--vectors", "vectors.txt")
    return place


def train(place, name, *args, code=0, to=None):
    """Run senna-train in a directory; returns what it says."""
    result = run(
        "senna-train", f"{name}.toml", ".", f"runs/{to or name}", *args, cwd=place
    )
    assert result.returncode == code, result.stderr
    return result.stderr.decode() if code == 0 else result


def test_a_run_is_used_as_it_is(place):
    """Its model has the network whose labels it takes, too."""
    ner = place / "runs/ner"
    model = NativeModel(ner)
    assert (model.networks, model.own_networks) == (("ner", "pos"), ("ner",))
    assert model.part("pos").info == NativeModel(place / "runs/pos").part("pos").info
    text = f"{SENTENCE}\n".encode()
    tagged = run("senna-tag", "-path", ner, "--format", "conll", stdin=text)
    assert printed(tagged).startswith("the\tO\n")
    own = run("senna-tag", "-path", place / "runs/pos", stdin=text)
    assert printed(run("senna-tag", "-path", ner, "-pos", stdin=text)) == printed(own)
    columns = "--columns", "word,-,-,ner,-,-,-"
    assert printed(
        run("senna-eval", "model", "ner", place / "dev.tsv", "-path", ner, *columns)
    )
    assert run("senna-model", "drop-in", place / "drop", "-path", ner).returncode == 0


def test_a_network_trains_on(place):
    write(place, "more", 'task = "ner"\n[network]\ninit = "runs/ner"')
    said = train(
        place, "more", "--set", "training.rate=1e-9", "--set", "training.epochs=1"
    )
    assert "the output layer is new" not in said
    old, new = (NativeModel(place / "runs" / name) for name in ("ner", "more"))
    assert new.words.data == old.words.data
    assert new.part("ner").features == ("word", "pos", "caps")
    assert new.labels("ner").keys() == old.labels("ner").keys()
    assert new.networks == ("ner", "pos")
    for name, array in old.network("ner").arrays().items():
        np.testing.assert_allclose(new.network("ner").arrays()[name], array, atol=1e-3)
    tagged = [Tagger(place / "runs" / name)(SENTENCE).tags for name in ("ner", "more")]
    assert tagged[0] == tagged[1]
    runs = "runs/pos", "runs/ner", "runs/more"
    assert printed(run("senna-model", "build", "mix", *runs, "--replace", cwd=place))
    settings = "--set", "training.rate=1e-9", "--set", "training.epochs=2"
    assert "epoch 2/2" in train(place, "more", "--resume", *settings)


def test_settings_suit_a_trained_network_and_what_it_forgets_is_said(place):
    text = 'task = "ner"\n[network]\ninit = "runs/ner"' + DATA.format(pos="-", more="")
    (place / "usual.toml").write_text(text)
    said = train(place, "usual")
    assert (
        "what runs/ner learned from other text is partly forgotten; network.keep=0.3"
        in said
    )
    assert "epoch 30/30" in said
    rows = read_log(place / "runs/usual/log.jsonl")
    assert rows[0]["rate"] == pytest.approx(0.001, rel=0.05)


def test_a_share_of_the_weights_is_kept(place):
    write(place, "own", 'task = "ner"\n[network]\ninit = "runs/ner"')
    options = "--set", "training.epochs=1"
    train(place, "own", *options)
    said = train(place, "own", *options, "--set", "network.keep=0.25", to="kept")
    assert "forgotten" not in said
    old, own, kept = (
        NativeModel(place / "runs" / name) for name in ("ner", "own", "kept")
    )
    for name, array in own.network("ner").arrays().items():
        mean = 0.75 * array + 0.25 * old.network("ner").arrays()[name]
        np.testing.assert_allclose(kept.network("ner").arrays()[name], mean, atol=0.01)
    weights = [model.network("ner").arrays()["output_weight"] for model in (own, kept)]
    assert not np.allclose(*weights, atol=1e-4)
    # Training goes on with what it learned.
    (_, learned), (_, other) = (
        read_arrays(place / "runs" / name / CHECKPOINT) for name in ("own", "kept")
    )
    assert learned.keys() == other.keys()
    for name, array in learned.items():
        np.testing.assert_array_equal(array, other[name])


def test_nothing_can_be_kept_of_new_labels_or_of_no_network(place):
    labels = 'labels = {NAME = "WHO"}'
    network = '[network]\ninit = "runs/ner"\nkeep = 0.5'
    write(place, "keepnew", f'task = "ner"\n{network}', more=labels)
    problem = (
        "network.keep: runs/ner does not know all labels, and new ones have no old"
    )
    assert_one_line_error(train(place, "keepnew", code=1), problem)
    write(place, "keepnone", 'task = "ner"\n[network]\nkeep = 0.5')
    problem = "network.keep: there is nothing to keep without network.init"
    assert_one_line_error(train(place, "keepnone", code=1), problem)


def test_files_without_any_segment_teach_nothing(place):
    words = "\n".join(f"{word}\tO" for word in ["the", "dog", "sleeps", "."])
    (place / "none.tsv").write_text(f"{words}\n\n" * 4)
    data = '[[{}]]\nfiles = ["{}.tsv"]\ncolumns = ["word", "ner"]\n'
    given = '[[dev]]\nfiles = ["dev.tsv"]\ncolumns = ["word", "-", "-", "ner", "-", "-", "-"]\n'
    (place / "none.toml").write_text(
        'task = "ner"\n' + data.format("train", "none") + given
    )
    problem = "none.tsv: every word has the label O: there is no ner to learn"
    assert_one_line_error(train(place, "none", code=1), problem)
    text = given.replace("dev", "train") + data.format("dev", "none")
    (place / "nodev.toml").write_text(f'task = "ner"\n{text}[training]\nepochs = 1\n')
    said = train(place, "nodev")
    assert "ner: every word of dev has the label O: its F1 will be 0" in said
    assert (
        "dev has 4 sentences: too few to choose an epoch by, so the last one is kept"
        in said
    )


def test_a_built_model_tells_no_directory_of_the_machine(place):
    write(place, "again", f'task = "ner"\n[network]\ninit = "{place}/runs/ner"\n')
    train(place, "again", "--set", "training.epochs=1")
    built = place / "built.safetensors"
    assert printed(
        run("senna-model", "build", built, place / "runs/pos", place / "runs/again")
    )
    assert NativeModel(built).part_info("ner")["config"]["network"]["init"] == "ner"
    assert str(place).encode() not in built.read_bytes()


def test_what_a_run_says_of_itself(place):
    assert NativeModel(place / "runs/pos").info == {
        "tokenizer": "treebank",
        "language": "xx",
        "tasks": ["pos"],
    }
    for setting, problem in (
        (
            "info.tokenizer='x'",
            "info.tokenizer: no such tokenizer: 'x'; there are senna, treebank",
        ),
        (
            "info.lang='x'",
            "info.lang: no such key of a model; there are name, ",
        ),
        ("info.tasks=[]", "info.tasks: a run has its own"),
    ):
        assert_one_line_error(train(place, "pos", "--set", setting, code=1), problem)


def test_new_labels_have_a_new_layer(place):
    labels = 'labels = {NAME = "WHO"}'
    write(place, "new", 'task = "who"\n[network]\ninit = "runs/ner:ner"', more=labels)
    (place / "new.toml").write_text(
        (place / "new.toml").read_text().replace('"ner"', '"who"')
    )
    said = train(place, "new")
    assert "runs/ner:ner does not know WHO: the output layer is new" in said
    new = NativeModel(place / "runs/new")
    assert new.labels("who").keys() == ["O", "S-WHO"]
    assert new.part_info("who")["kind"] == "segments"
    assert set(Tagger(new.path)(SENTENCE).tags) == {"who"}


def test_new_labels_are_added_to_the_output_layer_of_the_same_task(place):
    write(place, "one", 'task = "ner"\n[network]\ninit = "runs/ner"')
    rows = corpus(12, seed=5)
    renamed = [
        [(*row[:3], row[3].replace("NAME", "WHO"), *row[4:]) for row in rows_of]
        for rows_of in rows[:6]
    ]
    write_columns(place / "both.tsv", [*rows[6:], *renamed])
    (place / "one.toml").write_text(
        (place / "one.toml").read_text().replace("train.tsv", "both.tsv")
    )
    options = "--set", "training.epochs=1", "--set", "training.rate=1e-9"
    said = train(place, "one", *options)
    assert (
        "runs/ner does not know WHO: new labels are added to its output layer" in said
    )
    old, new = (NativeModel(place / "runs" / name) for name in ("ner", "one"))
    n_old = len(old.labels("ner").keys())
    assert new.labels("ner").keys()[:n_old] == old.labels("ner").keys()
    assert "S-WHO" in new.labels("ner").keys()[n_old:]
    arrays = [model.network("ner").arrays() for model in (old, new)]
    for name, array in arrays[0].items():
        known = arrays[1][name][tuple(slice(size) for size in array.shape)]
        np.testing.assert_allclose(known, array, atol=1e-3)


@pytest.mark.parametrize(
    ("setting", "problem"),
    [
        (
            "network.window.hidden=13",
            "network.window.hidden: 13, but network ner of runs/ner/model.safetensors has 12",
        ),
        (
            "features.caps=7",
            "features: caps 7, but network ner of runs/ner/model.safetensors has ",
        ),
        ('network.init="runs/no"', "network.init: runs/no: no native model there"),
        (
            'network.init="runs/ner:chk"',
            "it has no chk network; there are ner, pos: name one,",
        ),
        (
            'network.vectors="random"',
            "network.vectors: random, but a trained network has its own",
        ),
        (
            'network.approach="dilated"',
            "network.approach: dilated, but network ner of ",
        ),
        (
            'classes.x="paths"',
            "network.init: lists and classes are those of runs/ner/model",
        ),
    ],
)
def test_what_does_not_fit(place, setting, problem):
    write(place, "bad", 'task = "ner"\n[network]\ninit = "runs/ner"')
    assert_one_line_error(train(place, "bad", "--set", setting, code=1), problem)
    assert not (place / "runs/bad/model.safetensors").exists()


def test_vectors_do_not_go_with_it(place):
    write(place, "bad", 'task = "ner"\n[network]\ninit = "runs/ner"')
    result = train(place, "bad", "--vectors", "vectors.txt", code=2)
    assert_one_line_error(result, "--vectors cannot be used with network.init", code=2)


def test_random_vectors_need_no_file(place):
    network = '[network]\nvectors = "random"\nword_size = 7' + NETWORK
    write(place, "random", f'task = "pos"\n{network}', "pos")
    train(place, "random", "--set", "training.min_word_count=20")
    model = NativeModel(place / "runs/random")
    assert model.vectors.shape == (len(model.words), 7)
    assert model.words.keys()[:4] == ["PADDING", "UNKNOWN", ".", "a"]
    assert 5 < len(model.words) < len(WORDS)
    write(place, "given", 'task = "pos"' + NETWORK, "pos")
    said = train(place, "given", "--set", "training.epochs=1")
    assert "random ones for the 12 words that the training data has at least 2" in said
    said = train(place, "pos", "--set", "network.vectors=random", to="asked")
    assert "no --vectors" not in said


@pytest.mark.slow
def test_a_minimal_configuration_learns_its_own_sentence(tmp_path):
    """By what is the default, from random vectors."""
    write_columns(tmp_path / "train.tsv", corpus(1))
    write_columns(tmp_path / "dev.tsv", corpus(1))
    (tmp_path / "chk.toml").write_text('task = "chk"' + DATA.format(pos="-", more=""))
    said = train(tmp_path, "chk")
    assert "epoch 100/100" in said and ", dev F1 100.00, in runs/chk" in said


def test_vectors_of_a_model(place):
    """Of a run, which has a checkpoint beside it, and of a file."""
    write(place, "like", 'task = "pos"' + NETWORK, "pos")
    given = NativeModel(place / "runs/pos")
    for name, path in (("like", "runs/pos"), ("same", "runs/pos/model.safetensors")):
        train(place, "like", "--vectors", path, "--set", "training.epochs=1", to=name)
        found = NativeModel(place / "runs" / name)
        assert found.words.keys() == given.words.keys()
        assert found.vectors.shape == given.vectors.shape


def test_vectors_of_other_programs(place):
    lines = [
        f"{word} 0.5 {k} -1\n"
        for k, word in enumerate(["The", "the", "dog", "7", "Anna"])
    ]
    (place / "glove.txt").write_text("".join(lines))
    write(place, "adopted", 'task = "pos"' + NETWORK, "pos")
    train(place, "adopted", "--vectors", "glove.txt", "--set", "training.epochs=1")
    found = NativeModel(place / "runs/adopted")
    assert found.words.keys() == ["PADDING", "UNKNOWN", "the", "dog", "0", "anna"]
    np.testing.assert_array_equal(
        found.vectors[:3], [[0, 0, 0], [0.5, 2, -1], [0.5, 0, -1]]
    )
