"""Tables of text in, tables of sentences out: Arrow, for Spark, Ray Data, Dask and
others.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, TypeVar

from senna_py.errors import missing

try:
    import pyarrow as pa
except ImportError:
    raise ImportError(missing("senna_py.dataframe", "dask", "pyarrow")) from None

from senna_py.corpora.places import BatchPlace
from senna_py.corpora.records import line_batches
from senna_py.formats.parquet import (
    ParquetPrinter,
    check_columns,
    split_batch,
    type_of_documents,
    type_of_others,
    without_views,
)
from senna_py.io.streaming import InputError
from senna_py.tagger import Tagger
from senna_py.text.sentences import note_sentences

__all__ = ["annotate", "schema"]

_LOOKED_AT = 64  # texts of a table, for a note
_Batch = TypeVar("_Batch")


def annotate(
    batch: _Batch,
    model: str | None = None,
    *,
    tasks: str | Iterable[str] | None = None,
    text: str = "text",
    document: str | None = None,
    split_sentences: bool = False,
    paragraphs: bool = False,
) -> _Batch:
    """Tag a column of text: a row for each sentence that has a token.

    Gives the same kind of table, a Table for what is none of the four, with the columns
    of [Parquet](../guide/large-corpora.md#parquet); `fields` has the other columns of
    `batch`.

    Args:
        batch: A RecordBatch, a Table, a DataFrame of pandas or Polars, or what
            `pyarrow.table` takes.
        model: Path of the model, as for `load`; it is read once per process.
        tasks: A name, several, or None for those of the model.
        text: Name of the column of text.
        document: Name of the column that says what a text is called: text or integers.
        split_sentences: Whether a line is a paragraph, not a sentence.
        paragraphs: Whether lines up to an empty one are a paragraph.

    Raises:
        SennaError: If there is no such model or column.
    """
    splits = split_sentences or paragraphs
    given = _table(batch)
    check_columns(given.schema, text, document)
    named = type_of_documents(given.schema, document)
    tagger, printer = _prepared(model, _names(tasks), splits, named)
    if not splits:
        texts = filter(None, given[text][:_LOOKED_AT].to_pylist())
        note_sentences(texts, "split_sentences=True")
    found, longest = [], tagger.longest_sentence
    for each in given.to_batches():
        for data, place in _lines(each, text, document, paragraphs):
            tokens = tagger.tokenizer.lines(data)
            tokens = tagger.tokenizer.split_sentences(tokens) if splits else tokens
            tokens = tokens if longest is None else tokens.cut(longest)
            found.append(printer.print(tagger.annotate(tokens), place))
    table = pa.Table.from_batches(
        found, printer.schema(type_of_others(given.schema, text))
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
    """The pyarrow.Schema of what `annotate` gives for a table, or for the schema of
    one.
    """
    if isinstance(batch_schema, pa.Schema):
        given = _table(batch_schema.empty_table()).schema
    else:
        given = _table(batch_schema).schema
    check_columns(given, text, document)
    _, printer = _prepared(
        model, _names(tasks), False, type_of_documents(given, document)
    )
    return printer.schema(type_of_others(given, text))


def _table(given: Any) -> pa.Table:
    """The pyarrow.Table of a table of any kind, without views; raises InputError."""
    try:
        table = pa.table(given)
        fields = [each.with_type(without_views(each.type)) for each in table.schema]
        schema = pa.schema(fields, table.schema.metadata)
        return table if schema == table.schema else table.cast(schema)
    except (TypeError, ValueError) as error:  # pyarrow's own are these, too
        raise InputError(
            f"no table that Arrow can take: {type(given).__name__}: {error}"
        ) from None


def _lines(
    batch: pa.RecordBatch, text: str, document: str | None, paragraphs: bool
) -> Iterator[tuple[bytes, BatchPlace]]:
    """Lines and their BatchPlace for the texts of a RecordBatch."""
    texts, fields = split_batch(batch, text)
    names: list[Any] = (
        [None] * len(texts) if document is None else batch[document].to_pylist()
    )
    records = ((name, each, None) for name, each in zip(names, texts, strict=True))
    return line_batches(records, fields, paragraphs)


def _names(tasks: str | Iterable[str] | None) -> tuple[str, ...] | None:
    return (
        (tasks,) if isinstance(tasks, str) else tasks if tasks is None else tuple(tasks)
    )


@lru_cache(maxsize=4)
def _prepared(
    model: str | None,
    tasks: tuple[str, ...] | None,
    places: bool,
    documents: pa.DataType,
) -> tuple[Tagger, ParquetPrinter]:
    tagger = Tagger(model, tasks)
    return tagger, ParquetPrinter(tagger, split=places, documents=documents)
