"""Paragraphs of wrapped text: mail, and pages whose lines were broken to a width.

A paragraph ends at an empty line, where the depth of quotation (`>`) changes, and
before a signature (a line `--`), whose lines each stand alone. Nothing moves: the
newline of a line that goes on becomes a space, and so do the marks of quotation.
"""

import re

_QUOTED = re.compile(rb"[ \t]*(?:>[ \t]*)+")
_SIGNATURE = "--"


def without_marks(line):
    """The line, bytes, without the marks of quotation (`>`) that it begins with."""
    quoted = _QUOTED.match(line)
    return line[quoted.end() :] if quoted else line


def join_lines(data):
    """The text `data`: bytes, with a paragraph on each line; as many bytes, at the same
    places.
    """
    out = bytearray(data)
    depth, begun, signed = 0, False, False  # of the line before
    position = 0
    for line in data.split(b"\n"):
        text = without_marks(line)
        n_marks = len(line) - len(text)
        out[position : position + n_marks] = b" " * n_marks
        body = text.decode(
            "utf-8", "surrogateescape"
        ).strip()  # blanks of any script are none
        its_depth = line.count(b">", 0, n_marks)
        if its_depth != depth or not body:
            depth, begun, signed = its_depth, False, False
        if body == _SIGNATURE:
            begun, signed = False, True
        if body and begun and not signed:
            out[position - 1] = ord(" ")
        begun = bool(body)
        position += len(line) + 1
    return bytes(out)


def whole_paragraphs(batches):
    """Yield batches of lines, bytes, again: each ends with an empty line, but for the
    last.

    What may go on is kept for the next; an empty batch is passed on.
    """
    kept = []
    for data in batches:
        end = data.rfind(b"\n\n") + 2
        if end > 1:
            yield b"".join([*kept, data[:end]])
            kept = [data[end:]]
        elif data:
            kept.append(data)
        else:
            yield data
    yield b"".join(kept)
