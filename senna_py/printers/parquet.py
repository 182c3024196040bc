"""Annotations as columns of Arrow, one row a sentence, and Parquet files of them."""

import json

import pyarrow as pa
import pyarrow.parquet as pq

from senna_py.corpora.places import places_of
from senna_py.corpora.records import utf8_text
from senna_py.errors import SennaError
from senna_py.io.streaming import InputError
from senna_py.labels.tag_schemes import convert
from senna_py.labels.tasks import ROLES, TREES
from senna_py.printers.base import Printer
from senna_py.reading import sentences_of_lines

__all__ = [
    "ParquetFile",
    "ParquetPrinter",
    "check_text",
    "fields_type",
    "read_records",
    "row_groups",
    "split_batch",
    "type_of_others",
]

_FIELDS = "fields"  # the column of what records have besides their text
_GROUP_BYTES = 16 << 20  # of a row group, in memory
_ROWS, _READ = 1024, 4 << 20  # that are read together, and about how many bytes of text
_TEXTS = (pa.string(), pa.large_string(), pa.string_view())  # types of columns of text
_STRINGS, _NUMBERS = pa.list_(pa.string()), pa.list_(pa.int32())
_PLACE = [
    ("document", pa.string()), ("id", pa.string()), ("paragraph", pa.int64()),
    ("line", pa.int64()), ("sentence", pa.int32()), ("start_char", pa.int32()),
    ("end_char", pa.int32()),
]  # fmt: skip
_TOKENS = [
    ("text", pa.string()), ("tokens", _STRINGS), ("token_start", _NUMBERS), ("token_end", _NUMBERS),
]  # fmt: skip
_ARGUMENT = pa.struct(
    [("label", pa.string()), ("start_token", pa.int32()), ("end_token", pa.int32())]
)
_FRAMES = pa.list_(
    pa.struct(
        [("predicate", pa.int32()), ("text", pa.string()), ("arguments", pa.list_(_ARGUMENT))]
    )
)


class ParquetPrinter(Printer):
    """Makes record batches of Arrow, one row a sentence, instead of bytes; always with offsets.

    docs/scale.md has the schema. A byte outside UTF-8 is U+FFFD.
    """

    def __init__(self, tagger, scheme="iobes", split=False):
        """Prepare to print what `tagger` finds.

        scheme: one of tag_schemes.SCHEMES, for the tags of segments; split: whether lines are
        paragraphs. Raises SennaError for a task with the name of another column.
        """
        super().__init__(tagger)
        self._scheme, self._split = scheme, split
        self._words = [name for name in tagger.tasks if tagger.task(name).labels == "words"]
        self._segments = {name for name in self._words if tagger.task(name).kind == "segments"}
        names = [name for name, _ in (*_PLACE, *_TOKENS)] + ["frames", "tree", _FIELDS]
        for name in self._words:
            if name in names:
                raise SennaError(f"{tagger.model.path}: a task {name}: Parquet has such a column")

    def schema(self, fields=None):
        """The pyarrow.Schema; fields: type of the column of other fields, None without one."""
        return pa.schema([
            *_PLACE, *_TOKENS,
            *((name, _STRINGS) for name in self._words),
            *([("frames", _FRAMES)] if ROLES in self.tagger.tasks else []),
            *([("tree", pa.string())] if TREES in self.tagger.tasks else []),
            *([(_FIELDS, fields)] if fields is not None else []),
        ])  # fmt: skip

    def print(self, found, place):
        """Return a RecordBatch of the sentences that have tokens."""
        places = places_of(found.tokens, place, self._split)
        sentences = sentences_of_lines(self.tagger, found)
        rows = [self._row(sentence, at) for sentence, at in zip(sentences, places, strict=True)]
        records = place.records
        if records is None or records.fields is None:
            return pa.RecordBatch.from_pylist(rows, self.schema())
        carried = _carried(records.fields, [at.record for at in places])
        batch = pa.RecordBatch.from_pylist(rows, self.schema())
        return pa.RecordBatch.from_arrays(
            [*batch.columns, carried], schema=self.schema(carried.type)
        )

    def _row(self, sentence, at):
        tokens = sentence.tokens
        row = {
            "document": at.document and utf8_text(at.document),
            "id": at.name and utf8_text(at.name),
            "paragraph": at.paragraph, "line": at.line, "sentence": at.sentence,
            "start_char": sentence.start, "end_char": sentence.end,
            "text": utf8_text(sentence.text),
            "tokens": [utf8_text(token.text) for token in tokens],
            "token_start": [token.start for token in tokens],
            "token_end": [token.end for token in tokens],
        }  # fmt: skip
        for name in self._words:
            tags = sentence.tags[name]
            row[name] = [self._tag(tag) for tag in tags] if name in self._segments else tags
        if sentence.frames is not None:
            row["frames"] = [_frame(frame) for frame in sentence.frames]
        if sentence.tree is not None:
            row["tree"] = utf8_text(str(sentence.tree))
        return row

    def _tag(self, tag):
        return convert(tag, self._scheme)


