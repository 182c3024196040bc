"""Two checkouts of senna-py, whose commands run alternately."""

import sys
from collections.abc import Callable
from pathlib import Path

from common.processes import ONE_THREAD, Launch

__all__ = ["Checkout", "alternately"]

# Of programs that do not have their names.
_FUNCTIONS = {
    "eval": "evaluate",
    "py": "root",
}


class Checkout:
    """A directory with senna_py and its commands, which run on one thread."""

    def __init__(self, path: str, python: str | None = None):
        """Take the directory, and an interpreter that has the requirements of senna_py.

        By default, it is the interpreter that runs this.
        """
        self.path, self._python = Path(path).resolve(), python or sys.executable
        # Bytecode is kept, whatever the environment says: making it would be part of
        # each run.
        self._environment = {
            **ONE_THREAD,
            "PYTHONPATH": str(self.path),
            "PYTHONDONTWRITEBYTECODE": "",
        }

    def __call__(self, program: str, *arguments: str | Path, **how) -> dict:
        """Run `senna-PROGRAM`; see `Launch` for the arguments and the result."""
        return Launch(self.command(program), self._environment)(*arguments, **how)

    def command(self, program: str) -> list[str]:
        """Return the words that begin the command `senna-PROGRAM`, installed or not."""
        name = _FUNCTIONS.get(program, program)
        path = f"import sys; sys.path.insert(0, {str(self.path)!r})"
        return [
            self._python,
            "-c",
            f"{path}; from senna_py.cli.entry import {name}; {name}()",
        ]


def alternately(a: Callable, b: Callable, rounds: int) -> list[tuple]:
    """Return pairs of results of two functions, called in the order A B, B A, and so
    on.
    """
    pairs = []
    for number in range(rounds):
        if number % 2:
            of_b, of_a = b(), a()
        else:
            of_a, of_b = a(), b()
        pairs.append((of_a, of_b))
    return pairs
