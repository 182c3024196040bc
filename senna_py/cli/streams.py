"""Standard output and standard error: any text, and readers that leave."""

import codecs
import contextlib
import os
from collections.abc import Iterable, Iterator
from typing import Any

_ANY_TEXT = "senna-py"  # the name of our error handler for encodings


@contextlib.contextmanager
def until_reader_leaves() -> Iterator[None]:
    """End the block quietly when nobody reads standard output any more."""
    try:
        yield
    except BrokenPipeError:
        discard(1)


def print_text(text: str, inputs: Iterable[str | os.PathLike[str] | None] = ()) -> None:
    """Print text that was made of some inputs; raise UsageError rather than overwrite one."""
    from senna_py.io.output import open_output

    with until_reader_leaves(), open_output(None, inputs) as out:
        out.write(f"{text}\n".encode("utf-8", "surrogateescape"))


def discard(descriptor: int) -> None:
    """Discard everything that is still to be written to a descriptor."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


def take_any_text(*streams: Any) -> None:
    """Make text streams such as sys.stdout accept any text.

    Lone surrogates are written as their bytes. Other characters that the encoding lacks
    are written as `\\uXXXX`. Streams that are None, or not of files, stay as they are.
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
