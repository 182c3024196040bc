"""The format `parquet`: sentences as rows of Arrow tables and Parquet files."""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from senna_py.answers.task_objects import is_own
from senna_py.corpora.records import utf8_text
from senna_py.formats.sentences import SentencePrinter
from senna_py.io.streaming import InputError
from senna_py.labels.tasks import Structure, key_of, span_name_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from senna_py.answers.annotations import Annotations
    from senna_py.corpora.places import BatchPlace
    from senna_py.labels.tasks import Task
    from senna_py.tagger import Tagger

_JSON = pa.string()  # The type of the other fields of records from JSON lines.
_FIELDS = "fields"  # The column of the fields of records other than the text.
_GROUP_BYTES = 16 << 20  # The size in memory from which a row group is written.
_TEXTS = (pa.string(), pa.large_string(), pa.string_view())  # The types of text.
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
_RANGE = {"start_token": _NUMBER, "end_token": _NUMBER, "text": _TEXT}
_PHRASE = {"label": _TEXT, "start_token": _NUMBER, "end_token": _NUMBER}


def _list_of(**fields: pa.DataType) -> pa.DataType:
    return pa.list_(pa.struct(fields.items()))


_SPAN = {**_PHRASE, **_CHARACTERS, "text": _TEXT}
_SPANS = _list_of(**_SPAN)
_NAMES = ("attribute", "span_name", "anchor_name", "label_name", "style", "title")
_FLAGS = {"each_token": pa.bool_(), "hangs_on": _TEXT, "nested": pa.bool_()}
_SHAPE = pa.struct([("name", _TEXT), ("head", _TEXT), *_FLAGS.items()])
_TASKS = _list_of(task=_TEXT, shape=_SHAPE, **dict.fromkeys(_NAMES, _TEXT))
_ANCHOR = pa.struct([("start_token", _NUMBER), ("end_token", _NUMBER)])


def _columns_of(task: Task) -> dict[str, pa.DataType]:
    """Return the columns of a layer, unless it is among `tags` or `spans`."""
    key, anchor = key_of(task), task.anchor_name
    match task.shape.structure:
        case Structure.SPANS if task.attribute:
            return {task.attribute: _SPANS}
        case Structure.FRAMES:
            spans = {span_name_of(task): _SPANS}
            return {key: _list_of(**{anchor: _NUMBER}, text=_TEXT, **spans)}
        case Structure.TREE:
            return {key: _TEXT, span_name_of(task): _list_of(**_PHRASE)}
        case Structure.HEADS:
            return {key: _list_of(**{anchor: _NUMBER, task.label_name: _TEXT})}
        case Structure.LINKS:
            return {key: _list_of(**_SPAN, **{anchor: _ANCHOR})}
    return {}


class ParquetPrinter(SentencePrinter):
    """Creates Arrow record batches, with a row for each sentence, instead of bytes.

    A row has the same values as the sentence's JSON, except probabilities. A byte that
    is not UTF-8 becomes U+FFFD.
    """

    def __init__(
        self,
        tagger: Tagger,
        scheme: str = "iobes",
        split: bool = False,
        documents: pa.DataType = _TEXT,
    ) -> None:
        """Set the options.

        Args:
            tagger: The tagger whose tasks have columns.
            scheme: The scheme of tags; see SentencePrinter.
            split: Whether lines are paragraphs; see SentencePrinter.
            documents: The type of the column of document names, text or integers.
        """
        super().__init__(tagger, scheme, split)
        self._documents = documents

    def schema(self, fields: pa.DataType | None = None) -> pa.Schema:
        """Return the schema of the rows.

        Args:
            fields: The type of the column of other fields, or None if there is none.
        """
        tasks = [self.tagger.task(name) for name in self.tagger.tasks]
        tags = [(task.name, _TAGS) for task in tasks if task.shape.gives_tags]
        columns = _PLACE | {"document": self._documents, "text": _TEXT} | _CHARACTERS
        columns["tokens"] = _list_of(text=_TEXT, **_CHARACTERS)
        if self.tagger.tokenizer.finds_words:
            columns["ranges"] = _list_of(**_RANGE)
        if tags:  # Parquet does not allow a struct without fields.
            columns["tags"] = pa.struct(tags)
        for task in tasks:
            columns |= _columns_of(task)
        unnamed = [task for task in tasks if task.shape.flat and not task.attribute]
        if unnamed:
            columns["spans"] = pa.struct([(task.name, _SPANS) for task in unnamed])
        if any(map(is_own, tasks)):
            columns["tasks"] = _TASKS
        return pa.schema(columns | ({} if fields is None else {_FIELDS: fields}))

    def format(self, annotations: Annotations, place: BatchPlace) -> pa.RecordBatch:
        """Return a record batch of the sentences that have tokens."""
        pairs, records = self.placed(annotations, place), place.records
        rows = [sentence.to_dict() | at.to_dict() for sentence, at in pairs]
        try:
            batch = pa.RecordBatch.from_pylist(rows, self.schema())
        except UnicodeEncodeError:
            rows = json.loads(utf8_text(json.dumps(rows, ensure_ascii=False)))
            batch = pa.RecordBatch.from_pylist(rows, self.schema())
        others = None if records is None else records.others()
        if others is None:
            return batch
        carried = _carried(others, [at.record for _, at in pairs])
        return pa.RecordBatch.from_arrays(
            [*batch.columns, carried], schema=self.schema(carried.type)
        )

    @contextlib.contextmanager
    def writer(
        self, file: Any, records: bool
    ) -> Iterator[Callable[[pa.RecordBatch | bytes], None]]:
        """Return a context manager that yields a function for writing record batches.

        The function ignores b"", which `header`, `footer` and the like return in this
        format.
        """
        schema = self.schema(_JSON if records else None)
        batches: list[pa.RecordBatch] = []

        def write(batch: pa.RecordBatch | bytes) -> None:
            if len(batch):
                batches.append(batch)
            if sum(each.nbytes for each in batches) >= _GROUP_BYTES:
                write_group()

        def write_group() -> None:
            table.write_table(pa.Table.from_batches(batches, schema))
            batches.clear()

        with pq.ParquetWriter(file, schema, compression="zstd") as table:
            yield write
            if batches:
                write_group()


