"""Errors that users see."""

import importlib
import sys

import pytest

from senna_py.errors import SennaError, UsageError, one_line


def test_messages_are_one_line_whatever_a_file_puts_into_them():
    assert str(SennaError("a\nb\x1b[31m: \u2028wrong")) == r"a\nb\x1b[31m: \u2028wrong"
    long = str(UsageError("model: " + "\n" * 70_000 + ": no such name"))
    assert len(long) <= 1000
    assert long.startswith("model: ") and long.endswith(": no such name")
    for longest in (20, 60, 300):
        short = one_line("".join(map(chr, range(0x4E00, 0x5000))), longest)
        assert len(short) == longest and short[0] == "一" and short[-1] == "俿" and " ... " in short


@pytest.mark.parametrize(("module", "needed"), [("dataframe", "pyarrow"), ("spacy", "spacy")])
def test_extras_that_are_missing_say_how_to_install_them(module, needed, monkeypatch):
    monkeypatch.delitem(sys.modules, f"senna_py.{module}", raising=False)
    for name in (needed, f"{needed}.language"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=f"needs {needed}: pip install {needed}, or in a chec"):
        importlib.import_module(f"senna_py.{module}")
