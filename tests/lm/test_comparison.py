"""Two models on the same text, against sums made one word at a time."""

import json

import numpy as np
import pytest

from senna_py.evaluation.bootstrap import Estimate
from senna_py.lm.comparison import compare_text, counts_of, report_lines
from senna_py.lm.ngram.kneser_ney import train_kneser_ney
from senna_py.lm.scoring import ScoredText
from senna_py.lm.text.streams import read_stream, read_text

TRAIN = "the cat sat\nthe dog sat on the mat\n\nthe cat ran\n" * 5
LINES = ["the cat sat on the mat", "the xyzzy ran", "a dog sat", "the cat ran"] * 4
NEW = "\n".join(LINES).encode()


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    directory = tmp_path_factory.mktemp("comparison")
    (directory / "train").write_text(TRAIN)
    (directory / "new").write_bytes(NEW)
    return directory


def model(directory, order=3, marks=True, **words):
    text = read_text([directory / "train"])
    word_list = text.word_list(marks=marks, **words)
    return train_kneser_ney(text.stream(word_list), order, word_list)


def compared(models, directory, name, form="summary"):
    return compare_text(models, ScoredText([directory / name], form, directory / "out"))


def by_hand(models, known):
    """Words that are known, with log10 by each model: a list of (line, word, a, b)."""
    out = []
    for number, line in enumerate(LINES):
        words = ["<s>", *line.split(), "</s>"]
        scores = [m.log10_probabilities(m.word_list.indices(words))[1:] for m in models]
        rows = zip(words[1:], *scores, strict=True)
        out += [(number, *row) for row in rows if row[0] in known]
    return out


def test_words_that_both_know_are_compared(directory):
    models = model(directory), model(directory, 2, size=4)  # the, cat, sat and one of three more
    known = {*models[1].word_list.words} & {*models[0].word_list.words}
    rows = by_hand(models, known)
    found = compared(models, directory, "new")
    groups = {group.name: group for group in found.groups()}
    whole = groups["all words"]
    assert whole.words == len(rows) < len(found)
    a, b = (np.mean([row[k] for row in rows]) for k in (2, 3))
    assert whole.perplexities == pytest.approx((10**-a, 10**-b))
    assert whole.change.value == pytest.approx(10 ** (a - b) - 1)
    assert groups["</s>"].words == len(LINES)
    cat = [row for row in rows if row[1] == "cat"]  # 8 times, as no other word of its class is
    assert len(cat) == 8
    often = {word for word in known if sum(row[1] == word for row in rows) >= 10} - {"</s>"}
    assert groups["10 to 99"].words == sum(row[1] in often for row in rows)
    both, a_only, b_only = found.left_out()
    assert both + a_only + b_only == len(found) - len(rows)
    assert (both, b_only > 0, a_only) == (8, True, 0)


def test_classes_by_another_text(directory):
    models = model(directory), model(directory, 2)
    found = compared(models, directory, "new")
    counts = counts_of([directory / "train"])
    assert counts[b"the"] == 20
    names = [group.name for group in found.groups(counts)]
    assert names == ["all words", "10 to 99", "1 to 9", "</s>"]
    assert [group.name for group in found.groups({})] == ["all words", "0", "</s>"]


def test_a_model_is_as_good_as_itself_and_better_than_a_worse_one(directory):
    models = model(directory), model(directory)
    backwards = [" ".join(line.split()[::-1]) for line in TRAIN.splitlines()]
    (directory / "backwards").write_text("\n".join(backwards))
    stream = read_stream([directory / "backwards"], models[1].word_list)
    models = models[0], train_kneser_ney(stream, 3, models[1].word_list)
    same = compared([models[0]] * 2, directory, "new")
    assert {g.change for g in same.groups()} == {Estimate(0, 0, 0)}
    for pair, sign, better in ((models, 1, "A"), (models[::-1], -1, "B")):
        found = compared(pair, directory, "new")
        group = found.groups()[0]
        assert group.change.low <= group.change.value <= group.change.high
        assert group.change.sign == sign
        lines = report_lines(found, "xy", found.groups())
        assert lines[1].startswith("B: y, ")
        assert f"{better} is better" in lines[5]


def test_a_model_without_marks_beside_one_with(directory):
    models = model(directory), model(directory, marks=False)
    found = compared(models, directory, "new", "jsonl")
    first = json.loads((directory / "out").read_bytes().splitlines()[0])
    assert first["tokens"] == LINES[0].split()
    assert len(first["log10_a"]) == len(first["log10_b"]) == 6
    assert "</s>" not in {group.name for group in found.groups()}
    assert any("only one of the models" in line for line in report_lines(found, "xy", []))


def test_few_sentences_have_no_interval(directory):
    models = model(directory), model(directory, 2)
    (directory / "few").write_text("the cat sat\n" * 9)
    found = compared(models, directory, "few")
    group = found.groups()[0]
    assert (group.change.low, group.change.high) == (-np.inf, np.inf)
    assert "too few sentences" in report_lines(found, "xy", [group])[-1]
