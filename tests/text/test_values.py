"""Rules for values: dates, times, amounts and the like."""

import re
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

from senna_py.io.toml import read_toml
from senna_py.tagger import Tagger
from senna_py.text import value_grammar
from senna_py.text.values import value_rules
from tests.helpers.commands import run

SENTENCES = Path(__file__).parents[1] / "data" / "values.txt"
GRAMMAR = Path(value_grammar.__file__).with_name(value_grammar.FILES["en"])
MARK = re.compile(r"\[([A-Z]+) ([^\]]*)\]")


@pytest.fixture(scope="module")
def tagger(shipped_model):
    """The English model's tagger for values."""
    return Tagger(shipped_model, ["val"])


def marked(sentence):
    """A sentence with its values in brackets, as `[LABEL words]`."""
    text, at = "", 0
    for span in sentence.values:
        text += f"{sentence.text[at : span.start_char]}[{span.label} {span.text}]"
        at = span.end_char
    return text + sentence.text[at:]


def plain(text):
    """A text without its marks."""
    return MARK.sub(r"\2", text)


@pytest.mark.slow
def test_values_of_written_sentences(tagger):
    lines = SENTENCES.read_text("utf-8").splitlines()[1:]
    expected = [line for line in lines if not line.startswith("=== ")]
    assert len(expected) > 200
    found = [marked(tagger.document(plain(line))) for line in expected]
    wrong = [pair for pair in zip(expected, found, strict=True) if pair[0] != pair[1]]
    assert len(wrong) <= 2, wrong


@pytest.mark.parametrize(
    "text",
    [
        # Dates.
        "Signed [DATE 11/22/63].",
        "From [DATE 2019-05-01] to [DATE 2019-06-01] it rained.",
        "Log of [DATE 2020-01-01] [TIME 09:30:15] shows it.",
        "She died on [DATE 3.4.1985].",
        "See you on [DATE the 12th]!",
        "On the [ORDINAL 12th] floor.",
        "After the [ORDINAL 2nd] attempt.",
        "By [DATE the 3rd of the month].",
        "[DATE Monday the 5th] was cold.",
        "Back in [DATE '99].",
        "[DATE March 5-7, 2020]",
        "He left on [DATE 5th June].",
        "A [DATE 3-year-old] girl.",
        "A [DATE two-week] trip.",
        # Times.
        "At [TIME 7.30pm] sharp.",
        "At [TIME 5 in the morning].",
        "At [TIME 17:45 CET].",
        "A [TIME 30-minute] ride.",
        "Done in [TIME 20min].",
        # Money.
        "Pay [MONEY €1.5m] now.",
        "It cost [MONEY about £3bn].",
        "It cost [MONEY $5 to $10].",
        "It cost [MONEY between $5 and $10].",
        "It cost [MONEY $20-$30] per head.",
        "It costs [MONEY €5], [MONEY £4] or [MONEY $6].",
        "Either [MONEY 20 dollars] or [MONEY 15 euros].",
        "[MONEY Rs.500] was paid.",
        "[MONEY 50p] each.",
        "It cost [MONEY fifteen pounds].",
        "Add [QUANTITY two pounds] of beef.",
        "A [MONEY 100-dollar] bill.",
        # Measures.
        "It's [QUANTITY 100m] away.",
        "A [QUANTITY five-mile] walk.",
        "[QUANTITY 2 cups] of flour and [QUANTITY 1/2 cup] of sugar.",
        "He is [QUANTITY 6'2\"] tall.",
        "[QUANTITY 60 miles per hour] is fast.",
        "[PERCENT 50-60%] of them.",
        "[PERCENT Zero per cent].",
        # Values of science, business and sports.
        "The level was [QUANTITY 3.4 ± 0.2 ng/mL] in men.",
        "It weighs [QUANTITY 12 ± 3 kg] now.",
        "A volume of [QUANTITY 250±5 mL] was used.",
        "It is [QUANTITY 4.5 ±0.2 kg] or [QUANTITY 3.4 +/- 0.2 kg].",
        "The score was [CARDINAL 3.4 ± 0.2] in men.",
        "It is [QUANTITY 3 in.] wide, [QUANTITY 3 gal.] of it and [QUANTITY 12 fl. oz.] of tea.",
        "He ran [QUANTITY 3 mi.] and swam [QUANTITY 2 km.] in it.",
        "The dose was [QUANTITY 3 ng/mL].",
        "Add [QUANTITY 30 μL] of water.",
        "Add [QUANTITY 30 µL] of water, then [QUANTITY 5 µg] and [QUANTITY 100 mM] of salt.",
        "Give [QUANTITY 5 mg/day] to them.",
        "Women were older (n = [CARDINAL 24]).",
        "Men (N = [CARDINAL 120]) and women (n=[CARDINAL 35]) took part.",
        "Rates rose by [PERCENT 0.25 percentage points].",
        "A [PERCENT 2-percentage-point] drop.",
        "Rates fell [PERCENT half a percentage point].",
        "Prices rose [PERCENT two and a half percent].",
        "They raised [MONEY two and a half million dollars].",
        "It cost [MONEY one and a half euros].",
        "He ran [QUANTITY two and a half miles].",
        "The [TIME 4:32] mile is his.",
        "He ran a [TIME 4:32] mile.",
        "[DATE The mid-'90s], [DATE Q3 2021] and others.",
        "Revenue for [DATE Q4 2019] and [DATE FY2020] rose.",
        "Rents rose in [DATE Q1 of 2020].",
        # Durations of several parts.
        "It took [TIME 1 hr 15 mins] to cook.",
        "Wait [TIME 5 mins] before serving.",
        "It lasted [TIME 2 hrs 30 min.]",
        "It lasted [TIME 1 hour 30 minutes] in all.",
        "The film runs [TIME 1h 15m] in total.",
        "The flight takes [TIME 2 hours, 45 minutes].",
        "We waited [TIME 2 hours 5 mins 10 secs].",
        "It takes [TIME 5 minutes and 10 seconds].",
        "It takes [TIME 5 min] and [TIME 10 min] each.",
        # Numbers that are no values.
        "Fixed in #12, #13 and #14.",
        "Call (555) 123-4567.",
        "Call 020 7946 0958.",
        "My number is 123-45-6789.",
        "● Eat",
        "### Build",
        "Read Psalm 23:10 aloud.",
    ],
)
def test_values_of_kinds(tagger, text):
    assert marked(tagger.document(plain(text))) == text


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        ("It is 10km away", ["QUANTITY 10km"]),
        ("It is 10 km away", ["QUANTITY 10 km"]),
        ("We meet at 5pm .", ["TIME 5pm"]),
        ("We meet at 5 pm .", ["TIME 5 pm"]),
        ("I paid $50 .", ["MONEY $50"]),
        ("I paid $ 50 .", ["MONEY $ 50"]),
        ("I paid 300USD .", ["MONEY 300USD"]),
        ("I paid 300 USD .", ["MONEY 300 USD"]),
        ("A 12-inch ruler", ["QUANTITY 12-inch"]),
        ("A 12 - inch ruler", ["QUANTITY 12 - inch"]),
        ("Open 9am-5pm now", ["TIME 9am-5pm"]),
        ("The dose was 3 ng/mL .", ["QUANTITY 3 ng/mL"]),
        ("The dose was 3 ng / mL .", ["QUANTITY 3 ng / mL"]),
        ("It is 3.4 ±0.2 kg .", ["QUANTITY 3.4 ±0.2 kg"]),
        ("It took 1h15m .", ["TIME 1h15m"]),
        ("# # Install", []),
        ("Fix it ( # 482 )", []),
        ("• Work with us", []),
    ],
)
def test_values_of_tokens_whole_and_apart(tagger, tokens, expected):
    assert [
        f"{span.label} {span.text}" for span in tagger(tokens.split()).values
    ] == expected


