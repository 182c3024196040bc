"""Parameter files of EVALB."""

import pytest

from senna_py.evaluation.evalb_parameters import EvalbParameters, read_parameters
from tests.helpers.refusal import refusal


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
