"""Corpora in parts: the bytes of one process, whatever happened before or stands in the
way.
"""

import bz2
import errno
import hashlib
import json
import os
import socket
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

fsspec = pytest.importorskip("fsspec")
pytest.importorskip("distributed")
pq = pytest.importorskip("pyarrow.parquet")

from senna_py.cli.corpus import tools_of  # noqa: E402 - they need these libraries
from senna_py.cli.tag_options import TagOptions  # noqa: E402
from senna_py.errors import SennaError, UsageError, WriteError  # noqa: E402
from senna_py.io.locks import lock_directory  # noqa: E402
from senna_py.parts import run  # noqa: E402
from tests.helpers.commands import MODEL  # noqa: E402
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


def outputs(name="", to="out"):
    """Outputs of an input by name, in order."""
    paths = sorted(Path(to).glob(f"{name}*.[0-9]*.*"))
    # What other workers are writing when one fails may be gone before it is read.
    return {path.name: path.read_bytes() for path in paths if path.suffix != ".part"}


def joined(name="", to="out"):
    return b"".join(outputs(name, to).values())


def manifest(to="out"):
    return json.loads(Path(to, "_manifest.json").read_text())


def times(to="out"):
    """When each output was written."""
    return {
        path: path.stat().st_mtime_ns for path in sorted(Path(to).glob("*.[0-9]*.*"))
    }


LINES = st.sampled_from(
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
)
WAYS = {
    "columns": {"format": "conll", "header": True},
    "padded": {"offsettags": True},
    "json": {"format": "jsonl"},
    "sentences": {"format": "jsonl", "split_sentences": True},
    "paragraphs": {"format": "jsonl", "paragraphs": True},
    "conllu": {"format": "conllu"},
    "conllu of paragraphs": {"format": "conllu", "paragraphs": True},
    "conll2003": {"format": "conll2003"},
    "entities": {"format": "brat", "tasks": ("ner",)},
    "trees": {"format": "trees", "tasks": ()},
    "tokens": {
        "format": "tokens",
        "tasks": (),
        "split_sentences": True,
        "usrtokens": True,
    },
}


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    way=st.sampled_from(sorted(WAYS)),
    lines=st.lists(LINES, max_size=14),
    newline=st.booleans(),
    size=st.integers(9, 60),
)
@example(way="conll2003", lines=["He sleeps."] * 4, newline=True, size=12)
@example(way="columns", lines=["He sleeps."] * 4, newline=True, size=12)
def test_parts_are_together_the_bytes_of_one_process(
    way, lines, newline, size, tag, tmp_path_factory, compiled
):
    place = tmp_path_factory.mktemp("way")
    text = ("\n".join(lines) + "\n" * newline).encode("utf-8", "surrogateescape")
    (place / "in").write_bytes(text)
    options = {"tasks": ["pos"], "note": lambda line: None, **WAYS[way]}
    assert tag_paths([place / "in"], output=place / "one", **options) == 0
    assert tag(str(place / "in"), to=place / "out", part_bytes=size, **WAYS[way]) == 0
    parts = sorted(
        path for path in (place / "out").rglob("in.*") if "_senna" not in path.parts
    )
    assert b"".join(path.read_bytes() for path in parts) == (place / "one").read_bytes()


def test_files_of_brat_pair_with_their_texts(tag):
    Path("dir").mkdir()
    Path("dir/a.txt").write_text(TEXT)
    Path("dir/b.c.txt.bz2").write_bytes(bz2.compress(TEXT.encode()))
    Path("dir/a.text").write_text(TEXT)
    for _ in range(2):  # nothing of the first run is removed
        assert tag("dir", format="brat", tasks=("ner",)) == 1
        found = {path.name: path.read_bytes() for path in Path("out/dir").glob("*.ann")}
        assert found.keys() == {"a.ann", "b.c.ann"}
        assert found["a.ann"] == found["b.c.ann"]
        assert any("another input has the same output" in note for note in tag.notes)