def test_what_rules_decide_has_probability_1(shipped_model):
    sentence = Tagger(shipped_model, ["val"], with_scores=True)(
        ["On", "2020-01-01", "about", "a", "third", "of", "40", "men", "left", "."]
    )
    scores = {span.text: span.score for span in sentence.values}
    assert scores["2020-01-01"] == 1
    assert 0 < scores["40"] < 1
    assert sentence.scores["val"][1] == 1


def test_values_do_not_depend_on_batches(tagger):
    texts = ["It costs $50.", "It rained.", "He left.", "Come at 5pm on 01/02/2020."]
    alone = [[*tagger(text).tags["val"]] for text in texts]
    assert [[*sentence.tags["val"]] for sentence in tagger.pipe(texts * 3)] == alone * 3


def test_rules_are_for_english_and_seven_labels(shipped_model):
    labels = shipped_model.storage.labels("val").names
    assert value_rules("en", labels)
    assert value_rules("de", labels) is None
    assert value_rules("en", labels[:-4]) is None
    assert value_rules("en", (*labels, "S-EVENT")) is None
    assert value_rules("en", ("O", "S-DATE")) is None


def test_no_token_and_no_value(tagger):
    empty = tagger.tokenizer.pretokenized([])
    labels, decided = value_rules("en", tagger.labels("val").names).apply(
        empty, np.zeros(0, np.int32)
    )
    assert len(labels) == len(decided) == 0
    assert tagger("").values == ()


@pytest.mark.parametrize(
    "word", ["one", "5", "$", "5 to", "March", "a hundred and", "five-"]
)
def test_long_lines_of_one_word_are_read(tagger, word):
    tokens = tagger.tokenizer.pretokenized([(f"{word} " * 2000).split()])
    rules = value_rules("en", tagger.labels("val").names)
    labels, _ = rules.apply(tokens, np.zeros(len(tokens), np.int32))
    assert len(labels) == len(tokens)


@pytest.mark.slow
@pytest.mark.parametrize(("phrase", "label"), [("5 %", "PERCENT"), ("€5 or", "MONEY")])
def test_values_of_a_long_sentence_are_looked_up_by_their_place(tagger, phrase, label):
    n = 30_000  # to compare all with all would take minutes
    tokens = tagger.tokenizer.pretokenized(
        [f"{phrase} ".replace("€", "€ ").split() * n]
    )
    names = tagger.labels("val").names
    given = [names.index(f"{prefix}-{label}") for prefix in "BE"] + [names.index("O")]
    labels, _ = value_rules("en", names).apply(
        tokens, np.tile(np.array(given, np.int32)[: len(tokens) // n], n)
    )
    assert [names[i] for i in labels[:2]] == [f"B-{label}", f"E-{label}"]
    assert (labels.reshape(n, -1) == labels[: len(tokens) // n]).all()


def test_each_word_has_one_kind():
    source = read_toml(GRAMMAR)
    for table in ("words", "forms"):
        words = [*chain.from_iterable(line.split() for line in source[table].values())]
        assert sorted({*words}) == sorted(words)
    assert all(line == line.lower() for line in source["words"].values())


def test_values_in_columns():
    found = run("senna-tag", "--path", "en", "--val", stdin=b"It costs $50 now.").stdout
    assert [line.split()[-1] for line in found.decode().splitlines() if line] == [
        "O",
        "O",
        "B-MONEY",
        "E-MONEY",
        "O",
        "O",
    ]