def check_columns(schema: pa.Schema, text: str, document: str | None = None) -> None:
    """Check the columns of a table.

    Raises:
        InputError: If two columns have the same name, `text` is not the name of a
            column of text, or `document` is neither None nor the name of a column of
            text or integers.
    """
    if len({*schema.names}) < len(schema.names):
        raise InputError(
            f"the batch: columns of one name; there are {', '.join(schema.names)}"
        )
    if (type_ := _type_of(schema, text)) not in _TEXTS:
        raise InputError(f"the batch: the column {text!r} is {type_}, not text")
    if document is not None:
        type_ = _type_of(schema, document)
        if type_ not in _TEXTS and not pa.types.is_integer(type_):
            raise InputError(
                f"the batch: the column {document!r} is {type_}, neither text nor int"
            )


def without_views(type_: pa.DataType) -> pa.DataType:
    """Replace view types, which Polars uses, because Arrow cannot `take` their rows."""
    if pa.types.is_string_view(type_):
        return pa.large_string()
    if pa.types.is_binary_view(type_):
        return pa.large_binary()
    if pa.types.is_dictionary(type_):
        values = without_views(type_.value_type)
        return pa.dictionary(type_.index_type, values, type_.ordered)
    if pa.types.is_struct(type_):
        return pa.struct([each.with_type(without_views(each.type)) for each in type_])
    for is_list, make in _LISTS:
        if is_list(type_):
            return make(type_.value_field.with_type(without_views(type_.value_type)))
    return type_


def type_of_documents(schema: pa.Schema, document: str | None) -> pa.DataType:
    """Return the type of document names: the type of an integer column, or text."""
    type_ = _TEXT if document is None else _type_of(schema, document)
    return type_ if pa.types.is_integer(type_) else _TEXT


def _type_of(schema: pa.Schema, name: str) -> pa.DataType:
    if name not in schema.names:
        raise InputError(
            f"the batch: no column {name!r}; there are {', '.join(schema.names)}"
        )
    type_ = schema.field(name).type
    return type_.value_type if pa.types.is_dictionary(type_) else type_


def split_batch(
    batch: pa.RecordBatch, text: str
) -> tuple[list[str], pa.StructArray | None]:
    """Return the texts of a batch, and its other columns as structs, or None."""
    texts = [each or "" for each in batch.column(text).to_pylist()]
    others = [field for field in batch.schema if field.name != text]
    if not others:
        return texts, None
    arrays = [batch.column(field.name) for field in others]
    return texts, pa.StructArray.from_arrays(arrays, fields=others)


def type_of_others(schema: pa.Schema, text: str) -> pa.DataType | None:
    """Return the type of the structs that `split_batch` returns, or None."""
    others = [field for field in schema if field.name != text]
    return pa.struct(others) if others else None


def _carried(fields: list[str] | pa.StructArray, records: list[Any]) -> pa.Array:
    """Return the other fields of each row, given the indices of the rows' records."""
    if isinstance(fields, list):
        return pa.array([utf8_text(fields[record]) for record in records], _JSON)
    return fields.take(pa.array(records, pa.int64()))
