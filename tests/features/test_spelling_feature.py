import numpy as np
import pytest

from senna_py.errors import SennaError
from senna_py.features import spelling as new_words
from senna_py.features.assembly import stack
from senna_py.features.protocol import NewRows
from senna_py.features.registry import find_feature, is_computed, is_token_feature
from senna_py.features.spelling import SpelledWords
from senna_py.kernels.runtime.jit import plain_way
from senna_py.networks.character_network import Spelling
from senna_py.text.tokens import Tokenizer
from senna_py.text.vocabulary import Vocabulary
from tests.helpers.feature_columns import feature_column
from tests.helpers.small_spellings import spelling_arrays

WORDS = Vocabulary.from_keys(["he", "UNKNOWN", "in"])
TOKENIZER = Tokenizer(WORDS)


class Counting(Spelling):
    """A Spelling that tells which words it was asked for."""

    def vectors(self, words):
        self.asked = [*getattr(self, "asked", ()), *words]
        return super().vectors(words)


@pytest.fixture
def spelling():
    return Counting(spelling_arrays())


def vectors(found):
    return found.rows[found.row]


def test_only_new_words_have_vectors(spelling):
    words = ["He", "dabé", "in", "ab", "dabé", "Dabé"]
    found = feature_column(
        "spelling.mine", TOKENIZER.pretokenized([words]), resource=spelling, words=WORDS
    )
    assert found.row.tolist() == [0, 1, 0, 2, 1, 3]
    assert not found.rows[0].any()
    expected = spelling.vectors(["dabé", "ab", "Dabé"])
    assert np.array_equal(found.rows[1:], expected)
    tokens = TOKENIZER.pretokenized([["in"]])
    none = feature_column("spelling.mine", tokens, resource=spelling, words=WORDS)
    assert (none.row.tolist(), none.rows.shape) == ([0], (1, 5))


def test_vectors_are_kept_up_to_a_bound(spelling, monkeypatch):
    monkeypatch.setattr(new_words, "_MOST_KEPT", 3)
    make = SpelledWords(spelling, WORDS.position("UNKNOWN"))
    batches = [["a", "b"], ["b", "a", "c"], ["d", "a"], ["a", "d"], ["a", "b", "c", "d", "e"]]
    for words in batches:
        found = make(TOKENIZER.pretokenized([words]))
        assert np.array_equal(vectors(found), Spelling(spelling.arrays).vectors(words))
    assert spelling.asked == ["a", "b", "c", "d", "a", "b", "c", "e"]
    make(TOKENIZER.pretokenized([["ab", "bc", "cd", "de", "ea"]]))
    assert len(make._kept) == 3


def test_what_the_plain_way_computes_is_not_kept(spelling):
    make = SpelledWords(spelling, WORDS.position("UNKNOWN"))
    with plain_way():
        make(TOKENIZER.pretokenized([["ab"]]))
    make(TOKENIZER.pretokenized([["ab"]]))
    assert spelling.asked == ["ab", "ab"]


def test_columns_are_stacked_and_rows_told_by_column():
    words, caps = np.array([[4, 0, 1], [2, 2, 0]], np.int32)
    new = NewRows(np.array([0, 1, 1], np.int32), np.ones((2, 5), np.float32))
    index, rows = stack([words, new, caps])
    assert (index.dtype, index.T.tolist()) == (np.int32, [[4, 0, 1], [0, 1, 1], [2, 2, 0]])
    assert list(rows) == [1] and rows[1] is new.rows
    assert stack([words, caps])[1] == {}


def test_names():
    assert find_feature("spelling.char").resource == "char"
    assert is_computed("spelling.char") and not is_computed("suffix.2")
    assert is_token_feature("spelling.a-b_1")
    assert not is_token_feature("spelling")
    for name in ("spelling.", "spelling.a.b", "spelling.é"):
        with pytest.raises(SennaError, match=f"no such feature: '{name}'"):
            is_token_feature(name)
