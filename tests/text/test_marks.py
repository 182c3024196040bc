"""Unknown punctuation is PUNCT, whatever a network takes it for."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.text.marks import is_mark, mark_rule
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.vocabulary import Vocabulary

MARKS = ["?", "!", "?!?", "...", "»", "।", "。", "¿", "(", "–", "“"]
# Words, symbols, signs, and marks that may stand for words.
OTHERS = [
    "a",
    "7",
    "日本",
    "$",
    "+",
    "->",
    "%",
    "&",
    "@",
    "#",
    "*",
    "/",
    "'",
    "’",
    "__",
]
OTHERS += [":-)", ":)", "👍", "a.", "1)", "°", "\u0301"]
LABELS = ("NOUN", "PUNCT", "SYM", "PART")


@pytest.mark.parametrize("word", MARKS)
def test_a_mark(word):
    assert is_mark(word)


@pytest.mark.parametrize("word", OTHERS)
def test_no_mark(word):
    assert not is_mark(word)


@given(
    st.lists(st.sampled_from([*MARKS, *OTHERS, ".", "known"]), min_size=1, max_size=9),
    st.integers(0, 99),
)
def test_unknown_marks_are_punctuation(words, seed):
    known = ["!", "known", "."]
    vocabulary = Vocabulary.from_keys(["PADDING", "UNKNOWN", *known])
    tokenizer = Tokenizer(vocabulary, "english")
    tokens = tokenizer.pretokenized([words])
    draw = np.random.default_rng(seed)
    before = draw.integers(0, len(LABELS), len(words)).astype(np.int32)
    labels = before.copy()
    rule = mark_rule("upos", LABELS, tokenizer.unknown)
    after = rule.apply(labels, tokens)
    confirmed = rule.decided(after, tokens)
    np.testing.assert_array_equal(before, labels)
    for word, was, label, fixed in zip(words, before, after, confirmed, strict=True):
        is_decided = is_mark(word) and word not in known and LABELS[was] != "SYM"
        assert LABELS[label] == ("PUNCT" if is_decided else LABELS[was])
        assert fixed == is_decided


def test_other_networks_have_no_rule():
    assert mark_rule("pos", ("NN", "PUNCT"), 1) is None
    assert mark_rule("upos", ("NOUN", "."), 1) is None
