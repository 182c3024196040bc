"""Records: CSV, TSV and JSON lines, of which each comes out again with the answers."""

import csv
import io
import json
import re
import signal
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from senna_py import Document
from tests.helpers.commands import (
    MODEL,
    assert_one_line_error,
    installed,
    printed,
    run,
)

TEXTS = ["Mary left Paris . He slept .", "", 'He said "no" , twice\nand left .', "É ."]


def tag(*args, **options):
    return run("senna-py", "tag", "--path", MODEL, *args, **options)


def rows_of(data, **form):
    return [*csv.reader(io.StringIO(data, newline=""), strict=True, **form)]


def table(rows, **form):
    out = io.StringIO(newline="")
    csv.writer(out, **form).writerows(rows)
    return out.getvalue()


REVIEWS = table([["id", "text", "n"], *([str(k), t, "x"] for k, t in enumerate(TEXTS))])


def test_rows_come_out_as_they_were_with_a_cell_for_each_task():
    out = printed(tag("--column", "text", "-pos", "-ner", stdin=REVIEWS.encode()))
    assert out.count("\r\n") == 5
    header, *rows = rows_of(out)
    assert header == ["id", "text", "n", "senna_tokens", "senna_pos", "senna_ner"]
    assert [row[:3] for row in rows] == rows_of(REVIEWS)[1:]
    assert rows[0][3] == "Mary left Paris . He slept ."
    assert len(rows[0][4].split(" ")) == 7
    assert re.fullmatch(r"([\w .]+\|\w+(; )?)*", rows[0][5])
    assert rows[1][3:] == ["", "", ""]


def test_every_structure_of_layers_has_a_cell():
    data = b"text\nMary left Paris .\n"
    (row,) = csv.DictReader(
        io.StringIO(
            printed(tag("--column", "text", "-chk", "-srl", "-psg", stdin=data))
        )
    )
    assert re.fullmatch(r"([\w .]+\|\w+(; )?)*", row["senna_chk"])
    assert re.fullmatch(r"([\w.]+\(.*?\)(; )?)*", row["senna_srl"])
    assert row["senna_psg"].startswith("(S1 ")


@settings(max_examples=10)
@given(
    st.integers(1, 4).flatmap(
        lambda n: st.lists(
            st.lists(
                st.text(st.characters(exclude_characters="\0")), min_size=n, max_size=n
            ),
            max_size=4,
        )
    ),
    st.sampled_from(",;\t|"),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
)
def test_any_table_comes_back_unchanged(rows, delimiter, newline, quoting):
    names = [f"c{i}" for i in range(len(rows[0]))] if rows else ["c0"]
    data = table(
        [["text", *names], *(["He slept .", *row] for row in rows)],
        delimiter=delimiter,
        lineterminator=newline,
        quoting=quoting,
    ).encode("utf-8", "replace")
    result = tag("--column", "text", "-chk", stdin=data)
    if b"\r" in data.replace(b"\r\n", b"") and quoting == csv.QUOTE_MINIMAL:
        return  # Python 3.11 and earlier do not quote every carriage return
    assert (result.returncode, result.stderr) == (0, b"")
    lines, rest = data.split(newline.encode())[:-1], result.stdout
    for line in lines:  # In order, and nothing between them but the new cells.
        assert line in rest
        rest = rest[rest.index(line) + len(line) :]
    found = rows_of(result.stdout.decode(), delimiter=delimiter)
    before = rows_of(data.decode(), delimiter=delimiter)
    assert [row[: len(names) + 1] for row in found] == before
    assert all(len(row) == len(names) + 2 for row in found)


def test_delimiters_encodings_marks_and_large_cells(tmp_path):
    for name, data, options in (
        ("a.csv", "id;text\n1;Nein , nein .\n".encode("utf-8-sig"), []),
        ("a.tsv", "id,no\ttext\n1\tNein , nein .\n".encode("utf-16"), []),
        (
            "b.csv",
            "text|name\nNein .|Café\n".encode("cp1252"),
            ["--encoding", "cp1252"],
        ),
        ("c.tsv", b'id\ttext\n1"\t"Nein\n', ["--no-quotes"]),
        ("d.csv", b'"te""xt",text\n1,' + b"Nein " * 40_000 + b"\n", []),
    ):
        (tmp_path / name).write_bytes(data)
        out = printed(tag("--column", "text", "-chk", *options, tmp_path / name))
        encoding = options[1] if "--encoding" in options else "utf-8"
        encoding = "utf-16" if name == "a.tsv" else encoding
        for line, row in zip(
            data.decode(encoding).splitlines(), out.splitlines(), strict=True
        ):
            assert row.startswith(line)
        assert "Nein|NP" in out or "Nein" in out


