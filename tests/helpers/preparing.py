"""Preparing files for a command: functions of a shell in whose directory it runs."""

import shutil
from collections.abc import Callable
from pathlib import Path

from tests.helpers import searched
from tests.helpers.shell import Shell

__all__ = ["link", "remove", "rename", "run_before", "write_table"]


def remove(name: str) -> Callable[[Shell], None]:
    """A function that removes a file, directory or link, if it is there."""

    def prepare(shell):
        path = shell.directory / name
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)

    return prepare


def rename(name: str, other: str) -> Callable[[Shell], None]:
    """A function that renames what an earlier command of the page wrote."""
    return lambda shell: (shell.directory / name).rename(shell.directory / other)


def link(name: str, target: Path) -> Callable[[Shell], None]:
    """A function that makes a name a link to what it stands for in a command."""

    def prepare(shell):
        remove(name)(shell)
        (shell.directory / name).symlink_to(target)

    return prepare


def run_before(*lines: str) -> Callable[[Shell], None]:
    """A function that runs commands."""
    return lambda shell: [shell.run(line) for line in lines]


def write_table(shell: Shell) -> None:
    """Write a tagged document as Parquet, as senna-py corpus does."""
    from tests.helpers.searched_parquet import write_rows

    write_rows(searched.searched(), shell.directory / "tagged.parquet", searched.TASKS)
