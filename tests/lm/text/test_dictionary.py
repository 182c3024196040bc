"""Dictionaries: which words of a corpus are in one, and what one knows of labelled files."""

import numpy as np
import pytest

from senna_py.lm.text.corpus import Preparation, prepare
from senna_py.lm.text.dictionary import dictionary_of


@pytest.fixture(scope="module")
def forms(tmp_path_factory):
    """A corpus of two files, nothing of which is held out."""
    directory = tmp_path_factory.mktemp("text")
    (directory / "a.txt").write_text("Dogs eat 12 bones\n" * 4 + "dogs eat fish\n" * 2)
    (directory / "b.txt").write_text("cats eat fish\n" * 3)
    files = [directory / "a.txt", directory / "b.txt"]
    corpus = prepare(files, directory / "forms", Preparation("form"), 1)
    assert not len(corpus.valid)
    return corpus


def counts_of(found):
    return dict(zip(found.words, found.counts.tolist(), strict=True))


def test_words_are_counted_as_often_as_a_pass_reads_them(forms):
    found = dictionary_of(forms, [1, 2.5])
    assert counts_of(found) == {
        "PADDING": 0, "UNKNOWN": 0, "eat": 13.5, "fish": 9.5, "cats": 7.5, "dogs": 6,
        "0": 4, "bones": 4,
    }  # fmt: skip
    assert found.words[2:4] == ["eat", "fish"]
    assert found.place[:2].tolist() == [0, 1]
    for form, place in zip(forms.words[2:], found.place[2:], strict=True):
        assert found.words[place] == ("0" if form == "12" else form.lower())


def test_rare_words_are_unknown_whatever_their_weight(forms):
    found = dictionary_of(forms, [0.5, 100], min_count=4)
    assert counts_of(found) == {
        "PADDING": 0, "UNKNOWN": 300, "eat": 303, "fish": 301, "dogs": 3, "0": 2, "bones": 2,
    }  # fmt: skip
    assert found.place[forms.words.index("cats")] == 1


def test_wanted_words_come_before_more_frequent_ones(forms):
    words = dictionary_of(forms, [1, 1], {"bones", "cats", "mice"}, 5).words
    assert words == ["PADDING", "UNKNOWN", "eat", "bones", "cats"]
    words = dictionary_of(forms, [1, 1], {"bones", "cats"}, 5, min_count=4).words
    assert words == ["PADDING", "UNKNOWN", "eat", "dogs", "bones"]


def test_counts_of_files(forms):
    counts = np.array([*forms.file_counts()])
    assert counts.shape == (2, len(forms.words))
    assert np.array_equal(counts.sum(axis=0), forms.counts)
    assert counts[:, forms.words.index("fish")].tolist() == [2, 3]


def test_the_unknown_words_of_a_corpus_of_words_are_counted(forms, tmp_path):
    files = [path for path, *_ in forms.info["files"]]
    words = prepare(files, tmp_path / "words", Preparation(min_count=6), 1)
    assert words.words == ["PADDING", "UNKNOWN", "eat", "dogs"]
    of_words, of_forms = (dictionary_of(c, [1, 2.5], min_count=6) for c in (words, forms))
    assert counts_of(of_words) == counts_of(of_forms)
    assert of_words.place.tolist() == [0, 1, 2, 3]
