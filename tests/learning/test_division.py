"""Divisions of sentences for scores, and the errors that are shown."""

from senna_py.learning.alignment import LabeledSentence
from senna_py.learning.division import divide, share_of
from senna_py.learning.scores import agreement, chosen_errors, errors, score


def sentences(n, per_text=1, n_spans=1):
    words = tuple(f"w{i}" for i in range(n_spans))
    spans = tuple(("X", i, i + 1) for i in range(n_spans))
    return [LabeledSentence(i // per_text, f"{i}", words, spans) for i in range(n)]


def test_few_spans_are_divided_for_a_cross_validation():
    division = divide(sentences(40, per_text=2), {"X"}, 1)
    assert division.crosses
    assert len(division.rounds) == 5
    scored = [each for one in division.rounds for each in one.scored]
    assert sorted(each.place for each in scored) == sorted(str(i) for i in range(40))
    for one in division.rounds:
        assert len(one.learned) + len(one.scored) == 40
        sources = [{each.source for each in part} for part in one]
        assert not sources[0] & sources[1]


def test_many_spans_give_one_dev_set_of_whole_texts():
    division = divide(sentences(400, per_text=4, n_spans=2), {"X"}, 1)
    assert not division.crosses
    ((learned, scored),) = division.rounds
    assert 100 <= sum(len(each.spans) for each in scored) < 120
    assert not {each.source for each in learned} & {each.source for each in scored}
    # Spans with labels that are not annotated do not count.
    assert divide(sentences(400, n_spans=2), {"Y"}, 1).crosses


def test_a_single_sentence_cannot_be_divided():
    assert divide(sentences(1), {"X"}, 1).rounds == []
    assert len(share_of(sentences(8), 0.25, 1)) == 2
    assert len(share_of(sentences(1), 0.25, 1)) == 1


def test_errors_in_context():
    words = (*"abcdefgh", "New", "York", "i", "j")
    gold = LabeledSentence(0, "x: line 1", words, (("LOC", 8, 10), ("PER", 0, 1)))
    found = [[("ORG", 9, 10), ("PER", 0, 1), ("Y", 3, 4)]]
    (error,) = errors([gold], found, {"LOC", "ORG", "PER"})
    assert str(error) == (
        "x: line 1: ... c d e f g h [New York] i j: expected LOC, found ORG 'York'"
    )
    assert chosen_errors([error, error], 10) == [error, error]
    scores = score([gold], found, {"LOC", "PER"})
    assert (scores.overall.gold, scores.overall.correct) == (2, 1)
    assert agreement([[("X", 0, 1)], []], [[("X", 0, 1)], [("X", 0, 1)]]) == 200 / 3
