"""Tokenizers of treebanks: learned ones, with and without a splitter of sentences."""

import pytest

from senna_py.corpora.raw_text import read_paragraphs
from senna_py.models.build import build_model
from senna_py.treebanks.tokenization import learned_tokens, with_splitter
from tests.helpers.commands import run
from tests.helpers.small_treebanks import learn_tokens


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Directory with a treebank, and `run`, a learned tokenizer."""
    place = tmp_path_factory.mktemp("tokens")
    learn_tokens(place)
    return place


def test_a_splitter_finds_the_sentences_of_learned_tokens(place):
    train = [*read_paragraphs(place / "train.conllu")]
    learned = learned_tokens(place / "run", train)
    split = with_splitter(learned, train)
    text = b"Dr. Li sees Rome. He sees dela dog!\nAnna sees cat"
    expected = [
        "Dr. Li sees Rome .",
        "He sees de la dog !",
        "Anna sees cat",
    ]
    for tokenizer in (learned, split):
        assert [" ".join(words) for words in tokenizer.sentences(text)] == expected
        assert [*tokenizer.sentences(b"")] == []
    dev = [*read_paragraphs(place / "dev.conllu")]
    assert split.score(dev).words == learned.score(dev).words
    assert split.score(dev).sentences > 95


def test_a_model_with_a_splitter(place, tmp_path):
    """The splitter of a model replaces the sentences that the network finds."""
    train = [*read_paragraphs(place / "train.conllu")]
    split = with_splitter(learned_tokens(place / "run", train), train).tokenizer
    path = tmp_path / "model.safetensors"
    build_model(path, [str(place / "run")], splitter=split.splitter)
    text = b"Dr. Li sees Rome. He sees dog!\n" * 300
    outputs = {
        run("senna-py", "tokenize", "--path", path, "--jobs", jobs, stdin=text).stdout
        for jobs in ("1", "3")
    }
    assert outputs == {b"Dr. Li sees Rome .\nHe sees dog !\n" * 300}
