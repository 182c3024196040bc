"""Paragraphs of wrapped text: email, and pages whose lines were broken to a width.

A paragraph ends at an empty line, where the depth of quotation (`>`) changes, and
before a signature (a line `--`), of which each line is a paragraph. All bytes keep
their places: a newline within a paragraph becomes a space, and so does each mark of
quotation.
"""

import re
from collections.abc import Iterable, Iterator

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


def whole_paragraphs(batches: Iterable[bytes]) -> Iterator[bytes]:
    """Yield batches of lines that end with an empty line, except the last one.

    A paragraph that may continue is held back for the next batch. An empty batch is
    passed on.
    """
    waiting: list[bytes] = []
    for data in batches:
        end = data.rfind(b"\n\n") + 2
        if end > 1:
            yield b"".join([*waiting, data[:end]])
            waiting = [data[end:]]
        elif data:
            waiting.append(data)
        else:
            yield data
    yield b"".join(waiting)