def test_several_files_give_one_table(tmp_path):
    a, b, c = (tmp_path / name for name in ("a.csv", "b.csv", "c.csv"))
    a.write_text("text,n\nHe slept .,1\n")
    b.write_text("text,n\nNo .,2\n")
    c.write_text("n,text\n3,No .\n")
    out = printed(tag("--column", "text", "-chk", a, b))
    assert [row[:2] for row in rows_of(out)] == [
        ["text", "n"],
        ["He slept .", "1"],
        ["No .", "2"],
    ]
    result = tag("--column", "text", "-chk", a, c)
    assert_one_line_error(result, c, "its columns are n, text, not text, n")
    assert b"He slept ." in result.stdout


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"text,n\nNo .,1\nNo .\n", "line 3: 1 cells, but 2 columns in the header"),
        (b"text,n\nNo .,1\n\nNo .,2,3\n", "line 4: 3 cells, but 2 columns"),
        (b'text,n\nNo .,1\n"No .,2\nNo .,3\n', "line 3: a quotation mark opens"),
        (b'text,n\nNo .,1\n"No "x" .",2\n', "line 3: text after the quotation mark"),
        (b"text,n\nNo .,1\rNo .,2\n", "line 2: a carriage return outside of quotes"),
    ],
)
def test_a_bad_row_is_named_and_nothing_before_it_is_lost(data, said, tmp_path):
    path, out = tmp_path / "a.csv", tmp_path / "out.csv"
    path.write_bytes(data)
    result = tag("--column", "text", "-chk", path)
    assert_one_line_error(result, f"{path}: {said}")
    n_rows = 0 if b"\r" in data else 1
    assert len(result.stdout.splitlines()) == 1 + n_rows
    result = tag("--column", "text", "-chk", "-o", out, path)
    assert result.returncode == 1 and not out.exists()
    partial = tmp_path / "out.csv.partial"
    assert len(partial.read_bytes().splitlines()) == 1 + n_rows


@pytest.mark.parametrize(
    ("data", "column", "said"),
    [
        (b"", "text", "empty: expected a header"),
        (b"id,text\n", "txt", "no column 'txt'; there are id, text"),
        (b"text,text\n", "text", "two columns 'text'"),
        (b"text,senna_chk\n", "text", "there is a column senna_chk already"),
        (b"PK\0\1", "text", "a binary file"),
    ],
)
def test_headers_that_do_not_go(data, column, said):
    result = tag("--column", column, "-chk", stdin=data)
    assert_one_line_error(
        result, f"standard input: {said}", code=2 if "senna_" in said else 1
    )
    assert result.stdout == b""


def test_objects_come_out_as_they_were_with_a_document():
    lines = [
        '{"id": 7, "text": "Mary left .\\nHe slept .", "x": 1.10, "y": {"text": [1e5]} }',
        '{"text": null,"id":"\\ud83d"}',
        '{"text": "a \\ud83d b"}',
    ]
    data = ("\n\n".join(lines) + "\n").encode()
    out = printed(tag("--field", "text", "-pos", stdin=data)).splitlines()
    for line, row in zip(lines, out, strict=True):
        assert row.startswith(line.rstrip("} ") + "}" * ("y" in line) or line[:-1])
        fields = json.loads(row)
        answers = fields.pop("senna")
        assert fields == json.loads(line)
        document = Document.from_dict(answers)
        assert document.text == (fields["text"] or "").replace("\ud83d", "\ufffd")
    assert [
        token.text for token in Document.from_dict(json.loads(out[0])["senna"])
    ] == [*["Mary", "left", ".", "He", "slept", "."]]
    array = json.loads(
        printed(tag("--field", "text", "-pos", "--format", "json", stdin=data))
    )
    assert array == [*map(json.loads, out)]


