"""The command `senna-py redact`."""

import gzip
import json
import sys
from pathlib import Path

import pytest

from tests.helpers.commands import assert_one_line_error, printed, run, run_program

LINES = (
    b"\xef\xbb\xbfAngela Merkel wrote to \xe9 John Smith.\r\n\n  Merkel left Berlin.\t\n"
    b"Mail a.b@example.org or call +49 30 1234567"
)


@pytest.fixture(autouse=True)
def english(shipped_model):
    """Skip tests where the English model is missing."""


def redact(*args, **options):
    return run("senna-py", "redact", *args, **options)


def text_of(result):
    assert (result.returncode, result.stderr) == (0, b"")
    return result.stdout


def test_by_type():
    assert text_of(redact(stdin=LINES)) == (
        b"\xef\xbb\xbf[PERSON] wrote to \xe9 [PERSON].\r\n\n  [PERSON] left [PLACE].\t\n"
        b"Mail [EMAIL] or call [PHONE]"
    )


def test_no_text():
    assert text_of(redact(stdin=b"")) == b""


@pytest.mark.slow
@pytest.mark.parametrize(("style", "jobs"), [("type", 1), ("number", 3), ("name", 3)])
def test_there_and_back(style, jobs, write, tmp_path):
    several = write(LINES, "a.txt"), write(LINES * 3, "b.txt")
    target, back = tmp_path / "redacted.txt", tmp_path / "map.json"
    options = "--replace-by", style, "--jobs", jobs, "--map", back, "-o", target
    assert text_of(redact(*options, *several)) == b""
    redacted = target.read_bytes()
    assert b"Merkel" not in redacted
    assert redacted == text_of(redact("--replace-by", style, *several))
    assert text_of(redact("--restore", back, target)) == LINES * 4
    assert json.loads(back.read_text())["replace_by"] == style


def test_the_same_name_has_the_same_stand_in_in_all_files(write):
    several = write("John Smith left.\n", "a.txt"), write("Smith came.\n", "b.txt")
    text = text_of(redact("--replace-by", "number", *several))
    assert text == b"PERSON_1 left.\nPERSON_1 came.\n"


@pytest.mark.slow
def test_size_of_pieces_does_not_matter(write):
    line = b"On Monday John Smith met Ann Lee at 030 1234567 in Paris.\n"
    redacted = text_of(
        redact("--replace-by", "number", "--jobs", 2, write(line * 3000))
    )
    one = b"On DATE_1 PERSON_1 met PERSON_2 at PHONE_1 in PLACE_1.\n"
    assert redacted == one * 3000


def test_wrapped_paragraphs_and_types(write):
    wrapped = write("He wrote to Angela\nMerkel in Berlin.\n\nBye.\n")
    text = text_of(redact("--paragraphs", "--types", "Person", wrapped))
    assert text == b"He wrote to [PERSON] in Berlin.\n\nBye.\n"


def test_encoding_and_compressed_files(tmp_path):
    path = tmp_path / "a.txt.gz"
    path.write_bytes(gzip.compress("Jörg Müller wrote.".encode("cp1252")))
    text = printed(redact("--encoding", "cp1252", "--types", "email", path))
    assert text == "Jörg Müller wrote."


def test_what_rules_find_is_redacted(write, tmp_path):
    rules = tmp_path / "rules.toml"
    rules.write_text(
        '[[entities]]\nlabel = "DRUG"\nphrases = ["ibuprofen"]\n[new_labels]\nner = ["DRUG"]\n'
    )
    path = write("Ann Lee took ibuprofen.\n")
    assert text_of(redact("--rules", rules, path)) == b"[PERSON] took [DRUG].\n"
    text = text_of(redact("--rules", rules, "--types", "drug", "--jobs", 2, path))
    assert text == b"Ann Lee took [DRUG].\n"


def test_wrong_usage(write):
    path = write("Ann.")
    result = redact("--types", "person,x", path)
    assert_one_line_error(result, "no such type: 'x'; there are person, place", code=2)
    for option in ("--types=person", "--replace-by=name", "--map=m.json"):
        result = redact("--restore", path, option)
        assert b"cannot be used with --restore" in result.stderr
        assert result.returncode == 2
    assert_one_line_error(redact("-o", path, path), "the same file", code=2)
    assert_one_line_error(redact("--map", path, path), "the same file", code=2)


