"""Settings on the command line: TOML, or a string without its quotes."""

import pytest

from senna_py.errors import SennaError, UsageError
from senna_py.io.toml import parse_setting, read_toml


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a.b=random", "random"), ("a.b='random'", "random"), ('a.b="random"', "random"),
        ("a.b=models/en:ner", "models/en:ner"), ("a.b = CC BY 4.0", "CC BY 4.0"), ("a.b=", ""),
        ("a.b=0.1", 0.1), ("a.b=0.1x", "0.1x"), ("a.b=true", True), ("a.b=True", "True"),
        ("a.b=x=y", "x=y"), ("a.b=2026-11-26", "2026-11-26"), ("a.b=1.0.2", "1.0.2"),
        ('a."b"=x', "x"), ("a.b=[1, 2]", [1, 2]), ("a.b=é\\", "é\\"),
    ],
)  # fmt: skip
def test_values(text, value):
    assert parse_setting(text) == {"a": {"b": value}}


@pytest.mark.parametrize(
    "text", ["a.b", "=x", "a b=x", "a.b=[x]", "a.b={x", "a.b='x", 'a.b="x', f"a.b=1{'0' * 30}"]
)
def test_what_is_no_setting(text):
    with pytest.raises(UsageError, match=r"^['\"].*: not a setting such as training.rate=0.1: "):
        parse_setting(text)


def test_no_string_has_a_nul(tmp_path):
    for text in ('a = "\\u0000"', '[[b]]\nc = ["x", "y\\u0000"]'):
        (tmp_path / "a.toml").write_text(text)
        with pytest.raises(SennaError, match=r"a.toml: not TOML: a NUL in "):
            read_toml(tmp_path / "a.toml")
    with pytest.raises(UsageError, match="a NUL in"):
        parse_setting("a=x\0")
