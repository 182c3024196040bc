import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from senna_py.errors import SennaError
from senna_py.features.protocol import Batch
from senna_py.features.registry import find_feature
from senna_py.kernels.runtime.switch import fixed_kernels
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.vocabulary import Vocabulary
from tests.helpers.any_text import any_bytes, any_lines, ascii_text

KEYS = """
! " # $ $0 % %0 & ' '' 's 'tis ( ) , - -- -rrb- . ... / 0 0% 0,000 0th 0x: :) ; ? PADDING
UNKNOWN \x00x a a.m a.m. ab abc b can can't co-operate d don don't o'clock u.s u.s. x x-ray x0y
café été 日本 ½ κόσμος
"""
WORDS = Vocabulary.from_keys(sorted(KEYS.split(), key=str.encode))
tokenizer = Tokenizer(WORDS)

NUMBER = re.compile(r"[+-]?[.,]?[0-9]+([.,][0-9]+)*")
SPACES = " \t\n\v\f\r"
BLANKS = "".join(char for char in map(chr, range(0x80, 0x10000)) if char.isspace())


FIELDS = "word", "begin", "end", "starts", "source", "line_begin", "text_end"


@settings(max_examples=60)
@given(any_bytes | ascii_text.map(str.encode), st.booleans())
def test_fallbacks_find_the_same_tokens(data, whitespace):
    """The rules as plain Python; what they give is also what SENNA gave
    (tests/cli/test_golden).
    """
    with fixed_kernels(plain=True):
        expected = tokenizer.lines(data, whitespace)
    found = tokenizer.lines(data, whitespace)
    for name in (*FIELDS, "folded", "kind", "folded_begin", "folded_end"):
        assert getattr(found, name).tolist() == getattr(expected, name).tolist()


def spans(tokens):
    return zip(tokens.starts[:-1].tolist(), tokens.starts[1:].tolist(), strict=True)


# Nothing is lost, whatever the bytes.


def is_gap(text, kind, whitespace):
    blanks = SPACES if whitespace else SPACES + BLANKS if kind == "senna" else None
    return not text.strip(blanks)


@pytest.mark.parametrize("kind", ["senna", "treebank"])
@settings(max_examples=60)
@given(data=any_bytes, whitespace=st.booleans())
def test_tokens_and_gaps_make_up_every_line(kind, data, whitespace):
    tokens = Tokenizer(WORDS, kind).lines(data, whitespace)
    offsets, source = tokens.offsets(), tokens.source.tolist()
    sentences = dict(zip(source, spans(tokens), strict=True))
    assert source == sorted(sentences)
    line_begin = 0
    for number, line in enumerate(data.split(b"\n")):
        text, at, end = (
            line.decode("utf-8", "surrogateescape"),
            0,
            line_begin + len(line),
        )
        if number in sentences:
            s = source.index(number)
            assert (tokens.line_begin[s], tokens.text_begin[s]) == (
                line_begin,
                line_begin,
            )
            assert tokens.text_end[s] == end
            words = [tokens.text(t) for t in range(*sentences[number])]
            places = offsets[slice(*sentences[number])].tolist()
            assert [text[i:j] for i, j in places] == words
            if whitespace:
                assert words == [
                    part for part in re.split(f"[{SPACES}]+", text) if part
                ]
            for (i, j), word in zip(places, words, strict=True):
                assert is_gap(text[at:i], kind, whitespace)
                assert not any(is_gap(char, kind, whitespace) for char in word)
                at = j
        assert is_gap(text[at:], kind, whitespace)
        line_begin = end + 1


def test_lines_without_a_token():
    tokens = tokenizer.lines(b"\n \t\na b\n\r\n\xc2\xa0\nc")
    assert tokens.source.tolist() == [2, 5]
    assert tokens.starts.tolist() == [0, 2, 3]
    assert tokens.n_sentences == 2
    empty = tokenizer.lines(b"")
    assert (len(empty), empty.n_sentences, empty.starts.tolist()) == (0, 0, [0])
    assert empty.offsets().shape == (0, 2)


def test_a_line_may_be_of_any_length():
    line = b"a1,5" * 5000
    tokens = tokenizer.lines(line + b" b")
    assert tokens.offsets().tolist() == [[0, 20000], [20001, 20002]]


# Rule 9: beyond ASCII.


