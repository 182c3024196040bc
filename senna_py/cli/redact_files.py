"""Redacts files as streams of lines, and brings redacted files back."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from senna_py.corpora.csv_records import CsvFile
from senna_py.corpora.json_records import JsonObjects, json_records
from senna_py.errors import SennaError
from senna_py.io.output import Output, open_output
from senna_py.io.parallel import ordered_map
from senna_py.io.progress import FileProgress
from senna_py.io.streaming import (
    BATCH_BYTES,
    PAUSE,
    InputError,
    Source,
    arriving_batches,
    check_text,
    read_batches,
)
from senna_py.pipeline.advice import Adviser
from senna_py.pipeline.texts import tag_documents
from senna_py.redaction import Redaction
from senna_py.redaction.known_names import KnownNames
from senna_py.redaction.mapping import MapWriter, restore
from senna_py.text.paragraphs import whole_paragraphs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from senna_py.corpora.records import Record, RowForm
    from senna_py.io.streaming import Pause
    from senna_py.pipeline.options import Note, TextOptions
    from senna_py.redaction import Redactor
    from senna_py.redaction.findings import Finding
    from senna_py.tagger import Tagger

_NAME_ENCODING = "name its --encoding, such as utf-16-le"


def redact_files(
    paths: Sequence[str],
    tagger: Tagger,
    redactor: Redactor,
    options: TextOptions,
    note: Note,
    *,
    output: str | None = None,
    live: bool = False,
    map_path: str | None = None,
    jobs: int = 1,
    progress: bool | None = None,
) -> int:
    """Redact files, in order, to one output.

    Args:
        paths: The paths of the files, or `-` for standard input.
        tagger: The tagger, with the tasks of the redacted types.
        redactor: The redactor, which chooses stand-ins in text order.
        options: The options for reading text. Without an encoding, bytes that are not
            UTF-8 are kept.
        note: A callback for lines of text for the user; see `Note`.
        output: The path of the output, or None for standard output.
        live: See `open_output`.
        map_path: The path of the map to write, or None.
        jobs: The number of threads.
        progress: See FileProgress.

    Returns:
        The number of files that could not be read, each of which `note` reported.

    Raises:
        SennaError: If an output cannot be written.
    """
    inputs = [*paths, str(tagger.model.path)]
    n_unread = 0
    with contextlib.ExitStack() as files:
        out: Output = files.enter_context(open_output(output, inputs, live))
        writer = None
        if map_path is not None:
            file: Output = files.enter_context(open_output(map_path, inputs))
            writer = MapWriter(file, redactor.replace_by)
        report = files.enter_context(FileProgress(paths, progress))
        for path in paths:
            try:
                begins = options.has_records  # Their readers drop a byte-order mark.
                with Source(path, options.encoding, begins=begins) as source:
                    pieces = _redact(source, tagger, redactor, options, note, jobs)
                    for redaction in pieces:
                        out.write(redaction.text.encode("utf-8", "surrogateescape"))
                        if writer is not None:
                            writer.add(redaction)
                        report.update(source.position(), 0)
            except InputError as error:
                note(str(error))
                n_unread += 1
                out.incomplete()
            report.finish()
        if writer is not None:
            writer.finish()
    return n_unread


def _redact(
    source: Source,
    tagger: Tagger,
    redactor: Redactor,
    options: TextOptions,
    note: Note,
    jobs: int,
) -> Iterator[Redaction]:
    """Yield the redactions of the pieces of a text, or of the rows of a file.

    Threads tag the texts. Stand-ins are chosen in the order of the texts, so that they
    do not depend on the number of threads.
    """

    def find(text: str) -> tuple[str, list[Finding]]:
        (document,) = tag_documents(tagger, [text], options.paragraphs, by_line=True)
        return text, redactor.find(document)

    if options.has_records:
        yield from _redact_records(source, tagger, redactor, options, jobs)
        return
    known = KnownNames()
    for text, findings in ordered_map(find, _texts(source, options, note), jobs):
        yield redactor.replace(text, findings, known)


def _redact_records(
    source: Source,
    tagger: Tagger,
    redactor: Redactor,
    options: TextOptions,
    jobs: int,
) -> Iterator[Redaction]:
    """Yield the redactions of the header and of the rows of a file of records."""
    form: RowForm
    if options.column is None:
        form, newline = JsonObjects(options.field or ""), "\n"
        records = json_records(source, form)
    else:
        file = CsvFile(source, options.column, has_quotes=not options.no_quotes)
        form, newline = file.table, file.table.newline
        records = file.records("")
        yield Redaction(file.table.header + newline, (), redactor.replace_by)

    def find(batch: list[Record]) -> list[tuple[Record, list[Finding]]]:
        texts = [record.text for record in batch]
        documents = tag_documents(tagger, texts, options.paragraphs)
        return [*zip(batch, map(redactor.find, documents), strict=True)]

    for batch in ordered_map(find, _batches(records), jobs):
        for record, findings in batch:
            redaction = redactor.replace(record.text, findings, KnownNames())
            row = record.row or ""
            places = form.text_places(row) if redaction.replacements else ()
            yield redaction.within(row + newline, places)


def _batches(records: Iterable[Record | Pause]) -> Iterator[list[Record] | Pause]:
    """Yield batches of records, and PAUSE after the records before it.

    Raises:
        InputError: If `records` raises it, after the batch of the records before it.
    """
    batch: list[Record] = []
    n_characters = 0
    try:
        for record in records:
            if record is not PAUSE:
                batch.append(record)
                n_characters += len(record.text)
            if batch and (record is PAUSE or n_characters >= BATCH_BYTES):
                yield batch
                batch, n_characters = [], 0
            if record is PAUSE:
                yield PAUSE
    except InputError:
        if batch:
            yield batch
        raise
    if batch:
        yield batch


def _texts(source: Source, options: TextOptions, note: Note) -> Iterator[str | Pause]:
    """Yield the text of a source in pieces of whole lines or paragraphs.

    Bytes that are not UTF-8 become lone surrogates.
    """
    adviser, is_first = Adviser(source.name, options, note), True
    batches: Iterable[bytes | Pause] = arriving_batches(source)
    if options.paragraphs:
        batches = whole_paragraphs(batches)
    for batch in batches:
        if batch is PAUSE:
            yield PAUSE
            continue
        if is_first:
            check_text(source.name, batch, _NAME_ENCODING)
        adviser.look(batch, is_first)
        is_first = False
        yield batch.decode("utf-8", "surrogateescape")


def restore_files(
    paths: Sequence[str],
    map_path: str,
    output: str | None = None,
    live: bool = False,
    encoding: str | None = None,
) -> None:
    """Write the original of a redacted text, which the files contain one after another.

    Args:
        paths: The paths of the files, or `-` for standard input.
        map_path: The path of the map.
        output: The path of the output, or None for standard output.
        live: See `open_output`.
        encoding: The encoding of the files; by default, their bytes are kept.

    Raises:
        SennaError: If a file cannot be read, or the map is malformed or belongs to
            another text.
    """
    with open_output(output, [*paths, map_path], live) as out:
        data = b"".join(_data(path, encoding) for path in paths)
        text = data.decode("utf-8", "surrogateescape")
        try:
            original = restore(text, _data(map_path, None))
        except SennaError as error:
            raise SennaError(f"{map_path}: {error}") from None
        out.write(original.encode("utf-8", "surrogateescape"))


def _data(path: str, encoding: str | None) -> bytes:
    with Source(path, encoding, begins=False) as source:
        return b"".join(read_batches(source))
