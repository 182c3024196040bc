"""Probabilities of tags as they are printed, and read again."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.corpora.places import Place
from senna_py.labels.tasks import find_task
from senna_py.networks.answers import RoleLabels, SpanShares, TreeLabels, WordLabels
from senna_py.networks.batch import WordBatch
from senna_py.printers.probabilities import ProbabilityPrinter
from senna_py.tagger import Annotations
from senna_py.tagging.soft_labels import parse_shares
from senna_py.text.tokens import Tokenizer
from senna_py.text.vocabulary import Vocabulary

TOKENIZER = Tokenizer(Vocabulary.from_keys(["PADDING", "UNKNOWN"]))


def printed(labels, sentences, shares, least=0.0, task="pos", predicates=()):
    tagger = SimpleNamespace(
        tasks=(task,), task=find_task, labels=lambda task: Vocabulary.from_keys(labels)
    )
    tokens = TOKENIZER.pretokenized(sentences)
    batch = WordBatch(None, tokens.starts).of_predicates(np.array(predicates, np.int32))
    if task == "psg":
        answer = TreeLabels.of(batch, probabilities=shares)
    else:
        kind = RoleLabels if task == "srl" else WordLabels
        answer = kind.of(batch, probabilities=np.array(shares, np.float32))
    found = Annotations(tokens, {task: answer})
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


def test_roles_have_a_column_for_each_predicate():
    words = [["He", "does"], ["no"], ["try", "ing"]]
    shares = [[1, 0], [0.25, 0.75], [0, 1], [0.5, 0.5], [1, 0], [0.9, 0.1]]
    assert printed(["O", "S-V"], words, shares, task="srl", predicates=[1, 3, 4]) == (
        "He\t-\tO:1\ndoes\tdoes\tS-V:0.75,O:0.25\n\nno\t-\n\n"
        "try\ttry\tS-V:1\tO:1\ning\ting\tO:0.5,S-V:0.5\tO:0.9,S-V:0.1\n\n"
    )
    some = printed(["O", "S-V"], words, shares, 0.6, task="srl", predicates=[1, 3, 4])
    assert some.startswith("He") and some.endswith("no\t-\n\n")


def test_words_have_the_constituents_that_begin_there():
    spans = SpanShares(*(np.array(column, np.int32) for column in (
        [0, 0, 0, 2, 3, 3], [1, 2, 2, 3, 4, 5], [0, 0, 1, 1, 0, 1])),
        np.array([0.99, 0.25, 0.5, 1, 0.06, 0.9], np.float32))  # fmt: skip
    words = [["a", "b"], ["c"], ["d", "e"]]
    labels = ["", "(NP", "", "", "(NP", "(S(VP", "", "", "(S(VP"]
    assert printed(labels, words, spans, task="psg") == (
        "a\tNP/1:0.99,S(VP/2:0.5,NP/2:0.25\nb\t-\n\nc\tS(VP/1:1\n\n"
        "d\tS(VP/2:0.9,NP/1:0.06\ne\t-\n\n"
    )
    least = [printed(labels, words, spans, p, task="psg").count("\n\n") for p in (0.4, 0.6, 0.95)]
    assert least == [3, 2, 1]
    assert printed(labels, words[1:2], SpanShares.none(), task="psg") == "c\t-\n\n"


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
