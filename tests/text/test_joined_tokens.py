"""What is joined after a learned tokenizer: addresses and listed abbreviations."""

import re
from itertools import pairwise

import numpy as np
import pytest

from senna_py.text.learned_tokens import LearnedTokens
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.vocabulary import Vocabulary


class Units:
    """A finder whose tokens are units, and whose sentences end with each period."""

    def __init__(self, pattern=rb"[^\W\d_]+|\d+|[\x80-\xff]+|\S"):
        self.pattern = re.compile(pattern)

    def find(self, data, range_begin, range_end):
        spans = [match.span() for match in self.pattern.finditer(data)]
        array = np.array(spans, np.int32).reshape(-1, 2)
        lines = [data[:begin].count(b"\n") for begin, _ in spans]
        is_last = [*np.diff(lines).astype(bool), True][: len(spans)]
        ends = np.array([data[end - 1 : end] == b"." for _, end in spans], bool)
        ends = ends | np.array(is_last, bool)
        return LearnedTokens(
            array[:, 0].copy(), array[:, 1].copy(), np.zeros(len(spans), bool), ends
        )


def sentences(text, abbreviations=(), finder=None):
    words = Vocabulary.from_keys(["PADDING", "UNKNOWN"])
    tokenizer = Tokenizer(words, "learned", abbreviations, finder=finder or Units())
    tokens = tokenizer.split_sentences(tokenizer.lines(text.encode()))
    bounds = tokens.starts.tolist()
    return [
        " ".join(tokens.text(i) for i in range(first, last))
        for first, last in pairwise(bounds)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Veja https://www.publico.pt/a-b_c?d=1&e#f, sim",
            "Veja https://www.publico.pt/a-b_c?d=1&e#f , sim",
        ),
        ("é (www.x.org/y_(z)), é", "é ( www.x.org/y_(z) ) , é"),
        ("joao@uol.com.", "joao@uol.com ."),
        ("<joão.s@uol.com.br> é", "< joão.s@uol.com.br > é"),
        ("请看http://x.org/a的网站", "请看 http://x.org/a 的网站"),
        ("http://pt.x.org/São", "http://pt.x.org/São"),
        ("@ana e a@b so", "@ ana e a @ b so"),
        ("awww.x :// www. a", "awww . x : / / www . a"),
    ],
)
def test_addresses_are_single_tokens(text, expected):
    assert " ".join(sentences(text)) == expected


def test_an_address_ends_a_token_that_goes_on():
    finder = Units(rb"see http|/b\xc2\xa0, \w+|\S")
    text = "see http://x.org/b\u00a0, so"
    assert sentences(text, finder=finder) == ["see http://x.org/b , so"]


def test_addresses_of_lines_do_not_depend_on_each_other():
    lines = ["a@x.org", "é www.x.org", "", "http://" + "x." * 3000 + "org", "a@y.org b"]
    together = sentences("\n".join(lines))
    assert together == [each for line in lines for each in sentences(line)]


def test_listed_abbreviations_keep_their_period():
    text = "A sra. Ana, z.B. é 5. Sim, Sra.\nNo... Mas. Masra. Fim sra..."
    assert sentences(text, ("Sra", "z.B")) == [
        "A sra. Ana , z.B. é 5 .",
        "Sim , Sra.",
        "No .",
        ".",
        ".",
        "Mas .",
        "Masra .",
        "Fim sra .",
        ".",
        ".",
    ]


def test_a_colon_among_abbreviations_joins_letters():
    assert sentences("SVT:s kl 5:3", (":",)) == ["SVT:s kl 5 : 3"]
    assert sentences("SVT:s", ("a",)) == ["SVT : s"]
