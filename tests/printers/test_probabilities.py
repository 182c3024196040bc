"""Probabilities of tags as they are printed, and read again."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.corpora.places import Place
from senna_py.errors import UsageError
from senna_py.labels.tasks import find_task
from senna_py.printers.probabilities import ProbabilityPrinter
from senna_py.tagger import Annotations
from senna_py.tagging.soft_labels import parse_shares
from senna_py.text.tokens import Tokenizer
from senna_py.text.vocabulary import Vocabulary

TOKENIZER = Tokenizer(Vocabulary.from_keys(["PADDING", "UNKNOWN"]))


def printed(labels, sentences, shares, least=0.0, task="pos"):
    tagger = SimpleNamespace(
        tasks=(task,), task=find_task, labels=lambda task: Vocabulary.from_keys(labels)
    )
    found = Annotations(TOKENIZER.pretokenized(sentences))
    found.probabilities["pos"] = np.array(shares, np.float32)
    return ProbabilityPrinter(tagger, least).print(found, Place("x")).decode()


def test_what_is_printed():
    shares = [[0.07, 0.93, 0], [1, 0, 0], [0.5, 0.492, 0.008]]
    assert printed(["NN", "NNP", ":"], [["Rome"], ["é", "."]], shares) == (
        "Rome\tNNP:0.93,NN:0.07\n\né\tNN:1\n.\tNN:0.504,NNP:0.496\n\n"
    )


def test_sentences_that_are_not_certain_are_left_out():
    shares = [[0.9, 0.1], [0.5, 0.5], [0.75, 0.25]]
    words = [["a"], ["b", "c"]]
    assert printed("xy", words, shares, 0.9) == "a\tx:0.9,y:0.1\n\n"
    assert printed("xy", words, shares, 0.5).count("\n") == 5
    assert printed("xy", words, shares, 0.95) == ""


def test_nothing():
    assert printed("xy", [], np.empty((0, 2))) == ""


def test_roles_have_no_probabilities():
    with pytest.raises(UsageError, match="srl does not label single words"):
        printed("xy", [["a"]], [[0.5, 0.5]], task="srl")


@given(st.integers(1, 300), st.integers(0, 99), st.sampled_from([0.1, 1, 10]))
def test_what_is_printed_is_read_again(n_labels, seed, spread):
    rng = np.random.default_rng(seed)
    labels = [":", ",", "$", "''", "B-X:Y"][:n_labels] + [f"L{k}" for k in range(5, n_labels)]
    scores = np.exp(spread * rng.standard_normal((4, n_labels)))
    shares = scores / scores.sum(axis=1, keepdims=True)
    lines = printed(labels, [["a", "b"], ["c", "d"]], shares).split("\n")
    cells = [line.split("\t")[1] for line in lines if line]
    for cell, row in zip(cells, shares, strict=True):
        found, kept = parse_shares(cell), np.where(row >= 0.01, row, 0)
        assert labels.index(found[0][0]) == row.argmax()
        if kept.any():
            kept /= kept.sum()
            for label, share in found:
                assert share == pytest.approx(kept[labels.index(label)], abs=3e-4)
            assert len(found) == (kept > 0).sum()
