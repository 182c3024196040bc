"""Treebank tokens of raw bytes; brackets and quotes that belong together."""

import numpy as np
import pytest
from hypothesis import given

from senna_py.text.paired_marks import pair_classes
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.treebank import treebank_ranges
from senna_py.text.vocabulary import Vocabulary
from tests.helpers.any_text import any_bytes, any_lines

WORDS = Vocabulary.from_keys(
    sorted(
        ['"', "''", "'s", "--", "0", "PADDING", "UNKNOWN", "a", "ca", "mr.", "n't"],
        key=str.encode,
    )
)
tokenizer = Tokenizer(WORDS, "treebank")


@given(any_lines, any_lines)
def test_a_newline_in_a_text_is_a_blank_like_another(first, second):
    texts = [[f"{first}{blank}{second}", "No"] for blank in "\n "]
    one, other = (tokenizer.texts(pair) for pair in texts)
    assert one.offsets().tolist() == other.offsets().tolist()
    assert one.word.tolist() == other.word.tolist()


def test_words_look_up_as_everywhere():
    tokens = tokenizer.lines("Can’t “a” — 1,000 Mr. x’s".encode())
    found = [(tokens.text(t), WORDS[tokens.word[t]]) for t in range(len(tokens))]
    assert found == [
        ("Ca", "ca"),
        ("n’t", "n't"),
        ("“", '"'),
        ("a", "a"),
        ("”", '"'),
        ("—", "--"),
        ("1,000", "0"),
        ("Mr.", "mr."),
        ("x", "UNKNOWN"),
        ("’s", "'s"),
    ]


@pytest.mark.parametrize(
    "piece", ["a", ".", "'", "1,", "http://", "n't", "é", "\udcff", "A."]
)
def test_a_long_line_without_blanks(piece):
    data = (piece * 20_000).encode("utf-8", "surrogateescape")
    begin, end = treebank_ranges(data)
    assert begin[0] == 0
    assert end[-1] == len(data)
    assert (begin[1:] == end[:-1]).all()


# Sentences of lines.

senna = Tokenizer(WORDS)
kinds = pytest.mark.parametrize(
    ("tokenizer", "whitespace"), [(tokenizer, False), (tokenizer, True), (senna, False)]
)


@kinds
@given(data=any_bytes)
def test_splitting_changes_no_token(tokenizer, whitespace, data):
    tokens = tokenizer.lines(data, whitespace)
    parts = tokenizer.split_sentences(tokens, whitespace)
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
    assert parts.offsets().tolist() == tokens.offsets().tolist()
    starts = parts.starts.tolist()
    assert starts == sorted({*starts, *tokens.starts.tolist()})
    assert parts.source.tolist() == list(range(parts.n_sentences))
    assert parts.text_begin.tolist() == [tokens.begin[i] for i in starts[:-1]]
    assert parts.text_end.tolist() == [tokens.end[i - 1] for i in starts[1:]]
    lines = np.searchsorted(tokens.starts, starts[:-1], side="right") - 1
    assert parts.line_begin.tolist() == tokens.line_begin[lines].tolist()


def texts_of(tokens):
    return [
        tokens.data[i:j].decode("utf-8", "surrogateescape")
        for i, j in zip(tokens.text_begin, tokens.text_end, strict=True)
    ]


PARAGRAPHS = 'Mr. Smith  left. "He é!"  Then 5.\n\n  No. 5 "(it)". Ok\udcff? A'
SENTENCES = [
    "Mr. Smith  left.",
    '"He é!"',
    "Then 5.",
    'No. 5 "(it)".',
    "Ok\udcff?",
    "A",
]


@kinds
def test_sentences_of_paragraphs(tokenizer, whitespace):
    data = PARAGRAPHS.encode("utf-8", "surrogateescape")
    tokens = tokenizer.split_sentences(tokenizer.lines(data, whitespace), whitespace)
    if not whitespace:
        assert texts_of(tokens) == SENTENCES
    given = b"Mr. Smith left . He did . No"
    tokens = tokenizer.split_sentences(tokenizer.lines(given, whitespace), whitespace)
    assert texts_of(tokens) == ["Mr. Smith left .", "He did .", "No"]


def test_a_document_counts_from_its_beginning():
    for kind in (tokenizer, senna):
        tokens = kind.document(PARAGRAPHS)
        slices = [PARAGRAPHS[i:j] for i, j in tokens.offsets()]
        assert slices == [tokens.text(t) for t in range(len(tokens))]
        assert texts_of(tokens) == SENTENCES
    assert len(tokenizer.document("\n \n")) == 0


SIGNS = (
    ".(])"  # of tokens that do nothing to a pair, open, close, and close as a quote do
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a ( b ) c", ".(.]."),
        ("a ( b ] c ( d", "......."),
        ("( b [ c ) d ]", "(...].."),
        ('he said " no " and " no " , " he', "..(.).(.)..."),
        ("“ a ” « b » ”", "(.)(.)."),
        ("`` a ''", "..."),
        ("( a [ b { c } ] )", "(.(....]]"),
        ('( " a ) "', "(..]."),
        (") a (", "..."),
    ],
)
def test_pairs_of_a_sentence(text, expected):
    tokenizer = Tokenizer(Vocabulary.from_keys(["PADDING", "UNKNOWN"]))
    tokens = tokenizer.pretokenized([["("], text.split(), [")"]])
    assert "".join(SIGNS[kind] for kind in pair_classes(tokens)) == f".{expected}."