@pytest.mark.slow
def test_items_of_an_array_are_records():
    records = [{"text": f"No {k} .", "x": [k, {"y": "é\n"}]} for k in range(3000)]
    plain = json.dumps(records, ensure_ascii=False)
    for data in (plain, json.dumps(records, indent=1), f"\ufeff\n {plain}\n"):
        out = printed(tag("--field", "text", "-pos", stdin=data.encode())).splitlines()
        found = [*map(json.loads, out)]
        assert all(each.pop("senna")["text"] == each["text"] for each in found)
        assert found == records
    assert printed(tag("--field", "text", "-pos", stdin=b" [ ] ")) == ""


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ('[{"text": "No ."} {"text": ""}]', "item 2: expected a comma or a bracket"),
        ('[{"text": "No ."}, ', "item 2: Expecting value"),
        ('[{"text": "No ."}', "item 2: expected a comma or a bracket"),
        ('[{"text": "No ."}, 5, {}]', "item 2: no object with a field 'text'"),
        ("[" * 100_000, "item 1: nested more than 64 deep"),
    ],
)
def test_bad_items_are_named(data, said):
    result = tag("--field", "text", "-pos", stdin=data.encode())
    assert_one_line_error(result, f"standard input: {said}")
    assert len(result.stdout.splitlines()) == data.startswith("[{")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('["b"]', "line 2: no object with a field 'text'"),
        ('{"text": 5}', "line 2: the field 'text' is not text"),
        ("{", "line 2: "),
        ('{"text": "b", "senna": 1}', ":2: it has a field 'senna' already"),
    ],
)
def test_bad_objects_are_named(line, said):
    data = f'{{"text": "No ."}}\n{line}\n'.encode()
    result = tag("--field", "text", "-pos", stdin=data)
    assert_one_line_error(result, said)
    assert len(result.stdout.splitlines()) == (0 if "already" in said else 1)


@pytest.mark.parametrize(
    "lines",
    [b'{"id": 1}\n{}\n{"text": "No ."}\n', b'[{"id": 1}, {}, {"text": "No ."}]'],
)
def test_a_field_that_some_objects_lack_is_null_there(lines):
    out = printed(tag("--field", "text", "-pos", stdin=lines)).splitlines()
    objects = [json.loads(line) for line in out]
    assert [[*each] for each in objects] == [
        ["id", "senna"],
        ["senna"],
        ["text", "senna"],
    ]
    assert [len(each["senna"]["sentences"]) for each in objects] == [0, 0, 1]
    wrong = tag("--field", "txt", "-pos", stdin=lines)
    said = "standard input: no object has a field 'txt'; there are text"
    assert_one_line_error(wrong, said)
    named = tag(
        "--field",
        "text",
        "--id-from",
        "id",
        "-pos",
        "--format",
        "csv",
        stdin=lines,
    )
    assert_one_line_error(named, "2: no object with a field 'id'; there are no fields")


def test_tables_become_objects_and_names_come_from_a_column():
    out = printed(
        tag("--column", "text", "-pos", "--format", "jsonl", stdin=REVIEWS.encode())
    ).splitlines()
    assert [json.loads(line)["id"] for line in out] == ["0", "1", "2", "3"]
    spans = printed(
        tag(
            "--column",
            "text",
            "-chk",
            "--format",
            "entities",
            "--id-from",
            "id",
            stdin=REVIEWS.encode(),
        )
    )
    for row in csv.DictReader(io.StringIO(spans, newline="")):
        text = TEXTS[int(row["document"])]
        assert text[int(row["start_char"]) : int(row["end_char"])] == row["text"]


