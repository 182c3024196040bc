"""Tokens and sentences of the kernels: what must hold of any text."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from senna_py.kernels.runtime.switch import fixed_kernels
from senna_py.kernels.text import characters as kernels
from senna_py.text.characters import CLASS, cover_characters
from senna_py.text.known_texts import read_list
from senna_py.text.sentences import sentence_indices, sentence_starts
from senna_py.text.treebank import treebank_ranges
from tests.helpers.naive_treebank import naive_sentence_starts

LISTED = [
    part
    for name in (
        "abbreviations",
        "contractions",
        "units",
        "ions",
        "sentence_starters",
        "prefixes",
        "name_endings",
        "slashed_words",
        "markup",
        "ordinary_words",
        "keys",
    )
    for line in read_list(f"{name}.txt")
    for part in line
]
PIECES = [
    *"aAbIiSsTtNn.,'’-/:;!?\"“”‘()[]{}<>159$%@#&_+*=~`^|\\ ",
    *[" "] * 8,
    "\n",
    "\n",
    "\t",
    "\r",
    "\x00",
    "\x1c",
    "\x7f",
    "\xa0",
    "\u2028",
    "\x85",
    "\ufeff",
    "é",
    "É",
    "日本",
    "😀",
    "—",
    "½",
    "²",
    "٣",
    "İ",
    "\u212a",
    "ſ",
    "ǅ",
    "\u0301",
    "\udcff",
    "\udce9",
    "\udce2",
    "\udc80",
    "n't",
    "N’T",
    "can",
    "not",
    "n",
    "t",
    "s",
    "d'",
    "'s",
    "'ll",
    "’VE",
    "http://",
    "https://",
    "ftp://",
    "www.",
    "mailto:",
    "x.com",
    "U.S.",
    "e.g",
    "Mr.",
    "No. 5",
    ". A",
    "'80s",
    "US$",
    "1,000.5",
    "-based",
    "...",
    "--",
    "``",
    "''",
    "non-",
    "x-",
    "555-1234",
    "a@b",
    ".com",
    "/x",
    "w/o",
    "$AB",
    "\U0001f44b\U0001f3fd",
    "\u200d",
    "\ufe0f",
    "\u20e3",
    "\U0001f1e9",
    "\U000e0067",
    "[12]",
    "60's",
    "GO.O)",
    "etc.",
    "+1",
    "#a",
    "@b",
    "C:\\",
    "/etc/x",
    "~/x",
    "./",
    "\\\\x",
    " -s ",
    "--help",
    "(2S,R)-",
    "N,O-",
    "°C. C",
    "nothin'",
    "o' ",
    " 'x",
    "&quot;",
    "&#3",
    "&#x2f;",
    "<b>",
    "</a>",
    "<a x=y>",
    "<br",
    "/>",
    *"´′ʼ＇‛°",
    "5%-3%",
    "Ctrl+",
    "--no=",
    "`-v`",
    " _",
    "_ ",
    "__",
    " (",
    "CIA. The",
    "the SEC. ",
    "ill. ",
    "ill, ",
    "(feat. ",
    "J., ",
    "(R.)",
    ", J. ",
    "J.-P.",
    ":)",
    ";D ",
    "a:)",
    "x.....@b",
    "in' ",
    "'em ",
    "D-N.Y.",
    "-Jan.",
    "Fig. ",
    " A for",
    " A ",
    "IV ",
    "S1 ",
    "5:3",
    "in No. ",
    "Albert I. Jo",
    "J. I. Pa",
    "the hon. ",
    " e. coli",
    " c. leptum",
    "E. coli",
    "B. then",
    "At 5 a.m. Mr. ",
    "(1). ",
    "5pm",
    "3x4",
    "$5",
    "10km-",
    "p.m.",
    "C++",
    "F#",
    "f**",
    "*k",
    "Na+",
    "-/-",
    "2'-",
    "N,N'-",
    "[3H]t",
    "s3://",
    "a::",
    "00:1B:44:11:3A:B7",
    "fe80::1",
    "b.org:x/y",
    "(a)",
    "»",
    "…",
    "'68 ",
    "n`t",
    "wanna-",
    "dunno",
    " its a ",
    " wont to",
    ":-3 ",
    " 8-)",
    "(^_^)",
    "¯\\_(ツ)_/¯",
    "<->",
    "x/2.3",
    "J0053+12",
]
parts = st.one_of(st.sampled_from(PIECES), st.sampled_from(LISTED), st.characters())
texts = st.lists(parts, max_size=30).map(
    lambda found: (
        "".join(found)
        .encode("utf-8", "surrogatepass")
        .decode("utf-8", "surrogateescape")
    )
)


def spans(data, split=False):
    ranges = treebank_ranges(data, split)
    return list(zip(*(positions.tolist() for positions in ranges), strict=True))


@settings(max_examples=60)
@given(texts, st.booleans())
def test_tokens_cover_the_text_compiled_or_not(text, split):
    data = text.encode("utf-8", "surrogateescape")
    # Bytes side by side may be a character.
    text = data.decode("utf-8", "surrogateescape")
    found = spans(data, split)
    with fixed_kernels(plain=True):
        assert spans(data, split) == found
    edges = [0, *(place for span in found for place in span), len(data)]
    assert edges == sorted(edges)
    assert all(begin < end for begin, end in found)
    between = b"".join(data[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True))
    assert not between.decode("utf-8", "surrogateescape").strip()


def test_characters():
    data = "aé_5٣½²’' \u2009É\n".encode() + b"\xe2\x80\xff"
    cover_characters(data)
    raw = np.frombuffer(data, np.uint8)
    kind = np.empty(len(raw), np.uint8)
    kernels.characters(raw, CLASS, kind)
    letter, digit, begins = kernels.LETTER, kernels.DIGIT, kernels.BEGINS
    first = kind & kernels.CONTINUED == 0
    expected = [
        letter,
        letter,
        kernels.UNDERSCORE,
        digit | begins,
        digit | begins,
        letter,
        letter | begins,
        kernels.APOSTROPHE,
        kernels.APOSTROPHE,
        kernels.BLANK,
        kernels.BLANK,
        letter | begins,
        kernels.BLANK,
        0,
        0,
        0,
    ]
    assert kind[first].tolist() == expected
    assert (
        kind[~first] == kind[first][np.cumsum(first) - 1][~first] | kernels.CONTINUED
    ).all()


MARKS = [
    *".!?\"'’”)]}`‘“([*-",
    "--",
    "...",
    "''",
    "``",
    "?!",
    "Mr.",
    "MR.",
    "Inc.",
    "U.S.",
    "The",
    "the",
    "It",
    "a",
    "B",
    "É",
    "é",
    "ǅ",
    "5",
    "²",
    "½",
    "٣",
    "日",
    "\udcff",
    "\udcff.",
    "’.",
    "a.b",
    "…",
    "....",
    ".?",
    "?.",
    ":)",
    "😀",
    "[",
    "12",
    "]",
    "ab",
    "etc.",
]
paragraphs = st.lists(
    st.lists(st.tuples(st.sampled_from(MARKS), st.booleans()), min_size=1, max_size=12),
    max_size=4,
)


@pytest.mark.slow
@settings(max_examples=60)
@given(paragraphs)
def test_sentences_are_those_of_plain_python(paragraphs):
    data, begin, end, starts, expected = b"", [], [], [0], []
    for tokens in paragraphs:
        joined = [k > 0 and is_joined for k, (_, is_joined) in enumerate(tokens)]
        words = [word for word, _ in tokens]
        expected += [starts[-1] + k for k in naive_sentence_starts(words, joined)]
        for word, is_joined in zip(words, joined, strict=True):
            data += b"" if is_joined else b" "
            begin.append(len(data))
            data += word.encode("utf-8", "surrogateescape")
            end.append(len(data))
        starts.append(len(begin))
        assert sentence_starts(words) == naive_sentence_starts(words)
    begin, end = np.array(begin, np.int32), np.array(end, np.int32)
    assert sentence_indices(data, begin, end, np.array(starts)).tolist() == expected


@given(texts)
def test_sentences_of_text_are_those_of_plain_python(text):
    data = text.replace("\n", " ").encode("utf-8", "surrogateescape")
    begin, end = treebank_ranges(data)
    words = [data[i:j].decode("utf-8", "surrogateescape") for i, j in spans(data)]
    joined = [False, *(a[1] == b[0] for a, b in pairwise(spans(data)))][: len(words)]
    starts = np.array([0, len(words)] if words else [0])
    found = sentence_indices(data, begin, end, starts)
    assert found.tolist() == naive_sentence_starts(words, joined)