def test_probabilities_and_encodings_are_those_of_one_process(tag, in_one_process):
    Path("in.txt").write_bytes((TEXT + "Ä\n").encode("cp1252"))
    options = {"probabilities": True, "encoding": "cp1252"}
    assert tag("in.txt", **options) == 0
    assert joined() == in_one_process("in.txt", **options)
    Path("wide.txt").write_bytes(TEXT.encode("utf-16"))
    assert tag("wide.txt", to="wide") == 0
    assert joined(to="wide") == in_one_process("wide.txt")


def test_what_is_done_stays_and_what_is_missing_or_changed_is_made(tag):
    Path("dir").mkdir()
    Path("dir/a.txt").write_text(TEXT)
    Path("dir/b.txt.bz2").write_bytes(bz2.compress(TEXT.encode()))
    assert tag("dir") == 0
    found, first = outputs(to="out/dir"), manifest()
    assert len(found) > 4
    assert [name for name in found if name.startswith("b")] == ["b.txt.bz2.00000.txt"]
    assert first["complete"]
    assert first["tokens"] == sum(body.count(b"\t") for body in found.values())
    for part in first["parts"]:
        body = found[f"{Path(part['input']['name']).name}.{part['number']:05}.txt"]
        assert (part["bytes"], part["sha256"]) == (
            len(body),
            hashlib.sha256(body).hexdigest(),
        )
    before = times("out/dir")
    lost, torn, edited, unsaid = list(before)[:4]
    lost.unlink()
    torn.write_bytes(torn.read_bytes()[:-1])
    edited.write_bytes(edited.read_bytes().replace(b"\t", b" "))  # as many bytes
    Path("out/_senna/dir", f"{unsaid.stem}.json").unlink()
    Path("out/dir/a.txt.00000.txt.89abcdef.part").write_bytes(b"of a worker that died")
    assert tag("dir") == 0
    assert tag.notes[-1] == f"{len(found) - 4} of {len(found)} parts were there already"
    after = times("out/dir")
    assert {path for path in after if after[path] != before[path]} == {
        lost,
        torn,
        edited,
        unsaid,
    }
    assert outputs(to="out/dir") == found
    assert manifest() == first
    assert not list(Path("out").rglob("*.part"))


def test_progress_and_a_summary_are_told(tag, capsys):
    Path("in.txt").write_text(TEXT)
    assert tag("in.txt") == 0
    said, found = capsys.readouterr().err.splitlines(), manifest()
    n_parts, n_sentences = len(found["parts"]), found["sentences"]
    assert said[0] == f"{n_parts} parts, {len(TEXT)} bytes"
    assert said[-2].startswith(
        f"{len(TEXT)} of {len(TEXT)} bytes, {n_sentences} sentences, "
    )
    told = f"{n_parts} parts, {n_sentences} sentences, {found['tokens']} tokens, in "
    assert said[-1].startswith(told)


def test_an_input_that_changed_is_tagged_anew(tag, in_one_process):
    for name in ("a.txt", "b.txt"):
        Path(name).write_text(TEXT)
    assert tag("a.txt", "b.txt") == 0
    before = outputs("b")
    Path("a.txt").write_text("Short .\n")  # fewer parts
    assert tag("a.txt") == 0  # b.txt is not named, and stays
    assert list(outputs("a")) == ["a.txt.00000.txt"]
    assert joined("a") == in_one_process("a.txt")
    assert outputs("b") == before


def test_an_input_that_changes_in_a_run_fails(tag, monkeypatch):
    Path("a.txt").write_text(TEXT)
    cut = run.cut

    def cut_and_change(found, *options):
        parts = cut(found, *options)
        os.utime(found.name, (1, 1))
        return parts

    monkeypatch.setattr(run, "cut", cut_and_change)
    assert tag("a.txt") == 1
    assert tag.notes == ["a.txt: has changed since the run began"]


