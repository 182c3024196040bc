"""`senna-tag --format trees`: a bracketed tree a line."""

import gzip
import json

import pytest

from senna_py import Tree, load
from tests.helpers.commands import GOLDEN, MODEL, printed, tag

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
    assert [json.loads(line)["tree"] for line in objects] == expected.decode().split("\n")[:-1]


def test_files_and_output(tmp_path, expected):
    one, two, out = tmp_path / "one.txt.gz", tmp_path / "two.txt", tmp_path / "out"
    one.write_bytes(gzip.compress(PROSE))
    two.write_bytes(b"\nlast")
    result = tag(*TREES, "-psg", "-pos", "-o", out, one, "-", two, stdin=b"No .")
    assert (result.returncode, result.stdout) == (0, b"")
    lines = out.read_bytes().removeprefix(expected).split(b"\n")
    assert [Tree.parse(line.decode()).leaves != [] for line in lines] == [True, False, True, False]


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("--split-sentences",), ("-usrtokens",)])
def test_cores_change_no_byte(tmp_path, options):
    path = tmp_path / "text"
    blank = b"\n" * 300_000  # more than a batch that is worked on at once
    path.write_bytes((PROSE + b" \n\nOne. Two (2)! \xff\n") * 4 + blank + b"a\xc2\xa0b c.\n" * 40)
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
