"""Runs in parts on this machine: the bytes of one process, whatever happened before."""

import bz2
import errno
import hashlib
import json
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.helpers.native_models import model_arguments, senna_parts

fsspec = pytest.importorskip("fsspec")
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

from senna_py.cluster import work  # noqa: E402
from senna_py.cluster.store import Store  # noqa: E402
from senna_py.cluster.work import Work  # noqa: E402
from senna_py.errors import SennaError, UsageError, WriteError  # noqa: E402
from senna_py.io.overwriting import one_call  # noqa: E402
from senna_py.models.native import write_model  # noqa: E402
from senna_py.printers.parquet import read_records  # noqa: E402
from tests.helpers.tagging import tag_in_parts as tag_parts  # noqa: E402
from tests.helpers.tagging import tag_paths  # noqa: E402

pytestmark = pytest.mark.extra

TEXT = """\
Anna Keller joined Northfield Motors in 1987. She runs its Chicago plant.

> They did not
> sign, though. Why?

It rose 3.5 % on Friday .
\t
--
A. K.
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    """The current directory, empty."""
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "work"


@pytest.fixture
def tag(golden, place):
    """A function that tags inputs in parts and returns the number that failed; `notes` it has."""

    def run(*inputs, tasks=("pos",), to="out", **options):
        options = {"path": golden / "model", "part_size": 40} | options
        return tag_parts(inputs, tasks, to, note=run.notes.append, **options)

    run.notes = []
    return run


def outputs(name="", to="out"):
    """Outputs of an input by name, in order."""
    return {path.name: path.read_bytes() for path in sorted(Path(to).glob(f"{name}*.*-of-*"))}


def joined(name="", to="out"):
    return b"".join(outputs(name, to).values())


def manifest(to="out"):
    return json.loads(Path(to, "_manifest.json").read_text())


LINES = st.lists(
    st.sampled_from(
        [
            "",
            " ",
            "He sleeps.",
            "Mary can't. They do.",
            "> quoted",
            "--",
            "x\xa0y",
            "é \udcff",
            "\r",
        ]
    ),
    max_size=14,
)
WAYS = {
    "columns": {"format": "conll", "header": True},
    "padded": {"offsettags": True},
    "json": {"format": "jsonl"},
    "sentences": {"format": "jsonl", "split_sentences": True},
    "paragraphs": {"format": "jsonl", "split_sentences": True, "paragraphs": True},
    "conllu": {"format": "conllu"},
    "conllu of paragraphs": {
        "format": "conllu", "split_sentences": True, "paragraphs": True,
    },
    "conll2003": {"format": "conll2003"},
    "tokens": {"format": "tokens", "split_sentences": True, "usrtokens": True},
}  # fmt: skip


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    way=st.sampled_from(sorted(WAYS)), lines=LINES, newline=st.booleans(), size=st.integers(9, 60)
)
def test_parts_are_together_the_bytes_of_one_process(
    way, lines, newline, size, golden, tmp_path_factory, compiled
):
    text = ("\n".join(lines) + "\n" * newline).encode("utf-8", "surrogateescape")
    place = tmp_path_factory.mktemp("way")
    (place / "in").write_bytes(text)
    options = {"path": golden / "model", "note": lambda line: None, **WAYS[way]}
    inputs = [str(place / "in")]
    assert tag_paths(inputs, ["pos"], output=str(place / "one"), **options) == 0
    assert tag_parts(inputs, ["pos"], place / "out", part_size=size, **options) == 0
    parts = sorted((place / "out").rglob("in.*-of-*"))
    parts = [path for path in parts if "_senna" not in path.parts]
    assert b"".join(path.read_bytes() for path in parts) == (place / "one").read_bytes()


@pytest.mark.parametrize("format", ["brat", "trees"])
def test_entities_and_trees_are_those_of_one_process(tag, place, in_one_process, format):
    text = TEXT.replace("Friday", "Freitag für") * 3
    Path("in.txt").write_text(text)
    tasks = ["ner"] if format == "brat" else None
    assert tag("in.txt", tasks=tasks, format=format) == 0
    assert len(outputs()) > 10
    expected = in_one_process("in.txt", tasks, format=format)
    assert joined() == expected != b""


def test_probabilities_and_encodings_are_those_of_one_process(tag, place, in_one_process):
    Path("in.txt").write_bytes((TEXT + "Ä\n").encode("cp1252"))
    options = {"probabilities": True, "encoding": "cp1252"}
    assert tag("in.txt", **options) == 0
    assert joined() == in_one_process("in.txt", ["pos"], **options)
    Path("wide.txt").write_bytes(TEXT.encode("utf-16"))
    assert tag("wide.txt", to="wide") == 0
    assert joined(to="wide") == in_one_process("wide.txt", ["pos"])


def test_what_is_done_stays_and_what_is_missing_is_made(tag, place):
    Path("dir").mkdir()
    Path("dir/a.txt").write_text(TEXT)
    Path("dir/b.txt.bz2").write_bytes(bz2.compress(TEXT.encode()))
    assert tag("dir", jobs=2) == 0
    found = {name: body for to in ("out/dir",) for name, body in outputs(to=to).items()}
    assert len(found) > 3
    assert [name for name in found if name.startswith("b")] == ["b.txt.bz2.00000-of-00001.txt"]
    first = manifest()
    assert first["complete"]
    for part in first["parts"]:
        body = Path("out", part["output"]).read_bytes()
        assert (len(body), hashlib.sha256(body).hexdigest()) == (part["bytes"], part["sha256"])
    assert first["tokens"] == sum(body.count(b"\t") for body in found.values())
    times = {path: path.stat().st_mtime_ns for path in Path("out/dir").iterdir()}
    lost, torn, unsaid = sorted(times)[:3]
    lost.unlink()
    torn.write_bytes(torn.read_bytes()[:-1])
    Path("out/_senna/parts/dir", f"{unsaid.name.removesuffix('.txt')}.json").unlink()
    Path("out/_senna/unfinished").mkdir()
    Path("out/_senna/unfinished/of-a-worker-that-died").write_bytes(b"x")
    assert tag("dir") == 0
    assert tag.notes[-1] == f"{len(found) - 3} parts of {len(found)} done before"
    after = {path: path.stat().st_mtime_ns for path in Path("out/dir").iterdir()}
    assert {path for path in after if after[path] != times[path]} == {lost, torn, unsaid}
    assert outputs(to="out/dir") == found
    assert manifest() == first
    assert not Path("out/_senna/unfinished").exists()


def test_an_input_that_changed_is_tagged_anew(tag, place, in_one_process):
    for name in ("a.txt", "b.txt"):
        Path(name).write_text(TEXT)
    assert tag("a.txt", "b.txt") == 0
    before = outputs("b")
    Path("a.txt").write_text("Short .\n")
    assert tag("a.txt") == 0  # b.txt is not named, and stays
    assert joined("a") == in_one_process("a.txt", ["pos"])
    assert outputs("b") == before
    assert {part["input"] for part in manifest()["parts"]} == {"a.txt", "b.txt"}


def test_other_settings_need_another_directory(tag, place):
    Path("a.txt").write_text(TEXT)
    assert tag("a.txt") == 0
    with pytest.raises(SennaError, match=r"iobtags: False, now True.*another --output-dir"):
        tag("a.txt", iobtags=True)
    with pytest.raises(UsageError, match="no such task"):
        tag("a.txt", tasks=["nothing"], to="other")
    assert not Path("other").exists()


def test_outputs_are_no_inputs(tag, place):
    Path("a.txt").write_text(TEXT)
    assert tag("a.txt") == 0
    with pytest.raises(UsageError, match="an input in the --output-dir"):
        tag(".")


def test_bad_inputs_are_named_and_do_not_stop_others(tag, place):
    objects = [json.dumps({"text": f"Line {i} ."}) for i in range(9)]
    Path("a.jsonl").write_text("\n".join([*objects[:6], '{"text": 1}', *objects[6:]]))
    Path("b.bin").write_bytes(b"x" * 50 + b"\n\0" + b"y\n" * 50)
    Path("c.txt.xz").write_bytes(b"\xfd7zXZ\0 no archive")
    Path("d.parquet").write_bytes(b"PAR1")
    Path("e.txt").write_text(TEXT)
    names = ["a.jsonl", "b.bin", "c.txt.xz", "d.parquet", "e.txt", "f.txt"]
    assert tag(*names, format="jsonl") == 5
    said = "\n".join(tag.notes)
    assert "a.jsonl: line 7: the field 'text' is not text" in said
    assert "b.bin: a binary file: byte 51 is zero" in said
    assert "c.txt.xz: damaged compressed file" in said
    assert "d.parquet: no Parquet file" in said
    assert "f.txt: No such file" in said
    assert len(tag.notes) == 5
    assert not manifest()["complete"]
    assert sorted(manifest()["failed"]) == [*names[:4], "f.txt"]
    assert joined("e")
    for name in names[:4]:
        Path(name).unlink()
    assert tag("e.txt", format="jsonl") == 0
    assert manifest()["complete"]


def test_a_full_disk_ends_the_run_and_loses_nothing(tag, place, monkeypatch, in_one_process):
    Path("a.txt").write_text(TEXT)
    replace, count = os.replace, []

    def fail(source, target):
        if "-of-" in str(target) and len(count) > 3:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        count.append(target)
        return replace(source, target)

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(WriteError, match=r"a\.txt\.0000.*not written: No space left"):
        tag("a.txt")
    assert not Path("out/_manifest.json").exists()
    assert 0 < len(outputs()) < 8
    monkeypatch.undo()
    monkeypatch.chdir(place)
    assert tag("a.txt") == 0
    assert "done before" in tag.notes[-1]
    assert joined() == in_one_process("a.txt", ["pos"])


def test_stores_that_rename(tag, place, in_one_process):
    memory = fsspec.filesystem("memory")
    memory.pipe_file("/corpus/a.txt", TEXT.encode())
    Path("a.txt").write_text(TEXT)
    assert tag("memory://corpus/*.txt", to="memory://tagged") == 0, tag.notes
    found = {path: memory.cat_file(path) for path in memory.find("/tagged") if "_" not in path}
    assert b"".join(found[path] for path in sorted(found)) == in_one_process("a.txt", ["pos"])
    assert "/tagged/corpus/a.txt.00001-of-00004.txt" in found
    assert tag("memory://corpus", to="memory://tagged") == 0
    assert tag.notes == ["4 parts of 4 done before"]
    assert not any("unfinished" in path for path in memory.find("/tagged"))
    assert Store("memory://tagged").records().keys() == {
        f"corpus/a.txt.0000{i}-of-00004" for i in range(4)
    }


def test_fields_of_json_lines_are_carried_through(tag, place):
    objects = [
        {"body": TEXT, "n": 1, "on": ["a", None]}, {"body": "", "n": 2}, {"body": None},
        {"body": "Half \ud83d of a pair.", "n": 3},
    ]  # fmt: skip
    Path("a.jsonl").write_text("\n".join(map(json.dumps, objects)) + "\n\n")
    options = {"text_field": "body", "split_sentences": True}
    assert tag("a.jsonl", format="jsonl", **options) == 0
    rows = [json.loads(line) for line in joined().splitlines()]
    first = [row for row in rows if row["document"] == "a.jsonl:1"]
    assert [row["id"] for row in first] == [
        f"a.jsonl:1-{line}-{n}" for line, n in
        [(1, 1), (1, 2), (3, 1), (4, 1), (4, 2), (6, 1), (8, 1), (9, 1)]
    ]  # fmt: skip
    assert {row["paragraph"] for row in first} == {1, 3, 4, 6, 8, 9}
    assert first[0]["fields"] == {"n": 1, "on": ["a", None]}
    assert rows[-1]["document"] == "a.jsonl:4"
    assert rows[-1]["text"] == "Half � of a pair."
    assert tag("a.jsonl", format="parquet", to="rows", **options) == 0
    table = pa.concat_tables(map(pq.read_table, sorted(Path("rows").glob("*.parquet"))))
    assert table["id"].to_pylist() == [row["id"] for row in rows]
    assert [json.loads(each) for each in table["fields"].to_pylist()] == [
        row["fields"] for row in rows
    ]
    assert tag("a.jsonl", format="conllu", to="no", **options) == 1
    assert "a.jsonl: --format conllu is of text files" in tag.notes[-1]


def test_paragraphs_of_records(tag, place):
    Path("a.jsonl").write_text(json.dumps({"text": "They did not\nsign. Why?\n\nx"}) * 1 + "\n")
    options = {"format": "jsonl", "split_sentences": True, "paragraphs": True}
    assert tag("a.jsonl", **options) == 0
    rows = [json.loads(line) for line in joined().splitlines()]
    assert [(row["text"], row["line"], row["sentence"]) for row in rows] == [
        ("They did not sign.", 1, 1), ("Why?", 2, 2), ("x", 4, 1),
    ]  # fmt: skip


def test_columns_of_parquet_are_carried_through(tag, place):
    lines = [line for line in TEXT.splitlines() if line.strip()]
    table = pa.table(
        {"body": lines, "n": range(len(lines)), "at": [{"x": i} for i in range(len(lines))]}
    )
    pq.write_table(table, "a.parquet", row_group_size=2)
    options = {"text_field": "body", "tasks": ("pos", "srl", "psg")}
    assert tag("a.parquet", format="parquet", part_size=1, **options) == 0
    assert len(outputs()) == 3
    found = pq.read_table("out", partitioning=None)
    assert found["document"].to_pylist() == [f"a.parquet:{i + 1}" for i in range(6)]
    assert found["fields"].to_pylist() == [{"n": i, "at": {"x": i}} for i in range(6)]
    assert found["text"].to_pylist() == [line.strip() for line in lines]
    assert tag("a.parquet", format="jsonl", to="lines", **options) == 0
    rows = [json.loads(line) for line in joined(to="lines").splitlines()]
    for row, same in zip(found.to_pylist(), rows, strict=True):
        assert row["tokens"] == [token["text"] for token in same["tokens"]]
        assert row["token_end"] == [token["end_char"] for token in same["tokens"]]
        assert (row["pos"], row["tree"]) == (same["tags"]["pos"], same["tree"])
        assert [frame["predicate"] for frame in row["frames"]] == [
            frame["predicate"] for frame in same["frames"]
        ]
        assert row["fields"] == same["fields"]
    assert tag("a.parquet", to="no") == 1
    assert "a.parquet: no column 'text'; there are body, n, at" in tag.notes[-1]


@pytest.mark.parametrize(
    "name", ["in.txt.00000-of-00001.txt", "_manifest.json", "_senna/settings.json"]
)
@pytest.mark.parametrize("kind", ["model", "input"])
def test_nothing_that_is_read_is_written(tag, kind, name):
    Path("in.txt").write_text("He sleeps .\n")
    read = Path("out", name)
    read.parent.mkdir(parents=True)
    inputs, options = ["in.txt"], {"part_size": 1 << 20}
    if kind == "model":
        write_model(read, *model_arguments(senna_parts(np.random.default_rng(0))))
        options["path"] = read
    else:
        read.write_text("He sat .\n")
        Path("in.txt").unlink()
        Path("in.txt").symlink_to(read)
    before = read.read_bytes()
    files = sorted(Path("out").rglob("*"))
    with one_call(), pytest.raises(UsageError, match="output would overwrite the input"):
        tag(*inputs, **options)
    assert read.read_bytes() == before
    assert sorted(Path("out").rglob("*")) == files


def test_long_texts_are_read_a_few_at_a_time(place):
    rng = np.random.default_rng(0)
    texts = [rng.bytes(1 << 19).hex() for _ in range(9)]
    pq.write_table(pa.table({"text": texts}), "long.parquet", use_dictionary=False)
    found = [each for each, _ in read_records("long", "long.parquet", 0, 1, "text")]
    assert [len(each) for each in found] == [3, 3, 3]
    assert [text for each in found for text in each] == texts
    pq.write_table(pa.table({"text": ["a"] * 3000}), "short.parquet")
    found = [len(each) for each, _ in read_records("short", "short.parquet", 0, 1, "text")]
    assert found == [1024, 1024, 952]
    assert list(read_records("short", "short.parquet", 0, 0, "text")) == []


def test_runs_that_share_a_process_keep_their_annotators(monkeypatch):
    monkeypatch.setattr(work, "_made", {})
    made = []
    runs = [Work(Store(f"memory://{k}"), Maker(made, k), "txt") for k in range(6)]
    for k in (0, 1, 0, 1, 2, 3, 0, 4, 1):
        assert runs[k].annotator() == k
    assert made == [0, 1, 2, 3, 4, 1]  # the one that was used longest ago made room


class Maker:
    """Makes its number, and notes that."""

    def __init__(self, made, number):
        self.made, self.number = made, number

    def __call__(self):
        self.made.append(self.number)
        return self.number
