import itertools
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.kernels.text import tokens as kernels
from senna_py.kernels.text.word_forms import (
    SHAPE_LENGTH,
    affix_spans,
    find_spans,
    word_shapes,
)
from senna_py.text.characters import KIND, LOWER, cover_characters
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.vocabulary import Vocabulary

pytestmark = pytest.mark.usefixtures("each_way")

words = st.lists(
    st.text(st.sampled_from("aB1é.-—日ǅ😀'A"), min_size=1, max_size=5)
    | st.sampled_from(
        ["U.S.", "co-operate", "3rd", "New York", "Anna", "\udcffx", "ΚΌΣΜΟΣ"]
    ),
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
        tokens.kind,
        tokens.folded_begin,
        tokens.folded_end,
        length,
        at_end,
        whole,
        begin,
        end,
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
    text, out = (
        np.frombuffer("".join(parts).encode(), np.uint8),
        np.full(len(parts), -1, np.int32),
    )
    find_spans(text, end[:-1], end[1:], vocabulary.table, 7, out)
    assert out.tolist() == [{"b": 0, "a": 1, "ab": 2}.get(part, 7) for part in parts]


NUMBER = re.compile(r"[+-]?[.,]?[0-9]+([.,][0-9]+)*")
PIECES = [
    "a",
    "B",
    "é",
    "É",
    "ß",
    "ẞ",
    "İ",
    "Ⱥ",
    "K",
    "Ω",
    "ж",
    "字",
    "😀",
    "̈",
    "\xa0",
    "\x00",
    " ",
    "\t",
    "’",
    "“",
    "—",
    "–",
    "…",
    "0",
    "12",
    "+",
    "-",
    ".",
    ",",
    "\udce9",
    "\udcff",
    "\udced",
]
SINGLE = {"’": "'", "“": '"', "–": "-"}
texts = st.lists(st.sampled_from(PIECES), max_size=12).map("".join) | st.binary(
    max_size=8
).map(lambda data: data.decode("utf-8", "surrogateescape"))


def tables(data):
    cover_characters(data)
    return KIND, LOWER


def to_bytes(text):
    return text.encode("utf-8", "surrogateescape")


def as_array(data):
    return np.frombuffer(data, np.uint8)


def fold(text, numbers):
    """Folded bytes, kinds and origins of `text` in the middle of a buffer."""
    data = to_bytes(text)
    raw = as_array(b"7" + data + b"7")  # digits that do not belong to it
    size = 2 * len(raw) + 1
    folded, kind = np.zeros(size, np.uint8), np.zeros(size, np.uint8)
    origin = np.full(size, -1, np.int32)
    n = kernels.fold(
        raw, 1, 1 + len(data), numbers, *tables(data), folded, kind, origin, 3
    )
    return folded[3:n].tobytes(), kind[3:n], origin[3 : n + 1] - 1


def folded_units(text, numbers):
    """Pairs of the folded bytes of each unit of `text` and the byte where it begins."""
    units, i = [], 0
    while i < len(text):
        position = len(to_bytes(text[:i]))
        if numbers and (match := NUMBER.match(text, i)):
            units.append((b"0", position))
            i = match.end()
            continue
        char = text[i]
        if char == "—":
            form = "--"
        elif char in SINGLE:
            form = SINGLE[char]
        else:
            form = char.lower() if len(char.lower()) == 1 else char
        units.append((to_bytes(form), position))
        i += 1
    return units


def decodes(data):
    try:
        return len(data.decode()) == 1
    except UnicodeDecodeError:
        return False


@given(st.binary(min_size=1, max_size=6) | texts.filter(bool).map(to_bytes), st.data())
def test_utf8_length(data, draw):
    end = draw.draw(st.integers(1, len(data)))
    for i in range(end):
        sizes = [k for k in range(1, min(4, end - i) + 1) if decodes(data[i : i + k])]
        assert kernels.utf8_length(as_array(data), i, end) == (sizes[0] if sizes else 0)


def test_utf8_length_of_all_first_two_bytes():
    for first in range(0x80, 0x100):
        for second in (0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF):
            data = bytes([first, second, 0x80, 0xBF])
            sizes = [k for k in range(1, 5) if decodes(data[:k])]
            assert kernels.utf8_length(as_array(data), 0, 4) == (
                sizes[0] if sizes else 0
            )


@given(texts, st.booleans())
def test_fold(text, numbers):
    folded, kind, origin = fold(text, numbers)
    units = folded_units(text, numbers)
    assert folded == b"".join(form for form, _ in units)
    positions = [position for form, position in units for _ in form]
    assert origin.tolist() == [*positions, len(to_bytes(text))]
    first = np.flatnonzero(kind & kernels.FIRST)
    expected = np.cumsum([0, *(len(form) for form, _ in units)])[:-1]
    assert first.tolist() == expected.tolist()


def test_kinds():
    text = "aÉß12. \xa0\u0308字\udcff"
    _, kind, _ = fold(text, True)
    kinds = [int(k) & ~kernels.FIRST for k in kind if k & kernels.FIRST]
    word, lower, upper = kernels.WORD, kernels.LOWER, kernels.UPPER
    assert kinds == [
        word | lower,
        word | upper,
        word | lower,
        word,
        0,
        kernels.SPACE | kernels.BLANK,
        kernels.BLANK,
        word,
        word,
        0,
    ]


def token_spans(units, cuts):
    """Spans of folded bytes of the tokens that `cuts` (unit numbers) make."""
    at = np.cumsum([0, *(len(form) for form, _ in units)])
    bounds = sorted({0, *cuts, len(units)})
    begin = at[bounds[:-1]].astype(np.int32)
    return begin, at[bounds[1:]].astype(np.int32), bounds


@given(texts.filter(bool), st.sets(st.integers(0, 12)))
def test_caps_feature(text, cuts):
    folded, kind, _ = fold(text, False)
    cuts = {cut for cut in cuts if cut < len(text)}
    begin, end, bounds = token_spans(folded_units(text, False), cuts)
    out = np.full(len(begin), -1, np.int32)
    kernels.caps_feature(kind, begin, end, np.array([7, 8, 9, 10], np.int32), out)
    expected = []
    for a, b in itertools.pairwise(bounds):
        upper = [char.isupper() for char in text[a:b]]
        lower = [char.islower() for char in text[a:b]]
        if any(upper) and not any(lower):
            expected.append(7)
        elif upper[0]:
            expected.append(9)
        else:
            expected.append(8 if any(upper) else 10)
    assert out.tolist() == expected
    assert len(folded) == end[-1]


@given(st.lists(texts.filter(bool), min_size=1, max_size=3), st.data())
def test_count_characters(lines, draw):
    raw, begin, end, line_begin, starts, expected = b"", [], [], [], [0], []
    for line in lines:
        cuts = draw.draw(st.lists(st.integers(0, len(line)), max_size=6).map(sorted))
        pairs = list(zip(cuts[::2], cuts[1::2], strict=False))
        line_begin.append(len(raw))
        begin += [len(raw) + len(to_bytes(line[:a])) for a, _ in pairs]
        end += [len(raw) + len(to_bytes(line[:b])) for _, b in pairs]
        starts.append(len(begin))
        expected += pairs
        raw += to_bytes(line) + b"\n"
    out = np.full((len(begin), 2), -1, np.int32)
    begin, end, line_begin, starts = (
        np.array(values, np.int32) for values in (begin, end, line_begin, starts)
    )
    kernels.count_characters(as_array(raw), begin, end, line_begin, starts, out)
    assert out.tolist() == [list(pair) for pair in expected]
