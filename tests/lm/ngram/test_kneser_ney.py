"""N-grams against their formulas: Kneser-Ney, interpolated, of classes; streams in
parts; EM.
"""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from senna_py.errors import SennaError
from senna_py.lm.ngram.classes import read_classes, train_class_model
from senna_py.lm.ngram.interpolated import (
    frequency_bins,
    learn_weights,
    train_interpolated,
)
from senna_py.lm.ngram.kneser_ney import FALLBACK, discounts, train_kneser_ney
from tests.helpers.plain_ngrams import (
    BEGIN,
    PlainInterpolated,
    PlainKneserNey,
    contexts,
    word_list,
)


def streams(marks, n_words=8):
    """Streams of word indices; with marks, of sentences."""
    first = 3 if marks else 0
    words = st.lists(
        st.sampled_from([0, *range(first, n_words)]), min_size=1, max_size=8
    )
    if not marks:
        return st.lists(words, min_size=1, max_size=12).map(
            lambda x: [*itertools.chain(*x)]
        )
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


@pytest.mark.slow
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
    model = train_kneser_ney(
        np.array(train, np.int32), 3, word_list(150, marks), notes.append
    )
    assert notes == []
    plain = PlainKneserNey(train, 3, 150, marks, None)
    expected = [plain.discounts[k] for k in (1, 2, 3)]
    np.testing.assert_allclose(model.info["discounts"], expected, atol=1e-6)
    test = train[:40] + train[::-1][2:20]
    found = model.log10_probabilities(np.array(test, np.int32))
    np.testing.assert_allclose(found, plain.log10_probabilities(test), atol=2e-6)