def found_in(line, whitespace=False):
    """Pairs of text and dictionary key of the tokens of one line."""
    tokens = tokenizer.lines(line.encode("utf-8", "surrogateescape"), whitespace)
    return [(tokens.text(t), WORDS[tokens.word[t]]) for t in range(len(tokens))]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("can’t", [("can’t", "can't")]),
        ("CAN‘T", [("CAN‘T", "can't")]),
        ("“a”", [("“", '"'), ("a", "a"), ("”", '"')]),
        ("co‐operate", [("co‐operate", "co-operate")]),
        ("x–ray", [("x–ray", "x-ray")]),
        ("a—b", [("a", "a"), ("—", "--"), ("b", "b")]),
        ("5‑", [("5", "0"), ("‑", "-")]),
        ("Café", [("Café", "café")]),
        ("CAFÉ", [("CAFÉ", "café")]),
        ("ÉTÉ", [("ÉTÉ", "été")]),
        ("κόσμος", [("κόσμος", "κόσμος")]),
        ("日本", [("日本", "日本")]),
        ("日本語", [("日本語", "UNKNOWN")]),
        ("приветabc", [("приветabc", "UNKNOWN")]),
        ("٣٤a", [("٣٤a", "UNKNOWN")]),
        ("½a", [("½a", "UNKNOWN")]),
        ("½", [("½", "½")]),
        ("abc\u0301d", [("abc\u0301d", "UNKNOWN")]),
        ("хи\u0306т a", [("хи\u0306т", "UNKNOWN"), ("a", "a")]),
        ("हिन्दी", [("हिन्दी", "UNKNOWN")]),
        ("😀😀a", [("😀", "UNKNOWN"), ("😀", "UNKNOWN"), ("a", "a")]),
        ("…", [("…", "UNKNOWN")]),
        ("€5", [("€", "UNKNOWN"), ("5", "0")]),
        ("a\udcffb", [("a", "a"), ("\udcff", "UNKNOWN"), ("b", "b")]),
        ("~", [("~", "UNKNOWN")]),
        ("\x1ca", [("\x1c", "UNKNOWN"), ("a", "a")]),
    ],
)
def test_characters_beyond_ascii(line, expected):
    assert found_in(line) == expected


@pytest.mark.parametrize("blank", ["\xa0", "\u2009", "\u3000", "\u2028", "\x85"])
def test_blanks_beyond_ascii(blank):
    line = f"a{blank}b"
    assert found_in(line) == [("a", "a"), ("b", "b")]
    assert found_in(line, whitespace=True) == [(line, "UNKNOWN")]


def test_typographic_forms_in_whitespace_mode():
    assert found_in("X–RAY can’t —", whitespace=True) == [
        ("X–RAY", "x-ray"),
        ("can’t", "can't"),
        ("—", "--"),
    ]


# Other inputs than lines.


def test_texts_are_sentences_whatever_is_in_them():
    texts = ["", "a\nb é", " ", "\udce9—", "Café\n"]
    tokens = tokenizer.texts(texts)
    assert tokens.source.tolist() == [1, 3, 4]
    assert tokens.starts.tolist() == [0, 3, 5, 6]
    assert tokens.offsets().tolist() == [[0, 1], [2, 3], [4, 5], [0, 1], [1, 2], [0, 4]]
    expected = ["a", "b", "é", "\udce9", "—", "Café"]
    assert [tokens.text(t) for t in range(len(tokens))] == expected
    assert len(tokenizer.texts([])) == 0


@pytest.mark.parametrize("tokenizer", [tokenizer, Tokenizer(WORDS, "treebank")])
@given(lines=st.lists(any_lines, max_size=5))
def test_texts_equal_lines(tokenizer, lines):
    as_lines = tokenizer.lines("\n".join(lines).encode("utf-8", "surrogateescape"))
    as_texts = tokenizer.texts(lines)
    for name in ("word", "starts", "source"):
        assert getattr(as_texts, name).tolist() == getattr(as_lines, name).tolist()
    assert as_texts.offsets().tolist() == as_lines.offsets().tolist()


@given(st.text(st.sampled_from("a é€\udce2\udc82\udcac\udc80\ud800\udfff"), max_size=8))
def test_offsets_slice_any_string(text):
    tokens = tokenizer.texts([text])
    slices = [text[i:j] for i, j in tokens.offsets()]
    assert "".join(slices) == text.replace(" ", "")


