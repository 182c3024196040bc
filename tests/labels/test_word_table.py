"""Known words and irregular forms, by hashes."""

import numpy as np
import pytest

from senna_py.labels.word_table import WordTable

WORDS = [
    ("NOUN", "hero"),
    ("NOUN", "lens"),
    ("VERB", "go"),
    ("NOUN", "日本"),
    ("NOUN", "a\udcff"),
]
FORMS = {("VERB", "went"): 1, ("NOUN", "lenses"): 0}


@pytest.fixture(params=["made", "read again"])
def table(request):
    made = WordTable.of(WORDS, FORMS)
    if request.param == "made":
        return made
    return WordTable.from_bytes(memoryview(made.to_bytes()), made.n_words, made.n_forms)


def test_it_knows_words_by_their_class(table):
    assert all(table.knows(*pair) for pair in WORDS)
    assert not table.knows("VERB", "hero") and not table.knows("NOUN", "her")
    assert [table.edit(*pair) for pair in FORMS] == [1, 0]
    assert table.edit("NOUN", "went") is None and table.edit("VERB", "go") is None


def test_it_knows_how_words_end(table):
    assert table.ends_with_known("NOUN", "superhero")
    assert not table.ends_with_known("NOUN", "hero")  # that is the word itself
    assert table.ends_as_known("NOUN", "zero") and not table.ends_as_known("NOUN", "go")
    assert table.ends_as_known("VERB", "go") and not table.ends_as_known("VERB", "ago")
    assert table.ends_like_known("VERB", "ago") and not table.ends_like_known(
        "VERB", "of"
    )


def test_an_empty_one():
    table = WordTable.of([], {})
    assert not table.knows("NOUN", "a") and table.edit("NOUN", "a") is None
    assert WordTable.from_bytes(memoryview(b""), 0, 0).n_words == 0


def test_hashes_out_of_order():
    made = WordTable.of(WORDS, FORMS)
    data, n = made.to_bytes(), 4 * made.n_words
    assert len(data) == WordTable.n_bytes(made.n_words, made.n_forms)
    reverse = np.frombuffer(data[:n], "<u4")[::-1].tobytes() + data[n:]
    assert WordTable.from_bytes(memoryview(reverse), made.n_words, made.n_forms) is None
