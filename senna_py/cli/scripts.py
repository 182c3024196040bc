"""Scripts that are called as `python SCRIPT ARGUMENT...`: those of recipes/."""

import inspect
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click

from senna_py.cli.running import exit_code
from senna_py.errors import SennaError


def run_script(main: Callable[..., None], doc: str | None) -> None:
    """Call a function with the arguments of the process, each a str, and report its
    errors.

    doc: docstring of the script, which `--help` prints. No argument, or a number of
    them that the function does not take, is wrong usage.
    """
    arguments = sys.argv[1:]
    if arguments[:1] in (["--help"], ["-h"]):
        print((doc or "").strip())
        return
    try:
        inspect.signature(main).bind(*arguments)
    except TypeError:
        arguments = []
    if not arguments:
        print((doc or "").strip(), file=sys.stderr)
        sys.exit(2)

    def call() -> None:
        try:
            main(*arguments)
        except subprocess.CalledProcessError:  # the program that failed has said why
            sys.exit(1)
        except OSError as error:
            if error.filename is None:
                raise
            raise SennaError(f"{error.filename}: {error.strerror}") from None

    code = exit_code(click.Command(Path(sys.argv[0]).name, callback=call), [])
    if code:
        sys.exit(code)
