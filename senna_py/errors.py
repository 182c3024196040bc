"""The exceptions for errors that users can cause, and helpers for their messages."""

_BEGINNING = 180  # The number of characters of a long message before the gap.
_GAP = " ... "


class SennaError(Exception):
    """An error in the user's input, with a one-line message.

    The message names the problem and, if there is one, the file and the place. Commands
    print it after their own name and exit with `exit_code`: 1 for data, 2 for usage.

    Example:
        >>> load("missing.safetensors")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
            ...
        senna_py.errors.SennaError: missing.safetensors: no such file or directory...
    """

    exit_code = 1

    def __str__(self) -> str:
        """Return the message in one line, even if names in it have line breaks."""
        return one_line(super().__str__(), 1000)


class UsageError(SennaError):
    """An error in a command or call, such as an unknown task.

    Example:
        >>> nlp.document("Stop!", spaces=[False])
        Traceback (most recent call last):
            ...
        senna_py.errors.UsageError: spaces and sentences can be used only with tokens
    """

    exit_code = 2


class SettingError(SennaError):
    """An error for a setting that does not suit the data; its message names no file."""


class WriteError(SennaError):
    """An error in writing a file, for example because the disk is full."""


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: `1 line`, `2,000 lines`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def missing(what: str, extra: str, *packages: str) -> str:
    """Return the message that `what` needs packages, and how to install them."""
    names = " ".join(packages)
    return f"{what} needs {names}: pip install {names}, or in a checkout: pip install '.[{extra}]'"


def one_line(error: object, longest: int = 300) -> str:
    """Return a message in one line, with control characters escaped.

    If it is longer than `longest` characters, its middle is left out, because messages
    begin with names and end with the problem.
    """
    text = str(error)
    if len(text) > longest:  # Escapes make it even longer.
        text = f"{text[:longest]}{text[-longest:]}"
    text = "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
    if len(text) > longest:
        beginning = min(_BEGINNING, 3 * longest // 5)
        text = f"{text[:beginning]}{_GAP}{text[beginning + len(_GAP) - longest :]}"
    return text
