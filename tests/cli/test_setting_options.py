"""Options of commands from the fields of Settings."""

from dataclasses import dataclass

import click
import pytest
from click.testing import CliRunner

from senna_py.cli.setting_options import options_of
from senna_py.io.settings import Settings, setting


@dataclass(frozen=True)
class Sizes(Settings):
    text: str = setting(help="The text.")
    dim: int = setting(30, "Size of vectors.", least=1, most=64, by="--preset")
    rate: float = setting(0.1, "SGD rate.", above=0, below=1, metavar="R")
    kind: str = setting("sgd", "The optimizer.", choices=("sgd", "adam"))
    least_gain: float | None = setting(None, "Halve the rate.", least=0)
    classes: int | str | None = setting(None, "Their number or file.", metavar="N|FILE")
    plain: bool = setting(False, "No layer.")
    seed: int = setting(1)


def run(*args):
    """Result of a command with the options, which prints what it is given."""

    @click.command()
    @options_of(Sizes, omit=("seed",))
    def command(**values):
        click.echo(repr(values))

    return CliRunner().invoke(command, args)


def test_values_by_the_names_of_fields():
    assert eval(run("--text", "a").output) == {
        "text": "a", "dim": None, "rate": 0.1, "kind": "sgd", "least_gain": None,
        "classes": None, "plain": False,
    }  # fmt: skip
    given = run("--text=a", "--dim=5", "--least-gain=2", "--plain", "--classes=20")
    found = eval(given.output)
    assert (found["dim"], found["least_gain"], found["plain"]) == (5, 2.0, True)
    assert found["classes"] == 20
    assert eval(run("--text=a", "--classes=2x").output)["classes"] == "2x"


@pytest.mark.parametrize("option", ["--dim=65", "--dim=1_0", "--rate=nan", "--kind=x", "--seed=2"])
def test_limits_are_those_of_the_field(option):
    result = run("--text", "a", option)
    assert result.exit_code == 2
    assert "Error: " in result.output


def test_a_setting_without_default_is_required():
    result = run()
    assert result.exit_code == 2
    assert "Missing option '--text'" in result.output


def test_help_tells_defaults_and_limits():
    text = " ".join(run("--help").output.split())
    assert "--rate R SGD rate. [default: 0.1; 0<x<1]" in text
    assert "--dim N Size of vectors. [default: (by --preset); 1<=x<=64]" in text
    assert "--classes N|FILE Their number or file." in text
