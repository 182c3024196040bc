"""Scores of trees, and parameter files of EVALB."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.corpora.tree_files import parse_tree
from senna_py.errors import SennaError
from senna_py.evaluation.counts import NO_LABEL, Counts
from senna_py.evaluation.evalb_parameters import (
    COLLINS,
    EvalbParameters,
    read_parameters,
)
from senna_py.evaluation.tree_report import label_report, tree_report, tree_scores
from senna_py.evaluation.trees import ERROR, SKIP, VALID, TreePair, score_trees
from senna_py.labels.trees import TOP, Tree
from tests.helpers.confusions import assert_confusions_add_up
from tests.helpers.random_trees import nodes, trees
from tests.helpers.refusal import refusal

GOLD = "(TOP (S (NP (DT the) (NN cat)) (VP (VBD sat) (PRT (RP down)) (PP (IN on) (NP (PRP it)))) (. .)))"  # noqa: E501


def pair(gold, predicted):
    return TreePair(parse_tree(gold), parse_tree(predicted))


def score(gold, predicted, parameters=COLLINS):
    return score_trees([pair(gold, predicted)], parameters)


def row(scores):
    (sentence,) = scores.sentences
    return tuple(sentence)[:-1]


def test_a_perfect_tree():
    assert row(score(GOLD, GOLD)) == (7, VALID, 6, 6, 6, 0, 6, 6)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("PRT ", "ADVP ", (7, VALID, 6, 6, 6, 0, 6, 6)),  # taken for the same
        ("(PP ", "(VP ", (7, VALID, 6, 6, 5, 0, 6, 6)),
        ("(NP (PRP it))", "(PRP it)", (7, VALID, 6, 5, 5, 0, 6, 6)),
        ("(NP (PRP it))", "(NP (NP (PRP it)))", (7, VALID, 6, 7, 6, 0, 6, 6)),
        ("(NP ", "(NP-SBJ ", (7, VALID, 6, 6, 6, 0, 6, 6)),
        ("(NP ", "(NP=1 ", (7, VALID, 6, 6, 6, 0, 6, 6)),
        ("(NN cat)", "(NNP cat)", (7, VALID, 6, 6, 6, 0, 6, 5)),
        ("(TOP ", "(ROOT ", (7, VALID, 6, 6, 6, 0, 6, 6)),
        ("(TOP ", "( ", (7, VALID, 6, 6, 6, 0, 6, 6)),
        ("(. .)", "(: .)", (7, VALID, 6, 6, 6, 0, 6, 6)),
        ("(. .)", "", (7, VALID, 6, 6, 6, 0, 6, 6)),
        ("(. .)", "(NN .)", (7, ERROR, 0, 0, 0, 0, 0, 0)),  # a word that is not deleted
        ("(DT the)", "", (7, ERROR, 0, 0, 0, 0, 0, 0)),
        ("cat", "Cat", (7, ERROR, 0, 0, 0, 0, 0, 0)),
        (GOLD, "(())", (7, SKIP, 0, 0, 0, 0, 0, 0)),
        (GOLD, "(TOP (S (: -)))", (7, SKIP, 0, 0, 0, 0, 0, 0)),
    ],
)
def test_one_change(old, new, expected):
    assert row(score(GOLD, GOLD.replace(old, new))) == expected


def test_a_trace_is_no_word():
    traced = GOLD.replace("(PRP it)", "(PRP it) (NP (-NONE- *T*-1))")
    assert (
        row(score(traced, GOLD)) == row(score(GOLD, traced)) == row(score(GOLD, GOLD))
    )


def test_a_pair_without_gold_words():
    assert row(score("(TOP (: -))", "(())")) == (1, SKIP, 0, 0, 0, 0, 0, 0)
    assert row(score("(())", "(())")) == (0, SKIP, 0, 0, 0, 0, 0, 0)
    assert row(score("(())", GOLD)) == (0, ERROR, 0, 0, 0, 0, 0, 0)


def test_brackets_that_cross():
    gold = "(TOP (S (NP (A a) (B b)) (C c) (D d)))"
    predicted = "(TOP (S (A a) (VP (B b) (PP (C c) (D d)))))"
    assert row(score(gold, predicted)) == (4, VALID, 2, 3, 1, 1, 4, 4)
    assert row(score(predicted, gold)) == (4, VALID, 3, 2, 1, 1, 4, 4)


def test_quotes_that_only_one_side_deletes():
    gold = "(TOP (S (NN cats) ('' ') (NN tails)))"
    predicted = "(TOP (S (NP (NN cats) (POS ')) (NN tails)))"
    assert row(score(gold, predicted))[1] == ERROR
    labels = frozenset(["''"])
    parameters = EvalbParameters(delete_label=labels, quote_label=labels | {"POS"})
    assert row(score(gold, predicted, parameters)) == (3, VALID, 2, 3, 2, 0, 3, 2)


def test_equal_words_and_labels_that_do_not_count():
    parameters = EvalbParameters(labeled=False, eq_word=frozenset([("Cat", "cat")]))
    predicted = GOLD.replace("cat", "Cat").replace("NP", "X")
    assert row(score(GOLD, predicted, parameters)) == (7, VALID, 7, 7, 7, 0, 7, 7)


def test_labels_and_confusions():
    predicted = GOLD.replace("(PRT ", "(ADVP ").replace("(NP (PRP it))", "(PRP it)")
    predicted = predicted.replace("(NP (DT", "(NX (NX (DT").replace("cat))", "cat)))")
    scores = score(GOLD, predicted)
    assert scores.labels == {
        "NP": Counts(2, 0, 0),
        "NX": Counts(0, 2, 0),
        "PP": Counts(1, 1, 1),
        "PRT": Counts(1, 1, 1),
        "S": Counts(1, 1, 1),
        "VP": Counts(1, 1, 1),
    }
    assert scores.confusions == {
        ("NP", "NX"): 1,
        (NO_LABEL, "NX"): 1,
        ("NP", NO_LABEL): 1,
    }
    assert label_report(scores)[3].split() == [
        "NP",
        "2",
        "0",
        "0",
        "0.00",
        "0.00",
        "0.00",
    ]


def relabeled(draw, node):
    """A tree of other phrases over the same leaves."""
    children = list(node.leaves)
    while len(children) > 1:
        begin = draw(st.integers(0, len(children) - 1))
        size = draw(st.integers(1, len(children) - begin))
        label = draw(st.sampled_from(["S", "NP", "VP", "PP"]))
        children[begin : begin + size] = [
            Tree(label, tuple(children[begin : begin + size]))
        ]
        if draw(st.booleans()):
            break
    return Tree(TOP, tuple(children))


@st.composite
def tree_pairs(draw):
    gold = draw(trees)
    return TreePair(gold, relabeled(draw, gold))


@given(st.lists(tree_pairs(), max_size=4))
def test_labels_and_confusions_add_up(pairs):
    scores = score_trees(pairs)
    assert sum(scores.labels.values(), Counts()) == scores.totals.brackets
    assert_confusions_add_up(scores)


@given(st.lists(trees, max_size=3))
def test_a_perfect_prediction_has_100_percent(gold):
    totals = score_trees(TreePair(tree, tree) for tree in gold).totals
    assert totals.brackets.f1 == (100 if totals.brackets.gold else 0)
    assert totals.complete == totals.no_crossing == (100 if totals.n_valid else 0)


@given(nodes, nodes)
def test_any_two_trees_have_a_score(one, other):
    gold, predicted = (Tree(TOP, (node,)) for node in (one, other))
    scores = score_trees([TreePair(gold, predicted)])
    assert len(tree_report(scores)) == 34 + 1  # of the sentence
    assert tree_scores(scores)["sentences"] == 1


def test_more_errors_than_are_allowed():
    bad = TreePair(parse_tree(GOLD), parse_tree("(TOP (NN cat))"))
    good = pair(GOLD, GOLD)
    scores = score_trees([good, *[bad] * 10])
    assert (scores.totals.n_errors, scores.totals.n_valid) == (10, 1)
    parameters = replace(COLLINS, cutoff_len=6)
    found = tree_scores(
        score_trees([good, *[bad] * 10, pair(GOLD, "(())")], parameters)
    )
    assert [found[f"{kind}_sentences"] for kind in ("error", "skipped", "valid")] == [
        10,
        1,
        1,
    ]
    assert (found["cutoff"]["length"], found["cutoff"]["sentences"]) == (6, 0)
    with pytest.raises(
        SennaError, match=r"sentence 12: .*more than 10 pairs cannot be compared"
    ):
        score_trees([good, *[bad] * 11])
    assert (
        score_trees([bad] * 30, EvalbParameters(max_error=None)).totals.n_errors == 30
    )


def test_predicted_parts_of_speech_beside_those_of_the_gold_tree():
    gold = parse_tree("(TOP (S (NP (NN a) (, b)) (VP (VB c) (RB d))))")
    pair = TreePair(gold, gold, tags=["NN", "NN", ",", "RB"])
    totals = score_trees([pair]).totals
    assert (totals.words, totals.tags, totals.n_errors) == (3, 2, 0)
    assert totals.brackets.f1 == 100


def test_what_a_file_does_not_say(write):
    assert read_parameters(write("")) == EvalbParameters()


def test_all_names(write):
    text = "## x\nDEBUG 0\nLABELED 0\nMAX_ERROR 3\nCUTOFF_LEN 70\n"
    text += "EQ_WORD a b\nEQ_WORD c d\nQUOTE_LABEL POS\n"
    assert read_parameters(write(text)) == EvalbParameters(
        labeled=False,
        max_error=3,
        cutoff_len=70,
        eq_word=frozenset([("a", "b"), ("c", "d")]),
        quote_label=frozenset(["POS"]),
    )


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("CUTOFF 40", "expected one of LABELED, CUTOFF_LEN, "),
        ("CUTOFF_LEN forty", "expected a number after CUTOFF_LEN, found forty"),
        ("CUTOFF_LEN", "expected a number after CUTOFF_LEN, found nothing"),
        ("MAX_ERROR -1", "expected a number after MAX_ERROR, found -1"),
        ("DELETE_LABEL", "expected one label after DELETE_LABEL, found nothing"),
        ("EQ_LABEL A", "expected two values after EQ_LABEL, found A"),
    ],
)
def test_unreadable_lines(write, line, problem):
    path = write(f"# one\n{line}\n")
    assert refusal(path, read_parameters, path).startswith(f"line 2: {problem}")
