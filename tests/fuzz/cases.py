"""What a target of fuzzing is, and how one case of it is run in this process."""

import random
import re
import traceback
import warnings
from pathlib import Path

import click

from senna_py.errors import SennaError, one_line
from tests.helpers.commands import Streams

_COMPLAINT = re.compile(
    rb"Traceback|Warning:|core dumped|double free|\bnan\b perplexity"
)


class Target:
    """Something of the program that reads what others wrote.

    name: on the command line. A subclass makes valid input once (`prepare`), and
    damages and uses it in each case (`run`).
    """

    name = ""

    def prepare(self, directory):
        """Make what all cases start from, below a Path that stays; may train or
        compile.
        """

    def run(self, source, directory):
        """Write the input of a case below a Path, as a random.Random has it, and use
        it.

        Returns the message of the SennaError that it led to, or None. Raises
        AssertionError where what was made of it is wrong; any other exception is a
        finding, too.
        """
        raise NotImplementedError


class OfCorpora(Target):
    """A target that begins with the small corpora of all tasks, and their vectors."""

    def prepare(self, directory):
        """Write them."""
        from tests.helpers.small_trainers import corpora_of

        self._corpora = corpora_of(directory)


def refuse(constant):
    """For `parse_constant` of JSON."""
    raise AssertionError(f"{constant} in JSON")


class Finding(Exception):
    """What a program must not do with any input."""


def call(command, *arguments):
    """Run a click command in this process; returns the message of its error, or None.

    What it prints goes where the descriptors 1 and 2 lead.
    """
    try:
        code = command.main(
            [str(argument) for argument in arguments], standalone_mode=False
        )
    except SennaError as error:
        return one_line(error)
    except click.ClickException as error:
        return error.format_message()
    except SystemExit as error:
        code = error.code
    return f"exit code {code}" if isinstance(code, int) and code else None


def run_case(target, seed, directory):
    """Run the case `seed` of a Target in an empty directory; returns the message or
    None.

    Raises Finding.
    """
    streams = Streams(b"")
    try:
        with warnings.catch_warnings(record=True) as warned, streams:
            warnings.simplefilter("ignore")
            # Of numbers, which users would see.
            warnings.simplefilter("always", RuntimeWarning)
            message = target.run(random.Random(f"{target.name} {seed}"), directory)
    except SennaError as error:
        message = one_line(error)
    except Exception as error:
        raise Finding("".join(traceback.format_exception(error))) from None
    said = b"".join(streams.written)
    for each in warned:
        raise Finding(f'File "{each.filename}", line {each.lineno}\n{each.message}')
    if _COMPLAINT.search(said):
        raise Finding(f"on standard error: {said[-3000:].decode(errors='replace')}")
    if message is not None and (not message or "\n" in message):
        raise Finding(f"not a message of one line: {message!r}")
    return message


def written(path, data):
    """Write bytes to a Path, making directories; returns the Path."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path
