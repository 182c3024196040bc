"""Errors that users see."""

from senna_py.errors import SennaError, UsageError


def test_messages_are_one_line_whatever_a_file_puts_into_them():
    assert str(SennaError("a\nb\x1b[31m: \u2028wrong")) == r"a\nb\x1b[31m: \u2028wrong"
    long = str(UsageError("model: " + "\n" * 70_000 + ": no such name"))
    assert len(long) <= 1000
    assert long.startswith("model: ") and long.endswith(": no such name")
