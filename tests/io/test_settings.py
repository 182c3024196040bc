"""Settings: limits and types of their fields, however they are made, and in TOML."""

import dataclasses
from dataclasses import dataclass

import pytest

from senna_py.errors import SennaError, UsageError
from senna_py.io.settings import Settings, setting
from senna_py.io.toml import parse_setting, read_toml


@dataclass(frozen=True)
class Inner(Settings):
    width: int = setting(3, "Units of a layer.", least=1, most=9)
    kernels: int | list = setting(3)

    def check(self):
        if self.width % 2 == 0:
            raise UsageError(f"width: expected an odd number, found {self.width}")


@dataclass
class Outer(Settings):
    name: str
    rate: float = setting(0.1, "SGD rate.", above=0, metavar="R")
    dropout: float = setting(0.0, "Share of units left out.", least=0, below=1)
    kind: str = setting("sgd", "The optimizer.", choices=("sgd", "adam"))
    epochs: int = setting(20, "Passes over the text.", least=1, free=True)
    plain: bool = setting(False, "No layer.")
    init: str | None = setting(None, "First vectors.", metavar="FILE", option="from")
    inner: Inner = dataclasses.field(default_factory=Inner)


BAD = [
    ("rate", 0.0, "expected more than 0, found 0.0"),
    ("rate", float("nan"), "expected a finite number, found nan"),
    ("rate", "fast", "expected a number, found 'fast'"),
    ("dropout", -0.1, "expected 0 at least, found -0.1"),
    ("dropout", 1, "expected less than 1, found 1"),
    ("kind", "adagrad", "expected one of sgd, adam, found 'adagrad'"),
    ("epochs", 0, "expected 1 at least, found 0"),
    ("epochs", 2.0, "expected a whole number, found 2.0"),
    ("epochs", 10**18, f"expected {10**18 - 1:,} at most, found {10**18:,}"),
    ("plain", 1, "expected true or false, found 1"),
    ("inner", 3, "expected a table, found 3"),
]


@pytest.mark.parametrize(("name", "value", "problem"), BAD)
def test_values_that_cannot_be(name, value, problem):
    with pytest.raises(UsageError) as caught:
        Outer("x", **{name: value})
    assert str(caught.value) == f"{name}: {problem}"
    with pytest.raises(SennaError) as caught:
        Outer.of({"name": "x", name: value})
    assert (str(caught.value), caught.value.exit_code) == (
        f"{name}: {problem}",
        1,
    )


def test_values_of_a_table():
    found = Outer.of({"name": "x", "rate": 1, "inner": {"width": 5, "kernels": [1, 3]}})
    assert found == Outer("x", rate=1, inner=Inner(5, [1, 3]))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            {"name": "x", "inner": {"width": 10}},
            "inner.width: expected 9 at most, found 10",
        ),
        (
            {"name": "x", "inner": {"width": 4}},
            "inner.width: expected an odd number, found 4",
        ),
        (
            {"name": "x", "inner": {"depth": 4}},
            "inner.depth: no such setting; there are width, kernels",
        ),
        (
            {"name": "x", "inner": {"kernels": "3"}},
            "inner.kernels: expected a whole number or a list, found '3'",
        ),
        ({"rate": 0.1}, "name is missing"),
    ],
)
def test_tables_that_cannot_be(values, message):
    with pytest.raises(SennaError) as caught:
        Outer.of(values)
    assert (str(caught.value), caught.value.exit_code) == (message, 1)


def test_objects_do_not_share_lists():
    @dataclass
    class Lists(Settings):
        dilations: list = setting([1, 2])

    Lists().dilations.append(3)
    assert Lists().dilations == [1, 2]


def test_what_a_resumed_run_may_change():
    @dataclass
    class Freer(Settings):
        outer: Outer
        seed: int = setting(1, free=True)

    assert Outer("x").free() == ("epochs",)
    assert Freer(Outer("x")).free() == ("outer.epochs", "seed")


def test_a_dict_is_what_a_file_can_say():
    @dataclass
    class Stages(Settings):
        stages: tuple = ((4, 1.0),)
        inner: Inner = dataclasses.field(default_factory=Inner)

    assert Stages().as_dict() == {
        "stages": [[4, 1.0]],
        "inner": {"width": 3, "kernels": 3},
    }


def test_a_part_has_the_settings_of_the_same_names():
    @dataclass(frozen=True)
    class More(Inner):
        rate: float = setting(0.1)

    assert More(5, 1).subset(Inner) == Inner(5, 1)


@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
@pytest.mark.parametrize("many", [list, tuple])
def test_text_is_such_as_a_file_may_be_called(name, many):
    @dataclass
    class Files(Settings):
        init: str = ""
        files: many[str] = dataclasses.field(default_factory=many)

    for given in ({"init": name}, {"files": many(["x", name])}):
        with pytest.raises(
            UsageError, match=rf"^{next(iter(given))}: a (NUL|lone surrogate) in "
        ):
            Files(**given)
    # Bytes outside UTF-8 may be in a name.
    assert Files("\udcff", many(["é"])).init == "\udcff"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a.b=random", "random"),
        ("a.b='random'", "random"),
        ('a.b="random"', "random"),
        ("a.b=models/en:ner", "models/en:ner"),
        ("a.b = CC BY 4.0", "CC BY 4.0"),
        ("a.b=", ""),
        ("a.b=0.1", 0.1),
        ("a.b=0.1x", "0.1x"),
        ("a.b=true", True),
        ("a.b=True", "True"),
        ("a.b=x=y", "x=y"),
        ("a.b=2026-11-26", "2026-11-26"),
        ("a.b=1.0.2", "1.0.2"),
        ('a."b"=x', "x"),
        ("a.b=[1, 2]", [1, 2]),
        ("a.b=é\\", "é\\"),
    ],
)
def test_values(text, value):
    assert parse_setting(text) == {"a": {"b": value}}


@pytest.mark.parametrize(
    "text",
    ["a.b", "=x", "a b=x", "a.b=[x]", "a.b={x", "a.b='x", 'a.b="x', f"a.b=1{'0' * 30}"],
)
def test_what_is_no_setting(text):
    with pytest.raises(
        UsageError, match=r"^['\"].*: not a setting such as training.rate=0.1: "
    ):
        parse_setting(text)


def test_no_string_has_a_nul(tmp_path):
    for text in ('a = "\\u0000"', '[[b]]\nc = ["x", "y\\u0000"]'):
        (tmp_path / "a.toml").write_text(text)
        with pytest.raises(SennaError, match=r"a.toml: not TOML: a NUL in "):
            read_toml(tmp_path / "a.toml")
    with pytest.raises(UsageError, match="a NUL in"):
        parse_setting("a=x\0")
