"""Tagging of text in Arrow tables, for Spark, Ray Data, Dask and others."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from senna_py.errors import missing

try:
    import pyarrow as pa
except ImportError:
    raise ImportError(missing("senna_py.dataframe", "dask", "pyarrow")) from None

from senna_py.corpora.records import Record
from senna_py.formats.parquet import (
    ParquetPrinter,
    check_columns,
    split_batch,
    type_of_documents,
    type_of_others,
    without_views,
)
from senna_py.io.streaming import PAUSE, InputError
from senna_py.pipeline.options import TextOptions
from senna_py.pipeline.run import Pipeline
from senna_py.tagger import Tagger
from senna_py.text.sentences import note_sentences

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["annotate", "schema"]

_LOOKED_AT = 64  # The number of texts that are checked for unsplit sentences.
AnyTable = TypeVar("AnyTable")


def annotate(
    batch: AnyTable,
    model: str | None = None,
    *,
    tasks: str | Iterable[str] | None = None,
    text: str = "text",
    document: str | None = None,
    split_sentences: bool = False,
    paragraphs: bool = False,
) -> AnyTable:
    """Tag a column of text, and return a table with a row for each sentence.

    Sentences without tokens are left out. The result has the type of `batch` if that is
    a RecordBatch, a Table or a DataFrame of pandas or Polars; otherwise it is a Table.
    It has the columns of [Parquet](../guide/large-corpora.md#parquet), and the other
    columns of `batch` are in `fields`.

    Args:
        batch: A RecordBatch, a Table, a DataFrame of pandas or Polars, or anything else
            that `pyarrow.table` accepts.
        model: The path of the model, or None for the default, as for `load`. Each
            process reads it once.
        tasks: The name of a task, or several; None means the model's default tasks.
        text: The name of the column of text.
        document: The name of the column that names the texts, by strings or integers;
            None if there is no such column.
        split_sentences: Whether a line is a paragraph that is split into sentences,
            instead of one sentence.
        paragraphs: Whether a paragraph extends over several lines, up to an empty one.

    Raises:
        SennaError: If there is no such model, task or column, or Arrow cannot convert
            the table.

    Example:
        >>> import pyarrow
        >>> from senna_py.dataframe import annotate
        >>> table = pyarrow.table({"id": [7], "text": ["Anna left Rome."]})
        >>> (row,) = annotate(table, tasks=["ner"], document="id").to_pylist()
        >>> row["document"], [entity["text"] for entity in row["entities"]]
        (7, ['Anna', 'Rome'])
    """
    texts_table = _table(batch)
    check_columns(texts_table.schema, text, document)
    options = TextOptions(split_sentences=split_sentences, paragraphs=paragraphs)
    tagger = _tagger(model, _names(tasks))
    documents = type_of_documents(texts_table.schema, document)
    printer = ParquetPrinter(tagger, split=options.splits, documents=documents)
    if not options.splits:
        texts = filter(None, texts_table[text][:_LOOKED_AT].to_pylist())
        note_sentences(texts, "split_sentences=True")
    pipeline = Pipeline(tagger, options, printer)
    rows = [
        pipeline.format(lines).data
        for part in texts_table.to_batches()
        for lines in pipeline.reader.read_records(*_records(part, text, document))
        if lines is not PAUSE
    ]
    table = pa.Table.from_batches(
        rows, printer.schema(type_of_others(texts_table.schema, text))
    )
    made_by = type(batch).__module__.partition(".")[0]
    if made_by == "pandas":
        return table.to_pandas()
    if made_by == "polars":
        import polars  # noqa: PLC0415 - the caller has it

        return polars.from_arrow(table)
    if not isinstance(batch, pa.RecordBatch):
        return table
    whole = table.combine_chunks().to_batches()
    return whole[0] if whole else pa.RecordBatch.from_pylist([], table.schema)


def schema(
    batch_schema: Any,
    model: str | None = None,
    *,
    tasks: str | Iterable[str] | None = None,
    text: str = "text",
    document: str | None = None,
) -> pa.Schema:
    """Return the schema of the table that `annotate` returns for a table.

    Args:
        batch_schema: The table, or its schema.
        model: The path of the model, as for `annotate`.
        tasks: The tasks, as for `annotate`.
        text: The name of the column of text.
        document: The name of the column that names the texts, or None.

    Raises:
        SennaError: If there is no such model, task or column, or Arrow cannot convert
            the table.

    Example:
        >>> from senna_py.dataframe import schema
        >>> str(schema(table, tasks=["ner"]).field("text").type)
        'string'
    """
    if isinstance(batch_schema, pa.Schema):
        arrow_schema = _table(batch_schema.empty_table()).schema
    else:
        arrow_schema = _table(batch_schema).schema
    check_columns(arrow_schema, text, document)
    tagger, documents = (
        _tagger(model, _names(tasks)),
        type_of_documents(arrow_schema, document),
    )
    printer = ParquetPrinter(tagger, documents=documents)
    return printer.schema(type_of_others(arrow_schema, text))


def _table(value: Any) -> pa.Table:
    """Return a table of any type as a pyarrow.Table without view types.

    Raises:
        InputError: If Arrow cannot convert it.
    """
    try:
        table = pa.table(value)
        fields = [each.with_type(without_views(each.type)) for each in table.schema]
        schema = pa.schema(fields, table.schema.metadata)
        return table if schema == table.schema else table.cast(schema)
    except (TypeError, ValueError) as error:  # pyarrow's errors are subclasses
        raise InputError(
            f"no table that Arrow can take: {type(value).__name__}: {error}"
        ) from None


def _records(
    batch: pa.RecordBatch, text: str, document: str | None
) -> tuple[Iterator[Record], Any]:
    """Return the rows of a batch as records, and its other columns as structs.

    The latter are None if there are no other columns.
    """
    texts, fields = split_batch(batch, text)
    names: list[Any] = [None] * len(texts)
    if document is not None:
        names = batch[document].to_pylist()
    rows = zip(names, texts, strict=True)
    return (Record(name, each) for name, each in rows), fields


def _names(tasks: str | Iterable[str] | None) -> tuple[str, ...] | None:
    if tasks is None:
        return None
    return (tasks,) if isinstance(tasks, str) else tuple(tasks)


@lru_cache(maxsize=4)
def _tagger(model: str | None, tasks: tuple[str, ...] | None) -> Tagger:
    return Tagger(model, tasks)
