"""Level 0 of parse trees."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.tag_schemes import segments
from senna_py.training.trees import level0_tags


def phrases(*bits):
    return segments(level0_tags(list(bits)))


def test_the_example_of_the_definition():
    # (S (NP They) (VP are (VP starting (S (VP to (VP buy (NP growth stocks)))))))
    found = phrases("(TOP(S(NP*)", "(VP*", "(VP*", "(S(VP*", "(VP*", "(NP*", "*))))))))")
    assert found == [
        ("NP", 0, 1), ("VP", 1, 2), ("VP", 2, 3), ("VP", 3, 4), ("VP", 4, 5), ("NP", 5, 7),
    ]  # fmt: skip


def test_a_phrase_interrupted_by_a_deeper_one_gives_two_segments():
    assert phrases("(S(NP*", "(PP*)", "*)", "*)") == [("NP", 0, 1), ("PP", 1, 2), ("NP", 2, 3)]


def test_neighbours_with_the_same_label_are_apart():
    assert phrases("(S(NP*", "*)", "(NP*)", "*)") == [("NP", 0, 2), ("NP", 2, 3)]


@pytest.mark.parametrize("label", ["NP-SBJ", "NP=2", "NP-SBJ-1", "NP|X"])
def test_function_tags_are_cut(label):
    assert phrases(f"(S({label}*)", "*)") == [("NP", 0, 1)]


def test_traces_and_brackets_have_a_label():
    assert phrases("(S(-LRB-*)", "*)") == [("-LRB-", 0, 1)]


def test_words_under_the_root_are_outside():
    assert level0_tags(["(TOP(S*", "(NP*)", "*))"]) == ["O", "B-NP", "O"]
    assert level0_tags(["*", "*"]) == ["O", "O"]


def test_a_root_without_a_label():
    assert level0_tags(["((S*", "(NP*)", "*))"]) == ["O", "B-NP", "O"]


@pytest.mark.parametrize(
    ("bits", "token", "problem"),
    [
        (["(S(NP*", "*)"], 1, "expected S to end"),
        (["(S*)", "*)"], 1, "expected 0 open phrases"),
        (["(S*", "NP", "*)"], 1, "found 'NP'"),
        (["(S*(", "*)"], 0, "found"),
        (["-"], 0, "found '-'"),
    ],
)
def test_malformed_bits(bits, token, problem):
    with pytest.raises(ValueError, match=r"open|end|found") as error:
        level0_tags(bits)
    assert error.value.args[0] == token
    assert problem in error.value.args[1]


@given(st.lists(st.text("()*NP-", max_size=6), min_size=1, max_size=5))
def test_anything_gives_tags_or_the_token(bits):
    try:
        assert len(level0_tags(bits)) == len(bits)
    except ValueError as error:
        assert 0 <= error.args[0] < len(bits)
