"""Shared parts of commands: how they end, and types of their options."""

import codecs
import contextlib
import gc
import math
import os
import signal
import sys

import click

from senna_py.errors import SennaError, UsageError, one_line
from senna_py.io.numbers import float_of, int_of
from senna_py.io.progress import say
from senna_py.io.streaming import COMPRESSED
from senna_py.io.system import STOP_SIGNALS, use_utf8
from senna_py.kernels.runtime.compile_events import LONG, notice, tell_when_compiling
from senna_py.kernels.runtime.pace import is_loading

_ANY_TEXT = "senna-py"  # a way to write what an encoding lacks


def option(*names, default=None, **facts):
    """An option of a command, whose default is shown; the last of `names` is its
    help.
    """
    *names, text = names
    if default is not None:
        facts = {"default": default, "show_default": True} | facts
    return click.option(*names, help=text, **facts)


def flag(*names, **facts):
    """An option without a value."""
    return option(*names, is_flag=True, **facts)


def file_option(*names, **facts):
    """An option that names a file."""
    return option(*names, type=click.Path(), metavar="FILE", **facts)


def choice(*names, default=None, **facts):
    """An option that is one of some words, which stand before its help."""
    *names, words, text = names
    return option(*names, text, type=click.Choice(words), default=default, **facts)


def number(*names, least=1, most=None, **facts):
    """An option that is a whole number."""
    return option(*names, type=WholeRange(least, most), **facts)


live_option = flag(
    "--live",
    "With -o: write into FILE at once, instead of replacing it when all is done.",
)


def progress_option(what):
    """The option of a bar; what: is counted."""
    return click.option(
        "--progress/--no-progress",
        default=None,
        help=f"Report bytes and {what}/s on standard error; default: if it is a terminal.",
    )


def check_output(output, live):
    """Raise UsageError for --live without an output file, and for the name of a
    compressed one.
    """
    if live and output is None:
        raise UsageError("--live goes with -o only")
    if (output or "").lower().endswith(COMPRESSED):
        raise UsageError(
            f"{output}: output is not compressed; pipe it through a program for that"
        )


def all_of(*options):
    """A decorator that adds some options, the first of which stands first in --help."""

    def decorate(function):
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


class Duration(click.ParamType):
    """A time such as `90s`, `45m` or `2.5h`, in seconds."""

    name = "time"

    def convert(self, value, param, ctx):
        """Seconds as float."""
        units = {"s": 1, "m": 60, "h": 3600}
        try:
            seconds = float_of(value[:-1]) * units[value[-1:]]
        except (ValueError, KeyError):
            self.fail(f"{value!r} is not a time such as 90s, 45m or 2.5h", param, ctx)
        if not 0 < seconds < float("inf"):
            self.fail(f"{value!r} is not a positive time", param, ctx)
        return seconds


class WholeRange(click.IntRange):
    """An IntRange of numbers as `io.numbers` reads them, which Python's rule is wider
    than.
    """

    name = "N"  # in help

    def convert(self, value, param, ctx):
        if isinstance(value, str):
            try:
                value = int_of(value.removeprefix("-")) * (
                    -1 if value.startswith("-") else 1
                )
            except ValueError:
                self.fail(f"{value!r} is not a whole number", param, ctx)
        return super().convert(value, param, ctx)


WORKERS = WholeRange(1, 1024)  # threads or processes


class FiniteRange(click.FloatRange):
    """A FloatRange without NaN, which no comparison keeps out, and without infinity."""

    name = "X"  # in help

    def convert(self, value, param, ctx):
        try:
            number = super().convert(float_of(str(value)), param, ctx)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a finite number", param, ctx)
        return number


@contextlib.contextmanager
def on_interrupt(handler):
    """Have STOP_SIGNALS call `handler` in a block, unless they are ignored."""
    before = {number: signal.getsignal(number) for number in STOP_SIGNALS}
    before = {number: old for number, old in before.items() if old != signal.SIG_IGN}
    for number in before:
        signal.signal(number, handler)
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