def test_other_settings_need_another_directory(tag):
    Path("a.txt").write_text(TEXT)
    assert tag("a.txt") == 0
    with pytest.raises(
        SennaError, match=r"out: a\.txt\.0000\d was made with other settings"
    ):
        tag("a.txt", iobtags=True)
    with pytest.raises(UsageError, match="no such task"):
        tag("a.txt", tasks=("nothing",), to="other")
    assert not Path("other").exists()


@pytest.mark.parametrize(
    "value",
    [
        [],
        None,
        5,
        "x",
        {},
        {"input": []},
        {"sha256": 1},
        {"output": "../victim", "bytes": None, "input_stamp": "0", "settings": None},
        {"tokens": "x"},
    ],
)
def test_any_json_for_a_record_is_written_anew_or_a_line(tag, value):
    Path("victim").write_text("stays")
    Path("a.txt").write_text("He sleeps .\n")
    assert tag("a.txt") == 0
    record, before = Path("out/_senna/a.txt.00000.json"), joined()
    known = json.loads(record.read_text())
    for each in (value, known | value if isinstance(value, dict) else value):
        record.write_text(json.dumps(each))
        Path("out/_manifest.json").write_text(json.dumps(value))
        try:
            assert tag("a.txt") == 0
            assert json.loads(record.read_text()) == known
            assert manifest()["complete"]
        except SennaError as error:  # settings that are none
            assert "settings" in each and "other settings" in str(error)
        record.write_text("no json")
        assert tag("a.txt") == 0
        assert joined() == before
    assert Path("victim").read_text() == "stays"


def test_links_in_the_directory_are_not_followed(tag):
    Path("victim").write_text("stays")
    Path("elsewhere").mkdir()
    Path("a.txt").write_text("He sleeps .\n")
    Path("out").mkdir()
    Path("out/a.txt.00000.txt").symlink_to("../victim")
    assert tag("a.txt") == 0
    assert not Path("out/a.txt.00000.txt").is_symlink()
    for name in ("out2/_senna", "out3/dir"):
        Path(name).parent.mkdir()
        Path(name).symlink_to("../elsewhere")
    with pytest.raises(WriteError, match="a symbolic link in the directory"):
        tag("a.txt", to="out2")
    Path("dir").mkdir()
    Path("a.txt").rename("dir/a.txt")
    with pytest.raises(WriteError, match="a symbolic link in the directory"):
        tag("dir", to="out3")
    assert Path("victim").read_text() == "stays"
    assert list(Path("elsewhere").iterdir()) == []


def test_pipes_in_the_directory_are_not_waited_for(tag):
    Path("a.txt").write_text("He sleeps .\n")
    assert tag("a.txt") == 0
    before = joined()
    for path in (Path("out/a.txt.00000.txt"), Path("out/_senna/a.txt.00000.json")):
        path.unlink()
        os.mkfifo(path)
        assert tag("a.txt") == 0
        assert joined() == before
        assert path.is_file()


def test_outputs_are_no_inputs(tag):
    Path("dir").mkdir()
    Path("dir/a.txt").write_text(TEXT)
    Path("link").symlink_to("dir/out")
    for to in ("dir/out", "dir/out", "link"):  # the same each time
        assert tag("dir", to=to) == 0
    assert len(manifest("dir/out")["parts"]) == len(outputs("a", "dir/out/dir"))
    assert tag("dir/out/_manifest.json", to="dir/out") == 1
    assert (
        tag.notes[-1] == "dir/out/_manifest.json: no file outside the output directory"
    )


def test_what_is_no_file_in_a_directory_is_left_out(tag):
    Path("dir").mkdir()
    Path("dir/a.txt").write_text("He sleeps .\n")
    os.mkfifo("dir/pipe")
    os.symlink("pipe", "dir/to-pipe")
    os.symlink("nothing", "dir/to-nothing")
    os.symlink("a.txt", "dir/to-a-file")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("dir/socket")
        assert tag("dir", "dir/pipe") == 1
    assert tag.notes == ["dir/pipe: no regular file"]
    assert sorted(outputs(to="out/dir")) == ["a.txt.00000.txt", "to-a-file.00000.txt"]


