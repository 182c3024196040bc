"""Annotations as columns of Arrow, one row a sentence, and Parquet files of them."""

import contextlib

import pyarrow as pa
import pyarrow.parquet as pq

from senna_py.corpora.records import utf8_text
from senna_py.errors import SennaError
from senna_py.io.streaming import InputError
from senna_py.labels.tasks import ROLES, TREES
from senna_py.printers.sentences import SentencePrinter

__all__ = [
    "ParquetPrinter",
    "check_text",
    "split_batch",
    "type_of_others",
]

_JSON = pa.string()  # the type of what records of JSON lines have besides
_FIELDS = "fields"  # the column of what records have besides their text
_GROUP_BYTES = 16 << 20  # of a row group, in memory
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


class ParquetPrinter(SentencePrinter):
    """Makes record batches of Arrow, one row a sentence, instead of bytes; always with offsets.

    docs/scale.md has the schema. A byte outside UTF-8 is U+FFFD.
    """

    def __init__(self, tagger, scheme="iobes", split=False):
        """Prepare to print; raises SennaError for a task with the name of another column."""
        super().__init__(tagger, scheme, split)
        self._words = [name for name in tagger.tasks if tagger.task(name).labels == "words"]
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
        pairs, records = self.placed(found, place), place.records
        rows = [self._row(sentence, at) for sentence, at in pairs]
        batch = pa.RecordBatch.from_pylist(rows, self.schema())
        if records is None or records.fields is None:
            return batch
        carried = _carried(records.fields, [at.record for _, at in pairs])
        return pa.RecordBatch.from_arrays(
            [*batch.columns, carried], schema=self.schema(carried.type)
        )

    @contextlib.contextmanager
    def writer(self, file, records):
        """Return a context of a function that adds a RecordBatch, or nothing, to a table."""
        schema, batches = self.schema(_JSON if records else None), []

        def write(batch):
            if len(batch):
                batches.append(batch)
            if sum(each.nbytes for each in batches) >= _GROUP_BYTES:
                write_group()

        def write_group():
            table.write_table(pa.Table.from_batches(batches, schema))
            batches.clear()

        with pq.ParquetWriter(file, schema, compression="zstd") as table:
            yield write
            if batches:
                write_group()

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
        row |= self.tags(sentence)
        if sentence.frames is not None:
            row["frames"] = [_frame(frame) for frame in sentence.frames]
        if sentence.tree is not None:
            row["tree"] = utf8_text(str(sentence.tree))
        return row


def check_text(name, schema, text):
    """Raise InputError unless `text` is a column of text."""
    if len({*schema.names}) < len(schema.names):
        raise InputError(f"{name}: columns of one name; there are {', '.join(schema.names)}")
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
        return pa.array([utf8_text(fields[record]) for record in records], _JSON)
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