@contextlib.contextmanager
def interrupts(training):
    """Have STOP_SIGNALS end a TrainingRun, unless they are ignored; yields those that came."""
    caught = []

    def stop(number, frame):
        caught.append(number)
        training.stop()

    with on_interrupt(stop):
        yield caught


@contextlib.contextmanager
def until_reader_leaves():
    """End the block without a complaint when nobody reads standard output any more."""
    try:
        yield
    except BrokenPipeError:
        discard(1)


def run(command):
    """Run a click command as the process; never returns."""
    # Whoever waits at a terminal is told why, in place of a bar that may stand there.
    # Where nobody may be waiting, as under cron or in a container, the log is told if
    # it takes long.
    is_seen = sys.stderr is not None and sys.stderr.isatty()
    begin = "\r\x1b[K" if is_seen else ""
    tell_when_compiling(
        lambda: say(f"{begin}{command.name}: {notice()}"), after=0 if is_seen else LONG
    )
    try:
        code = exit_code(command)
    except Exception:  # a fault of this program
        if not is_loading():
            raise
        sys.excepthook(*sys.exc_info())
        code = 1
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:  # nobody reads it, or the disk is full
        discard(1)
        if not isinstance(error, BrokenPipeError):
            say(f"{command.name}: standard output: not written: {error.strerror}")
            code = 1
    if sys.stderr is not None:
        try:
            sys.stderr.flush()
        except OSError:  # what could not be said is not to change the exit code
            discard(2)
    if is_loading():  # LLVM does not let a thread that still compiles end in order
        os._exit(code or 0)
    gc.freeze()  # the process ends: no need to look for cycles in all that it has
    sys.exit(code)


def exit_code(command, args=None, name=None):
    """Run a click command and report its errors; returns the exit code.

    args: by default those of the process; name: that of the program, in usage messages.
    Exit codes: 0 or None for success; 1 for unusable data; 2 for wrong usage; 130 for
    Ctrl-C (see `cli.entry`).
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
        if not hasattr(sys.stdout, "wrapped"):
            raise
        sys.stdout = sys.stdout.wrapped  # click ends so where nobody reads the output
        discard(1)
        return 0
    except (MemoryError, OSError, ImportError, RuntimeError) as error:
        if type(error) is RuntimeError and "new thread" not in str(error):
            raise
        problem = one_line(error)
        if (
            isinstance(error, OSError) and error.filename is None
        ):  # as of a stream on a full disk
            problem = error.strerror or problem
            if isinstance(error, FileNotFoundError):  # only a call for it names no file
                problem = "the current directory has been deleted"
        if isinstance(error, MemoryError):  # of NumPy's a size is told
            problem = f"not enough memory{problem and ': '}{problem}"
        say(f"{command.name}: {problem or type(error).__name__}")
        return 1


def _show_usage(error):
    """Print an error of click, its message in one line unless it is help or a list."""
    # click 8.1 has no NoArgsIsHelpError: a group without arguments shows its help by
    # itself.
    as_it_is = (
        click.MissingParameter,
        getattr(click.exceptions, "NoArgsIsHelpError", ()),
    )
    if not isinstance(error, as_it_is):
        message = one_line(error.format_message())
        error.format_message = lambda: message
    error.show()


def print_text(text, inputs=()):
    """Print text that was made of inputs, none of which is overwritten."""
    from senna_py.io.output import open_output

    with until_reader_leaves(), open_output(None, inputs) as out:
        out.write(f"{text}\n".encode("utf-8", "surrogateescape"))


def discard(descriptor):
    """Drop what is still to come on a stream, without a complaint."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


def take_any_text(*streams):
    """Make text streams, such as sys.stdout, print any str; None and others stay as
    they are.

    Lone surrogates are printed as their bytes, and what else the encoding lacks as
    `\\uXXXX`.
    """
    codecs.register_error(_ANY_TEXT, _replaced)
    for stream in streams:
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=_ANY_TEXT)


def _replaced(error):
    text = error.object[error.start : error.end]
    ways = (
        "surrogateescape" if "\udc80" <= c <= "\udcff" else "backslashreplace"
        for c in text
    )
    return b"".join(
        c.encode("ascii", way) for c, way in zip(text, ways, strict=True)
    ), error.end