def test_bad_inputs_are_named_and_do_not_stop_others(tag):
    objects = [json.dumps({"text": f"Line {i} ."}) for i in range(9)]
    Path("a.jsonl").write_text("\n".join([*objects[:6], '{"text": 1}', *objects[6:]]))
    Path("b.bin").write_bytes(b"x" * 50 + b"\n\0" + b"y\n" * 50)
    Path("c.txt.xz").write_bytes(b"\xfd7zXZ\0 no archive")
    Path("d.parquet").write_bytes(b"PAR1")
    Path("e.txt").write_text(TEXT)
    Path("f" * 250).write_text("x")
    Path("g\udcff.txt").write_text("He sleeps .\n")  # a name that is not UTF-8
    Path("dir").mkdir()
    Path("dir/e.txt").write_text("He sleeps .\n")
    names = ["a.jsonl", "b.bin", "c.txt.xz", "d.parquet", "f" * 250, "no.txt"]
    assert tag(*names, "dir/e.txt", "g\udcff.txt", "e.txt", format="jsonl") == 6
    said = "\n".join(tag.notes)
    assert "a.jsonl: line 7: the field 'text' is not text" in said
    assert "b.bin: a binary file: byte 51 is zero" in said
    assert "c.txt.xz: damaged compressed file" in said
    assert "d.parquet: neither text nor JSON lines" in said
    assert "no.txt: no such file" in said
    assert "fff.00000.jsonl: not written: File name too long" in said
    assert len(tag.notes) == 6
    assert not manifest()["complete"]
    assert sorted(manifest()["failed"]) == sorted(names)
    assert joined("e")
    assert os.path.exists("out/g\udcff.txt.00000.jsonl")
    assert tag("e.txt", "g\udcff.txt", format="jsonl") == 0
    assert manifest()["complete"]


def test_two_inputs_do_not_have_one_output(tag):
    Path("a").write_text("One .\n")
    fsspec.filesystem("memory").pipe_file("/a", b"Two .\n")
    assert tag("a", "memory://a", to="three") == 1
    assert tag.notes == ["memory://a: another input has the same output"]
    assert b"One" in joined(to="three")


def test_a_second_run_in_a_directory_is_refused(tag):
    Path("a.txt").write_text("He sleeps .\n")
    with (
        lock_directory("out", print),
        pytest.raises(SennaError, match="out: in use by process"),
    ):
        tag("a.txt")
    assert tag("a.txt") == 0
    assert not list(Path("out").glob(".*"))


def test_two_runs_in_another_store_both_go_on(tag, monkeypatch, in_one_process):
    Path("a.txt").write_text(TEXT)
    outcomes, others = run.outcomes, []

    def with_another_run(workers, work, inputs, hear):
        for n_done, result in enumerate(outcomes(workers, work, inputs, hear)):
            if n_done == 1 and not others:
                others.append(1)
                assert tag("a.txt", to="memory://shared") == 0
            yield result

    monkeypatch.setattr(run, "outcomes", with_another_run)
    assert tag("a.txt", to="memory://shared") == 0
    memory = fsspec.filesystem("memory")
    found = [path for path in sorted(memory.find("/shared")) if "_" not in path]
    assert b"".join(map(memory.cat_file, found)) == in_one_process("a.txt")
    assert others and json.loads(memory.cat_file("/shared/_manifest.json"))["complete"]


def test_a_full_disk_ends_the_run_and_loses_nothing(
    tag, place, monkeypatch, in_one_process
):
    Path("a.txt").write_text(TEXT)
    rename, count = os.replace, []

    def fail(source, target):
        if "/a.txt.0" in str(target) and len(count) > 3:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        count.append(target)
        return rename(source, target)

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(WriteError, match=r"a\.txt\.0000.*not written: No space left"):
        tag("a.txt")
    assert not Path("out/_manifest.json").exists()
    assert 0 < len(outputs()) < 4
    monkeypatch.setattr(os, "replace", rename)
    assert tag("a.txt") == 0
    assert "were there already" in tag.notes[-1]
    assert joined() == in_one_process("a.txt")


