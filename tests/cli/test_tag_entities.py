"""Formats of entities and trees: as of CoNLL-2003, BRAT's standoff, a bracketed tree a
line.
"""

import gzip
import json

import pytest

from senna_py import Tree, load
from tests.helpers.commands import GOLDEN, MODEL, assert_one_line_error, printed, tag

TEXT = "\ufeffThe “Acme” sold Café Rome.\r\n\nIn Rome . \nNo\n"


def test_conll2003_reads_back():
    found = printed(tag("--format", "conll2003", stdin=TEXT.encode()))
    first, *_ = found.split("\n\n")
    assert first == "-DOCSTART- -X- -X- O"
    rows = [row.split(" ") for row in found.splitlines() if row]
    tasks = "-pos", "-chk", "-ner", "-iobtags"
    plain = printed(tag("--format", "conll", *tasks, stdin=TEXT.encode()))
    assert rows[1:] == [row.split("\t") for row in plain.splitlines() if row]
    again = tag("--layout", "conll2003", "--format", "conll2003", stdin=found.encode())
    assert printed(again) == found
    only = printed(tag("--format", "conll2003", "-ner", stdin=b"a b\n")).splitlines()
    assert [row.split(" ")[1:3] for row in only[2:4]] == [["_", "_"]] * 2


@pytest.mark.parametrize("options", [(), ("--split-sentences",)])
def test_brat_counts_characters_of_the_file(write, options):
    found = printed(tag("--format", "brat", *options, write(TEXT)))
    lines = [line.split("\t") for line in found.splitlines()]
    assert lines
    text = TEXT.removeprefix("\ufeff")
    for number, place, covered in lines:
        label, start, end = place.split()
        assert text[int(start) : int(end)] == covered
        assert number == f"T{int(start) + 1}"
        assert label.isalpha()
    assert len({line[0] for line in lines}) == len(lines)


def test_what_does_not_go_with_them(write):
    for options in (
        ("--format", "conll2003", "-srl"),
        ("--format", "brat", "a.txt", "b.txt"),
    ):
        assert_one_line_error(tag(*options), "format", code=2, is_last=True)
    result = tag("--format", "brat", write("1\ta" + "\t_" * 8 + "\n", "a.conllu"))
    assert_one_line_error(
        result, "places in text are printed, and this is none", code=2
    )


PROSE = (GOLDEN / "prose.txt").read_bytes()
TREES = ("--format", "trees")


@pytest.fixture(scope="module")
def expected():
    """Trees of the prose, one a line."""
    nlp = load(MODEL, ["psg"])
    lines = PROSE.decode().removesuffix("\n").split("\n")
    return "".join(f"{sentence.tree}\n" for sentence in nlp.pipe(lines)).encode()


def test_one_line_has_one_tree(expected):
    assert printed(tag(*TREES, stdin=PROSE)) == expected.decode()
    assert expected.count(b"\n") == PROSE.count(b"\n")
    objects = printed(tag("--format", "jsonl", "-psg", stdin=PROSE)).splitlines()
    assert [json.loads(line)["tree"] for line in objects] == expected.decode().split(
        "\n"
    )[:-1]


def test_files_and_output(tmp_path, expected):
    one, two, out = tmp_path / "one.txt.gz", tmp_path / "two.txt", tmp_path / "out"
    one.write_bytes(gzip.compress(PROSE))
    two.write_bytes(b"\nlast")
    result = tag(*TREES, "-psg", "-pos", "-o", out, one, "-", two, stdin=b"No .")
    assert (result.returncode, result.stdout) == (0, b"")
    lines = out.read_bytes().removeprefix(expected).split(b"\n")
    assert [Tree.parse(line.decode()).leaves != [] for line in lines] == [
        True,
        False,
        True,
        False,
    ]


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("--split-sentences",), ("-usrtokens",)])
def test_cores_change_no_byte(tmp_path, options):
    path = tmp_path / "text"
    blank = b"\n" * 300_000  # more than a batch that is worked on at once
    path.write_bytes(
        (PROSE + b" \n\nOne. Two (2)! \xff\n") * 4 + blank + b"a\xc2\xa0b c.\n" * 40
    )
    one, two = tag(*TREES, *options, path), tag("--jobs", "2", *TREES, *options, path)
    assert one.returncode == 0
    assert one.stdout == two.stdout
    lines = one.stdout.split(b"\n")
    n_more = len(lines) - 1 - path.read_bytes().count(b"\n")
    assert n_more > 0 if "--split-sentences" in options else n_more == 0
    assert lines.count(b"") == 300_000 + 2 * 4 + 1  # the last is behind the end
    assert (b" a_b)" in lines[-2]) == ("-usrtokens" in options)
    for line in {*lines[:100], *lines[-100:]} - {b""}:
        assert Tree.parse(line.decode("utf-8", "surrogateescape")).label == "S1"
