"""Annotations as columns of Arrow, one row a sentence, and Parquet files of them."""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from senna_py.corpora.records import utf8_text
from senna_py.formats.sentences import SentencePrinter
from senna_py.io.streaming import InputError

if TYPE_CHECKING:
    from senna_py.tagger import Tagger

_JSON = pa.string()  # the type of what records of JSON lines have besides
_FIELDS = "fields"  # the column of what records have besides their text
_GROUP_BYTES = 16 << 20  # of a row group, in memory
_TEXTS = (pa.string(), pa.large_string(), pa.string_view())  # types of columns of text
_TEXT, _NUMBER, _TAGS = pa.string(), pa.int32(), pa.list_(pa.string())
_PLACE = {
    "document": _TEXT,
    "id": _TEXT,
    "paragraph": pa.int64(),
    "line": pa.int64(),
    "sentence": _NUMBER,
}
_CHARACTERS = {"start_char": _NUMBER, "end_char": _NUMBER}
_LISTS = (pa.types.is_list, pa.list_), (pa.types.is_large_list, pa.large_list)
_PHRASE = {"label": _TEXT, "start_token": _NUMBER, "end_token": _NUMBER}


def _list_of(**fields):
    return pa.list_(pa.struct(fields.items()))


_SPANS = _list_of(**_PHRASE, **_CHARACTERS, text=_TEXT)
# Columns by what is labeled, but for those of words, where each task has its own.
_FOUND = {
    "roles": {"frames": _list_of(predicate=_NUMBER, text=_TEXT, arguments=_SPANS)},
    "arcs": {"arcs": _list_of(head=_NUMBER, relation=_TEXT)},
    "trees": {"tree": _TEXT, "constituents": _list_of(**_PHRASE)},
}


class ParquetPrinter(SentencePrinter):
    """Makes record batches of Arrow, one row a sentence, instead of bytes.

    A row is what JSON lines have of a sentence. A byte outside UTF-8 is U+FFFD.
    """

    def __init__(
        self,
        tagger: Tagger,
        scheme: str = "iobes",
        split: bool = False,
        documents: pa.DataType = _TEXT,
    ) -> None:
        """scheme, split: as of SentencePrinter; documents: the type of names of
        documents.
        """
        super().__init__(tagger, scheme, split)
        self._documents = documents

    def schema(self, fields=None):
        """The pyarrow.Schema; fields: type of the column of other fields, None without
        one.
        """
        tasks = [self.tagger.task(name) for name in self.tagger.tasks]
        tags = [(task.name, _TAGS) for task in tasks if task.labels == "words"]
        columns = _PLACE | {"document": self._documents, "text": _TEXT} | _CHARACTERS
        columns["tokens"] = _list_of(text=_TEXT, **_CHARACTERS)
        if tags:  # files cannot have a struct without fields
            columns["tags"] = pa.struct(tags)
        for task in tasks:
            own = {task.attribute: _SPANS} if task.segmented and task.attribute else {}
            columns |= _FOUND.get(task.labels, own)
        spans = [(t.name, _SPANS) for t in tasks if t.segmented and not t.attribute]
        if spans:
            columns["spans"] = pa.struct(spans)
        return pa.schema(columns | ({} if fields is None else {_FIELDS: fields}))

    def print(self, found, place):
        pairs, records = self.placed(found, place), place.records
        rows = [sentence.to_dict() | at.to_dict() for sentence, at in pairs]
        try:
            batch = pa.RecordBatch.from_pylist(rows, self.schema())
        except UnicodeEncodeError:
            rows = json.loads(utf8_text(json.dumps(rows, ensure_ascii=False)))
            batch = pa.RecordBatch.from_pylist(rows, self.schema())
        if records is None or records.fields is None:
            return batch
        carried = _carried(records.fields, [at.record for _, at in pairs])
        return pa.RecordBatch.from_arrays(
            [*batch.columns, carried], schema=self.schema(carried.type)
        )

    @contextlib.contextmanager
    def writer(self, file, records):
        """Return a context of a function that adds a RecordBatch, or nothing, to a
        table.
        """
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


def check_columns(schema, text, document=None):
    """Raise InputError unless `text` is a column of text, and `document`, or None, of
    names.
    """
    if len({*schema.names}) < len(schema.names):
        raise InputError(
            f"the batch: columns of one name; there are {', '.join(schema.names)}"
        )
    if (kind := _type_of(schema, text)) not in _TEXTS:
        raise InputError(f"the batch: the column {text!r} is {kind}, not text")
    if document is not None:
        kind = _type_of(schema, document)
        if kind not in _TEXTS and not pa.types.is_integer(kind):
            raise InputError(
                f"the batch: the column {document!r} is {kind}, neither text nor int"
            )


def without_views(kind: pa.DataType) -> pa.DataType:
    """Return a type without views, as Polars has them, of which Arrow takes no rows."""
    if pa.types.is_string_view(kind):
        return pa.large_string()
    if pa.types.is_binary_view(kind):
        return pa.large_binary()
    if pa.types.is_dictionary(kind):
        values = without_views(kind.value_type)
        return pa.dictionary(kind.index_type, values, kind.ordered)
    if pa.types.is_struct(kind):
        return pa.struct([each.with_type(without_views(each.type)) for each in kind])
    for is_list, make in _LISTS:
        if is_list(kind):
            return make(kind.value_field.with_type(without_views(kind.value_type)))
    return kind


def type_of_documents(schema: pa.Schema, document: str | None) -> pa.DataType:
    """Return the type of what documents are called, by a column that `check_columns`
    took.
    """
    kind = _TEXT if document is None else _type_of(schema, document)
    return kind if pa.types.is_integer(kind) else _TEXT


def _type_of(schema, name):
    if name not in schema.names:
        raise InputError(
            f"the batch: no column {name!r}; there are {', '.join(schema.names)}"
        )
    kind = schema.field(name).type
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def split_batch(batch, text):
    """Texts of a RecordBatch, a list of str, and a StructArray of its other columns, or
    None.
    """
    texts = [each or "" for each in batch.column(text).to_pylist()]
    others = [field for field in batch.schema if field.name != text]
    if not others:
        return texts, None
    arrays = [batch.column(field.name) for field in others]
    return texts, pa.StructArray.from_arrays(arrays, fields=others)


def type_of_others(schema, text):
    """The type of the structs that `split_batch` makes of batches of a schema, or
    None.
    """
    others = [field for field in schema if field.name != text]
    return pa.struct(others) if others else None


def _carried(fields, records):
    """The column of other fields for rows of `records`, their numbers."""
    if isinstance(fields, list):
        return pa.array([utf8_text(fields[record]) for record in records], _JSON)
    return fields.take(pa.array(records, pa.int64()))
