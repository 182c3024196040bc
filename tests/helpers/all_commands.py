"""All commands that a user can give, by their full names."""

import click

from senna_py.cli.eval import command as evaluate
from senna_py.cli.lm import command as lm
from senna_py.cli.model import command as model
from senna_py.cli.root import command as root
from senna_py.cli.tag import command as tag
from senna_py.cli.train import command as train

__all__ = ["COMMANDS", "GROUPS"]


def _walk(name, command):
    """Yield (full name, command) of a command and of all below it."""
    yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for part in command.list_commands(context):
            inner = command.get_command(context, part)
            if inner not in _PROGRAMS.values():
                yield from _walk(f"{name} {part}", inner)


_PROGRAMS = {
    "senna-eval": evaluate,
    "senna-lm": lm,
    "senna-model": model,
    "senna-py": root,
    "senna-tag": tag,
    "senna-train": train,
}
_ALL = [found for name, command in _PROGRAMS.items() for found in _walk(name, command)]
GROUPS = [(name, command) for name, command in _ALL if isinstance(command, click.Group)]
COMMANDS = [each for each in _ALL if each not in GROUPS]
