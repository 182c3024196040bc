"""Finds out from its contents what a file of annotations is, and reads it."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from senna_py.corpora.annotations.brat import read_brat
from senna_py.corpora.annotations.columns import read_columns, read_conllu
from senna_py.corpora.annotations.doccano import Doccano
from senna_py.corpora.annotations.label_studio import LabelStudio
from senna_py.corpora.annotations.prodigy import Prodigy
from senna_py.corpora.annotations.reader import ItemReader
from senna_py.corpora.annotations.spacy_examples import SpacyExamples
from senna_py.corpora.annotations.texts import (
    AnnotatedFile,
    AnnotatedText,
    settle_offsets,
    shown,
)
from senna_py.corpora.conll import DOCUMENT_MARK
from senna_py.corpora.conllu import is_token_line
from senna_py.errors import SennaError, counted
from senna_py.io.file_errors import report_os_errors
from senna_py.io.files import AnyPath
from senna_py.io.nesting import parse_json
from senna_py.io.streaming import Source, read_batches
from senna_py.labels.tag_schemes import is_chunk_tag, read_tag

_READERS: tuple[ItemReader, ...] = (
    LabelStudio(),
    SpacyExamples(),
    Prodigy(),
    Doccano(),
)
_EXPECTED = (
    f"JSON of {', '.join(reader.tool for reader in _READERS)}, or on each line a word and, "
    "in the last column, a tag such as B-PER"
)


def read_annotations(path: AnyPath) -> AnnotatedFile:
    """Read the annotated texts of a file, or of a directory of BRAT.

    Args:
        path: The file or directory. Its format is recognized by its contents.

    Returns:
        The texts, with offsets in characters.

    Raises:
        SennaError: If the file cannot be read, has an unknown format or no text, or is
            malformed. The message names the file and, if there is one, the line.
    """
    path = Path(path)
    with report_os_errors(path):
        file = _read(path)
    if not file.texts:
        problem = ": ".join(["expected annotated texts, found none", *file.notes])
        raise SennaError(f"{path}: {problem}")
    return settle_offsets(file)


def _read(path: Path) -> AnnotatedFile:
    if path.is_dir() or path.suffix == ".ann":
        return read_brat(path)
    if path.suffix == ".spacy":
        raise SennaError(
            f"{path}: a binary file of spaCy; export its documents as JSON lines, with "
            'srsly.write_jsonl("docs.jsonl", (doc.to_json() for doc in docs))'
        )
    text = _text_of(path)
    if text.lstrip().startswith(("[", "{")):
        return _read_json(path, text)
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if is_token_line(line.encode()):
            return read_conllu(path)
        _check_columns(path, number, line)
        break
    return read_columns(path)


def _text_of(path: Path) -> str:
    """Return the text of a file in UTF-8, or in the encoding of its byte-order mark."""
    with Source(path) as source:
        data = b"".join(read_batches(source))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        n_before = data.count(b"\n", 0, error.start)
        raise SennaError(f"{path}: line {n_before + 1}: not UTF-8") from None
    if "\0" in text:
        number = text.count("\n", 0, text.index("\0")) + 1
        raise SennaError(
            f"{path}: line {number}: a null character: if the file is UTF-16 without a "
            "byte-order mark, convert it to UTF-8"
        )
    return text


def _check_columns(path: Path, number: int, line: str) -> None:
    """Raise SennaError unless a line looks like a word and a tag, or like a header."""
    fields = line.split()
    is_header = fields[0] in (DOCUMENT_MARK, "word") and len(fields) > 1
    is_tagged = len(fields) > 1 and is_chunk_tag(read_tag(fields[-1]))
    if not (is_header or is_tagged):
        found = shown(line.strip())
        raise SennaError(f"{path}: line {number}: expected {_EXPECTED}; found {found}")


def _read_json(path: Path, text: str) -> AnnotatedFile:
    items = list(_items(path, text))
    reader = _find_reader(path, items)
    texts, n_skipped = list[AnnotatedText](), 0
    for place, item in items:
        try:
            if not _may_read(reader, item):
                raise ValueError(f"expected {reader.expected}, found {shown(item)}")
            annotated = reader.read(item, place)
        except ValueError as error:
            raise SennaError(f"{place}: as JSON of {reader.tool}: {error}") from None
        if annotated is None:
            n_skipped += 1
        else:
            texts.append(annotated)
    notes = []
    if n_skipped:
        notes.append(f"{counted(n_skipped, 'text')} left out: {reader.skipped}")
    return AnnotatedFile(f"JSON of {reader.tool}", texts, notes)


def _may_read(reader: ItemReader, item: Any) -> bool:
    """Return whether a reader reads an item: it fits, or is an object without spans."""
    return reader.fits(item) or (isinstance(item, dict) and "text" in item)


def _find_reader(path: Path, items: Iterable[tuple[str, Any]]) -> ItemReader:
    """Return the reader of a file: the only one that fits an item, or the first one."""
    candidates: list[ItemReader] = []
    first: tuple[str, Any] | None = None
    for place, item in items:
        fitting = [reader for reader in _READERS if reader.fits(item)]
        if len(fitting) == 1:
            return fitting[0]
        candidates += fitting
        first = first or (place, item)
    if candidates:
        return candidates[0]
    if first is None:
        raise SennaError(f"{path}: expected annotated texts, found none")
    raise SennaError(f"{first[0]}: expected {_EXPECTED}; found {shown(first[1])}")


def _items(path: Path, text: str) -> Iterator[tuple[str, Any]]:
    """Yield the items of JSON lines, or of one JSON array, with their places."""
    lines = text.split("\n")  # Other line breaks may be within a text.
    first = next(line for line in lines if line.strip())
    if _is_item(first):
        for number, line in enumerate(lines, 1):
            if line.strip():
                place = f"{path}: line {number}"
                try:
                    yield place, parse_json(line)
                except json.JSONDecodeError as error:
                    raise SennaError(
                        f"{place}: expected JSON: column {error.colno}: {error.msg}"
                    ) from None
                except ValueError as error:
                    raise SennaError(f"{place}: expected JSON: {error}") from None
        return
    try:
        value = parse_json(text)
    except json.JSONDecodeError as error:
        raise SennaError(
            f"{path}: line {error.lineno}: expected JSON: {error.msg}"
        ) from None
    except ValueError as error:
        raise SennaError(f"{path}: expected JSON: {error}") from None
    if isinstance(value, dict) and "data" not in value:
        # Some tools wrap the array in an object, with null for empty lines.
        wrapped = value.get("annotations")
        if isinstance(wrapped, list):
            value = [each for each in wrapped if each is not None]
    for number, item in enumerate(value if isinstance(value, list) else [value], 1):
        yield f"{path}: item {number}", item


def _is_item(line: str) -> bool:
    """Return whether a line of JSON is an item by itself, so the file has JSON lines."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return any(reader.fits(value) for reader in _READERS) or (
        isinstance(value, dict) and "annotations" not in value
    )
