"""A long line without an end of a sentence: work that grows with it, not with its
square.
"""

import sys
import tracemalloc

import numpy as np
import pytest

import senna_py.tagger
from senna_py.answers.joining import concatenate
from senna_py.answers.layer import Layer
from senna_py.answers.reading import sentences_of_lines
from senna_py.corpora.places import BatchPlace
from senna_py.formats.registry import FORMATS
from senna_py.kernels.runtime.switch import fixed_kernels
from senna_py.labels.tasks import find_task
from senna_py.tagger import Tagger
from tests.helpers.commands import MODEL

TASKS = "pos", "ner", "srl", "psg"


@pytest.fixture(scope="module")
def tagger():
    tagger = Tagger(MODEL, TASKS, predicates="given")
    tagger.cut_sentences(8)
    return tagger


def annotate(tagger, n_words):
    """What is found in a line of one word, a predicate each time."""
    tokens = tagger.tokenizer.lines(b"eats " * n_words).cut(tagger.longest_sentence)
    with fixed_kernels(plain=False):
        return tagger.annotate(tokens, np.ones(n_words, bool))


def n_steps(function, *arguments):
    """How many lines of code a function runs."""
    count, before = 0, sys.gettrace()

    def trace(frame, event, _):
        nonlocal count
        count += event == "line"
        return trace

    sys.settrace(trace)
    try:
        function(*arguments)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.slow
@pytest.mark.parametrize("name", ["html", "conllu", "jsonl"])
def test_work_follows_the_line(tagger, name):
    printer = FORMATS[name].load()(tagger)
    short, long = (
        n_steps(printer.format, annotate(tagger, n), BatchPlace("x"))
        for n in (500, 2000)
    )
    assert short < long < 5 * short


def test_a_line_is_tagged_in_parts_with_the_same_answers(tagger, monkeypatch):
    whole, sizes, run = annotate(tagger, 100), [], Tagger._run

    def counted(self, tokens, *arguments):
        sizes.append(len(tokens))
        return run(self, tokens, *arguments)

    monkeypatch.setattr(senna_py.tagger, "_WORDS_AT_ONCE", 30)
    monkeypatch.setattr(Tagger, "_run", counted)
    found = annotate(tagger, 100)
    assert sizes == [24, 24, 24, 28]  # whole sentences
    for task in TASKS:
        assert whole.layers[task] == found.layers[task]
    for name in ("senna", "jsonl", "html"):
        printer = FORMATS[name].load()(tagger)
        assert printer.format(whole, BatchPlace("x")) == printer.format(
            found, BatchPlace("x")
        )


def test_scores_are_joined(monkeypatch):
    scored = Tagger(MODEL, ("pos", "chk", "srl"), predicates="given", with_scores=True)
    scored.cut_sentences(4)
    text = "He eats fish . " * 20
    whole = scored(text, predicates=range(1, 80, 4))
    monkeypatch.setattr(senna_py.tagger, "_WORDS_AT_ONCE", 7)
    found = scored(text, predicates=range(1, 80, 4))
    assert found == whole
    assert found.scores == whole.scores
    assert len(found.frames) == 20


@pytest.mark.parametrize("shares", [None, np.float32([0.5, 0.25, 1])])
def test_arcs_are_joined(shares):
    head, labels = np.int32([-1, 0, -1]), np.int32([1, 2, 1])

    def layer(a, b):
        score = None if shares is None else shares[a:b]
        return Layer(
            find_task("dep"), "abc", labels[a:b], anchor=head[a:b], score=score
        )

    assert concatenate([layer(0, 2), layer(2, 3)], [2, 1]) == layer(0, 3)


@pytest.mark.slow
def test_frames_of_a_line_take_the_memory_of_one(tagger):
    """...and no name for each word beside each predicate."""
    (sentence,) = sentences_of_lines(annotate(tagger, 1 << 14))
    tracemalloc.start()
    frames = sentence.frames
    kept, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(frames) == 1 << 14
    # Bytes; references to the names alone would be twice as many.
    assert most - kept < 32 << 14
