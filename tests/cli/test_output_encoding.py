"""Words that are no UTF-8 are printed as the bytes that they were, and nothing is a traceback."""

import io

import pytest

from senna_py.cli.common import take_any_text
from tests.helpers.commands import printed, vectors


@pytest.mark.parametrize(
    ("encoding", "text", "printed"),
    [
        ("utf-8", "ab\udcff é", b"ab\xff \xc3\xa9"), ("utf-8", "\ud800", b"\\ud800"),
        ("ascii", "é\udce9", b"\\xe9\xe9"),
    ],
)  # fmt: skip
def test_what_an_encoding_lacks(encoding, text, printed):
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding)
    take_any_text(stream, None, io.StringIO())
    stream.write(text)
    stream.flush()
    assert raw.getvalue() == printed


def test_neighbours_that_are_no_text(write):
    path = write(b"caf\xe9 1 0\nthe 0 1\na 1 1\n")
    result = vectors("neighbors", path, "the", "--metric", "cosine")
    assert "caf\udce9" in printed(result)
