"""Tagging a part of an input, for `senna-tag --output-dir`; runs on workers, too."""

import contextlib
from dataclasses import dataclass, replace

from senna_py.cli.tag_files import NAME_ENCODING, Job, prepare
from senna_py.cluster.inputs import JSONL, PARQUET, TEXT, open_input
from senna_py.cluster.models import ModelCopy
from senna_py.cluster.parts import LINES, PARAGRAPHS, PartSource, head
from senna_py.corpora.records import line_batches
from senna_py.io.nesting import parse_json
from senna_py.io.streaming import BY_MARK, InputError, check_text, read_lines

__all__ = ["ENDINGS", "PartOptions", "PartTagger"]

# Endings of names of outputs, by format.
ENDINGS = {
    "senna": "txt", "conll": "tsv", "conllu": "conllu", "conll2003": "txt", "jsonl": "jsonl",
    "brat": "ann", "trees": "txt", "tokens": "txt", "parquet": "parquet",
}  # fmt: skip
_OF_RECORDS = {"senna", "conll", "jsonl", "trees", "tokens", "parquet"}  # formats


@dataclass(frozen=True)
class PartOptions:
    """The options of senna-tag that printed bytes depend on, as `tag_files` has them.

    tasks, abbreviations: tuples; encoding: a name or BY_MARK; text_field: of JSON lines and
    Parquet. Called, it makes a PartTagger with its model, on whatever machine.
    """

    model: ModelCopy
    tasks: tuple | None = None
    usrtokens: bool = False
    posvbs: bool = False
    iobtags: bool = False
    brackettags: bool = False
    notokentags: bool = False
    offsettags: bool = False
    split_sentences: bool = False
    paragraphs: bool = False
    output_format: str = "senna"
    probabilities: bool = False
    least: float = 0.0
    header: bool = False
    encoding: str = BY_MARK
    abbreviations: tuple = ()
    text_field: str = "text"

    @property
    def mark(self):
        """What units of text end with that must stay whole."""
        return PARAGRAPHS if self.paragraphs else LINES

    @property
    def ending(self):
        """Ending of the names of outputs."""
        return "tsv" if self.probabilities else ENDINGS[self.output_format]

    def prepare(self, path, verbose=False, note=None):
        """A pair of a tagger and a format on the model at `path`; see `tag_files.prepare`."""
        return prepare(
            self.tasks, path, self.posvbs, False, self.iobtags, self.brackettags, self.notokentags,
            self.offsettags, self.split_sentences, self.output_format, verbose, note,
            self.probabilities, self.least, self.header, self.abbreviations, alone=True,
        )  # fmt: skip

    def __call__(self):
        """A PartTagger for the threads of this process."""
        return PartTagger(self, *self.prepare(self.model.find()))


class PartTagger:
    """Tags parts of inputs; shared by threads."""

    def __init__(self, options, tagger, printer):
        """options: a PartOptions; the others are what it prepared."""
        self._options, self._tagger, self._printer = options, tagger, printer

    def annotate(self, part, before, path, note):
        """Write what is printed of a Part to a local path; returns a dict of counts.

        before: what is Before it; note: called with messages for the user. Raises InputError.
        """
        options = self._options
        job = Job(
            self._tagger, self._printer, options.usrtokens, options.split_sentences, None, 1, note,
            self._tagger.tasks if options.probabilities else (),
        )  # fmt: skip
        job.joins_lines, job.only_compiled = options.paragraphs, True
        counts = {"sentences": 0, "tokens": 0}
        kind = part.input.kind
        if kind != TEXT and options.output_format not in _OF_RECORDS:
            raise InputError(
                f"{part.input.name}: --format {options.output_format} is of text files"
            )
        with self._open(part, path) as write:
            if part.begin == 0:
                write(self._printer.header())
            begun = before.begun or kind != TEXT
            for printed, n_sentences, n_tokens in self._run(job, part, before):
                if not begun and len(printed):
                    write(job.beginning(part.input.name))
                    begun = True
                write(printed)
                counts["sentences"] += n_sentences
                counts["tokens"] += n_tokens
        return counts

    def _run(self, job, part, before):
        """Yield what a Job makes of a part."""
        name = part.input.name
        if part.input.kind == PARQUET:
            with open_input(part.input) as file:
                yield from job.run_records(name, self._rows(part, file))
            return
        if part.begin and part.input.kind == TEXT:
            check_text(name, head(part.input, self._options.encoding), NAME_ENCODING)
        with PartSource(part, self._options.encoding, self._options.mark) as source:
            if part.input.kind == JSONL:
                records = self._objects(source, name, before.lines)
                batches = line_batches(records, paragraphs=self._options.paragraphs)
                yield from job.run_records(name, batches)
                return
            yield from job.run(source, replace(before.place, document=name))

    def _objects(self, source, name, n_lines):
        """Yield the records of JSON lines; n_lines: that are before them in the file."""
        field = self._options.text_field
        for number, line in enumerate(read_lines(source), n_lines + 1):
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
        for texts, fields in read_records(
            name, file, part.begin, part.end, self._options.text_field
        ):
            records = [(f"{name}:{row + i + 1}", text, None) for i, text in enumerate(texts)]
            row += len(texts)
            yield from line_batches(records, fields, self._options.paragraphs)

    @contextlib.contextmanager
    def _open(self, part, path):
        """A context of the function that writes what is printed."""
        if self._options.output_format != "parquet":
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
            return fields_type(part.input.name, file, self._options.text_field)
