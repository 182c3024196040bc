import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.errors import SennaError
from senna_py.features.protocol import TrainingTokens
from senna_py.features.word_class import WordClass, WordClasses, class_lines
from senna_py.kernels.runtime.jit import by_fallbacks
from senna_py.text.characters import fold_words
from senna_py.text.tokens import Tokenizer
from senna_py.text.vocabulary import Vocabulary

TOKENIZER = Tokenizer(Vocabulary.from_keys(["UNKNOWN", "dog"]))


def test_lines_of_classes():
    rows = [("1", "dog", 1), ("01", "Dogs", 2), ("01", "cat", 3), ("1", "DOGS", 1)]
    assert class_lines(rows) == b"01\tcat\tdogs\n1\tdog\n"
    assert class_lines([]) == b""


def test_the_class_with_most_occurrences_of_a_form_counts():
    rows = [("0", "1999", 5), ("1", "2001", 4), ("1", "3.5", 4), ("0", "a", 2), ("1", "A", 2)]
    assert class_lines(rows) == b"0\ta\n1\t0\n"
    assert class_lines([("1", "A", 0), ("0", "a", 0)]) == b"1\ta\n"


@pytest.mark.parametrize("key", ["PADDING", "NOCLASS", "NOCLASS1"])
def test_classes_that_look_like_other_keys(key):
    with pytest.raises(SennaError, match=f"file: a class must not begin with .*: {key}$"):
        class_lines([("0", "a", 1), (key, "b", 1)], "file")


def test_lines_that_do_not_end():
    classes = WordClasses(b"01\tcat\tdogs\n1\n2\tdog")
    assert (classes.names, classes.n_words) == (["01", "1", "2"], 3)
    tokens = TOKENIZER.pretokenized([["Cat", "dog", "cow"]])
    assert classes.find(tokens).tolist() == [0, 2, -1]
    empty = WordClasses(b"")
    assert empty.names == []
    assert empty.find(tokens).tolist() == [-1, -1, -1]


def test_a_word_in_two_classes():
    classes = WordClasses(b"0\ta\tb\n1\tb\n", "model")
    with pytest.raises(SennaError, match="model: the word 'b' occurs twice"):
        classes.find(TOKENIZER.pretokenized([["a"]]))


words = st.text(
    st.characters(exclude_characters="\n\t", exclude_categories=("Cs",)), min_size=1, max_size=6
).filter(lambda word: word == word.strip())
rows = st.lists(st.tuples(st.sampled_from(["0", "10", "11"]), words, st.integers(0, 9)))


@given(rows, st.lists(words, min_size=1, max_size=8))
def test_what_is_found_is_what_was_listed(rows, others):
    classes = WordClasses(class_lines(rows))
    forms = fold_words([word for _, word, _ in rows])
    totals = {}
    for form, (key, _, count) in zip(forms, rows, strict=True):
        found = totals.setdefault(form, {})
        found[key] = found.get(key, 0) + count
    words = [*others, *(word for _, word, _ in rows)]
    tokens = TOKENIZER.pretokenized([words])
    found = classes.find(tokens).tolist()
    with by_fallbacks():
        assert WordClasses(class_lines(rows)).find(tokens).tolist() == found
    for form, index in zip(fold_words(words), found, strict=True):
        if form in totals:
            assert classes.names[index] == max(totals[form], key=totals[form].get)
        else:
            assert index == -1


def test_rare_values_are_left_out():
    classes = WordClasses(b"000\ta\n001\tb\n11\tc\tx\n10\td\n")
    tokens = TOKENIZER.pretokenized([["a", "b", "c", "C", "e"]])
    for name, min_count, keys in (
        ("class.any", 1, ["000", "001", "11"]),
        ("class.any", 2, ["11"]),
        ("class.any.2", 2, ["00", "11"]),
        ("class.any.1", 1, ["0", "1"]),
    ):
        vocabulary = WordClass.parse(name).vocabulary(TrainingTokens(tokens, min_count, classes))
        assert vocabulary.keys() == ["PADDING", "NOCLASS", *keys]


def test_bytes_outside_utf8():
    line = class_lines([("\udcff", "caf\udce9", 1)])
    assert line == b"\xff\tcaf\xe9\n"
    classes = WordClasses(line)
    assert classes.names == ["\udcff"]
    assert np.array_equal(classes.find(TOKENIZER.pretokenized([["CAF\udce9"]])), [0])