def test_files_that_cannot_be_read(write, tmp_path):
    good, bad = write("Ann Lee left.\n"), write(b"a\0b", "bad.txt")
    result = redact(bad, good)
    assert result.returncode == 1
    assert result.stdout == b"[PERSON] left.\n"
    assert b"a binary file" in result.stderr
    result = redact("--restore", write("{}", "map.json"), good)
    assert_one_line_error(result, "map.json: not a map of redactions")
    assert_one_line_error(redact(tmp_path / "none.txt"), "none.txt: No such file")


CSV = (
    'id;text;note\r\n1;"Ann Lee said ""hi"" to Bob Ray; 😀 he left Rome.";Ann Lee\r\n'
    '2;;x\r\n"3";Mail a@b.org;"a ""b"""\r\n'
)
CSV_REDACTED = (
    'id;text;note\r\n1;"[PERSON] said ""hi"" to [PERSON]; 😀 he left [PLACE].";Ann Lee\r\n'
    '2;;x\r\n"3";Mail [EMAIL];"a ""b"""\r\n'
)


def test_a_column(write, tmp_path):
    path, back = write(CSV, "a.csv"), tmp_path / "map.json"
    redacted = text_of(redact("--column", "text", "--map", back, "--jobs", 2, path))
    assert redacted.decode() == CSV_REDACTED
    assert text_of(redact("--restore", back, stdin=redacted)).decode() == CSV


def test_a_byte_order_mark_of_a_table_stays(write, tmp_path):
    data = CSV.encode("utf-8-sig")
    path, back = write(data, "a.csv"), tmp_path / "map.json"
    redacted = text_of(redact("--column", "text", "--map", back, path))
    assert redacted == CSV_REDACTED.encode("utf-8-sig")
    assert text_of(redact("--restore", back, stdin=redacted)) == data


def test_a_field_that_an_object_lacks():
    lines = b'{"id": 1}\n{"id": 2, "t": "Ann Lee left."}\n'
    expected = b'{"id": 1}\n{"id": 2, "t": "[PERSON] left."}\n'
    assert text_of(redact("--field", "t", stdin=lines)) == expected


@pytest.mark.process
def test_a_reader_that_leaves_ends_the_command_quietly(write):
    many = write("Ann Lee left.\n" * 20_000)
    command = f"{sys.executable} -m senna_py redact {many} | head -n 1"
    root = Path(__file__).resolve().parents[2]
    result = run_program("sh", "-c", command, cwd=root)
    assert (result.stdout, result.stderr) == ("[PERSON] left.\n", "")


def test_a_column_without_quotes():
    table = b'text\tid\n"Ann Lee" wrote:\t1\n'
    redacted = text_of(redact("--column", "text", "--no-quotes", stdin=table))
    assert redacted == b'text\tid\n"[PERSON]" wrote:\t1\n'


def test_a_field(write, tmp_path):
    lines = (
        '{"id": 1.50, "t": "\\ud83d\\ude00 Ann Lee met\\n\\"Bob Ray\\" in R\\u00f3me.",'
        ' "x": "Ann"}\n'
        '{"t": null}\n{"t":"none", "t" : "Ann\\tLee, a@b.org"}\n'
    )
    path, back = write(lines, "a.jsonl"), tmp_path / "map.json"
    redacted = text_of(
        redact("--field", "t", "--map", back, "--types=person,email", path)
    )
    first, second, third = redacted.decode().splitlines()
    assert (
        '"\\ud83d\\ude00 [PERSON] met\\n\\"[PERSON]\\" in R\\u00f3me.", "x": "Ann"}'
        in first
    )
    assert second == '{"t": null}'
    assert third == '{"t":"none", "t" : "[PERSON], [EMAIL]"}'
    assert text_of(redact("--restore", back, stdin=redacted)).decode() == lines


def test_records_that_are_malformed(write):
    result = redact("--column", "text", stdin=b"text\nAnn Lee left.\na,b\n")
    assert result.stdout == b"text\n[PERSON] left.\n"
    assert_one_line_error(result, "line 3: 2 cells")
    result = redact("--column", "x", write(CSV, "a.csv"))
    assert_one_line_error(result, "no column 'x'; there are id, text, note")
    assert redact("--column", "x", "--field", "y").returncode == 2
