"""Two checkouts of senna-py, whose commands run beside each other."""

import sys
from collections.abc import Callable
from pathlib import Path

from common.processes import ONE_THREAD, Launch

__all__ = ["Checkout", "in_turns"]


class Checkout:
    """A directory with senna_py and its commands, which run on one thread."""

    def __init__(self, path: str, python: str | None = None):
        """Take the directory, and an interpreter that has what senna_py needs, else this one."""
        self.path, self._python = Path(path).resolve(), python or sys.executable
        # Bytecode is kept, whatever the environment says: making it would be part of each run.
        self._environment = {
            **ONE_THREAD,
            "PYTHONPATH": str(self.path),
            "PYTHONDONTWRITEBYTECODE": "",
        }

    def __call__(self, program: str, *arguments: str | Path, **how) -> dict:
        """Run `senna-PROGRAM`; see `Launch` for what can be said and what is returned."""
        command = [self._python, str(self.path / "bin" / f"senna-{program}")]
        return Launch(command, self._environment)(*arguments, **how)


def in_turns(a: Callable, b: Callable, rounds: int) -> list[tuple]:
    """Pairs of what the functions return, called in the order A B, B A, A B and so on."""
    pairs = []
    for number in range(rounds):
        if number % 2:
            of_b, of_a = b(), a()
        else:
            of_a, of_b = a(), b()
        pairs.append((of_a, of_b))
    return pairs
