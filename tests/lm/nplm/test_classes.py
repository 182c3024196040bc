import numpy as np
import pytest

from senna_py.errors import SennaError
from senna_py.lm.nplm.classes import classes_by_frequency, classes_of_file
from senna_py.lm.word_list import WordList


@pytest.mark.parametrize("n_classes", [1, 2, 7, 50, 500])
def test_classes_by_frequency_have_words_and_equal_shares(n_classes):
    counts = (1000 / np.arange(1, 301)).astype(np.int64)
    np.random.default_rng(0).shuffle(counts)
    classes = classes_by_frequency(counts, n_classes)
    assert set(classes.tolist()) == set(range(classes.max() + 1))
    assert classes.max() < min(n_classes, 300)
    share = np.bincount(classes, np.sqrt(counts + 0.5))
    if n_classes == 7:
        assert len(share) == 7 and share.max() < 1.5 * share.mean()
    order = np.argsort(-counts, kind="stable")
    assert (np.diff(classes[order]) >= 0).all()


def test_classes_of_a_file(write):
    path = write("001\tcat\t7\n001\tdog\t3\n01\tsees\t9\n1\telsewhere\t1\n")
    words = WordList.of_words(["dog", "cat", "sees", "milk", "corn"], False)
    classes = dict(zip(words.words, classes_of_file(path, words).tolist(), strict=True))
    assert classes["cat"] == classes["dog"] != classes["sees"]
    assert classes["milk"] == classes["corn"]
    assert len({classes[word] for word in ("cat", "sees", "milk", "<unk>")}) == 4
    assert sorted(set(classes.values())) == [0, 1, 2, 3]
    with pytest.raises(SennaError, match="none of its words"):
        classes_of_file(path, WordList.of_words(["ant"], False))
