"""Handles closed pipes and unencodable text on standard output and error."""

import codecs
import contextlib
import os
from collections.abc import Iterable, Iterator
from typing import Any

_ANY_TEXT = "senna-py"  # The name of the codec error handler of this module.


@contextlib.contextmanager
def until_reader_leaves() -> Iterator[None]:
    """Leave the block silently if the reader of standard output closes the pipe."""
    try:
        yield
    except BrokenPipeError:
        discard(1)


def print_text(text: str, inputs: Iterable[str | os.PathLike[str] | None] = ()) -> None:
    """Print text and a line break on standard output.

    Args:
        text: The text. Lone surrogates are written as their bytes.
        inputs: The paths of the files from which the text was made.

    Raises:
        UsageError: If standard output is one of the inputs.
        SennaError: If standard output is closed or cannot be written.
    """
    from senna_py.io.output import open_output

    with until_reader_leaves(), open_output(None, inputs) as out:
        out.write(f"{text}\n".encode("utf-8", "surrogateescape"))


def discard(descriptor: int) -> None:
    """Redirect a file descriptor to the null device, to discard all further output."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


def take_any_text(*streams: Any) -> None:
    """Make text streams such as sys.stdout accept any text.

    Lone surrogates are written as their bytes, and other characters that cannot be
    encoded as escapes such as `\\uXXXX`. Streams that cannot be reconfigured, and None,
    are left unchanged.
    """
    codecs.register_error(_ANY_TEXT, _replace)
    for stream in streams:
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=_ANY_TEXT)


def _replace(error: Any) -> tuple[bytes, int]:
    text = error.object[error.start : error.end]
    return b"".join(map(_replacement, text)), error.end


def _replacement(character: str) -> bytes:
    is_byte = "\udc80" <= character <= "\udcff"
    return character.encode(
        "ascii", "surrogateescape" if is_byte else "backslashreplace"
    )
