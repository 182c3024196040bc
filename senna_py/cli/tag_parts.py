"""Tagging a part of an input, for `senna-tag --output-dir`; runs on workers, too."""

import contextlib
from dataclasses import dataclass, replace

from senna_py.cli.tag_inputs import NAME_ENCODING, Lines, read_lines
from senna_py.cli.tag_job import Job
from senna_py.cli.tag_options import TagOptions
from senna_py.cluster.inputs import JSONL, PARQUET, TEXT, open_input
from senna_py.cluster.models import ModelCopy
from senna_py.cluster.parts import LINES, PARAGRAPHS, PartSource, head
from senna_py.corpora.records import line_batches
from senna_py.io.nesting import parse_json
from senna_py.io.streaming import BY_MARK, InputError, check_text
from senna_py.io.streaming import read_lines as lines_of

__all__ = ["PartOptions", "PartTagger"]

_OF_RECORDS = {"senna", "conll", "jsonl", "trees", "tokens", "parquet"}  # formats


@dataclass(frozen=True)
class PartOptions:
    """TagOptions with a model for workers, and the field of text of JSON lines and Parquet.

    Called, it makes a PartTagger with its model, on whatever machine.
    """

    model: ModelCopy
    options: TagOptions
    text_field: str = "text"

    @property
    def mark(self):
        """What units of text end with that must stay whole."""
        return PARAGRAPHS if self.options.paragraphs else LINES

    @property
    def ending(self):
        """Ending of the names of outputs."""
        return self.options.output.ending

    def __call__(self):
        """A PartTagger for the threads of this process."""
        options = replace(self.options, path=str(self.model.find()))
        tagger = options.tagger()
        return PartTagger(options, tagger, options.printer(tagger), self.text_field)


class PartTagger:
    """Tags parts of inputs; shared by threads."""

    def __init__(self, options, tagger, printer, text_field):
        """options: TagOptions; tagger, printer: which they made."""
        self._options, self._tagger, self._printer = options, tagger, printer
        self._mark = PARAGRAPHS if options.paragraphs else LINES
        self._text_field, self._encoding = text_field, options.encoding or BY_MARK

    def annotate(self, part, before, path, note):
        """Write what is printed of a Part to a local path; returns a dict of counts.

        before: what is Before it; note: called with messages for the user. Raises InputError.
        """
        options = self._options
        job = Job(options, self._tagger, self._printer, note, waits=True)
        counts = {"sentences": 0, "tokens": 0}
        kind = part.input.kind
        if kind != TEXT and options.format not in _OF_RECORDS:
            raise InputError(f"{part.input.name}: --format {options.format} is of text files")
        with self._open(part, path) as write:
            if part.begin == 0:
                write(self._printer.header())
            begun = before.begun or kind != TEXT
            for printed in self._run(job, part, before, note):
                if not begun and len(printed.data):
                    write(self._printer.begin(part.input.name))
                    begun = True
                write(printed.data)
                counts["sentences"] += printed.n_sentences
                counts["tokens"] += printed.n_tokens
        return counts

    def _run(self, job, part, before, note):
        """Yield what a Job makes of a part."""
        name = part.input.name
        if part.input.kind == PARQUET:
            with open_input(part.input) as file:
                yield from job.run(self._lines(name, self._rows(part, file)))
            return
        if part.begin and part.input.kind == TEXT:
            check_text(name, head(part.input, self._encoding), NAME_ENCODING)
        with PartSource(part, self._encoding, self._mark) as source:
            if part.input.kind == JSONL:
                records = self._objects(source, name, before.lines)
                batches = line_batches(records, paragraphs=self._options.paragraphs)
                yield from job.run(self._lines(name, batches))
                return
            place, tokenizer = replace(before.place, document=name), self._tagger.tokenizer
            yield from job.run(read_lines(source, place, self._options, tokenizer, note))

    def _lines(self, name, batches):
        return (Lines(name, place, data) for data, place in batches)

    def _objects(self, source, name, n_lines):
        """Yield the records of JSON lines; n_lines: that are before them in the file."""
        field = self._text_field
        for number, line in enumerate(lines_of(source), n_lines + 1):
            if not line.strip():
                continue
            try:
                found = parse_json(line)
            except ValueError as error:
                raise InputError(f"{name}: line {number}: no JSON: {error}") from None
            if not isinstance(found, dict) or field not in found:
                raise InputError(f"{name}: line {number}: no object with a field {field!r}")
            text = found.pop(field)
            if text is not None and not isinstance(text, str):
                raise InputError(f"{name}: line {number}: the field {field!r} is not text")
            yield f"{name}:{number}", text or "", found

    def _rows(self, part, file):
        """Yield the batches of a part of a Parquet file."""
        from senna_py.printers.parquet import read_records

        name, row = part.input.name, part.row
        for texts, fields in read_records(name, file, part.begin, part.end, self._text_field):
            records = [(f"{name}:{row + i + 1}", text, None) for i, text in enumerate(texts)]
            row += len(texts)
            yield from line_batches(records, fields, self._options.paragraphs)

    @contextlib.contextmanager
    def _open(self, part, path):
        """A context of the function that writes what is printed."""
        if self._options.format != "parquet":
            with open(path, "wb") as file:
                yield file.write
            return
        from senna_py.printers.parquet import ParquetFile

        file = ParquetFile(path, self._printer.schema(self._carried(part)))
        yield lambda printed: len(printed) and file.write(printed)
        file.close()

    def _carried(self, part):
        """The type of the column of other fields."""
        if part.input.kind == TEXT:
            return None
        import pyarrow

        from senna_py.printers.parquet import fields_type

        if part.input.kind == JSONL:
            return pyarrow.string()
        with open_input(part.input) as file:
            return fields_type(part.input.name, file, self._text_field)
