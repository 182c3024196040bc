"""A sentence splitter that learns; lines of wrapped text joined into paragraphs."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from senna_py.errors import SennaError
from senna_py.text.learning import learn_splitter
from senna_py.text.paragraphs import join_lines, whole_paragraphs
from senna_py.text.splitter import N_KNOWN, N_WEIGHTS, SentenceSplitter
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.vocabulary import Vocabulary

WORDS = Vocabulary.from_keys(["PADDING", "UNKNOWN"])
# Titles without a full stop, and a full stop that ends nothing.
SENTENCES = [
    "Météo",
    "Il pleut ici",
    "Sport",
    "Elle joue ici",
    "On dit vol. Rien",
    "Où pleut il ?",
]


def paragraph(sentences):
    begins = np.cumsum([0, *(len(sentence) + 1 for sentence in sentences)])[
        :-1
    ].tolist()
    return " ".join(sentences), begins


@pytest.fixture(scope="module")
def splitter():
    rng = np.random.default_rng(0)
    orders = [
        [SENTENCES[i] for i in rng.permutation(len(SENTENCES))] for _ in range(40)
    ]
    return learn_splitter(Tokenizer(WORDS, "french"), map(paragraph, orders))


def split(text, splitter, kind="french"):
    found = Tokenizer(WORDS, kind, splitter=splitter).document(text)
    data = text.encode()
    return [
        data[i:j].decode()
        for i, j in zip(found.text_begin, found.text_end, strict=True)
    ]


def test_sentences_that_rules_do_not_find(splitter):
    text = "Sport Il pleut ici Meteo Elle joue ici On dit vol. Rien"
    expected = ["Sport", "Il pleut ici", "Meteo", "Elle joue ici", "On dit vol. Rien"]
    assert split(text, splitter) == expected
    assert split(text, None) != expected
    assert split(f"{text}\n{text}", splitter) == 2 * expected


def test_places_are_looked_at_in_parts(splitter, monkeypatch):
    text = (
        " ".join([*SENTENCES, '("Sport"', "ici.)", "i", *SENTENCES])
        + "\n"
        + " ".join(SENTENCES)
    )
    whole = split(text, splitter)
    for size in (1, 2, 5):
        monkeypatch.setattr("senna_py.text.splitter._PART", size)
        assert split(text, splitter) == whole


@pytest.mark.slow
def test_memory_of_a_paragraph_follows_its_text(splitter):
    tokenizer = Tokenizer(WORDS, "french", splitter=splitter)
    tokens = tokenizer.lines(b"( Sport ( ici . " * 20_000)
    tokenizer.split_sentences(tokens)
    tracemalloc.start()
    tokenizer.split_sentences(tokens)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # The features of all places take 400 a token.
    assert peak < 150 * len(tokens) + (1 << 24)


def test_marks_without_a_partner_count_for_nothing():
    rng = np.random.default_rng(0)
    quoted = [
        '"Elle joue ici Sport Il pleut ici"',
        "(Elle joue ici Sport Il pleut ici)",
    ]
    orders = [[[*quoted, *SENTENCES][i] for i in rng.permutation(8)] for _ in range(40)]
    made = learn_splitter(Tokenizer(WORDS, "french"), map(paragraph, orders))
    assert split(f"{quoted[0]} {quoted[1]} Sport", made) == [*quoted, "Sport"]
    # More tokens than a pair may have between its marks.
    far = [
        *8 * SENTENCES,
        *quoted,
    ]
    for lone in ('5 " ici', "a) ici", "( ici"):
        assert split(" ".join([lone, *far]), made)[-8:] == far[-8:]


def test_the_same_data_give_the_same_splitter():
    made = [
        learn_splitter(Tokenizer(WORDS, "french"), [paragraph(SENTENCES)]) for _ in "ab"
    ]
    assert np.array_equal(made[0].weights, made[1].weights)
    assert np.array_equal(made[0].known, made[1].known)


def test_offsets_are_characters():
    tokenizer = Tokenizer(WORDS, "turkish")
    made = learn_splitter(tokenizer, [("Çö éé 😀 \udcff Ça éé", [0, 10])] * 5)
    tokenizer = Tokenizer(WORDS, "turkish", splitter=made)
    found = tokenizer.document("Çö éé 😀 \udcff Ça éé")
    assert found.starts.tolist() == [0, 4, 6]


words = st.sampled_from(["Il", "il", ".", "(", '"', ")", "ici", "M.", "5", "\udcff"])
lines = st.lists(st.lists(words, max_size=6).map(" ".join), max_size=5)


@given(lines)
# Small letters after a full stop count within a paragraph only.
@example(["Il Il .", "il"])
def test_no_sentence_depends_on_another_line(lines):
    weights = np.random.default_rng(0).normal(size=N_WEIGHTS)  # each feature counts
    splitter = SentenceSplitter(weights, np.zeros(N_KNOWN, bool))
    tokenizer = Tokenizer(WORDS, "french", splitter=splitter)

    def sentences(text):
        found = tokenizer.document(text)
        return [
            (found.text(a), b - a)
            for a, b in zip(found.starts, found.starts[1:], strict=False)
        ]

    alone = [each for line in lines for each in sentences(line)]
    assert sentences("\n".join(lines)) == alone


def test_where_no_sentence_begins():
    always = SentenceSplitter(np.ones(N_WEIGHTS), np.zeros(N_KNOWN, bool))
    for kept in ("IV. Il", "b. Il", "12. Il", "A. Il", "ici ici", "No!” and"):
        assert split(kept, always) == [kept]
    found = split("No!' and No!” Il No! and", always)
    assert found == ["No!", "' and", "No!”", "Il", "No!", "and"]


def test_nothing_to_learn_from():
    for kind, problem in (("french", "no sentence"), ("senna", "SENNA's tokens")):
        with pytest.raises(SennaError, match=problem):
            learn_splitter(Tokenizer(WORDS, kind), [(" ", [0])])


def test_arrays_of_another_size():
    weights, known = np.zeros(N_WEIGHTS), np.zeros(N_KNOWN, bool)
    for one, other in (
        (weights[1:], known),
        (weights, known[1:]),
        (weights + np.inf, known),
    ):
        with pytest.raises(SennaError):
            SentenceSplitter(one, other)


def test_running_text_teaches_what_ends_no_sentence():
    gold = [paragraph(["It rains.", "It pours.", "They left.", "He came."])] * 5
    running = ["They took 5 bxq. of it and 3 bxq. of that, and then 7 bxq. more."] * 5
    learned = [
        learn_splitter(Tokenizer(WORDS, "english"), gold, more)
        for more in ([], running)
    ]
    for text in ("It is xy. of them.", "They took 2 bxq. of them."):
        assert [len(split(text, each, "english")) > 1 for each in learned] == [
            True,
            False,
        ]


# Text, and its paragraphs between bars.
CASES = [
    ("One line\ngoes on.\n\nNext\n", "One line goes on.||Next|"),
    ("a\r\nb\r\n\r\nc", "a\r b\r|\r|c"),
    (
        "I think:\n> you said\n> this\n>> he this\nYes\n",
        "I think:|  you said   this|   he this|Yes|",
    ),
    ("> a\n>\n> b\n", "  a| |  b|"),
    (
        "Bye\nJo\n-- \nJo Doe\nACME Inc.\n\nPS\nmore",
        "Bye Jo|-- |Jo Doe|ACME Inc.||PS more",
    ),
    ("> Bye\n> --\n> Jo\nNo", "  Bye|  --|  Jo|No"),
    ("a > b\nc", "a > b c"),
    ("", ""),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_paragraphs(text, expected):
    assert join_lines(text.encode()).decode().replace("\n", "|") == expected


texts = st.lists(
    st.sampled_from(["a", "é.", "\n", "\n\n", ">", " ", "--", "-- \n", "\r\n"])
).map(lambda parts: "".join(parts).encode())


@given(texts)
def test_nothing_moves(text):
    joined = join_lines(text)
    assert len(joined) == len(text)
    for before, after in zip(text, joined, strict=True):
        assert before == after or (before in b"\n>" and after == ord(" "))
    assert joined.split() == text.replace(b">", b" ").split() or b">" in joined


@given(texts, st.integers(1, 5))
def test_batches_make_no_difference(text, size):
    lines = text.splitlines(keepends=True)
    batches = [b"".join(lines[i : i + size]) for i in range(0, len(lines), size)]
    assert b"".join(map(join_lines, whole_paragraphs(batches))) == join_lines(text)
