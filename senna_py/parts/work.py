"""The work on a part of a corpus, which runs on any machine and uses the pipeline."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from senna_py.corpora.json_records import JsonObjects, json_records
from senna_py.corpora.places import blank_test
from senna_py.io.streaming import BY_MARK, InputError, read_batches
from senna_py.kernels.runtime.switch import fixed_kernels
from senna_py.parts.inputs import LINES, PARAGRAPHS, open_part
from senna_py.pipeline.run import Pipeline

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import BinaryIO

    from senna_py.corpora.places import BatchPlace
    from senna_py.formats.base import Printer
    from senna_py.io.streaming import Pause, Source
    from senna_py.parts.inputs import Part
    from senna_py.parts.store import Store
    from senna_py.parts.tasks import Tell
    from senna_py.pipeline.batch import TextBatch
    from senna_py.pipeline.options import Note, TextOptions
    from senna_py.tagger import Tagger


class TaggedPart(NamedTuple):
    """The result of tagging a part.

    Attributes:
        record: The record of its output; see `Store.commit`.
        notes: Lines for the user, each with its topic or None.
        is_unchanged: Whether the output already existed.
    """

    record: dict[str, Any]
    notes: list[tuple[str, str | None]]
    is_unchanged: bool


@dataclass(frozen=True)
class PartWork:
    """The work on each part of a corpus.

    Attributes:
        store: The directory of the outputs.
        options: The options for reading text and splitting it into sentences.
        settings: All settings that affect the outputs, as JSON values.
        text_field: The key of the text in records.
        tools: A function that returns the tagger and the printer, which each process
            creates once. It raises SennaError if the model differs from that of the
            process that began the run.
    """

    store: Store
    options: TextOptions
    settings: dict[str, Any]
    text_field: str
    tools: Callable[[], tuple[Tagger, Printer]]

    def place_after(self, part: Part, place: BatchPlace, tell: Tell) -> BatchPlace:
        """Return the place after a part, which begins at `place`.

        Raises:
            InputError: If the input cannot be read.
        """
        tagger, _ = self.tools()
        is_blank = blank_test(
            tagger.tokenizer.kind, self.options.usrtokens, self.options.paragraphs
        )
        with self._open(part) as source:
            for lines in read_batches(source):
                place = place.after(lines, is_blank)
        return place

    def tag(self, part: Part, place: BatchPlace, tell: Tell) -> TaggedPart:
        """Tag a part, which begins at `place`, unless its output is up to date.

        Args:
            part: The part.
            place: The place where it begins.
            tell: A callback for progress.

        Raises:
            InputError: If the input cannot be read, or has records and the format of
                the outputs is only for text.
            SennaError: For a problem that affects all parts, such as a full disk.
        """
        if part.input.is_records and not self.store.form.shows_records:
            form = self.settings["format"]
            raise InputError(f"{part.input.name}: format {form} is of text files")
        settings = json.dumps(self.settings, sort_keys=True).encode()
        facts = {**asdict(part), "settings": hashlib.sha256(settings).hexdigest()}
        if record := self.store.done(part, facts):
            return TaggedPart(record, [], True)
        notes: dict[str, str | None] = {}

        def note(line: str, topic: str | None = None) -> None:
            notes.setdefault(line, topic)

        write = partial(self._write, part, place, note, tell)
        record = self.store.commit(part, facts, write)
        return TaggedPart(record, [*notes.items()], False)

    def _write(
        self, part: Part, place: BatchPlace, note: Note, tell: Tell, file: BinaryIO
    ) -> dict[str, int]:
        """Write the output for a part to a file, and return its counts."""
        tagger, printer = self.tools()
        pipeline = Pipeline(tagger, self.options, printer, note)
        has_begun = part.input.is_records or place.has_tokens_before
        n_sentences = n_tokens = 0
        with (
            printer.writer(file, part.input.is_records) as write,
            self._open(part) as source,
            fixed_kernels(plain=False),  # Kernels are compiled first.
        ):
            if part.begin == 0:
                write(printer.header())
            for batch in pipeline.format_all(self._read(pipeline, part, source, place)):
                if not has_begun and len(batch.data):
                    write(printer.begin(part.input.name))
                    has_begun = True
                write(batch.data)
                n_sentences += batch.n_sentences
                n_tokens += batch.n_tokens
                tell(part.name, min(batch.end, part.size), n_sentences)
        return {"sentences": n_sentences, "tokens": n_tokens}

    def _read(
        self, pipeline: Pipeline, part: Part, source: Source, place: BatchPlace
    ) -> Iterable[TextBatch | Pause]:
        if not part.input.is_records:
            return pipeline.reader.read_lines(source, place)
        form = JsonObjects(self.text_field)
        records = json_records(source, form, place.line)
        return pipeline.reader.read_records(records, None, source, form)

    def _open(self, part: Part) -> Source:
        mark = PARAGRAPHS if self.options.paragraphs else LINES
        return open_part(part, self.options.encoding or BY_MARK, mark)
