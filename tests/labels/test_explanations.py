"""What labels mean."""

import pytest
from click.testing import CliRunner

from senna_py import explain
from senna_py.cli.model import command
from senna_py.errors import UsageError


@pytest.mark.parametrize(
    ("label", "meaning"),
    [
        ("A1-DSP", "direct speech"), ("S", "clause"), ("S-NP", "only token of: noun phrase"),
        ("B-R-AM-TMP", "first token of: relative word that stands for: time"),
        ("(S(NP", "clause, over noun phrase"), ("-LRB-", "opening round bracket"),
        ("Number=Sing|Person=3", "Number Sing, Person 3"), ("B-MONEY", "first token of: amount"),
    ],
)  # fmt: skip
def test_what_labels_mean(label, meaning):
    assert explain(label).startswith(meaning)
    assert CliRunner().invoke(command, ["explain", "--", label]).output == (
        f"{label}: {explain(label)}\n"
    )


@pytest.mark.parametrize("label", ["", "B-", "-", "NOUNS", "B-NOUNS", "X-NP"])
def test_what_is_no_label(label):
    with pytest.raises(UsageError, match="no such label"):
        explain(label)


def test_a_label_in_small_letters_is_known_by_its_own():
    for label, known in ("nnp", "NNP"), ("B-np", "NP"):
        with pytest.raises(UsageError, match=f"; did you mean {known}\\?$"):
            explain(label)


def test_a_label_is_a_str():
    with pytest.raises(TypeError, match="a label is a str, not int"):
        explain(3)