class ParquetFile:
    """A Parquet file that is written batch by batch."""

    def __init__(self, path, schema):
        """Begin the file at a local path."""
        self._writer = pq.ParquetWriter(path, schema, compression="zstd")
        self._schema, self._batches, self._bytes = schema, [], 0

    def write(self, batch):
        """Add a RecordBatch."""
        self._batches.append(batch)
        self._bytes += batch.nbytes
        if self._bytes >= _GROUP_BYTES:
            self._write_group()

    def close(self):
        """Write what is left, and the end of the file."""
        if self._batches:
            self._write_group()
        self._writer.close()

    def _write_group(self):
        self._writer.write_table(pa.Table.from_batches(self._batches, self._schema))
        self._batches, self._bytes = [], 0


def row_groups(name, file):
    """Pairs of the rows and the bytes of each row group; raises InputError naming the file."""
    try:
        found = pq.ParquetFile(file).metadata
        groups = [found.row_group(i) for i in range(found.num_row_groups)]
        return [(group.num_rows, group.total_byte_size) for group in groups]
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{name}: no Parquet file: {error}") from None


def read_records(name, file, begin, end, text):
    """Yield the texts of row groups `begin` to `end`, a list of str, and a StructArray of the rest.

    text: name of the column of text; a text that is missing is empty. name: of the file, for
    InputError.
    """
    try:
        table = pq.ParquetFile(file)
        check_text(name, table.schema_arrow, text)
        groups = range(begin, end)
        n_rows = [_rows_at_once(table.metadata.row_group(group)) for group in groups]
        for batch in table.iter_batches(min(n_rows, default=_ROWS), row_groups=groups):
            yield split_batch(batch, text)
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{name}: {error}") from None


def _rows_at_once(group):
    """How many rows of a row group are read together, by their mean size in the file."""
    return max(1, min(_ROWS, _READ * group.num_rows // max(group.total_byte_size, 1)))


def fields_type(name, file, text):
    """The type of what `read_records` gives besides the texts. Raises InputError."""
    try:
        schema = pq.ParquetFile(file).schema_arrow
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{name}: no Parquet file: {error}") from None
    check_text(name, schema, text)
    return type_of_others(schema, text)


def check_text(name, schema, text):
    """Raise InputError unless `text` is a column of text."""
    if text not in schema.names:
        raise InputError(f"{name}: no column {text!r}; there are {', '.join(schema.names)}")
    kind = schema.field(text).type
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    if kind not in _TEXTS:
        raise InputError(f"{name}: the column {text!r} is {kind}, not text")


def split_batch(batch, text):
    """Texts of a RecordBatch, a list of str, and a StructArray of its other columns, or None."""
    texts = [each or "" for each in batch.column(text).to_pylist()]
    others = [field for field in batch.schema if field.name != text]
    if not others:
        return texts, None
    arrays = [batch.column(field.name) for field in others]
    return texts, pa.StructArray.from_arrays(arrays, fields=others)


def type_of_others(schema, text):
    """The type of the structs that `split_batch` makes of batches of a schema, or None."""
    others = [field for field in schema if field.name != text]
    return pa.struct(others) if others else None


def _carried(fields, records):
    """The column of other fields for rows of `records`, their numbers."""
    if isinstance(fields, list):
        texts = [json.dumps(each, ensure_ascii=False) for each in fields]
        return pa.array([utf8_text(texts[record]) for record in records], pa.string())
    return fields.take(pa.array(records, pa.int64()))


def _frame(frame):
    arguments = [
        {"label": span.label, "start_token": span.start, "end_token": span.end}
        for span in frame.arguments
    ]
    return {
        "predicate": frame.predicate,
        "text": utf8_text(frame.text),
        "arguments": arguments,
    }
