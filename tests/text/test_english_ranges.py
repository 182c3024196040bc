"""Which English words are one surface token with the word before."""

import pytest

from senna_py.text.english_ranges import continued_words
from senna_py.text.treebank import treebank_ranges


def surface_tokens(text):
    """Return the surface tokens of a text, with `+` between their words."""
    data = text.encode()
    begin, end = treebank_ranges(data, split_hyphens=True)
    parts = []
    for a, b, joins in zip(begin, end, continued_words(data, begin, end), strict=True):
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
