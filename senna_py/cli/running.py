"""Runs commands: error messages, exit codes and the end of the process."""

import contextlib
import gc
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from senna_py.cli.streams import discard, take_any_text
from senna_py.errors import SennaError, one_line
from senna_py.io.progress import say
from senna_py.io.system import use_utf8
from senna_py.kernels.runtime.compile_events import notice, tell_when_compiling
from senna_py.kernels.runtime.switch import is_preparing


def run(command: click.Command) -> NoReturn:
    """Run a command, and end the process with its exit code."""
    # At a terminal, the line replaces a progress bar.
    is_terminal = sys.stderr is not None and sys.stderr.isatty()
    erase_line = "\r\x1b[K" if is_terminal else ""
    tell_when_compiling(lambda: say(f"{erase_line}{command.name}: {notice()}"))
    try:
        code = exit_code(command)
    except Exception:  # A bug in this program.
        if not is_preparing():
            raise
        sys.excepthook(*sys.exc_info())
        code = 1
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:  # The pipe is closed, or the disk is full.
        discard(1)
        if not isinstance(error, BrokenPipeError):
            say(f"{command.name}: standard output: not written: {error.strerror}")
            code = 1
    if sys.stderr is not None:
        try:
            sys.stderr.flush()
        except OSError:  # A lost message does not change the exit code.
            discard(2)
    if is_preparing():  # A thread in which LLVM compiles cannot be stopped.
        os._exit(code or 0)
    gc.freeze()  # The process ends, so garbage need not be collected.
    sys.exit(code)


def exit_code(
    command: click.Command, args: Sequence[str] | None = None, name: str | None = None
) -> Any:
    """Run a command, report its errors, and return the exit code.

    The exit code is 0 or None for success, 1 for a data or system error, 2 for wrong
    usage, and 130 for Ctrl-C (see `cli.entry`).

    Args:
        command: The command.
        args: The arguments, or None for the arguments of the process.
        name: The name of the program in usage messages, or None for the default.
    """
    use_utf8()
    take_any_text(sys.stdout, sys.stderr)
    try:
        return command.main(args, name, standalone_mode=False)
    except click.ClickException as error:
        with contextlib.suppress(OSError):
            _show_usage(error)
        return error.exit_code
    except SennaError as error:
        say(f"{command.name}: {one_line(error)}")
        return error.exit_code
    except click.Abort:
        return 130
    except SystemExit:
        # If the pipe is closed, click wraps the stream and raises SystemExit.
        if not hasattr(sys.stdout, "wrapped"):
            raise
        sys.stdout = sys.stdout.wrapped
        discard(1)
        return 0
    except (MemoryError, OSError, ImportError, RuntimeError) as error:
        if type(error) is RuntimeError and "new thread" not in str(error):
            raise
        say(f"{command.name}: {_describe(error)}")
        return 1


def _describe(error: Exception) -> str:
    """Return a one-line message for an error of the operating system or of Python."""
    problem = one_line(error)
    if isinstance(error, OSError) and error.filename is None:  # As for a stream.
        problem = error.strerror or problem
        # Only os.getcwd raises FileNotFoundError without a path.
        if isinstance(error, FileNotFoundError):
            problem = "the current directory has been deleted"
    if isinstance(error, MemoryError):  # NumPy's message has the size.
        problem = f"not enough memory: {problem}" if problem else "not enough memory"
    return problem or type(error).__name__


def _show_usage(error: click.ClickException) -> None:
    """Print a usage error of click, in one line unless it is help or a list."""
    # click 8.1 has no NoArgsIsHelpError, because a group without arguments shows its
    # help there.
    is_text = isinstance(
        error,
        (click.MissingParameter, getattr(click.exceptions, "NoArgsIsHelpError", ())),
    )
    if not is_text:
        message = one_line(error.format_message())
        error.format_message = lambda: message  # type: ignore[method-assign]
    error.show()
