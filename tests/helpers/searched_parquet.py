"""Documents as rows of Parquet, as the format `parquet` has them."""

from types import SimpleNamespace


def write_rows(document, path, names):
    """Write the sentences of a document that have tokens, with the layers of tasks."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from senna_py.formats.parquet import ParquetPrinter

    tagger = SimpleNamespace(
        tasks=names,
        task=lambda name: document.layers[name].task,
        tokenizer=SimpleNamespace(finds_words=True),
    )
    place = {"id": "x", "document": "d.txt", "paragraph": 1, "line": 2, "sentence": 1}
    rows = [each.to_dict() | place for each in document.sentences if len(each)]
    table = pa.Table.from_pylist(rows, ParquetPrinter(tagger).schema())
    pq.write_table(table, path, row_group_size=2)
