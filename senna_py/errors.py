"""The one exception for everything that a user's input can cause."""

_BEGINNING, _GAP = 180, " ... "  # characters of a long message


class SennaError(Exception):
    """Unusable input: a message of one line that names the file, the place and the
    problem.

    Commands print it after their own name and exit with `exit_code`: 1 for data, 2 for
    usage.
    """

    exit_code = 1

    def __str__(self) -> str:
        """The message, on one line whatever names a file put into it."""
        return one_line(super().__str__(), 1000)


class UsageError(SennaError):
    """A request that no input could satisfy, such as a task name that does not
    exist.
    """

    exit_code = 2


class SettingError(SennaError):
    """A setting that does not fit the data; the message does not name the
    configuration's file.
    """


class WriteError(SennaError):
    """A file that the system does not let be written, for one because the disk is
    full.
    """


def counted(number: int, noun: str) -> str:
    """A number with its noun: `1 line`, `2,000 lines`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def missing(what: str, extra: str, *packages: str) -> str:
    """Message for `what` needs packages that are not installed, which an extra has."""
    names = " ".join(packages)
    return f"{what} needs {names}: pip install {names}, or in a checkout: pip install '.[{extra}]'"


def one_line(error: object, longest: int = 300) -> str:
    """Message of an error, or any text, with line breaks and control characters
    escaped.

    Of more than `longest` characters the middle is left out: names come first, what is
    wrong last.
    """
    text = str(error)
    if len(text) > longest:  # before it is escaped, which makes it longer
        text = f"{text[:longest]}{text[-longest:]}"
    text = "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
    if len(text) > longest:
        beginning = min(_BEGINNING, 3 * longest // 5)
        text = f"{text[:beginning]}{_GAP}{text[beginning + len(_GAP) - longest :]}"
    return text
