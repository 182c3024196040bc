"""Class-based n-grams against their two factors; files of classes."""

import numpy as np
import pytest
from test_kneser_ney import large_stream

from senna_py.errors import SennaError
from senna_py.lm.ngram.classes import read_classes, train_class_model
from senna_py.lm.ngram.kneser_ney import FALLBACK
from tests.helpers.plain_ngrams import BEGIN, PlainKneserNey, word_list

NONE = np.empty(0, np.int32)


def classes_of(n_words, n_classes, first):
    """Classes of the words from `first` on but the last two, by their number."""
    return {
        b"w%d" % (i - first): b"%d" % int(bin(i % n_classes)[2:]) for i in range(first, n_words - 2)
    }


@pytest.mark.parametrize("marks", [True, False])
@pytest.mark.parametrize("unknown_has_class", [True, False])
def test_probabilities_are_class_times_share(marks, unknown_has_class):
    train, words = large_stream(marks), word_list(30, marks)
    classes = classes_of(30, 4, 3 if marks else 1)
    if unknown_has_class:
        classes[b"<unk>"] = b"10"
    notes = []
    model = train_class_model(np.array(train, np.int32), NONE, 3, words, classes, notes.append)
    assert any(note.startswith("2 of 30 words have no class") for note in notes)
    name_of = [classes.get(word, classes.get(b"<unk>", b"?")) for word in words.index]
    if marks:
        name_of[1:3] = [b"<s>", b"</s>"]
    number = {b"<s>": BEGIN, b"</s>": 2} if marks else {}
    for name in [name_of[0], *name_of]:
        number.setdefault(name, 0 if name == name_of[0] else max(number.values(), default=0) + 1)
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
    np.testing.assert_allclose(np.bincount(learned.class_of, 10.0**learned.share), 1, atol=1e-5)


def test_a_file_of_classes(write):
    text = b"0\tthe\t12\r\n101\tcat\t3\n101\td\xc3\xb6g\nx\xff\t\xff\n"
    assert read_classes(write(text)) == {
        b"the": b"0", b"cat": b"101", "dög".encode(): b"101", b"\xff": b"x\xff",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("0\tthe\n1\ta\n1\tthe\n", r"line 3: 'the' had a class before"),
        ("<s>\tthe\n", r"line 1: a class cannot be called <s>"),
        ("", r"no classes in this file"),
    ],
)
def test_bad_files_of_classes(write, text, problem):
    with pytest.raises(SennaError, match=problem):
        read_classes(write(text))
