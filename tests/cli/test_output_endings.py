"""The ending of -o says the format, unless --format does."""

import json

import pytest

from senna_py.cli.tag_options import chosen_format
from tests.helpers.commands import MODEL, assert_one_line_error, run, tag


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("x.jsonl", "jsonl"),
        ("x.json", "json"),
        ("a.b/X.JSON", "json"),
        ("x.ndjson", "jsonl"),
        ("x.html", "html"),
        ("x.htm", "html"),
        ("x.conllu", "conllu"),
        ("x.tsv", "conll"),
        ("x.csv", "csv"),
        ("x.entities", "entities"),
        ("x.conll", "conll"),
        ("x.conll2003", "conll2003"),
        ("x.ann", "brat"),
        ("x.trees", "trees"),
        ("x.mrg", "trees"),
        ("x.ptb", "trees"),
        ("x.txt", None),
        ("x.out", None),
        ("x", None),
        ("a.json/x", None),
        ("a.html/", None),
        ("/dev/stdout", None),
        ("-", None),
        (None, None),
    ],
)
def test_the_ending_says_the_format(name, form):
    assert chosen_format(None, name, ["parquet"]) == form


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("x.parquet", "senna-py corpus"),
        ("x.feather", "--format csv"),
        ("x.jsonl.gz", "not compressed"),
        ("x.XZ", "not compressed"),
    ],
)
def test_endings_that_no_output_has(name, said, tmp_path):
    assert_one_line_error(
        tag("-pos", "-o", tmp_path / name, stdin=b"No .\n"), said, code=2
    )
    assert not [*tmp_path.iterdir()]


def test_a_format_that_is_named_counts(tmp_path):
    out = tmp_path / "x.json"
    assert tag("-pos", "-o", out, stdin=b"No .\n").returncode == 0
    assert json.loads(out.read_text())[0]["text"] == "No ."
    assert tag("-pos", "--format", "senna", "-o", out, stdin=b"No .\n").returncode == 0
    assert out.read_bytes() == tag("-pos", stdin=b"No .\n").stdout
    table = tmp_path / "x.csv"
    assert (
        tag("-pos", "--format", "conll", "-o", table, stdin=b"No .\n").returncode == 0
    )


def test_probabilities_and_tokens_have_a_format_of_their_own(tmp_path):
    out = tmp_path / "x.tsv"
    assert tag("-pos", "--probabilities", "-o", out, stdin=b"No .\n").returncode == 0
    assert ":" in out.read_text()
    text = tmp_path / "x.txt"
    assert (
        run(
            "senna-py", "tokenize", "--path", MODEL, "-o", text, stdin=b"No .\n"
        ).returncode
        == 0
    )
    assert text.read_text() == "No .\n"
    result = run("senna-py", "tokenize", "-o", out, stdin=b"No.\n")
    assert_one_line_error(result, "conll is a format of senna-py tag", code=2)


@pytest.mark.slow
def test_json_is_one_array_of_the_objects_of_lines(tmp_path):
    one, two, out = tmp_path / "a.txt", tmp_path / "b.txt", tmp_path / "out.json"
    one.write_bytes("Café \xff .\n".encode("latin-1") * 8_000)  # several batches
    two.write_text("\nNo .\n")
    for paths in ([one, two], [two], [tmp_path / "none"]):
        (tmp_path / "none").touch()
        result = tag("-pos", "-o", out, *paths)
        assert result.returncode == 0
        lines = tag("-pos", "--format", "jsonl", *paths).stdout.splitlines()
        with open(out, encoding="utf-8") as file:
            assert json.load(file) == [*map(json.loads, lines)]
        assert len(lines) == 8_001 * (one in paths) or len(paths) == 1


def test_what_is_no_format_is_told_those_that_are():
    for command in (["senna-tag"], ["senna-py", "tag"]):
        result = run(*command, "--format", "foo")
        assert b"'html'" in result.stderr
        assert b"parquet" not in result.stderr
        result = run(*command, "--format", "xlsx")
        assert_one_line_error(
            result, "there is no format xlsx; --format csv", code=2, is_last=True
        )


def test_formats_of_other_commands_are_named():
    for command, name, other in (
        (["senna-tag"], "parquet", "senna-py corpus"),
        (["senna-py", "tag"], "parquet", "senna-py corpus"),
        (["senna-py", "corpus", "-o", "x", "y"], "html", "senna-py tag"),
        (["senna-py", "corpus", "-o", "x", "y"], "json", "senna-py tag"),
    ):
        assert_one_line_error(
            run(*command, "--format", name), other, code=2, is_last=True
        )
    for name in ("parquet", "html"):
        assert chosen_format(name, "x.jsonl", []) == name
    result = run("senna-py", "corpus", "-o", "x.html", "y")
    assert_one_line_error(result, "html is a format of senna-py tag", code=2)
