"""Scores of layers: the standard measures, and F1 of any other shape."""

import numpy as np
import pytest

from senna_py.answers.layer import ROOT, Layer
from senna_py.evaluation.layers import LayerPair, headline, score_layers
from senna_py.evaluation.report import report_of
from senna_py.labels.tasks import Shape, Task, find_task
from tests.helpers.gold import make_gold

LINK = Task("link", Shape("links", "words", hangs_on="span"))


def links(*rows):
    """A layer of mentions: label, begin, end, and the row of the one they hang on."""
    names = (*dict.fromkeys(row[0] for row in rows),)
    label, begin, end, anchor = (
        np.array(column, np.int32)
        for column in zip(
            *((names.index(row[0]), *row[1:]) for row in rows), strict=True
        )
    )
    return Layer(LINK, names, label, begin, end, anchor=anchor)


def pair(gold, predicted, *starts):
    return LayerPair(gold, predicted, np.array(starts))


def test_spans_of_any_shape():
    gold = links(("A", 0, 1, ROOT), ("B", 2, 4, 0), ("B", 5, 6, 1))
    predicted = links(("A", 0, 1, ROOT), ("C", 2, 4, 0), ("B", 5, 6, 0), ("B", 7, 8, 0))
    scores = score_layers(LINK, [pair(gold, predicted, 0, 8)])
    overall = scores.overall
    assert (overall.gold, overall.predicted, overall.correct) == (3, 4, 1)
    assert scores.confusions == {("B", "C"): 1, ("B", "-"): 1, ("-", "B"): 2}
    assert headline(LINK, scores) == (overall.f1, "F1")
    report = report_of(LINK.shape.name)
    assert report.lines(scores)[0] == "gold: 3 spans; predicted: 4; correct: 1."
    assert report.object(scores)["labels"]["A"]["f1"] == 100


def test_the_row_of_an_anchor_does_not_matter():
    """What counts is the span on which another hangs."""
    gold = links(("A", 0, 1, ROOT), ("B", 2, 4, 0))
    predicted = links(("X", 0, 2, ROOT), ("A", 0, 1, ROOT), ("B", 2, 4, 1))
    scores = score_layers(LINK, [pair(gold, predicted, 0, 4)])
    assert scores.labels["B"].correct == 1


@pytest.mark.parametrize("other", [("A", 0, 3, ROOT), ("A", 1, 2, ROOT)])
def test_a_span_that_hangs_on_other_tokens_is_wrong(other):
    gold = links(("A", 0, 2, ROOT), ("B", 3, 4, 0))
    predicted = links(other, ("B", 3, 4, 0))
    counts = score_layers(LINK, [pair(gold, predicted, 0, 4)]).labels["B"]
    assert (counts.gold, counts.predicted, counts.correct) == (1, 1, 0)


def test_equal_spans_count_as_often_as_they_occur():
    gold = links(("A", 0, 1, ROOT), ("A", 0, 1, ROOT))
    predicted = links(("A", 0, 1, ROOT), ("B", 0, 1, ROOT))
    counts = score_layers(LINK, [pair(gold, predicted, 0, 1)]).labels
    assert (counts["A"].gold, counts["A"].correct) == (2, 1)
    assert score_layers(LINK, []).overall.f1 == 0


@pytest.mark.parametrize(
    ("task", "labels", "others", "expected"),
    [
        ("pos", [["A", "B"], ["A"]], [["A", "A"], ["A"]], (200 / 3, "accuracy")),
        ("vbs", [["VB", "NOVB"]], [["VB", "VB"]], (200 / 3, "F1")),
        ("chk", [["S-NP", "B-VP", "E-VP"]], [["S-NP", "S-VP", "O"]], (50, "F1")),
        (
            "srl",
            [{0: ["S-V", "S-A1"]}, {1: ["S-A0", "S-V"]}],
            [{0: ["S-V", "S-A1"]}, {1: ["S-A1", "S-V"]}],
            (50, "F1"),
        ),
    ],
)
def test_standard_measures(task, labels, others, expected):
    lengths = [len(each) for each in labels] if task != "srl" else [2, 2]
    gold, predicted = (make_gold(task, each, lengths) for each in (labels, others))
    pairs = [LayerPair(gold.layer, predicted.layer, gold.starts)]
    value, name = headline(find_task(task), score_layers(find_task(task), pairs))
    assert (pytest.approx(value), name) == expected
