"""Join the lines of wrapped paragraphs, as in email and hard-wrapped pages.

A paragraph ends at an empty line, where the depth of quotation (`>`) changes, and
before a signature, which begins with a line `--`. Each line of a signature is a
paragraph. Byte offsets do not change: newlines within a paragraph and quotation marks
`>` are replaced by spaces.
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
    """Return a line without the quotation marks `>` at its beginning."""
    quoted = _QUOTED.match(line)
    return line[quoted.end() :] if quoted else line


def join_lines(data: bytes) -> bytes:
    """Return a text of the same length, in bytes, with each paragraph on one line."""
    out = bytearray(data)
    # The depth of quotation of the previous line, whether that line has a paragraph
    # that may continue, and whether it is in a signature.
    depth, begun, signed = 0, False, False
    position = 0
    for line in data.split(b"\n"):
        text = without_marks(line)
        n_marks = len(line) - len(text)
        out[position : position + n_marks] = b" " * n_marks
        # The line is decoded so that `strip` removes all Unicode white space.
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
    """Regroup batches of lines so that each but the last ends with an empty line.

    An unfinished paragraph is held back until its end arrives. PAUSE is passed on.
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
