import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.evaluation.counts import Counts
from senna_py.evaluation.roles import join_continued, score_roles
from senna_py.labels.tag_schemes import segments
from tests.helpers.confusions import assert_confusions_add_up

LABELS = ["V", "A0", "A1", "C-A0", "C-A1", "R-A0", "C-V"]
phrases = st.lists(st.tuples(st.sampled_from([None, *LABELS]), st.integers(1, 3)), max_size=6).map(
    lambda stretches: [
        (label, sum(n for _, n in stretches[:k]), sum(n for _, n in stretches[: k + 1]))
        for k, (label, _) in enumerate(stretches)
        if label is not None
    ]
)
propositions = st.dictionaries(st.integers(0, 4), phrases, max_size=3)
pairs = st.lists(st.tuples(propositions, propositions), max_size=4)


@given(pairs)
def test_a_perfect_prediction_has_100_percent(sentences):
    scores = score_roles((gold, gold) for gold, _ in sentences)
    for counts in (scores.overall, scores.verb, *scores.labels.values()):
        assert counts.f1 == (100 if counts.gold else 0)
    assert scores.n_perfect == scores.n_propositions == sum(len(gold) for gold, _ in sentences)
    assert not scores.confusions


@given(pairs)
def test_confusions_are_what_is_missed_and_in_excess(sentences):
    assert_confusions_add_up(score_roles(sentences))


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ("S-A1 S-V S-C-A1", [("A1", ((0, 1), (2, 3))), ("V", ((1, 2),))]),
        ("S-A1 S-A1 S-C-A1", [("A1", ((0, 1),)), ("A1", ((1, 2), (2, 3)))]),  # the last one
        ("S-A1 S-C-A1 S-C-A1", [("A1", ((0, 1), (1, 2), (2, 3)))]),
        ("B-C-A1 E-C-A1 S-V", [("A1", ((0, 2),)), ("V", ((2, 3),))]),  # nothing to continue
        ("S-C-A1 S-C-A1", [("A1", ((0, 1), (1, 2)))]),
        ("S-V O S-C-V", [("V", ((0, 1), (2, 3)))]),
        ("S-A0 S-R-A0 S-C-A0", [("A0", ((0, 1), (2, 3))), ("R-A0", ((1, 2),))]),
    ],
)
def test_continued_arguments(tags, expected):
    assert join_continued(segments(tags.split())) == expected


def test_v_counts_for_nothing():
    gold, predicted = [("A0", 0, 1), ("V", 1, 2)], [("A0", 0, 1), ("V", 2, 3)]
    scores = score_roles([({1: gold}, {1: predicted})])
    assert scores.overall == Counts(1, 1, 1)
    assert scores.verb == Counts(1, 1, 0)
    assert scores.perfect == 100


def test_all_tokens_and_the_role_are_compared():
    gold = [("A1", 0, 1), ("V", 1, 2), ("C-A1", 3, 4)]
    scores = score_roles([({1: gold}, {1: gold[:2]})])
    assert (scores.overall, scores.verb, scores.n_perfect) == (Counts(1, 1, 0), Counts(1, 1, 1), 0)
    scores = score_roles([({1: [("A0", 1, 2)]}, {1: [("V", 1, 2)]})])
    assert (scores.overall, scores.verb, scores.n_perfect) == (Counts(1, 0, 0), Counts(0, 1, 0), 0)


def test_predicates_that_only_one_side_has():
    found = {0: [("V", 0, 1), ("A1", 1, 3)], 2: [("V", 2, 3)]}
    scores = score_roles([({1: [("V", 1, 2), ("A0", 0, 1)]}, found)])
    assert scores.labels == {"A0": Counts(1, 0, 0), "A1": Counts(0, 1, 0), "V": Counts(1, 2, 0)}
    assert (scores.n_propositions, scores.n_perfect) == (1, 0)


@pytest.mark.parametrize("extra", [False, True])
def test_a_predicate_without_arguments_need_not_be_predicted(extra):
    gold = {0: [("A0", 1, 2)], 1: [("V", 1, 2)], 3: [], 4: [("V", 4, 5), ("C-V", 6, 7)]}
    scores = score_roles([(gold, {2: [("A1", 0, 1)]})], extra)
    assert (scores.n_perfect, scores.verb) == (3, Counts(2, 0, 0))
    scores = score_roles([(gold, {1: [("V", 1, 2), ("A1", 3, 4)], 3: [("V", 3, 4)]})], extra)
    assert scores.n_perfect == 2


@given(pairs)
def test_without_extra_predicates_only_those_of_gold_are_scored(sentences):
    scores = score_roles(sentences, extra=False)
    kept = [(a, {p: found for p, found in b.items() if p in a}) for a, b in sentences]
    same = score_roles(kept)
    assert scores.n_extra == sum(len(b) for _, b in sentences) - sum(len(b) for _, b in kept)
    assert (scores.labels, scores.n_perfect) == (same.labels, same.n_perfect)
    assert scores.confusions == same.confusions
