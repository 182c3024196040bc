"""Which English words are one surface token with the word before."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.text.english_ranges import continued_words
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.treebank import treebank_ranges


class CountedBytes(bytes):
    """Bytes that count how many of them are read in slices."""

    n_read = 0

    def __getitem__(self, key):
        part = super().__getitem__(key)
        self.n_read += len(part)
        return part


def continues_in(data):
    """Return the ranges of the tokens of a text, and whether each continues a word."""
    begin, end = treebank_ranges(bytes(data), split_hyphens=True)
    newlines = [i + 1 for i, byte in enumerate(data) if byte == ord("\n")]
    line_begin = np.array([0, *newlines], np.int32)
    return begin, end, continued_words(data, begin, end, line_begin)


def surface_tokens(text):
    """Return the surface tokens of a text, with `+` between their words."""
    data = text.encode()
    begin, end, continues = continues_in(data)
    parts = []
    for a, b, joins in zip(begin, end, continues, strict=True):
        parts += ["+" if joins else " ", data[a:b].decode()]
    return "".join(parts).strip()


@pytest.mark.parametrize(
    "text, tokens",
    [
        ("I don't know.", "I do+n't know ."),
        ("It's John’s.", "It+'s John+’s ."),
        ("You cannot; I'm gonna.", "You can+not ; I+'m gon+na ."),
        ("The dogs' owner", "The dogs+' owner"),
        ("'The dogs' is a film", "' The dogs ' is a film"),
        ("dont they", "do+nt they"),
        ("a well-known 10km run", "a well - known 10 km run"),
        ("'s", "'s"),
        ("dogs '\ncats'", "dogs ' cats+'"),
    ],
)
def test_clitics_continue_their_host(text, tokens):
    assert surface_tokens(text) == tokens


@given(
    st.lists(
        st.sampled_from(
            [
                *("dogs", "cats", "Liz", "é", "a_", "1"),
                *("'", "’", "´", "`"),
                *" \n.-",
                *("\udce2\udc80", "\udcff"),  # bytes that are no UTF-8
            ]
        ),
        max_size=40,
    )
)
def test_an_apostrophe_after_a_plural_closes_an_open_quotation(pieces):
    data = "".join(pieces).encode("utf-8", "surrogateescape")
    begin, end, continues = continues_in(data)
    for before, first, after, joins in zip(
        begin[:-1], begin[1:], end[1:], continues[1:], strict=True
    ):
        host, word = (
            data[i:j].decode("utf-8", "replace")
            for i, j in ((before, first), (first, after))
        )
        if re.fullmatch("['’´`]", word) and re.fullmatch(r"\w*[sxzSXZ]", host):
            line = data[data.rfind(b"\n", 0, before) + 1 : before]
            text = line.decode("utf-8", "replace")
            assert joins == (re.search(r"(?<!\w)['’´`](?=\w)", text) is None)


@pytest.mark.parametrize("text", ["the dogs' ", "'the dogs' ", "the dogs’ \n"])
def test_the_work_grows_linearly(text):
    n_read = []
    for n_times in (500, 1000):
        data = CountedBytes((text * n_times).encode())
        continues_in(data)
        n_read.append(data.n_read)
    assert 0 < n_read[1] <= 2 * n_read[0]


def test_no_text():
    assert surface_tokens("") == ""


def test_the_tokenizer_joins_words_within_a_text(shipped_model):
    tokenizer = Tokenizer(shipped_model.storage.words, "english")
    tokens = tokenizer.texts(["I don't", "'s it's", "no"])
    assert [*np.flatnonzero(tokens.continues)] == [2, 5]
    assert [*tokens.surface_tokens().texts()][:2] == [b"I", b"don't"]
    assert tokenizer.texts(["He left."]).continues is None
    penn = Tokenizer(shipped_model.storage.words, "treebank")
    assert penn.texts(["I don't"]).continues is None
