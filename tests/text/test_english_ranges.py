"""Which English words are one surface token with the word before."""

import numpy as np
import pytest

from senna_py.text.english_ranges import continued_words
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.treebank import treebank_ranges


def surface_tokens(text):
    """Return the surface tokens of a text, with `+` between their words."""
    data = text.encode()
    begin, end = treebank_ranges(data, split_hyphens=True)
    newlines = [i + 1 for i, byte in enumerate(data) if byte == ord("\n")]
    continues = continued_words(data, begin, end, np.array([0, *newlines], np.int32))
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
