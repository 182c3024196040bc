"""Brackets and quotes that belong together."""

import pytest

from senna_py.text.paired_marks import paired
from senna_py.text.tokens import Tokenizer
from senna_py.text.vocabulary import Vocabulary

SIGNS = ".(])"  # of tokens that do nothing to a pair, open, close, and close as a quote do


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
    assert "".join(SIGNS[kind] for kind in paired(tokens)) == f".{expected}."
