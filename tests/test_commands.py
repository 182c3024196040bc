"""Commands of the documentation and of help: all can be given.

tests/test_page_commands.py runs those of pages, tests/cli/test_help_examples.py those
of help.
"""

import re

import click
import pytest

from tests.helpers.all_commands import COMMANDS, GROUPS
from tests.helpers.pages import PAGES, commands_of
from tests.helpers.shell import PROGRAMS, pipes_of

SHOWN = [(name, line) for name, page in PAGES.items() for line in commands_of(page)]
SHOWN += [
    (name, line) for name, command in COMMANDS + GROUPS for line in command.examples
]
INSTALLERS = "git", "cd", "pip", "pipx", "uv", "python", "docker"
TOP = {name: command for name, command in COMMANDS + GROUPS if " " not in name}


def check(words):
    """Parse the arguments of a command of this project; raises click's errors."""
    name, *rest = words
    command = TOP[name]
    # A command keeps the option of its help, whose names are those of the first
    # context.
    parent = click.Context(command, help_option_names=["-h", "--help"])
    while isinstance(command, click.Group):
        if not rest:
            return
        name, command, rest = command.resolve_command(parent, rest)
    command.make_context(name, rest, parent)


@pytest.mark.parametrize(
    ("place", "line"), SHOWN, ids=[f"{p}: {line[:60]}" for p, line in SHOWN]
)
def test_arguments_are_those_of_the_command(place, line):
    for part in line.replace("$seed", "1").split("&&"):
        for words, *_ in pipes_of(part):
            numbers = [n for n, word in enumerate(words) if word in PROGRAMS]
            if (
                numbers
                and words[0] not in INSTALLERS
                and not {"-h", "--help"} & {*words}
            ):
                check(words[numbers[0] :])  # before it stand mpirun, time or a variable


def mentioned():
    """Commands within the text of pages, which may lack arguments."""
    for name, page in PAGES.items():
        text = re.sub(
            "^ *```.*?^ *```$", "", page.read_text("utf-8"), flags=re.M | re.S
        )
        for code in re.findall("`([^`]+)`", text):
            if code.startswith(PROGRAMS) and " " in code and name != "CHANGELOG.md":
                yield name, " ".join(code.split())


def test_commands_within_text_are_known():
    unknown = []
    for name, line in mentioned():
        for words, *_ in pipes_of(line):
            try:
                if words[0] in PROGRAMS and words[1:]:
                    check(words)
            except (click.MissingParameter, click.BadParameter):
                pass
            except click.BadOptionUsage as error:
                if "requires an argument" not in error.message:
                    unknown.append(f"{name}: {line}: {error.message}")
            except click.UsageError as error:
                unknown.append(f"{name}: {line}: {error.message}")
    assert unknown == []
