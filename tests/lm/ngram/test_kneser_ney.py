"""Modified Kneser-Ney against the formulas, with dictionaries; streams in parts, of all kinds."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from senna_py.lm.ngram.classes import train_class_model
from senna_py.lm.ngram.interpolated import train_interpolated
from senna_py.lm.ngram.kneser_ney import FALLBACK, discounts, train_kneser_ney
from tests.helpers.plain_ngrams import PlainKneserNey, word_list


def streams(marks, n_words=8):
    """Streams of word indices; with marks, of sentences."""
    first = 3 if marks else 0
    words = st.lists(st.sampled_from([0, *range(first, n_words)]), min_size=1, max_size=8)
    if not marks:
        return st.lists(words, min_size=1, max_size=12).map(lambda x: [*itertools.chain(*x)])
    return st.lists(words, min_size=1, max_size=12).map(
        lambda x: [*itertools.chain(*([1, *sentence, 2] for sentence in x))]
    )


def large_stream(marks, n_words=30, n_lines=300):
    """Text with counts of every size, so that discounts can be estimated."""
    rng = np.random.default_rng(3)
    first = 3 if marks else 1
    out = []
    for _ in range(n_lines):
        line = first + (rng.zipf(1.4, rng.integers(1, 9)) - 1) % (n_words - first - 2)
        out += [1, *line.tolist(), 2] if marks else line.tolist()
    return out


@settings(max_examples=60)
@given(data=st.data(), marks=st.booleans(), order=st.integers(2, 5))
def test_probabilities_are_those_of_the_formulas(data, marks, order):
    train, test = (data.draw(streams(marks)) for _ in range(2))
    model = train_kneser_ney(np.array(train, np.int32), order, word_list(8, marks))
    plain = PlainKneserNey(train, order, 8, marks, FALLBACK)
    found = model.log10_probabilities(np.array(test, np.int32))
    np.testing.assert_allclose(found, plain.log10_probabilities(test), atol=2e-6)


@pytest.mark.parametrize("marks", [True, False])
def test_estimated_discounts(marks):
    train = large_stream(marks, 150)
    notes = []
    model = train_kneser_ney(np.array(train, np.int32), 3, word_list(150, marks), notes.append)
    assert notes == []
    plain = PlainKneserNey(train, 3, 150, marks, None)
    expected = [plain.discounts[k] for k in (1, 2, 3)]
    np.testing.assert_allclose(model.info["discounts"], expected, atol=1e-6)
    test = train[:40] + train[::-1][2:20]
    found = model.log10_probabilities(np.array(test, np.int32))
    np.testing.assert_allclose(found, plain.log10_probabilities(test), atol=2e-6)


def test_too_little_text_is_noted():
    notes = []
    model = train_kneser_ney(np.array([1, 3, 2], np.int32), 2, word_list(4, True), notes.append)
    assert notes == [
        "order 1: too few rare n-grams to estimate discounts; 0.5, 1.0, 1.5 instead",
        "order 2: too few rare n-grams to estimate discounts; 0.5, 1.0, 1.5 instead",
    ]
    assert model.info["discounts"] == [[0.5, 1.0, 1.5]] * 2


def test_a_stream_shorter_than_the_order():
    model = train_kneser_ney(np.array([1], np.int32), 3, word_list(2, False))
    found = 10 ** model.log10_probabilities(np.array([1, 1, 0], np.int32))
    np.testing.assert_allclose(found, [0.75, 0.75, 0.25], atol=1e-6)


def test_discounts_by_equation_26():
    counts = np.repeat([1, 2, 3, 4, 9], [40, 20, 10, 6, 3])
    y = 40 / 80
    expected = (1 - 2 * y * 20 / 40, 2 - 3 * y * 10 / 20, 3 - 4 * y * 6 / 10)
    assert discounts(counts) == pytest.approx(expected)
    assert discounts(counts[counts != 3]) is None
    assert discounts(np.repeat([1, 2, 3, 4], [4, 1, 1, 9])) is None  # below 0


CLASSES = {b"w%d" % i: b"%d" % (i % 5) for i in range(25)}
KINDS = {
    "Kneser-Ney": train_kneser_ney,
    "interpolated": lambda train, *given: train_interpolated(train, train[:100], *given),
    "classes": lambda train, *given: train_class_model(train, train[:0], *given, CLASSES),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_stream_without_marks_in_parts(kind):
    train = np.array(large_stream(False), np.int32)
    model = KINDS[kind](train, 4, word_list(30, False))
    scorer = model.scorer()
    parts = [scorer.take(part) for part in np.array_split(train, 97)]
    assert np.concatenate(parts).tolist() == model.log10_probabilities(train).tolist()
