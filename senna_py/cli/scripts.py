"""Command lines for the scripts of `recipes/`: `python SCRIPT ARGUMENT...`."""

import inspect
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click

from senna_py.cli.running import exit_code
from senna_py.errors import SennaError


def run_script(main: Callable[..., None], doc: str | None) -> None:
    """Call a function with the command-line arguments, and report its errors.

    If there are no arguments, or the function does not accept their number, the usage
    is printed, and the process exits with code 2.

    Args:
        main: The function, to which each argument is passed as a str.
        doc: The docstring of the script, which is its usage and `--help` text.
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
        except subprocess.CalledProcessError:
            sys.exit(1)  # The program has printed its own error message.
        except OSError as error:
            if error.filename is None:
                raise
            raise SennaError(f"{error.filename}: {error.strerror}") from None

    code = exit_code(click.Command(Path(sys.argv[0]).name, callback=call), [])
    if code:
        sys.exit(code)
