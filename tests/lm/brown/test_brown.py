"""Brown clustering: words and bigrams, planted classes, saving and going on, what comes
out.
"""

from itertools import pairwise
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.errors import SennaError
from senna_py.lm.brown.clustering import BrownClustering, Words, bigrams, read_words
from senna_py.lm.text.corpus import Preparation, prepare
from senna_py.training.run import TrainingRun


def words_of(tokens):
    """Words of a list of str."""
    types, index, counts = np.unique(tokens, return_inverse=True, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    place = np.argsort(order)
    return Words(types[order].tolist(), counts[order], place[index].astype(np.int32))


def random_words(n_words=60, length=2000, seed=0):
    rng = np.random.default_rng(seed)
    p = 1 / np.arange(1, n_words + 1)
    return words_of([f"w{i}" for i in rng.choice(n_words, length, p=p / p.sum())])


def planted(n_sentences=400):
    """Sentences of three classes of words, each word after any of the class before
    it.
    """
    rng = np.random.default_rng(1)
    parts = [
        ["the", "a", "this"],
        ["dog", "cat", "cow", "man"],
        ["sees", "hears", "bites"],
    ]
    return [str(rng.choice(part)) for _ in range(n_sentences) for part in parts], parts


def clustered(words, n_classes):
    """A BrownClustering to its end."""
    with TemporaryDirectory() as directory:
        run = TrainingRun(BrownClustering(words, n_classes), directory)
        assert run.run()
    return run.trainable


def test_planted_classes_are_found():
    """Merged one by one, words of one class come together before any others do."""
    tokens, parts = planted()
    clustering = clustered(words_of(tokens), 10)
    path_of = {word: path for path, word, _ in clustering.rows()}
    for part in parts:
        shared = path_of[part[0]]
        while not all(path_of[word].startswith(shared) for word in part):
            shared = shared[:-1]
        assert {word for word in path_of if path_of[word].startswith(shared)} == set(
            part
        )


def test_paths_are_those_of_a_tree():
    clustering = clustered(random_words(), 9)
    paths = clustering.paths()
    assert len(set(paths)) == 9
    for path in paths:
        # What begins like it goes on both ways, or it is the whole path.
        for length in range(len(path)):
            following = {
                other[length] for other in paths if other[:length] == path[:length]
            }
            assert following == {"0", "1"}
    assert not any(a != b and b.startswith(a) for a in paths for b in paths)


def test_every_word_a_class():
    clustering = BrownClustering(words_of(list("abcab")), 1000)
    assert clustering.finished()
    assert sorted(row[1:] for row in clustering.rows()) == [
        ("a", 2),
        ("b", 2),
        ("c", 1),
    ]


def test_one_class():
    clustering = clustered(words_of(list("aab")), 1)
    assert clustering.rows() == [("0", "a", 2), ("0", "b", 1)]
    assert clustering.information() == pytest.approx(0)


def test_information():
    # Each word tells the next: log2(3) bits, but for the ends.
    clustering = BrownClustering(words_of(list("abc") * 1000), 3)
    assert clustering.information() == pytest.approx(np.log2(3), abs=1e-3)


def test_a_run_on_other_words_is_not_resumed(tmp_path):
    TrainingRun(BrownClustering(random_words(), 7), tmp_path).run(time_limit=0)
    with pytest.raises(
        SennaError, match=r"checkpoint\.npz: made with other (words|text)"
    ):
        TrainingRun(BrownClustering(random_words(seed=1), 7), tmp_path).resume()


@pytest.fixture
def text(write):
    return write("a b a\nB <unk> 12 a\n\n34 b\n")


def spelled(words):
    return " ".join("|" if i < 0 else words.words[i] for i in words.stream)


def test_sentences(text):
    words = read_words([text])
    assert words.words == ["a", "b", "12", "34", "B"]
    assert words.counts.tolist() == [3, 2, 1, 1, 1]
    assert spelled(words) == "a b a | B | 12 a | | 34 b |"


def test_one_stream(text):
    assert spelled(read_words([text, text], one_stream=True)) == " ".join(
        ["a b a B | 12 a 34 b"] * 2
    )


def test_look_up_forms(text):
    words = read_words([text], lower=True)
    assert words.words == ["a", "b", "0"]
    assert spelled(words) == "a b a | b | 0 a | | 0 b |"


def test_fewer_words(text, write):
    assert spelled(read_words([text], min_count=2)) == "a b a | | | | a | | | b |"
    assert spelled(read_words([text], size=1)) == "a | a | | | | a | | | | |"
    vocabulary = write("B\n34\nc\n", "list")
    assert (
        spelled(read_words([text], vocabulary=vocabulary))
        == "| | | | B | | | | | 34 | |"
    )


def test_less_text(text):
    words = read_words([text], limit=4)
    assert spelled(words) == "a b a | B"
    assert words.counts.tolist() == [2, 1, 1]
    assert spelled(read_words([text], limit=99)) == spelled(read_words([text]))


def test_a_prepared_corpus(write, tmp_path):
    raw = write("See Rome 3 times. See it!\nRome, rome.\n")
    prepare([raw], tmp_path / "c", Preparation(min_count=2), 1)
    words = read_words([tmp_path / "c"])
    assert words.words == ["rome", ".", "see"]
    assert spelled(words) == "see rome | | . | see | | | rome | rome . |"
    assert spelled(read_words([tmp_path / "c"], limit=6)) == "see rome | | . | see"
    assert spelled(read_words([tmp_path / "c"], one_stream=True, min_count=3)) == (
        "| rome | | | | | | rome | rome |"
    )


@given(st.lists(st.integers(-1, 4), min_size=2, max_size=40))
def test_bigrams(stream):
    table = np.zeros((5, 5), int)
    for first, second in pairwise(stream):
        if first >= 0 and second >= 0:
            table[first, second] += 1
    if not table.any():
        return
    found = bigrams(np.array(stream, np.int32), 5)
    for start, other, count, expected in (
        (found.next_start, found.next_word, found.next_count, table),
        (found.previous_start, found.previous_word, found.previous_count, table.T),
    ):
        again = np.zeros_like(table)
        for word in range(5):
            for e in range(start[word], start[word + 1]):
                again[word, other[e]] += count[e]
        assert np.array_equal(again, expected)
        assert (count > 0).all()
