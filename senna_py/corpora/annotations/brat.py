"""A directory of BRAT: pairs of a text (`.txt`) and its annotations (`.ann`)."""

import re
from pathlib import Path

from senna_py.corpora.annotations.texts import (
    AnnotatedFile,
    AnnotatedText,
    Annotation,
    shown,
)
from senna_py.errors import SennaError, counted
from senna_py.io.file_errors import report_os_errors
from senna_py.io.streaming import decode_text, encoding_by_mark

_RANGES = re.compile(r"(\S+) (\d+ \d+(?:;\d+ \d+)*)")


def read_brat(path: Path) -> AnnotatedFile:
    """Read the files of BRAT in a directory and below it, or a single `.ann` file.

    Relations, events, attributes and notes are not read, and neither are annotations
    that consist of several pieces.

    Raises:
        SennaError: If there is no such file, a text is missing, or a line is malformed.
            The message names the file and the line.
    """
    files = [path]
    if path.is_dir():
        files = sorted(path.rglob("*.ann"))
    if not files:
        raise SennaError(
            f"{path}: a directory is read as BRAT's, but there is no .ann file in it"
        )
    n_pieces, texts = 0, []
    for file in files:
        text, n_left_out = _read_pair(file)
        texts.append(text)
        n_pieces += n_left_out
    notes = []
    if n_pieces:
        notes.append(f"{counted(n_pieces, 'annotation')} in several pieces left out")
    return AnnotatedFile("BRAT", texts, notes)


def _read_pair(path: Path) -> tuple[AnnotatedText, int]:
    """Return the text of an `.ann` file, and the number of annotations in pieces."""
    text_path = path.with_suffix(".txt")
    if not text_path.exists():
        raise SennaError(
            f"{path}: expected its text in {text_path.name}, found no file"
        )
    text = _read(text_path)
    annotations, n_pieces = [], 0
    for number, line in enumerate(_read(path).split("\n"), 1):
        if not line.startswith("T"):
            continue
        fields = line.rstrip("\r").split("\t")
        match = _RANGES.fullmatch(fields[1]) if len(fields) > 1 else None
        if match is None:
            raise SennaError(
                f"{path}: line {number}: expected T1, a tab, a label and its offsets such "
                f"as PER 0 5, found {shown(line)}"
            )
        label, ranges = match.groups()
        if ";" in ranges:
            n_pieces += 1
            continue
        begin, end = map(int, ranges.split())
        surface = fields[2] if len(fields) > 2 else None
        annotations.append(Annotation(begin, end, label, surface))
    return AnnotatedText(str(path), text, tuple(annotations)), n_pieces


def _read(path: Path) -> str:
    """Return the text of a file with its line breaks, which the offsets count."""
    with report_os_errors(path):
        data = path.read_bytes()
    try:
        return decode_text(data)
    except UnicodeError:
        raise SennaError(f"{path}: not {encoding_by_mark(data).upper()}") from None
