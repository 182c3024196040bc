"""Brown clustering: planted classes, saving and going on, and what comes out."""

from tempfile import TemporaryDirectory

import numpy as np
import pytest

from senna_py.errors import SennaError
from senna_py.lm.brown.clustering import BrownClustering, Words
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
    """Sentences of three classes of words, each word after any of the class before it."""
    rng = np.random.default_rng(1)
    parts = [["the", "a", "this"], ["dog", "cat", "cow", "man"], ["sees", "hears", "bites"]]
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
        assert {word for word in path_of if path_of[word].startswith(shared)} == set(part)


def test_paths_are_those_of_a_tree():
    clustering = clustered(random_words(), 9)
    paths = clustering.paths()
    assert len(set(paths)) == 9
    for path in paths:
        # What begins like it goes on both ways, or it is the whole path.
        for length in range(len(path)):
            following = {other[length] for other in paths if other[:length] == path[:length]}
            assert following == {"0", "1"}
    assert not any(a != b and b.startswith(a) for a in paths for b in paths)


def test_every_word_a_class():
    clustering = BrownClustering(words_of(list("abcab")), 1000)
    assert clustering.finished()
    assert sorted(row[1:] for row in clustering.rows()) == [("a", 2), ("b", 2), ("c", 1)]


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
    with pytest.raises(SennaError, match=r"checkpoint\.npz: made with other (words|text)"):
        TrainingRun(BrownClustering(random_words(seed=1), 7), tmp_path).resume()