def test_another_model_than_where_the_run_began_is_refused():
    options = TagOptions(path=str(MODEL))
    with pytest.raises(SennaError, match="model: not the same as where the run began"):
        tools_of(options, "0")


def test_stores_of_fsspec(tag, in_one_process):
    memory = fsspec.filesystem("memory")
    memory.pipe_file("/corpus/a.txt", TEXT.encode())
    Path("a.txt").write_text(TEXT)
    for name, notes in (("memory://corpus/*.txt", 0), ("memory://corpus", 1)):
        assert tag(name, to="memory://tagged") == 0
        found = {
            path: memory.cat_file(path)
            for path in memory.find("/tagged")
            if "_" not in path
        }
        assert b"".join(found[path] for path in sorted(found)) == in_one_process(
            "a.txt"
        )
        assert len(tag.notes) == notes
    assert "/tagged/corpus/a.txt.00001.txt" in found


def test_fields_of_json_lines_come_out_as_they_went_in(tag):
    rest = '"n": 1e999, "x": 1.10, "i": 123456789012345678901234567890, "on": ["a", null, {"text": 1}]'  # noqa: E501
    lines = [
        f'{{"body": {json.dumps(TEXT)}, {rest}}}',
        '{"body": "", "n": 2}',
        '{"body": null}',
        '{"n": 3, "body": "Half \\ud83d of a pair."}',
    ]
    Path("a.jsonl").write_text("\n".join(lines) + "\n\n")
    options = {"text_field": "body", "split_sentences": True}
    assert tag("a.jsonl", format="jsonl", **options) == 0
    assert f'"fields": {{{rest}}}}}\n'.encode() in joined()
    rows = [
        json.loads(line, parse_constant=pytest.fail) for line in joined().splitlines()
    ]
    first = [row for row in rows if row["document"] == "a.jsonl:1"]
    assert [row["id"] for row in first] == [
        f"a.jsonl:1-{line}-{n}"
        for line, n in [(1, 1), (1, 2), (3, 1), (4, 1), (4, 2), (6, 1), (8, 1), (9, 1)]
    ]
    assert {row["paragraph"] for row in first} == {1, 3, 4, 6, 8, 9}
    assert rows[-1]["document"] == "a.jsonl:4"
    assert rows[-1]["text"] == "Half � of a pair."
    assert rows[-1]["fields"] == {"n": 3}
    assert tag("a.jsonl", format="parquet", to="rows", **options) == 0
    table = [
        row
        for path in sorted(Path("rows").glob("*.parquet"))
        for row in pq.read_table(path).to_pylist()
    ]
    assert [row | {"fields": json.loads(row["fields"])} for row in table] == rows
    assert tag("a.jsonl", format="conllu", to="no", **options) == 1
    assert tag.notes[-1] == "a.jsonl: format conllu is of text files"


@pytest.mark.parametrize(
    "line", ['{"text": "a", "x": NaN}', '{"text": "a", "x": -Infinity}']
)
def test_what_is_no_json_is_an_error(tag, line):
    Path("a.jsonl").write_text(f'{{"text": "b"}}\n{line}\n')
    assert tag("a.jsonl", format="jsonl") == 1
    assert tag.notes[0].startswith("a.jsonl: line 2: ")
    assert tag.notes[0].endswith("is not a value of JSON")


def test_paragraphs_of_records(tag):
    Path("a.jsonl").write_text(
        json.dumps({"text": "They did not\nsign. Why?\n\nx"}) + "\n"
    )
    assert tag("a.jsonl", format="jsonl", paragraphs=True) == 0
    rows = [json.loads(line) for line in joined().splitlines()]
    assert [(row["text"], row["line"], row["sentence"]) for row in rows] == [
        ("They did not sign.", 1, 1),
        ("Why?", 2, 2),
        ("x", 4, 1),
    ]