def test_too_little_text_is_noted():
    notes = []
    model = train_kneser_ney(
        np.array([1, 3, 2], np.int32), 2, word_list(4, True), notes.append
    )
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
    "interpolated": lambda train, *given: train_interpolated(
        train, train[:100], *given
    ),
    "classes": lambda train, *given: train_class_model(
        train, train[:0], *given, CLASSES
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_stream_without_marks_in_parts(kind):
    train = np.array(large_stream(False), np.int32)
    model = KINDS[kind](train, 4, word_list(30, False))
    scorer = model.scorer()
    parts = [scorer.take(part) for part in np.array_split(train, 97)]
    assert np.concatenate(parts).tolist() == model.log10_probabilities(train).tolist()


def trained(marks, order=3):
    train, valid = large_stream(marks), large_stream(marks, n_lines=60)[::-1]
    if marks:
        valid = large_stream(marks, n_lines=90)[-300:]
        valid = valid[valid.index(BEGIN) :]
    arrays = (np.array(stream, np.int32) for stream in (train, valid))
    return train, valid, train_interpolated(*arrays, order, word_list(30, marks))


def test_an_impossible_word_gives_no_warning():
    _, valid, model = trained(True)
    model.weights[:] = 0
    with np.errstate(divide="raise"):
        found = model.log10_probabilities(np.array(valid, np.int32))
    assert (found[np.array(valid) != BEGIN] == -np.inf).all()


@pytest.mark.parametrize("marks", [True, False])
@pytest.mark.parametrize("order", [2, 3])
def test_probabilities_are_those_of_the_formula(marks, order):
    train, valid, model = trained(marks, order)
    plain = PlainInterpolated(train, order, 30, marks, model.weights.tolist())
    assert model.size == plain.size
    found = model.log10_probabilities(np.array(valid, np.int32))
    bins = model.bins(np.array(valid, np.int32))
    for word, context, value, bin_ in zip(
        valid, contexts(valid, order, marks), found, bins, strict=True
    ):
        if marks and word == BEGIN:
            assert value == 0
            continue
        assert 10**value == pytest.approx(plain.probability(word, context), rel=1e-5)
        assert bin_ == plain.bin(context)


def test_bins_are_those_of_footnote_4():
    assert frequency_bins(
        np.array([0, 1, 2, 100, 799_999, 10**7]), 800_000
    ).tolist() == [
        14,
        13,
        13,
        9,
        0,
        0,
    ]


def test_em_never_lowers_the_likelihood_and_finds_the_better_part():
    rng = np.random.default_rng(1)
    parts = rng.random((400, 3))
    bins = rng.integers(0, 2, 400)
    parts[bins == 1, 2] += 3
    weights, course = learn_weights(parts, bins, 3)
    assert (np.diff(course) > -1e-12).all()
    assert course[-1] > course[0]
    np.testing.assert_allclose(weights.sum(1), 1)
    assert weights[1, 2] > 0.95
    pooled = (weights[:2] * np.bincount(bins)[:, None]).sum(0) / 400
    np.testing.assert_allclose(weights[2], pooled, atol=0.05)  # no word is in bin 2


def test_a_stream_longer_than_a_piece(monkeypatch):
    train, _, model = trained(True)
    whole = model.log10_probabilities(np.array(train, np.int32))
    monkeypatch.setattr("senna_py.lm.ngram.interpolated._PIECE", 7)
    assert (
        model.log10_probabilities(np.array(train, np.int32)).tolist() == whole.tolist()
    )


def test_no_held_out_text():
    with pytest.raises(SennaError, match="give --valid"):
        train_interpolated(
            np.array([1, 2]), np.empty(0, np.int32), 3, word_list(3, False)
        )


NONE = np.empty(0, np.int32)


def classes_of(n_words, n_classes, first):
    """Classes of the words from `first` on but the last two, by their number."""
    return {
        b"w%d" % (i - first): b"%d" % int(bin(i % n_classes)[2:])
        for i in range(first, n_words - 2)
    }


@pytest.mark.parametrize("marks", [True, False])
@pytest.mark.parametrize("unknown_has_class", [True, False])
def test_probabilities_are_class_times_share(marks, unknown_has_class):
    train, words = large_stream(marks), word_list(30, marks)
    classes = classes_of(30, 4, 3 if marks else 1)
    if unknown_has_class:
        classes[b"<unk>"] = b"10"
    notes = []
    model = train_class_model(
        np.array(train, np.int32), NONE, 3, words, classes, notes.append
    )
    assert any(note.startswith("2 of 30 words have no class") for note in notes)
    name_of = [classes.get(word, classes.get(b"<unk>", b"?")) for word in words.index]
    if marks:
        name_of[1:3] = [b"<s>", b"</s>"]
    number = {b"<s>": BEGIN, b"</s>": 2} if marks else {}
    for name in [name_of[0], *name_of]:
        number.setdefault(
            name, 0 if name == name_of[0] else max(number.values(), default=0) + 1
        )
    class_of = [number[name] for name in name_of]
    n_classes = len(set(class_of))
    plain = PlainKneserNey([class_of[w] for w in train], 3, n_classes, marks, FALLBACK)
    counts = np.bincount(train, minlength=30) + 0.5
    test = train[:50]
    expected = plain.log10_probabilities([class_of[w] for w in test])
    for i, w in enumerate(test):
        if not (marks and w == BEGIN):
            same = [v for v in range(30) if class_of[v] == class_of[w]]
            expected[i] += np.log10(counts[w] / counts[same].sum())
    found = model.log10_probabilities(np.array(test, np.int32))
    np.testing.assert_allclose(found, expected, atol=2e-6)


def test_what_is_added_to_counts_is_learned():
    train, words = np.array(large_stream(True), np.int32), word_list(30, True)
    held_out = np.array(large_stream(True, n_lines=30)[::-1], np.int32)
    classes = classes_of(30, 4, 3)
    learned = train_class_model(train, held_out, 3, words, classes)
    plain = train_class_model(train, NONE, 3, words, classes)
    assert learned.share[held_out].sum() > plain.share[held_out].sum()
    assert learned.info["added to counts of words"] != 0.5
    assert plain.info["added to counts of words"] == 0.5
    np.testing.assert_allclose(
        np.bincount(learned.class_of, 10.0**learned.share), 1, atol=1e-5
    )


def test_a_file_of_classes(write):
    text = b"0\tthe\t12\r\n101\tcat\t3\n101\td\xc3\xb6g\nx\xff\t\xff\n"
    assert read_classes(write(text)) == {
        b"the": b"0",
        b"cat": b"101",
        "dög".encode(): b"101",
        b"\xff": b"x\xff",
    }


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("0\tthe\n1\ta\n1\tthe\n", r"line 3: 'the' has a class already"),
        ("<s>\tthe\n", r"line 1: a class cannot be called <s>"),
        ("", r"no classes in this file"),
    ],
)
def test_bad_files_of_classes(write, text, problem):
    with pytest.raises(SennaError, match=problem):
        read_classes(write(text))
