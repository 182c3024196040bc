"""Tables of text in, tables of sentences out: Arrow, for Spark, Ray Data, Dask and others."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from senna_py.errors import missing

try:
    import pyarrow as pa
except ImportError:
    raise ImportError(missing("senna_py.dataframe", "dask", "pyarrow")) from None

from senna_py.corpora.records import line_batches
from senna_py.printers.parquet import ParquetPrinter, check_columns, split_batch, type_of_others
from senna_py.tagger import Tagger

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from senna_py.corpora.places import Place
    from senna_py.text.tokens import Tokens

__all__ = ["annotate", "schema"]

_Batch = TypeVar("_Batch", pa.RecordBatch, pa.Table)


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

    batch: a pyarrow.RecordBatch or Table; model: path of the model, or None as for `load`; tasks:
    a name, several, or None for those of the model; text: name of the column; document: name of
    the column that says what a text is called, or None; split_sentences: whether a line is a
    paragraph, else it is a sentence; paragraphs: whether lines up to an empty one are a paragraph.
    Returns what was given, a RecordBatch or Table, with the columns of
    docs/guide/large-corpora.md; the other columns of `batch` are the structs of `fields`. The model
    is read once in a process. Raises SennaError for a model or column that is not there.
    """
    splits = split_sentences or paragraphs
    tagger, printer = _prepared(model, _names(tasks), splits)
    check_columns(batch.schema, text, document)
    batches = batch.to_batches() if isinstance(batch, pa.Table) else [batch]
    found = []
    for each in batches:
        for data, place in _lines(each, text, document, paragraphs):
            found.append(printer.print(tagger.annotate(_tokens(tagger, data, splits)), place))
    table = pa.Table.from_batches(found, printer.schema(type_of_others(batch.schema, text)))
    if isinstance(batch, pa.Table):
        return table
    whole = table.combine_chunks().to_batches()
    return whole[0] if whole else pa.RecordBatch.from_pylist([], table.schema)


def schema(
    batch_schema: pa.Schema,
    model: str | None = None,
    *,
    tasks: str | Iterable[str] | None = None,
    text: str = "text",
) -> pa.Schema:
    """The pyarrow.Schema of what `annotate` returns for batches of `batch_schema`.

    The other parameters are those of `annotate`.
    """
    _, printer = _prepared(model, _names(tasks), False)
    check_columns(batch_schema, text)
    return printer.schema(type_of_others(batch_schema, text))


def _lines(
    batch: pa.RecordBatch, text: str, document: str | None, paragraphs: bool
) -> Iterator[tuple[bytes, Place]]:
    """Lines and their Place for the texts of a RecordBatch."""
    texts, fields = split_batch(batch, text)
    names: list[str | None] = [None] * len(texts)
    if document is not None:
        names = [None if name is None else str(name) for name in batch[document].to_pylist()]
    records = ((name, each, None) for name, each in zip(names, texts, strict=True))
    return line_batches(records, fields, paragraphs)


def _tokens(tagger: Tagger, data: bytes, splits: bool) -> Tokens:
    tokens = tagger.tokenizer.lines(data)
    if splits:
        tokens = tagger.tokenizer.split_sentences(tokens)
    return tokens if tagger.longest_sentence is None else tokens.cut(tagger.longest_sentence)


def _names(tasks: str | Iterable[str] | None) -> tuple[str, ...] | None:
    return (tasks,) if isinstance(tasks, str) else tuple(tasks or ()) or None


@lru_cache(maxsize=4)
def _prepared(
    model: str | None, tasks: tuple[str, ...] | None, places: bool
) -> tuple[Tagger, ParquetPrinter]:
    tagger = Tagger(model, tasks)
    return tagger, ParquetPrinter(tagger, split=places)