@settings(max_examples=60)
@given(
    st.lists(st.lists(any_lines.filter(bool) | st.just("a\nb"), max_size=4), max_size=4)
)
def test_pretokenized(sentences):
    tokens = tokenizer.pretokenized(sentences)
    source = [s for s, sentence in enumerate(sentences) if sentence]
    assert tokens.source.tolist() == source
    assert np.diff(tokens.starts).tolist() == [len(sentences[s]) for s in source]
    offsets = tokens.offsets()
    for (a, b), s, begin, end in zip(
        spans(tokens), source, tokens.line_begin, tokens.text_end, strict=True
    ):
        text = " ".join(sentences[s])
        assert [text[i:j] for i, j in offsets[a:b]] == sentences[s]
        encoded = [token.encode("utf-8", "surrogateescape") for token in sentences[s]]
        assert tokens.data[begin:end] == b" ".join(encoded)
        for t, token in zip(range(a, b), sentences[s], strict=True):
            if token.isascii():
                key = NUMBER.sub("0", token).lower()
                assert WORDS[tokens.word[t]] == (
                    key if key in KEYS.split() else "UNKNOWN"
                )


def test_pretokenized_tokens_may_not_be_empty():
    with pytest.raises(SennaError, match="a token is an empty string"):
        tokenizer.pretokenized([["a", ""]])


# Parts of a batch.


def cut_lengths(sentence, longest):
    """Lengths of the parts that a sentence of one-character tokens is cut into."""
    lengths = []
    while len(sentence) > longest:
        ends = [
            k
            for k in range(1, longest + 1)
            if sentence[k - 1] in ".!?" and k > longest / 2
        ]
        lengths.append(ends[-1] if ends else longest)
        sentence = sentence[lengths[-1] :]
    return [*lengths, len(sentence)]


@given(
    st.lists(st.text("abc.!?,", min_size=1, max_size=30), min_size=1, max_size=4),
    st.integers(1, 9),
)
def test_cut(sentences, longest):
    data = "\n".join(["", *(" ".join(sentence) for sentence in sentences)]).encode()
    tokens = tokenizer.lines(data, whitespace=True)
    parts = tokens.cut(longest)
    expected = [cut_lengths(sentence, longest) for sentence in sentences]
    assert np.diff(parts.starts).tolist() == [
        length for found in expected for length in found
    ]
    source = [s + 1 for s, found in enumerate(expected) for _ in found]
    assert parts.source.tolist() == source
    assert parts.offsets().tolist() == tokens.offsets().tolist()
    for name in (
        "begin",
        "end",
        "word",
        "folded",
        "kind",
        "folded_begin",
        "folded_end",
    ):
        assert getattr(parts, name) is getattr(tokens, name)
    for part, s in enumerate(source):
        assert parts.line_begin[part] == tokens.line_begin[s - 1]
        assert parts.text_end[part] == tokens.text_end[s - 1]


def test_nothing_to_cut():
    tokens = tokenizer.lines(b"a b c\nd")
    assert tokens.cut(3) is tokens
    empty = tokenizer.lines(b"")
    assert empty.cut(1) is empty


def assert_same_tokens(part, expected):
    """Same sentences, of texts that need not be the same."""
    texts = [
        [tokens.text(t) for t in range(len(tokens))] for tokens in (part, expected)
    ]
    assert texts[0] == texts[1]
    for name in ("word", "starts"):
        assert getattr(part, name).tolist() == getattr(expected, name).tolist()
    assert part.offsets().tolist() == expected.offsets().tolist()
    caps = Vocabulary.from_keys(["allcaps", "hascap", "initcap", "nocaps"])
    column = find_feature("caps").column(caps, None)
    ours, theirs = (column(Batch(tokens)) for tokens in (part, expected))
    assert ours.tolist() == theirs.tolist()


@given(st.lists(any_lines, max_size=6), st.data())
def test_sentences(lines, data):
    lines = [line.encode("utf-8", "surrogateescape") for line in lines]
    tokens = tokenizer.lines(b"\n".join(lines))
    source = tokens.source.tolist()
    first = data.draw(st.integers(0, len(source)))
    last = data.draw(st.integers(first, len(source)))
    kept = [lines[s] for s in source]
    part = tokens.sentences(first, last)
    assert_same_tokens(part, tokenizer.lines(b"\n".join(kept[first:last])))
    assert part.source.tolist() == source[first:last]
    lines_kept = [
        part.data[i:j] for i, j in zip(part.line_begin, part.text_end, strict=True)
    ]
    assert lines_kept == kept[first:last]


