"""Lines of wrapped text joined into paragraphs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.text.paragraphs import join_lines, whole_paragraphs

# Text, and its paragraphs between bars.
CASES = [
    ("One line\ngoes on.\n\nNext\n", "One line goes on.||Next|"),
    ("a\r\nb\r\n\r\nc", "a\r b\r|\r|c"),
    (
        "I think:\n> you said\n> this\n>> he this\nYes\n",
        "I think:|  you said   this|   he this|Yes|",
    ),
    ("> a\n>\n> b\n", "  a| |  b|"),
    ("Bye\nJo\n-- \nJo Doe\nACME Inc.\n\nPS\nmore", "Bye Jo|-- |Jo Doe|ACME Inc.||PS more"),
    ("> Bye\n> --\n> Jo\nNo", "  Bye|  --|  Jo|No"),
    ("a > b\nc", "a > b c"),
    ("", ""),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_paragraphs(text, expected):
    assert join_lines(text.encode()).decode().replace("\n", "|") == expected


texts = st.lists(st.sampled_from(["a", "é.", "\n", "\n\n", ">", " ", "--", "-- \n", "\r\n"])).map(
    lambda parts: "".join(parts).encode()
)


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
