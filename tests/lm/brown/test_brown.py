"""Brown clustering: planted classes, saving and going on, and what comes out."""

from collections import Counter

import numpy as np
import pytest

from senna_py.errors import SennaError
from senna_py.lm.brown.clustering import BrownClustering
from senna_py.lm.brown.words import Words
from senna_py.models.checkpoint import read_arrays, write_arrays


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


def test_planted_classes_are_found():
    """Merged one by one, words of one class come together before any others do."""
    tokens, parts = planted()
    clustering = BrownClustering(words_of(tokens), 10)
    clustering.run()
    path_of = {word: path for path, word, _ in clustering.rows()}
    for part in parts:
        shared = path_of[part[0]]
        while not all(path_of[word].startswith(shared) for word in part):
            shared = shared[:-1]
        assert {word for word in path_of if path_of[word].startswith(shared)} == set(part)


def test_rows_are_words_by_path_and_count():
    tokens, _ = planted()
    clustering = BrownClustering(words_of(tokens), 5)
    clustering.run()
    rows = clustering.rows()
    assert sorted((word, count) for _, word, count in rows) == sorted(Counter(tokens).items())
    assert len({path for path, _, _ in rows}) == 5
    assert rows == sorted(rows, key=lambda row: (row[0], -row[2]))


def test_paths_are_those_of_a_tree():
    clustering = BrownClustering(random_words(), 9)
    clustering.run()
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
    assert clustering.finished
    assert clustering.run()
    assert sorted(row[1:] for row in clustering.rows()) == [("a", 2), ("b", 2), ("c", 1)]


def test_one_class():
    clustering = BrownClustering(words_of(list("aab")), 1)
    clustering.run()
    assert clustering.rows() == [("0", "a", 2), ("0", "b", 1)]
    assert clustering.information() == pytest.approx(0)


def test_information():
    # Each word tells the next: log2(3) bits, but for the ends.
    clustering = BrownClustering(words_of(list("abc") * 1000), 3)
    assert clustering.information() == pytest.approx(np.log2(3), abs=1e-3)


def test_resumed_at_any_word_it_is_the_same(tmp_path):
    whole = BrownClustering(random_words(), 7)
    whole.run()
    for done in (0, 1, 30, 53):
        first = BrownClustering(random_words(), 7, tmp_path / "checkpoint.npz")
        first.step(done)
        first.save()
        second = BrownClustering(random_words(), 7, tmp_path / "checkpoint.npz")
        second.resume()
        assert second.run()
        assert np.array_equal(second.class_of, whole.class_of)
    assert second.rows() == whole.rows()


def test_stopped(tmp_path):
    clustering = BrownClustering(random_words(), 7, tmp_path / "checkpoint.npz")
    clustering.stop()
    assert not clustering.run()
    resumed = BrownClustering(random_words(), 7, tmp_path / "checkpoint.npz")
    resumed.resume()
    assert not resumed.finished
    assert not resumed.run(time_limit=0)
    assert (resumed.class_of >= 0).sum() == 7 + 16


def test_checkpoints_of_other_runs(tmp_path):
    path = tmp_path / "checkpoint.npz"
    BrownClustering(random_words(), 7, path).save()
    for words, n_classes, problem in (
        (random_words(), 8, r"made with other classes \(7, asked for 8\)"),
        (random_words(seed=1), 7, "made with other (words|text)"),
    ):
        with pytest.raises(SennaError, match=f"checkpoint.npz: {problem}"):
            BrownClustering(words, n_classes, path).resume()
    clustering = BrownClustering(random_words(), 7, path)
    clustering._class_of[3] = 99
    clustering.save()
    with pytest.raises(SennaError, match="damaged: not the classes of 60 words"):
        BrownClustering(random_words(), 7, path).resume()


def test_damaged_checkpoints(tmp_path):
    path = tmp_path / "checkpoint.npz"
    first = BrownClustering(random_words(), 7, path)
    first.step(20)
    first.save()
    meta, arrays = read_arrays(path)
    own = arrays["class_of"]
    late, fewer = own.copy(), np.where(own == 3, 2, own).astype(np.int32)
    late[-1] = 1
    for changed in (own[:-1], own[:, None], own.astype(float), own[0], late, fewer):
        write_arrays(path, meta, class_of=changed)
        with pytest.raises(SennaError, match=r"checkpoint\.npz: damaged: not (the )?classes of 60"):
            BrownClustering(random_words(), 7, path).resume()
    for header in ([], 3, meta | {"done": None}, meta | {"done": 99}, meta | {"done": True}):
        write_arrays(path, header, class_of=own)
        with pytest.raises(SennaError, match=r"checkpoint\.npz: (damaged|not a checkpoint)"):
            BrownClustering(random_words(), 7, path).resume()
    write_arrays(path, meta, class_of=own, more=own)
    with pytest.raises(SennaError, match="damaged"):
        BrownClustering(random_words(), 7, path).resume()


def test_checkpoint_that_cannot_be_written(tmp_path):
    lines = []
    (tmp_path / "file").write_text("")
    clustering = BrownClustering(random_words(), 7, tmp_path / "file" / "c.npz", lines.append)
    assert clustering.run(checkpoint_every=0, report_every=0)
    assert any("not written" in line and line.endswith("clustering goes on") for line in lines)
    assert any(line.startswith("100.0%  60 of 60 words") for line in lines)
    again = BrownClustering(random_words(), 7, tmp_path / "file" / "c.npz")
    with pytest.raises(SennaError, match="not written"):
        again.run(time_limit=0)
