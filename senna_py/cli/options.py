"""Functions that make click options.

The last positional argument of each function is the help text.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from senna_py.cli.parameter_types import WholeRange
from senna_py.errors import UsageError
from senna_py.io.streaming import COMPRESSED

Function = TypeVar("Function", bound=Callable[..., Any])
Decorator = Callable[[Function], Function]


def option(*names_and_help: str, default: Any = None, **attributes: Any) -> Decorator:
    """Create an option; its default, unless it is None, is shown in the help.

    Args:
        *names_and_help: The names of the option, and its help text.
        default: The default value.
        **attributes: Further arguments of `click.option`.
    """
    *names, text = names_and_help
    if default is not None:
        attributes = {"default": default, "show_default": True} | attributes
    return click.option(*names, help=text, **attributes)


def takes_one_value(option: click.Option) -> bool:
    """Return whether a second use of an option would silently drop the first value.

    This is not true of numbers, choices and the path of the model: by convention, and
    as in SENNA, their last use counts.
    """
    if option.name == "path":
        return False
    is_text = isinstance(option.type, click.Path | click.types.StringParamType)
    return is_text and not option.is_flag and not option.multiple


def flag(*names_and_help: str, **attributes: Any) -> Decorator:
    """Create an option without a value (a flag)."""
    return option(*names_and_help, is_flag=True, **attributes)


def file_option(*names_and_help: str, **attributes: Any) -> Decorator:
    """Create an option whose value is the path of a file."""
    return option(*names_and_help, type=click.Path(), metavar="FILE", **attributes)


def choice(*names_words_and_help: Any, **attributes: Any) -> Decorator:
    """Create an option whose value is one of a list of words.

    Args:
        *names_words_and_help: The names of the option, the words, and the help text.
        **attributes: Further arguments of `option`.
    """
    *names, words, text = names_words_and_help
    return option(*names, text, type=click.Choice(words), **attributes)


def number(
    *names_and_help: str,
    least: int | None = 1,
    most: int | None = None,
    **attributes: Any,
) -> Decorator:
    """Create an option for a whole number from `least` to `most`, inclusive."""
    return option(*names_and_help, type=WholeRange(least, most), **attributes)


live_option = flag(
    "--live",
    "With -o: write directly to FILE, instead of replacing it at the end.",
)


def progress_option(units: str) -> Decorator:
    """Create the option --progress/--no-progress.

    Args:
        units: The plural noun for the units whose rate is reported, such as lines.
    """
    return click.option(
        "--progress/--no-progress",
        default=None,
        help=f"Report bytes and {units}/s on standard error; default: if it is a terminal.",
    )


def check_output(output: str | None, live: bool) -> None:
    """Raise UsageError for --live without a file, and for the name of a compressed file.

    Args:
        output: The path of the output, or None for standard output.
        live: Whether the option --live is given.
    """
    if live and output is None:
        raise UsageError("--live can be used only with -o")
    if (output or "").lower().endswith(COMPRESSED):
        raise UsageError(
            f"{output}: output is not compressed; pipe it through a program for that"
        )


def all_of(*options: Decorator) -> Decorator:
    """Combine options into a single decorator; --help lists them in this order."""

    def decorate(function: Function) -> Function:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate
