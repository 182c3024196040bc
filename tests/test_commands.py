"""Commands of the documentation and of help: all can be given.

tests/test_page_commands.py runs those of pages, tests/cli/test_help_examples.py those
of help.
"""

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
