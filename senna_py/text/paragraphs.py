"""Paragraphs of wrapped text: email, and pages whose lines were broken to a width.

A paragraph ends at an empty line, where the depth of quotation (`>`) changes, and
before a signature (a line `--`), of which each line is a paragraph. All bytes keep
their places: a newline within a paragraph becomes a space, and so does each mark of
quotation.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from senna_py.io.streaming import PAUSE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from senna_py.io.streaming import Pause

_QUOTED = re.compile(rb"[ \t]*(?:>[ \t]*)+")
_SIGNATURE = "--"


def without_marks(line: bytes) -> bytes:
    """Return a line without the marks of quotation (`>`) at its beginning."""
    quoted = _QUOTED.match(line)
    return line[quoted.end() :] if quoted else line


def join_lines(data: bytes) -> bytes:
    """Return a text of the same length with each paragraph on one line."""
    out = bytearray(data)
    # The state after the line before.
    depth, begun, signed = 0, False, False
    position = 0
    for line in data.split(b"\n"):
        text = without_marks(line)
        n_marks = len(line) - len(text)
        out[position : position + n_marks] = b" " * n_marks
        # Decoding lets `strip` remove the white space of Unicode.
        body = text.decode("utf-8", "surrogateescape").strip()
        line_depth = line.count(b">", 0, n_marks)
        if line_depth != depth or not body:
            depth, begun, signed = line_depth, False, False
        if body == _SIGNATURE:
            begun, signed = False, True
        if body and begun and not signed:
            out[position - 1] = ord(" ")
        begun = bool(body)
        position += len(line) + 1
    return bytes(out)


def whole_paragraphs(batches: Iterable[bytes | Pause]) -> Iterator[bytes | Pause]:
    """Yield batches of lines again, of which all but the last end with an empty line.

    A paragraph that may go on waits for the next batch. PAUSE is passed on.
    """
    waiting: list[bytes] = []
    for lines in batches:
        if lines is PAUSE:
            yield PAUSE
            continue
        end = lines.rfind(b"\n\n") + 2
        if end > 1:
            yield b"".join([*waiting, lines[:end]])
            waiting = [lines[end:]]
        else:
            waiting.append(lines)
    if rest := b"".join(waiting):
        yield rest