@given(st.lists(st.integers(1, 9), max_size=9), st.integers(1, 20))
def test_parts(lengths, size):
    tokens = tokenizer.lines(b"\n".join(b"a " * length for length in lengths))
    parts = list(tokens.parts(size))
    assert [n for part in parts for n in np.diff(part.starts)] == lengths
    assert [s for part in parts for s in part.source] == list(range(len(lengths)))
    for part in parts:
        assert part.n_sentences == 1 or len(part) <= size
    for part, following in pairwise(parts):
        assert len(part) + following.starts[1] > size


def test_an_unknown_tokenizer():
    with pytest.raises(
        SennaError, match="no such tokenizer: 'x'; there are senna, treebank"
    ):
        Tokenizer(WORDS, "x")


ESCAPES = Vocabulary.from_keys(
    sorted(["PADDING", "UNKNOWN", '"', "(", ")", "-lrb-", "0/0", "``"])
)


@pytest.mark.parametrize(("kind", "escaped"), [("treebank", False), ("senna", True)])
def test_escapes_of_the_treebank_are_looked_up_as_text(kind, escaped):
    """Where tokens are given, but not for SENNA's models; they are printed as they
    are.
    """
    given = ["-LRB-", "``", "1\\/2", "''", "-RRB-"]
    reader = Tokenizer(ESCAPES, kind)
    for tokens in (
        reader.pretokenized([given]),
        reader.lines(" ".join(given).encode(), whitespace=True),
    ):
        assert [tokens.text(t) for t in range(len(tokens))] == given
        found = [ESCAPES[word] for word in tokens.word.tolist()]
        text = ["(", '"', "0/0", '"', ")"]
        assert found == (
            ["-lrb-", "``", "UNKNOWN", "UNKNOWN", "UNKNOWN"] if escaped else text
        )
    raw = reader.lines(b"``")
    assert ESCAPES[int(raw.word[0])] == "``"


def test_words_that_were_cut_at_the_ends_of_lines():
    words = Vocabulary.from_keys(
        sorted(["PADDING", "UNKNOWN", "attendance", "pre", "é", "london"])
    )
    text = "é Lon-\ndon, atten- dance: pre- and"
    joining = Tokenizer(words, "treebank", join_hyphens=True)
    tokens = joining.texts([text])
    found = [tokens.text(t) for t in range(len(tokens))]
    assert found == ["é", "Lon-\ndon", ",", "atten- dance", ":", "pre", "-", "and"]
    assert [text[begin:end] for begin, end in tokens.offsets().tolist()] == found
    known = [words[word] for word in tokens.word.tolist()]
    assert known[:4] == ["é", "london", "UNKNOWN", "attendance"]
    whole = joining.document(text, paragraphs=True)
    assert whole.offsets().tolist() == tokens.offsets().tolist()
    plain = Tokenizer(words, "treebank").texts([text])
    assert len(plain) == len(tokens) + 4
    with pytest.raises(SennaError, match="never joined"):
        Tokenizer(words, join_hyphens=True)


@pytest.mark.parametrize("kind", ["treebank", "english", "german"])
def test_invisible_characters_are_not_looked_up(kind):
    words = Vocabulary.from_keys(sorted(["PADDING", "UNKNOWN", "running"]))
    reader = Tokenizer(words, kind)
    text = "run\u00adning \u00ad"
    for tokens in (reader.texts([text]), reader.pretokenized([text.split()])):
        assert tokens.text(0) == "run\u00adning"
        assert words[int(tokens.word[0])] == "running"


def test_backticks_of_contractions_are_looked_up_as_apostrophes():
    words = Vocabulary.from_keys(
        sorted(["PADDING", "UNKNOWN", "did", "n't", "it", "'s", "`"])
    )
    tokens = Tokenizer(words, "treebank").texts(["didn`t it`s `"])
    assert [words[word] for word in tokens.word.tolist()] == [
        "did",
        "n't",
        "it",
        "'s",
        "`",
    ]
