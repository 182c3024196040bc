import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.kernels.text.word_forms import SHAPE_LENGTH, affix_spans, find_spans, word_shapes
from senna_py.text.characters import KIND, cover_characters
from senna_py.text.tokens import Tokenizer
from senna_py.text.vocabulary import Vocabulary

pytestmark = pytest.mark.usefixtures("each_way")

words = st.lists(
    st.text(st.sampled_from("aB1é.-—日ǅ😀'A"), min_size=1, max_size=5)
    | st.sampled_from(["U.S.", "co-operate", "3rd", "New York", "Anna", "\udcffx", "ΚΌΣΜΟΣ"]),
    max_size=5,
)
tokenizer = Tokenizer(Vocabulary.from_keys(["UNKNOWN"]))


def naive_fold(word):
    """Characters of a word as look-ups see them: numbers are one, an em dash is one."""
    return [
        "0" if re.fullmatch(r".*[0-9]", part) else {"—": "--"}.get(part, part.lower())
        for part in re.findall(r"[+-]?[.,]?[0-9]+(?:[.,][0-9]+)*|.", word, re.DOTALL)
    ]


@given(words, st.integers(1, 4), st.booleans(), st.booleans())
def test_affix_spans(words, length, at_end, whole):
    tokens = tokenizer.pretokenized([words])
    begin, end = (np.full(len(words), -1, np.int32) for _ in range(2))
    affix_spans(
        tokens.kind, tokens.folded_begin, tokens.folded_end, length, at_end, whole, begin, end
    )
    text = tokens.folded.tobytes()
    found = [text[a:b] for a, b in zip(begin, end, strict=True)]
    expected = []
    for word in words:
        units = naive_fold(word)
        part = units[-length:] if at_end else units[:length]
        part = part if whole or len(part) == length else []
        expected.append("".join(part).encode("utf-8", "surrogateescape"))
    assert found == expected


def naive_shape(word):
    symbols = ""
    for char in word:
        if char.isupper() or char.istitle():
            symbol = "A"
        elif char.islower():
            symbol = "a"
        elif char in "0123456789":
            symbol = "0"
        elif char.isalnum():
            symbol = "x"
        else:
            symbol = "_" if char == " " else char if char.isascii() else "*"
        if not symbols.endswith(symbol):
            symbols += symbol
    return symbols[:SHAPE_LENGTH].encode()


@given(words)
def test_word_shapes(words):
    encoded = [word.encode("utf-8", "surrogateescape") for word in words]
    cover_characters(b"".join(encoded))
    raw_end = np.cumsum([0, *map(len, encoded)]).astype(np.int32)
    shapes = np.full(SHAPE_LENGTH * len(words), 255, np.uint8)
    begin, end = (np.full(len(words), -1, np.int32) for _ in range(2))
    raw = np.frombuffer(b"".join(encoded), np.uint8)
    word_shapes(raw, raw_end[:-1], raw_end[1:], KIND, shapes, begin, end)
    found = [shapes[a:b].tobytes() for a, b in zip(begin, end, strict=True)]
    assert found == [naive_shape(word) for word in words]


@given(st.lists(st.sampled_from(["", "a", "ab", "b", "c"]), max_size=6))
def test_find_spans(parts):
    vocabulary = Vocabulary.from_keys(["b", "a", "ab"])
    end = np.cumsum([0, *map(len, parts)]).astype(np.int32)
    text, out = np.frombuffer("".join(parts).encode(), np.uint8), np.full(len(parts), -1, np.int32)
    find_spans(text, end[:-1], end[1:], vocabulary.table, 7, out)
    assert out.tolist() == [{"b": 0, "a": 1, "ab": 2}.get(part, 7) for part in parts]
