"""Tables of text in, tables of sentences out; and the examples for other engines."""

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

from senna_py import Sentence, load  # noqa: E402 - they need pyarrow
from senna_py.dataframe import annotate, schema  # noqa: E402
from senna_py.errors import SennaError  # noqa: E402
from senna_py.text import sentences  # noqa: E402

pytestmark = pytest.mark.extra

DOCS = Path(__file__).resolve().parent.parent / "docs" / "guide" / "large-corpora.md"
TEXTS = [
    "Anna Keller runs a plant in Chicago.\n\nIt rose.",
    "",
    None,
    "They did not sign .",
]


@pytest.fixture
def model(golden):
    return str(golden / "model")


@pytest.fixture
def batch():
    return pa.record_batch(
        {"text": TEXTS, "name": ["a", "b", "c", None], "n": range(4)}
    )


def test_rows_are_the_sentences_that_the_tagger_finds(model, batch):
    found = annotate(batch, model, document="name")
    assert found.schema == schema(batch.schema, model)
    rows = found.to_pylist()
    nlp = load(model)
    for row, text in zip(rows, [*TEXTS[0].split("\n\n"), TEXTS[3]], strict=True):
        sentence = nlp(text)
        assert {key: row[key] for key in sentence.to_dict()} == sentence.to_dict()
        assert Sentence.from_dict(row) == sentence
    assert [
        (row["document"], row["id"], row["paragraph"], row["line"]) for row in rows
    ] == [
        ("a", "a-1-1", 1, 1),
        ("a", "a-3-1", 3, 3),
        (None, None, 1, 1),
    ]
    assert [row["fields"]["n"] for row in rows] == [0, 0, 3]


def test_a_table_gives_a_table_and_lines_are_split(model):
    table = pa.table(
        {"t": pa.chunked_array([["He left. She stayed."], ["They\nleft."]])}
    )
    found = annotate(table, model, tasks="pos", text="t", paragraphs=True)
    assert isinstance(found, pa.Table)
    assert found["text"].to_pylist() == ["He left.", "She stayed.", "They left."]
    assert found.schema == schema(table.schema, model, tasks=["pos"], text="t")
    assert "fields" not in found.column_names
    found = annotate(table, model, tasks=np.array(["pos", "chk"]), text="t")
    assert [field.name for field in found.schema.field("tags").type] == ["pos", "chk"]
    assert "tags" not in annotate(table, model, tasks=[], text="t").column_names
    assert annotate(table.slice(0, 0), model, tasks=["pos"], text="t").num_rows == 0


def test_views_are_taken_as_polars_has_them(model):
    """...whose columns of text are views, also within lists and structs."""
    views = {
        "text": pa.array(["He left.", None, "No."], pa.string_view()),
        "tags": pa.array([["a"], [], None], pa.large_list(pa.string_view())),
        "more": pa.array([{"b": b"c"}] * 3, pa.struct([("b", pa.binary_view())])),
        "kind": pa.array(["a", "b", "a"]).dictionary_encode(),
    }
    table = pa.table(views)
    found = annotate(table, model, tasks="pos")
    assert found.schema == schema(table.schema, model, tasks="pos")
    assert found.schema == schema(table, model, tasks="pos")
    fields = [
        {"tags": ["a"], "more": {"b": b"c"}, "kind": "a"},
        {"tags": None, "more": {"b": b"c"}, "kind": "a"},
    ]
    assert found["fields"].to_pylist() == fields


def test_a_table_of_polars_gives_one(model):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"text": ["He left. She stayed.", None], "n": [0, 1]})
    found = annotate(frame, model, tasks="pos", document="n", split_sentences=True)
    assert isinstance(found, polars.DataFrame)
    assert found["document"].to_list() == [0, 0]


@pytest.mark.parametrize("kind", [pa.int64(), pa.uint8(), pa.int32()])
def test_integers_that_name_documents_stay_integers(model, kind):
    table = pa.table({"text": TEXTS, "n": pa.array([0, 1, 2, None], kind)})
    found = annotate(table, model, document="n")
    assert found.schema == schema(table.schema, model, document="n")
    assert found.schema.field("document").type == kind
    assert found["document"].to_pylist() == [0, 0, None]
    assert found["id"].to_pylist() == ["0-1-1", "0-3-1", None]