def test_rows_of_tokens_and_spans_of_text_have_places_in_it(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("Ä Mary left .\n\nHe slept . She left Rome .\n")
    text = path.read_text()
    for form in ("csv", "entities"):
        rows = [
            *csv.DictReader(
                io.StringIO(printed(tag("-chk", "--format", form, path)), newline="")
            )
        ]
        assert len(rows) > 5
        for row in rows:
            place = slice(int(row["start_char"]), int(row["end_char"]))
            assert text[place] == row["text"]
        assert {row["line"] for row in rows} == {"1", "3"}
        assert {row["document"] for row in rows} == {str(path)}
        lines = printed(tag("-chk", "--format", form, "-o", "/dev/stdout", path))
        assert lines == printed(tag("-chk", "--format", form, path))


def test_scores_and_the_least_certain_first():
    out = printed(tag("--column", "text", "-pos", "--scores", stdin=REVIEWS.encode()))
    rows = [*csv.DictReader(io.StringIO(out, newline=""))]
    for row in rows:
        scores = [*map(float, row["senna_pos_score"].split())]
        assert len(scores) == len(row["senna_tokens"].split())
        if scores:
            assert float(row["senna_score"]) == min(scores)
    for form in ("csv", "jsonl"):
        plain = printed(
            tag(
                "--column",
                "text",
                "-pos",
                "--scores",
                "--format",
                form,
                stdin=REVIEWS.encode(),
            )
        )
        ordered = printed(
            tag(
                "--column",
                "text",
                "-pos",
                "--sort-by",
                "score",
                "--format",
                form,
                stdin=REVIEWS.encode(),
            )
        )
        assert sorted(plain.split("\n")) == sorted(ordered.split("\n"))
    least = printed(
        tag("--column", "text", "-pos", "--sort-by", "score", stdin=REVIEWS.encode())
    )
    found = [
        row["senna_score"] for row in csv.DictReader(io.StringIO(least, newline=""))
    ]
    assert found == [*sorted(filter(None, found)), ""]
    text = "".join(f"{t}\n" for t in TEXTS).encode()
    objects = printed(tag("-pos", "--format", "json", "--sort-by", "score", stdin=text))
    least = [min(each["scores"]["pos"]) for each in json.loads(objects)]
    assert least == sorted(least) and len(least) == 5


@pytest.mark.slow
def test_jobs_print_the_same_bytes(tmp_path):
    path = tmp_path / "a.csv"
    rows = [[str(k), f"Mary saw {k} dogs .", "é\n"] for k in range(5000)]
    path.write_text(table([["id", "text", "x"], *rows]), newline="")
    one, two = (
        printed(tag("--column", "text", "-pos", "--jobs", n, path)) for n in (1, 2)
    )
    assert one == two
    assert [row[:3] for row in rows_of(one)[1:]] == rows
    assert (
        len(printed(tag("--column", "text", "-pos", "--limit", 3, path)).split("\r\n"))
        == 5
    )


def test_paragraphs_and_tokens_of_records():
    data = b'text\n"They did not\nsign . Why ?\n\nNo ."\n'
    for options, n_sentences in (
        ([], 4),
        (["--paragraphs"], 3),
        (["--lines"], 3),
        (["--usrtokens"], 4),
    ):
        (row,) = printed(
            tag("--column", "text", "-pos", "--format", "jsonl", *options, stdin=data)
        ).splitlines()
        document = Document.from_dict(json.loads(row)["senna"])
        assert len(document.sentences) == n_sentences
        assert [token.text for token in document] == document.text.split()


def test_formats_of_text_show_records_too():
    for form in ("senna", "conll", "trees", "csv"):
        out = printed(
            tag("--field", "text", "--format", form, stdin=b'{"text": "No , no ."}\n')
        )
        assert "No" in out
    (row,) = csv.DictReader(
        io.StringIO(
            printed(
                tag("--field", "t", "-pos", "--format", "csv", stdin=b'{"t": "No"}')
            )
        )
    )
    assert (row["document"], row["text"]) == ("stdin:1", "No")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "a.csv",
            "has the columns id, text, n: name the one to tag, as in --column text",
        ),
        ("a.jsonl", "has the fields n, body: name the one to tag, as in --field NAME"),
    ],
)
def test_files_of_records_need_the_name_of_the_text(name, said, tmp_path):
    path = tmp_path / name
    path.write_text(REVIEWS if name == "a.csv" else '{"n": 1, "body": "No ."}\n')
    assert_one_line_error(tag(path), f"{path}: {said}; --lines tags", code=2)
    assert tag("--lines", "-pos", path).returncode == 0
    other = "--field" if name == "a.csv" else "--column"
    assert_one_line_error(tag(other, "text", path), "is for .", code=2)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--column", "a", "--field", "b"], "name one"),
        (
            ["--column", "a", "--format", "conllu"],
            "column cannot be used with format conllu",
        ),
        (["--field", "a", "--layout", "conll2003"], "layout cannot be used with field"),
        (["--no-quotes"], "no-quotes can be used only with column"),
        (["--id-from", "id"], "id-from can be used only with column and field"),
        (["--scores", "--format", "trees"], "scores cannot be used with format trees"),
        (["--sort-by", "score"], "sort-by cannot be used with format senna"),
    ],
)
def test_options_that_do_not_go_together(options, said):
    assert_one_line_error(tag(*options), said, code=2, is_last=True)


@pytest.mark.process
def test_rows_are_printed_while_they_come_and_a_signal_loses_none():
    command = [
        installed("senna-py"),
        "tag",
        "--path",
        MODEL,
        "--column",
        "text",
        "-pos",
    ]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdin.write(b"id,text\n1,No .\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"id,text,senna_tokens,senna_pos\n"
        assert process.stdout.readline().startswith(b"1,No .,No .,")
        process.stdin.write(b'2,"No .\n')  # A row that has not ended.
        process.stdin.flush()
        process.send_signal(signal.SIGTERM)
        rest, _ = process.communicate(timeout=60)
    assert rest == b""
