"""Redacts files as streams of lines, and brings redacted files back."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from senna_py.errors import SennaError
from senna_py.io.output import Output, open_output
from senna_py.io.parallel import ordered_map
from senna_py.io.progress import FileProgress
from senna_py.io.streaming import (
    PAUSE,
    InputError,
    Source,
    arriving_batches,
    check_text,
    read_batches,
)
from senna_py.pipeline.advice import Adviser
from senna_py.pipeline.options import TextOptions
from senna_py.redaction.known_names import KnownNames
from senna_py.redaction.mapping import MapWriter, restore
from senna_py.text.paragraphs import whole_paragraphs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from senna_py.io.streaming import Pause
    from senna_py.pipeline.options import Note
    from senna_py.redaction import Redaction, Redactor
    from senna_py.redaction.findings import Finding
    from senna_py.tagger import Tagger

_NAME_ENCODING = "name its --encoding, such as utf-16-le"


def redact_files(
    paths: Sequence[str],
    tagger: Tagger,
    redactor: Redactor,
    note: Note,
    *,
    output: str | None = None,
    live: bool = False,
    map_path: str | None = None,
    paragraphs: bool = False,
    encoding: str | None = None,
    jobs: int = 1,
    progress: bool | None = None,
) -> int:
    """Redact files, in order, to one output.

    Args:
        paths: The paths of the files, or `-` for standard input.
        tagger: The tagger, with the tasks of the redacted types.
        redactor: The redactor, which chooses stand-ins in text order.
        note: A callback for lines of text for the user; see `Note`.
        output: The path of the output, or None for standard output.
        live: See `open_output`.
        map_path: The path of the map to write, or None.
        paragraphs: Whether a paragraph extends over several lines, up to an empty one.
        encoding: The encoding of the files; by default, their bytes are kept.
        jobs: The number of threads.
        progress: See FileProgress.

    Returns:
        The number of files that could not be read, each of which `note` reported.

    Raises:
        SennaError: If an output cannot be written.
    """
    inputs = [*paths, str(tagger.model.path)]
    options = TextOptions(
        split_sentences=True, paragraphs=paragraphs, encoding=encoding
    )
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
                with Source(path, encoding, begins=False) as source:
                    texts = _texts(source, options, note)
                    for redaction in redact_texts(
                        tagger, redactor, texts, jobs, paragraphs, KnownNames()
                    ):
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


def redact_texts(
    tagger: Tagger,
    redactor: Redactor,
    texts: Iterable[str | Pause],
    jobs: int = 1,
    paragraphs: bool = False,
    known: KnownNames | None = None,
) -> Iterator[Redaction]:
    """Yield the redaction of each text, in order.

    Threads tag the texts. Stand-ins are chosen in the order of the texts, so that they
    do not depend on the number of threads.

    Args:
        tagger: The tagger.
        redactor: The redactor.
        texts: The texts, with PAUSE wherever the next one may not be available yet.
        jobs: The number of threads.
        paragraphs: Whether a paragraph extends over several lines.
        known: The names that were found in earlier texts, if the texts are pieces of a
            longer one; None if each text stands for itself.
    """

    def find(text: str) -> tuple[str, list[Finding]]:
        return text, redactor.find(tagger.document(text, paragraphs=paragraphs))

    for text, findings in ordered_map(find, texts, jobs):
        yield redactor.replace(text, findings, KnownNames() if known is None else known)


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