def test_columns_that_are_not_there_are_errors(model, batch):
    with pytest.raises(SennaError, match="no column 'body'; there are text, name, n"):
        annotate(batch, model, text="body")
    with pytest.raises(SennaError, match="the column 'n' is int64, not text"):
        annotate(batch, model, text="n")
    with pytest.raises(SennaError, match="no column 'id'; there are text, name, n"):
        annotate(batch, model, document="id")
    with pytest.raises(SennaError, match="'n' is binary, neither text nor int"):
        annotate(pa.table({"text": ["a"], "n": [b"\xff"]}), model, document="n")
    twice = pa.table([["He left."], [1], [2]], names=["text", "n", "n"])
    with pytest.raises(SennaError, match="columns of one name; there are text, n, n"):
        annotate(twice, model)


def test_pandas_gives_pandas(model):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"text": TEXTS, "n": range(4)}, index=list("abcd"))[
        lambda f: f["n"] != 1
    ]
    found = annotate(frame, model, tasks="pos")
    assert isinstance(found, pd.DataFrame)
    assert [*found["text"]] == [*TEXTS[0].split("\n\n"), TEXTS[3]]
    assert [row["n"] for row in found["fields"]] == [0, 0, 3]
    assert [row["__index_level_0__"] for row in found["fields"]] == ["a", "a", "d"]
    assert (
        schema(frame, model).names == schema(pa.Schema.from_pandas(frame), model).names
    )
    assert len(annotate(frame[:0], model)) == 0


def test_rows_of_several_sentences_are_noted(model, monkeypatch, caplog):
    monkeypatch.setattr(sentences, "_noted", [])
    table = pa.table({"text": [None, "He left. She stayed."]})
    annotate(table, model, split_sentences=True)
    assert not caplog.records
    annotate(table, model)
    assert caplog.messages == [
        "a text given as one sentence looks like several: 'He left. She stayed.'; "
        "use split_sentences=True"
    ]


def test_any_table_will_do_and_nothing_else(model):
    assert annotate({"text": ["He left."]}, model, tasks="pos").num_rows == 1
    for given in (["He left."], "He left.", None, [{"text": "He left."}]):
        with pytest.raises(SennaError, match="no table that Arrow can take: "):
            annotate(given, model)
    pd = pytest.importorskip("pandas")
    for given in (pd.Series(["He left."]), pd.DataFrame({"text": ["a", 3]})):
        with pytest.raises(SennaError, match="no table that Arrow can take: "):
            annotate(given, model)


def example(engine):
    """The code in the section of the page about an engine."""
    section = DOCS.read_text(encoding="utf-8").split(f"### {engine}\n")[1]
    return re.search(r"```python\n(.*?)```", section, re.DOTALL)[1]


@pytest.mark.process
@pytest.mark.parametrize(
    ("engine", "library"),
    [("Dask DataFrame", "dask"), ("Ray Data", "ray"), ("Spark", "pyspark")],
)
def test_examples_for_engines(engine, library, model, tmp_path):
    if importlib.util.find_spec(library) is None:
        pytest.skip(f"no {library}")
    texts = {
        "id": [f"t{i}" for i in range(20)],
        "text": [f"Anna saw {i} of them." for i in range(20)],
    }
    pq.write_table(pa.table(texts), tmp_path / "texts.parquet")
    result = subprocess.run(
        [sys.executable, "-c", example(engine)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "SENNA_PY_MODEL": model},
        timeout=600,
        check=False,
    )
    assert result.returncode == 0, result.stderr[-3000:]
    found = pq.read_table(tmp_path / "tagged").sort_by("id").to_pylist()
    expected = annotate(pa.table(texts), model, tasks=["pos", "ner"], document="id")
    expected = expected.sort_by("id").to_pylist()
    assert [row["id"] for row in found] == [row["id"] for row in expected]
    for row, same in zip(found, expected, strict=True):
        assert json.dumps(row["tags"]["ner"]) == json.dumps(same["tags"]["ner"])
        assert [token["text"] for token in row["tokens"]] == [
            t["text"] for t in same["tokens"]
        ]


def test_a_table_is_no_sentence(model):
    pd, tagger = pytest.importorskip("pandas"), load(model, tasks=["pos"])
    # Iterated over, it has the names of its columns.
    table = pd.DataFrame({"text": ["She runs ."]})
    with pytest.raises(TypeError, match="not DataFrame"):
        tagger(table)
    with pytest.raises(TypeError, match="not DataFrame"):
        tagger.pipe(table)
    assert len(list(tagger.pipe(table["text"]))) == 1
