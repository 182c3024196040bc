"""A tokenizer is learned from CoNLL-U, and stored in a model."""

import json

import numpy as np
import pytest

from senna_py.errors import SennaError
from senna_py.kernels.runtime.switch import fixed_kernels
from senna_py.models.build import build_model
from senna_py.models.native import NativeModel
from senna_py.tagging.config import Config
from senna_py.tagging.run import Run
from tests.helpers.commands import run as run_command
from tests.helpers.small_corpora import conllu, corpus
from tests.helpers.small_treebanks import learn_tokens, learned_tokenizer, treebank


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Directory with a treebank, and `run`, a learned tokenizer."""
    place = tmp_path_factory.mktemp("tokens")
    notes = []
    made = learn_tokens(place, notes.append)
    assert "units to train on" in notes[0] and "paragraphs" in notes[0]
    scores = made.score_saved()["tokens"].counts
    assert [*scores] == ["tokens", "sentences", "ranges"]
    assert all(counts.f1 == 100 and counts.gold for counts in scores.values())
    return place


def sentences(tokenizer, text, **options):
    tokens, _ = tokenizer.documents([text], **options)
    return [
        [tokens.text(i) for i in range(begin, end)]
        for begin, end in zip(tokens.starts, tokens.starts[1:], strict=False)
    ]


def test_tokens_and_sentences_of_running_text(place):
    text = "Dr. Li sees in fact Rome. He sees dela dog(12)!  Anna sees cat"
    expected = [
        ["Dr.", "Li", "sees", "in fact", "Rome", "."],
        ["He", "sees", "dela", "dog", "(", "12", ")", "!"],
        ["Anna", "sees", "cat"],
    ]
    tokenizer = learned_tokenizer(place / "run")
    assert sentences(tokenizer, text) == expected
    assert sentences(tokenizer, text.replace(". He", ".\nHe")) == expected


def test_paragraphs_may_be_wrapped(place):
    text = "Dr. Li sees\nRome. He sees\ndog!\n\nAnna sees cat"
    tokenizer = learned_tokenizer(place / "run")
    assert sentences(tokenizer, text, paragraphs=True) == [
        ["Dr.", "Li", "sees", "Rome", "."],
        ["He", "sees", "dog", "!"],
        ["Anna", "sees", "cat"],
    ]


def test_tokens_of_several_words_are_known(place):
    finder = NativeModel(place / "run").finder
    text = b"He sees dela dog."
    ranges = [[number] for number in (0, len(text))]
    found = finder.find(text, *(np.array(each, np.int32) for each in ranges))
    assert found.is_multiword.tolist() == [False, False, True, False, False]


def test_forms_of_the_training_data_correct_the_network(place):
    model = NativeModel(place / "run")
    tokens = learned_tokenizer(place / "run").document("He sees dela dog Roma")
    for guess in (False, True):
        guesses = np.full(len(tokens), guess)
        assert model.finder.multiwords(tokens, guesses).tolist() == [
            *(False, False, True, False),
            guess,
        ]
    shown = run_command("model", "info", "--verbose", place / "run").stdout
    assert b"multiword tokens: 1 always" in shown


def test_a_tokenizer_joins_a_model(place, tmp_path):
    (tmp_path / "train.conllu").write_text(conllu(corpus(30, seed=1)))
    config = Config.of(
        {
            "task": "upos",
            "features": {"caps": 2},
            "network": {"approach": "window", "window": {"window": 3, "hidden": 8}},
            "train": [{"files": ["train.conllu"]}],
            "dev": [{"files": ["train.conllu"]}],
            "training": {"epochs": 1},
        }
    )
    run = Run.load(config, tmp_path, tmp_path / "upos", None, lambda _: None)
    run.trainer().run()
    built = build_model(
        tmp_path / "all.safetensors", [str(place / "run"), str(tmp_path / "upos")]
    )
    model = NativeModel(built)
    assert {*model.resources("multiwords")} == {"always", "never"}
    assert model.info["tokenizer"] == "learned" and model.info["tasks"] == ["upos"]
    result = run_command("model", "info", built)
    assert b"tokenizer: learned" in result.stdout
    summary = json.loads(run_command("model", "info", "--json", built).stdout)
    assert summary["tasks"] == summary["default_tasks"] == ["upos"]
    tagged = run_command(
        "tag", "--path", built, stdin=b"Dr. Li sees in fact Rome. He\n"
    )
    words = [line for line in tagged.stdout.splitlines() if line]
    assert len(words) == 7


def test_jobs_find_the_same(place):
    command = "senna-py", "tokenize", "--path", place / "run"
    text = b"Dr. Li sees in fact Rome. He sees dela dog(12)!\n" * 4000
    outputs = [run_command(*command, "--jobs", jobs, stdin=text) for jobs in ("1", "3")]
    assert outputs[0].stdout == outputs[1].stdout
    assert outputs[0].stdout.count(b"\n") == 8000


def test_the_end_of_a_file_may_be_dev(tmp_path):
    (tmp_path / "train.conllu").write_text(treebank(100, 1, paragraphs=False))
    config = Config.of(
        {
            "task": "tokens",
            "train": [{"files": ["train.conllu"], "part": [0.0, 0.9]}],
            "dev": [{"files": ["train.conllu"], "part": [0.9, 1.0]}],
        }
    )
    data = Run.load(config, tmp_path, tmp_path / "run", None, lambda _: None).data
    ends = [
        sum(label.endswith("S") for label in each.gold["tokens"].layer.texts())
        for each in (data.train, data.dev)
    ]
    assert ends == [90, 10] and len(data.dev) > 1


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"task": "", "tasks": ["tokens", "upos"]}, 'alone: task = "tokens"'),
        ({"train": [{"files": ["a.tsv"], "columns": ["word"]}]}, "CoNLL-U files"),
        ({"features": {"gap": 4}}, "the first must be form"),
        ({"features": {"form": 4, "sentence.caps": 4}}, "features of the form"),
        ({"network": {"approach": "window"}}, "need network.approach"),
    ],
)
def test_what_cannot_be_learned(changes, problem):
    values = {
        "task": "tokens",
        "train": [{"files": ["a.conllu"]}],
        "dev": [{"files": ["a.conllu"]}],
    }
    with pytest.raises(SennaError, match=problem):
        Config.of(values | changes)


def test_rules_may_be_a_feature(tmp_path):
    features = {"form": 8, "gap": 2, "rules.unicode": 2}
    learn_tokens(tmp_path, features=features)
    model = NativeModel(tmp_path / "run")
    assert model.finder.rules == "unicode"
    tokenizer = learned_tokenizer(tmp_path / "run")
    text = "He sees dela dog(12)! " * 3000  # in several pieces
    found = sentences(tokenizer, text)
    assert found == [["He", "sees", "dela", "dog", "(", "12", ")", "!"]] * 3000
    with fixed_kernels(plain=True):
        assert sentences(tokenizer, text[:220]) == found[:10]
