"""Emoji and emoticons are symbols and no punctuation, whatever a network takes them
for.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.tagger import Tagger
from senna_py.text.signs import is_sign, sign_rule
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.vocabulary import Vocabulary

SIGNS = [
    "👍",
    "❤️",
    "📦",
    "👍🏽",
    "👨‍👩‍👧",
    "🇩🇪",
    "☺",
    "⚠️",
    "🎉🎉",
    ":)",
    ";-)",
    ":(",
    "^__^",
]
OTHERS = [
    "--",
    "...",
    "''",
    "``",
    "->",
    ">=",
    "**",
    "==",
    ":-",
    "!!",
    "?!",
    "’",
    "“",
    "—",
    "…",
    "•",
    "★",
    "✓",
    "→",
    "(",
    ":",
    "::",
    "!)",
    "@",
    "a",
    "日本",
    "1",
]


@pytest.mark.parametrize("word", SIGNS)
def test_a_sign(word):
    assert is_sign(word)


@pytest.mark.parametrize("word", OTHERS)
def test_no_sign(word):
    assert not is_sign(word)


@given(
    st.lists(
        st.sampled_from([*SIGNS, *OTHERS, "=====", "***"]), min_size=1, max_size=9
    ),
    st.sampled_from(["upos", "xpos", "pos", "dep"]),
    st.integers(0, 99),
)
def test_labels_that_a_sign_has(words, task, seed):
    labels = {
        "upos": ("PUNCT", "SYM", "NOUN"),
        "pos": (".", ",", "NFP", "NN"),
        "dep": ("punct", "discourse", "nsubj"),
        "xpos": (".", "NFP"),
    }[task]
    rule = sign_rule(task, labels)
    if task == "xpos":
        assert rule is None
        return
    tokens = Tokenizer(Vocabulary(b"PADDING\nUNKNOWN\n"), "english").pretokenized(
        [words]
    )
    before = (
        np.random.default_rng(seed)
        .integers(0, len(labels), len(words))
        .astype(np.int32)
    )
    kept = before.copy()
    found = [labels[k] for k in rule.apply(before, tokens)]
    np.testing.assert_array_equal(before, kept)
    for word, was, label in zip(words, (labels[k] for k in before), found, strict=True):
        if is_sign(word):
            assert label not in ("PUNCT", "punct", ".", ",")
            assert (
                label == {"upos": "SYM"}.get(task, label)
                or word.isascii()
                or word == "☺"
            )
        else:
            assert label == was


def test_tasks_without_such_labels_have_no_rule():
    assert sign_rule("pos", ("NN", ".")) is None
    assert sign_rule("dep", ("nsubj", "discourse")) is None
    assert sign_rule("ner", ("O", "NFP")) is None


@pytest.mark.parametrize(
    "text",
    [
        "Great job 👍👍",
        "So happy 😂 today",
        "See you ❤️ soon",
        "📦 has arrived.",
        "Ship it 🚀 now!",
        "I am tired 😴😴😴 and 🤢",
        "Thanks 🙏",
        "⚠️ Do not touch",
        "We won 🏆, yes 🎉!",
    ],
)
def test_the_english_model(text):
    alone = [token.relation for token in Tagger("en", ["dep"])(text)]
    sentence = Tagger("en", ["pos", "upos", "dep"])(text)
    signs = [token for token in sentence if is_sign(token.text)]
    assert signs
    for token in signs:
        assert token.tags["upos"] == "SYM"
        assert token.relation == alone[token.i] != "punct"
        assert token.tags["pos"] not in (".", ",", ":", "''", "``")
