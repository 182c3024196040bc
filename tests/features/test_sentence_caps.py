"""How much of a sentence is capitalised."""

import pytest

from senna_py.features.protocol import TrainingTokens
from senna_py.features.registry import find_feature
from senna_py.text.tokens import Tokenizer
from senna_py.text.vocabulary import Vocabulary
from tests.helpers.feature_columns import feature_column


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Yes !", "few"),
        ("7 . 5", "few"),
        ("we went home .", "lower"),
        ("We went home with Ann .", "mixed"),
        ("Bank of England Raises Rates", "title"),
        ("BANK RAISES RATES , AGAIN", "upper"),
        ("iPhone and McDonald met", "mixed"),
        ("Ärzte Über Öl", "title"),
        ("ÄRZTE ÜBER 10 ÖL", "upper"),
        ("A B c d e", "mixed"),  # 2 of 5 begin with upper case
        ("A B C d e", "mixed"),  # 60% is not more than 60%
        ("Aa Bb Cc Dd e", "title"),
    ],
)
def test_sentences(sentence, expected):
    tokens = Tokenizer(Vocabulary.from_keys(["PADDING", "UNKNOWN"])).pretokenized(
        [["Before", "This"], sentence.split(), ["after", "this"]]
    )
    vocabulary = find_feature("sentence.caps").vocabulary(TrainingTokens(tokens))
    found = [vocabulary[i] for i in feature_column("sentence.caps", tokens, vocabulary)]
    assert found == ["title"] * 2 + [expected] * len(sentence.split()) + ["lower"] * 2
