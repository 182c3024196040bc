"""Help: groups, the short form, examples, options; it imports neither NumPy nor
Numba.
"""

import re
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from senna_py.cli.help import _GROUPS, _OTHER_OPTIONS, Command
from senna_py.cli.parameter_types import WORKERS
from senna_py.io.package_tables import read_table
from tests.helpers.all_commands import COMMANDS, GROUPS
from tests.helpers.commands import (
    GOLDEN,
    MODEL,
    assert_one_line_error,
    installed,
    printed,
    run,
)

BRIEF = [(name, command) for name, command in COMMANDS if command.brief]
GROUPED = " ".join(_GROUPS.values()).split()


def help_of(name, option):
    program, *parts = name.split()
    return printed(run(program, *parts, option))


def options(command):
    return [each for each in command.params if isinstance(each, click.Option)]


@pytest.mark.parametrize(("name", "command"), BRIEF, ids=[name for name, _ in BRIEF])
def test_the_short_form_has_twelve_options(name, command):
    brief, full = help_of(name, "-h").split("\nExamples:")[0], help_of(name, "--help")
    assert len(command.brief) == 12
    for option in options(command):
        shown = f"{max(option.opts, key=len)} "
        assert (shown in full, shown in brief) == (
            True,
            shown.strip("- ") in command.brief,
        )


def test_many_options_have_a_short_form_and_groups():
    for name, command in COMMANDS:
        assert command.brief or len(options(command)) <= 16, name
    known = {
        name.lstrip("-")
        for _, each in COMMANDS
        for o in options(each)
        for name in o.opts
    }
    assert len({*GROUPED}) == len(GROUPED) and {*GROUPED} <= known


@pytest.mark.parametrize(("name", "command"), COMMANDS + GROUPS)
def test_texts_are_whole(name, command):
    assert any(name in line for line in command.examples)
    assert "..." not in command.short_help and command.short_help.endswith(".")
    for option in options(command):
        is_list = option.help.startswith("\b")
        assert is_list or (option.help[0].isupper() and option.help.endswith(".")), (
            option.name
        )


@pytest.mark.parametrize("name", [name for name, _ in GROUPS])
def test_bare_groups_show_their_help(name):
    program, *parts = name.split()
    bare = run(program, *parts)
    assert (bare.returncode, bare.stderr.decode()) == (2, help_of(name, "-h"))


@pytest.mark.parametrize("program", [["senna-tag"], ["senna-py", "tag", "--lines"]])
def test_one_dash_or_two(program):
    one = run(
        *program, "-path", MODEL, "-pos", "-format=conll", "-", stdin=b"He lives .\n"
    )
    two = run(
        *program, "--path", MODEL, "--pos", "--format=conll", "-", stdin=b"He lives .\n"
    )
    assert one.returncode == 0 and one.stdout == two.stdout
    assert run(*program, "-help").stdout == run(*program, "--help").stdout
    for wrong in ("-po", "--po", "-ofile", "-o=file"):
        problem = f"No such option '{wrong}'"
        assert_one_line_error(run(*program, wrong), problem, code=2, is_last=True)


def test_values_are_left_alone():
    @click.command(cls=Command)
    @click.option("--pos", is_flag=True)
    @click.option("--part", nargs=2)
    @click.argument("rest", nargs=-1)
    def command(**values):
        click.echo(repr(values))

    result = CliRunner().invoke(
        command, ["-part", "-pos", "-part", "x", "-pos", "--", "-pos"]
    )
    assert (
        result.output
        == "{'part': ('-pos', '-part'), 'pos': True, 'rest': ('x', '-pos')}\n"
    )


@pytest.mark.parametrize(
    ("args", "name"),
    [
        (("tag", "--column", "a", "-column=b", "x.csv"), "--column"),
        (("redact", "--column", "a", "--live", "--column", "b"), "--column"),
        (("redact", "-o", "a", "x.txt", "--output", "b"), "--output"),
        (("search", "a", "--rules", "x", "--rules", "y"), "--rules"),
    ],
)
def test_a_second_value_that_would_replace_the_first_is_an_error(args, name):
    said = f"{name} may be used only once"
    assert_one_line_error(run("senna-py", *args), said, code=2, is_last=True)


def test_flags_numbers_and_lists_may_be_repeated():
    @click.command(cls=Command)
    @click.option("--pos", is_flag=True)
    @click.option("--jobs", type=WORKERS)
    @click.option("--task", multiple=True)
    def command(**values):
        click.echo(repr(values))

    args = ["--pos", "--pos", "--jobs=1", "--jobs=2", "--task=a", "--task=b"]
    result = CliRunner().invoke(command, args)
    assert result.output == "{'pos': True, 'jobs': 2, 'task': ('a', 'b')}\n"


@pytest.mark.parametrize("args", [["-o", "a\0b"], ["a\ud800.txt"], ["--path=\0"]])
def test_no_argument_has_what_no_name_has(args):
    for command in (
        ["senna-tag"],
        ["senna-py", "corpus"],
        ["senna-eval", "text"],
        ["senna-train"],
    ):
        assert_one_line_error(
            run(*command, *args), "in an argument", code=2, is_last=True
        )


@pytest.mark.process
@pytest.mark.parametrize(
    "command",
    [
        "senna-tag -h",
        "senna-tag -nope",
        "senna-tag --jobs 0",
        "senna-tag -posvbs -usrvbs x",
        "senna-train --help",
        "senna-model --help",
        "senna-lm train char --help",
        "senna-py --help",
        "senna-py tag --help",
        "senna-py tokenize --port 1",
        "senna-eval chunk ner.iob1.txt",
        "senna-eval tree tree.gold.mrg tree.pred.mrg",
    ],
)
def test_neither_numpy_nor_numba_is_imported(command):
    name, *arguments = command.split()
    program = ["-m", "senna_py"] if name == "senna-py" else [installed(name)]
    result = subprocess.run(
        [sys.executable, "-X", "importtime", *program, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=GOLDEN / "eval",
    )
    imported = {line.rpartition("|")[2].strip() for line in result.stderr.splitlines()}
    assert "click" in imported
    assert not {"numpy", "numba"} & imported


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("senna-py tag --model en", "--path"),
        ("senna-tag -model en", "--path"),
        ("senna-py tag --json", "--format json"),
        ("senna-py tag --conllu", "--format conllu"),
        ("senna-py tag -f json", "--format"),
        ("senna-py tag --entities", "--ner"),
        ("senna-py tag --output_format=json", "--format"),
        ("senna-py serve --n-process 2", "--jobs"),
        ("senna-py --lemma t.txt", "senna-py tag --lemma"),
        ("senna-py --entities t.txt", "senna-py tag --ner"),
        ("senna-py --versoin", "--version"),
        ("senna-py tag --usrtoken", "--usrtokens"),
    ],
)
def test_options_of_other_programs_are_named(line, meant):
    said = run(*line.split()).stderr.decode()
    assert re.search(rf"No such option '-[^']+'\. Did you mean '{meant}'", said)


def test_what_stands_for_options_of_others_is_an_option():
    known = {
        name for _, command in COMMANDS for o in options(command) for name in o.opts
    }
    table = read_table(_OTHER_OPTIONS)["option"]
    assert {ours.split(" ")[0] for ours in table.values()} <= known
    assert not {f"--{name}" for name in table} & {
        name
        for _, command in COMMANDS
        if command.name == "tag"
        for o in options(command)
        for name in o.opts
    }
