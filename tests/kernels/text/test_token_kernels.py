import itertools
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.kernels.text import tokens as kernels
from senna_py.text.characters import KIND, LOWER, cover_characters

pytestmark = pytest.mark.usefixtures("each_way")

NUMBER = re.compile(r"[+-]?[.,]?[0-9]+([.,][0-9]+)*")
PIECES = [
    "a", "B", "é", "É", "ß", "ẞ", "İ", "Ⱥ", "K", "Ω", "ж", "字", "😀", "̈", "\xa0", "\x00", " ",
    "\t", "’", "“", "—", "–", "…", "0", "12", "+", "-", ".", ",", "\udce9", "\udcff", "\udced",
]  # fmt: skip
SINGLE = {"’": "'", "“": '"', "–": "-"}
texts = st.lists(st.sampled_from(PIECES), max_size=12).map("".join) | st.binary(max_size=8).map(
    lambda data: data.decode("utf-8", "surrogateescape")
)


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
    n = kernels.fold(raw, 1, 1 + len(data), numbers, *tables(data), folded, kind, origin, 3)
    return folded[3:n].tobytes(), kind[3:n], origin[3 : n + 1] - 1


def naive_fold(text, numbers):
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
            assert kernels.utf8_length(as_array(data), 0, 4) == (sizes[0] if sizes else 0)


@given(texts, st.booleans())
def test_fold(text, numbers):
    folded, kind, origin = fold(text, numbers)
    units = naive_fold(text, numbers)
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
        word | lower, word | upper, word | lower, word, 0, kernels.SPACE | kernels.BLANK,
        kernels.BLANK, word, word, 0,
    ]  # fmt: skip


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
    begin, end, bounds = token_spans(naive_fold(text, False), cuts)
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
