"""Every kind of bad input gets its own clean answer from senna-tag."""

import gzip
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import senna_py
from senna_py.io.streaming import BY_MARK, Source, read_batches
from senna_py.kernels.runtime.compile_events import NOTICE
from tests.helpers.commands import (
    GOLDEN,
    MODEL,
    assert_one_line_error,
    installed,
    peak_memory,
    run,
    tag,
)

PROSE = (GOLDEN / "prose.txt").read_bytes()
POS = (GOLDEN / "expected" / "prose.pos.txt").read_bytes()

# --- model directories
# -------------------------------------------------------------------------


@pytest.mark.process
def test_no_model_at_all_says_what_to_do(tmp_path):
    package = Path(senna_py.__file__).parent
    without = shutil.ignore_patterns("en", "__pycache__")
    shutil.copytree(package, tmp_path / package.name, ignore=without)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    environment.pop("SENNA_PY_MODEL", None)
    result = subprocess.run(
        [installed("senna-tag"), "-pos"],
        input=PROSE,
        capture_output=True,
        env=environment,
        timeout=240,
        check=False,
    )
    assert_one_line_error(result, "--path MODEL", "SENNA_PY_MODEL")
    assert result.stdout == b""


@pytest.mark.parametrize("path", ["", "x" * 5000])
def test_a_path_that_cannot_be_one(path):
    assert_one_line_error(run("senna-tag", "-path", path, stdin=PROSE))


# --- usage
# -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("-nope", "-nope"),
        ("-offsettag", "-offsettags"),
        ("-o=x", "-o=x"),
        ("-path", "requires an argument"),
        ("-pos -usrvbs", "requires an argument"),
        ("--jobs 0", "0 is not in the range"),
        ("--jobs many", "'many' is not a whole number"),
        ("--format xml", "'xml' is not one of"),
        ("--format jsonl -notokentags", "notokentags cannot be used with"),
        ("--format trees -task mine", "the task mine cannot be used with format trees"),
    ],
)
def test_usage_errors(arguments, message):
    result = run("senna-tag", *arguments.split(), stdin=PROSE)
    assert_one_line_error(result, message, code=2, is_last=True)
    assert result.stdout == b""
    assert result.stderr.startswith(b"Usage: senna-tag")


@pytest.mark.process
def test_the_launcher_works_from_a_checkout_that_is_not_installed(tmp_path):
    checkout, copy = Path(__file__).resolve().parents[2], tmp_path / "checkout"
    for name in ("senna_py", "bin"):  # what a checkout has besides its tests
        shutil.copytree(checkout / name, copy / name)
    result = subprocess.run(
        [sys.executable, copy / "bin" / "senna-py", "--version"],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert "senna-py" in result.stdout


# --- predicate files
# ---------------------------------------------------------------------------


THREE_LINES = b"She runs home\nBirds fly far\nlast one\n"
TWO = ["-", "runs", "-", "", "fly", "-", "-", ""]  # predicates of two of them
NO_VERB = ["-", "-", ""]
GIVEN = {
    "shorter": (TWO, 9, 2),
    "ends in a sentence": (TWO[:5], 6, 1),
    "longer": ([*TWO, *NO_VERB, "more", ""], 12, 3),
    "out of step": ([*TWO[:2], *TWO[3:], *NO_VERB], 3, 0),
    "no empty line": ([*TWO[:3], *TWO[4:], *NO_VERB], 4, 0),
}


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("case", GIVEN)
def test_predicate_file_out_of_step(write, case, jobs):
    verbs, line, printed = GIVEN[case]
    path = write("\n".join(verbs) + "\n")
    result = tag(
        "-srl", "-usrtokens", "-usrvbs", path, "--jobs", jobs, stdin=THREE_LINES
    )
    assert_one_line_error(result, path, f"line {line}:")
    sentences = result.stdout.decode().split("\n\n")[:-1]
    assert len(sentences) == printed


def test_text_and_predicates_cannot_both_be_standard_input():
    result = tag("-srl", "-usrvbs", "-", stdin=PROSE)
    assert_one_line_error(result, "standard input", code=2)


def test_predicates_go_with_all_of_the_text(write, tmp_path):
    verbs, text = write("\n".join(TWO), "verbs"), write(THREE_LINES)
    result = tag("-srl", "-usrtokens", "-usrvbs", verbs, tmp_path / "none", text)
    assert_one_line_error(result, tmp_path / "none")
    assert result.stdout == b""


# --- text
# --------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [b"", b"\n", b"\n\n \t\n\r\n\x0c\n", b"\xef\xbb\xbf"])
def test_empty_text(text):
    result = tag(stdin=text)
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")


def words(result):
    """Text of the printed tokens, without padding."""
    assert (result.returncode, result.stderr) == (0, b"")
    return [
        row.split(b"\t")[0].lstrip(b" ") for row in result.stdout.split(b"\n") if row
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"a\x01b", [b"a", b"\x01", b"b"]),
        (b"\xef\xbb\xbfHello there", [b"Hello", b"there"]),
        (b"one\r\ntwo\r\n", [b"one", b"two"]),
        (b"one\x0ctwo\x0bthree", [b"one", b"two", b"three"]),
        ("€ naïve 日本".encode(), ["€".encode(), "naïve".encode(), "日本".encode()]),
    ],
)
def test_odd_text(text, expected):
    assert words(tag("-pos", stdin=text)) == expected
    assert words(tag(stdin=text)) == expected


LONG = {
    "line of 200 kB": b"a few words, 3.5 of them (or more) " * 6_000,
    "word of 10 MB": b"x" * 10_000_000,
    "token of 100,000 characters": b"Q" * 100_000 + b" is a word",
    "sentence of 100,000 tokens": b"word " * 100_000,
}


@pytest.mark.slow
@pytest.mark.parametrize("case", LONG)
def test_long_lines(write, case):
    path = write(LONG[case])
    assert words(tag("-pos", "-usrtokens", path)) == LONG[case].split()
    assert b"".join(words(tag("-pos", path))) == LONG[case].replace(b" ", b"")


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss is in other units")
def test_memory_is_linear_in_the_line(write):
    line = b"some words in a line " * 25_000
    peaks = [
        peak_memory("-pos", "-chk", "-ner", write(line * times)) for times in (1, 3)
    ]
    per_byte = (peaks[1] - peaks[0]) * 1024 / (2 * len(line))
    assert per_byte < 200  # about 70 were measured


@pytest.mark.parametrize("jobs", [1, 2])
def test_roles_and_trees_of_a_sentence_of_many_tokens_are_cut(write, jobs):
    result = tag("-srl", "-psg", write(LONG_TEXT), "--jobs", jobs)
    assert result.returncode == 0
    assert b"a line of 2,600 tokens is cut" in result.stderr
    rows = [row for row in result.stdout.split(b"\n") if row]
    assert b" ".join(row.split(b"\t")[0].strip() for row in rows) == LONG_TEXT
    sentences = result.stdout.split(b"\n\n")[:-1]
    assert [len(part.split(b"\n")) for part in sentences] == [1024, 1024, 552]
    assert all(part.count(b"(S1") == 1 for part in sentences)


def test_in_json_a_line_that_is_cut_is_one_object(write):
    sentence = json.loads(tag("-psg", "--format", "jsonl", write(LONG_TEXT)).stdout)
    assert len(sentence["tokens"]) == 2600
    assert sentence["text"].encode() == LONG_TEXT
    assert sentence["tree"].count("(S1") == 4  # a root, and those of three parts


# The reference model takes few of these words for verbs: roles cost a pass for each
# verb.
LONG_TEXT = b" ".join([b"some dog" + b" the" * 24] * 100)


# --- files
# -------------------------------------------------------------------------------------


def test_unreadable_inputs_do_not_stop_the_others(write, tmp_path):
    damaged = write(b"\x1f\x8b\x08 this is no archive", "damaged.gz")
    bad = tmp_path, damaged, tmp_path / "none", write("plain text", "text.xz")
    result = tag("-pos", *bad, GOLDEN / "prose.txt")
    assert (result.returncode, result.stdout) == (1, POS)
    for message, name in zip(result.stderr.decode().splitlines(), bad, strict=True):
        assert message.startswith(f"senna-tag: {name}: ")


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_an_archive_holds_before_its_damage_is_tagged(write, jobs):
    whole = gzip.compress(PROSE * 500)
    path = write(whole[: len(whole) * 3 // 4], "cut.gz")
    result = tag("-pos", "--jobs", jobs, path)
    assert_one_line_error(result, path)
    assert result.stdout.startswith(POS * 300)
    assert (POS * 500).startswith(result.stdout)


@pytest.mark.process
@pytest.mark.parametrize("arguments", [[], ["text"]])
def test_the_output_must_not_be_an_input(write, tmp_path, arguments):
    """Whether both are redirected or the input is named; `-o` is a matter of
    test_output_files.
    """
    path = write(PROSE, "text")
    with open(path, "rb") as file, open(path, "ab") as output:
        result = subprocess.run(
            [installed("senna-tag"), "-path", MODEL, *arguments],
            stdin=file,
            stdout=output,
            stderr=subprocess.PIPE,
            check=False,
            cwd=tmp_path,
            timeout=240,
        )
    assert_one_line_error(result, "the same file", code=2)
    assert path.read_bytes() == PROSE


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_full_disk():
    result = tag("-pos", "-o", "/dev/full", stdin=PROSE)
    assert_one_line_error(result, "/dev/full", "No space left")


@pytest.mark.process
def test_closed_output():
    command = [
        "sh",
        "-c",
        'exec "$0" "$@" >&-',
        installed("senna-tag"),
        "-path",
        MODEL,
        "-pos",
    ]
    result = subprocess.run(
        command, input=PROSE, stderr=subprocess.PIPE, check=False, timeout=240
    )
    assert_one_line_error(result, "standard output is closed")


# --- installations
# -----------------------------------------------------------------------------


@pytest.fixture
def package_copy(tmp_path):
    """The package in a directory of its own, with nothing compiled."""
    source = Path(senna_py.__file__).parent
    target = tmp_path / "lib" / "senna_py"
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    return target


# Prints where words first stand: few kernels, in two files, and the result rests on all
# of them.
FIND_WORDS = """
import sys
import numpy as np
from senna_py.kernels.text.forms import FormKeys, FormTexts, find_forms
data = np.frombuffer(sys.stdin.buffer.read().replace(b" ", bytes([10])), np.uint8)
end = np.flatnonzero(data == 10).astype(np.int32)
begin = np.append(0, end[:-1] + 1).astype(np.int32)
keys = FormKeys(np.full(1, -1, np.int32), data[:0].copy(), np.zeros(1, np.int32))
place, missing = np.empty((2, len(begin)), np.int32)
n = find_forms(FormTexts(data, begin, end, data, begin, end), keys, 0, place, missing)
print(*begin[missing[:n]])
"""
TAG = "from senna_py.cli.entry import tag; tag()"
# How long compiling takes depends on the machine.
QUIET = b"", f"senna-tag: {NOTICE}\n".encode(), f"{NOTICE}\n".encode()


def start_copy(package, code, *options, **environment):
    keep = {k: v for k, v in os.environ.items() if k in ("PATH", "LANG", "LC_ALL")}
    return subprocess.Popen(
        [sys.executable, "-c", code, "-path", str(MODEL), *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**keep, "PYTHONPATH": str(package.parent), **environment},
        cwd=package.parent,
    )


def finish(process):
    """Output of a process started by `start_copy` on the prose."""
    printed, errors = process.communicate(PROSE, timeout=240)
    assert process.returncode == 0 and errors in QUIET, errors
    return printed


@pytest.fixture(scope="module")
def places():
    """What FIND_WORDS prints for the prose."""
    found, place = {}, 0
    for word in PROSE.replace(b" ", b"\n").split(b"\n"):
        if word:
            found.setdefault(word, place)
        place += len(word) + 1
    return f"{' '.join(map(str, found.values()))}\n".encode()


@pytest.mark.process
def test_read_only_installation_without_a_home(package_copy, places):
    # A file where a cache directory would be made keeps even root from making one.
    for directory in [package_copy, *filter(Path.is_dir, package_copy.rglob("*"))]:
        (directory / "__pycache__").write_bytes(b"")
    nowhere = {"HOME": "/dev/null/none", "XDG_CACHE_HOME": "/dev/null/none"}
    assert finish(start_copy(package_copy, TAG, "-pos", **nowhere)) == POS
    assert finish(start_copy(package_copy, FIND_WORDS, **nowhere)) == places
    assert not list(package_copy.rglob("*.nbc"))


@pytest.mark.process
def test_two_first_runs_at_once_then_damaged_and_outdated_compiled_code(
    package_copy, places, tmp_path
):
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    processes = [start_copy(package_copy, FIND_WORDS, **cache) for _ in range(2)]
    for process in processes:
        process.stdin.write(PROSE)
        process.stdin.close()
    for process in processes:
        assert process.stdout.read() == places
        assert process.stderr.read() in QUIET
        assert process.wait(240) == 0
    files = sorted((tmp_path / "cache").rglob("*.nbc"))
    assert files
    for path in files:
        path.write_bytes(path.read_bytes()[:100])
    assert finish(start_copy(package_copy, FIND_WORDS, **cache)) == places
    # Another hash function in one kernel's file, which the code of others contains.
    dictionary = package_copy / "kernels" / "text" / "dictionary.py"
    dictionary.write_text(
        dictionary.read_text().replace("1099511628211", "1099511628213")
    )
    assert finish(start_copy(package_copy, FIND_WORDS, **cache)) == places
    renewed = sorted((tmp_path / "cache").rglob("*.nbc"))
    # That of the old sources may be of use to others.
    assert len(renewed) == 2 * len(files)


def test_markup_is_told_once(write):
    text, more = (
        write("no <b> yet\nIt&#39;s</p>\n", name) for name in ("text", "more")
    )
    result = tag("-pos", text, more)
    note = (
        f"senna-tag: {text}: <b> and other markup of HTML are tokens like any other; "
    )
    assert result.stderr.decode().startswith(note)
    assert (result.returncode, result.stderr.count(b"\n")) == (0, 1)


def test_bytes_outside_utf8_are_told(write):
    path = write(b"no\ncaf\xe9 \xff\xfe x\n")
    result = tag("-pos", path)
    rows = [row.split()[0] for row in result.stdout.split(b"\n") if row]
    assert (result.returncode, rows) == (
        0,
        [b"no", b"caf", b"\xe9", b"\xff", b"\xfe", b"x"],
    )
    note = (
        f"senna-tag: {path}: line 2 is not UTF-8: such bytes are tokens of their own; "
    )
    assert (
        result.stderr.decode()
        == f"{note}--encoding names another encoding, such as cp1252\n"
    )


@pytest.mark.parametrize(
    "encoding", ["utf-16", "utf-16-be", "utf-32", "cp1252", "utf-8"]
)
def test_text_in_other_encodings(encoding, write):
    text = "She likes “cafés” .\nNo\n"
    data = text.encode(encoding)
    marked = encoding in ("utf-16", "utf-32")
    options = [] if marked else ["--encoding", encoding]
    expected = tag("-offsettags", "-pos", stdin=text.encode()).stdout
    for path in (write(data), write(gzip.compress(data), "text.gz")):
        result = tag("-offsettags", "-pos", *options, path)
        assert (result.returncode, result.stdout, result.stderr) == (0, expected, b"")


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"]
)
@pytest.mark.parametrize("named", [True, False])
def test_one_byte_order_mark_is_dropped(encoding, named, write):
    marks = "" if encoding in ("utf-8-sig", "utf-16", "utf-32") else "\ufeff"
    path = write(f"{marks}\ufeffHe\n\ufeff\n".encode(encoding))
    with Source(path, encoding if named else BY_MARK) as source:
        text = b"".join(read_batches(source)).decode()
    assert text == "\ufeffHe\n\ufeff\n"


def test_a_binary_file_is_refused_and_others_are_tagged(write):
    binary = write(b"ELF\x00 runs .\n", "binary")
    marks = write("She runs .\n".encode("utf-16-le"))
    result = tag("-pos", binary, marks, "-", stdin=b"No\n")
    assert result.returncode == 1
    assert [row.split()[0] for row in result.stdout.splitlines() if row] == [b"No"]
    first, second = result.stderr.decode().splitlines()
    assert first.startswith(f"senna-tag: {binary}: a binary file: byte 3 is zero")
    assert second.startswith(f"senna-tag: {marks}: a binary file: byte 1 is zero")


@pytest.mark.parametrize(
    "command", [["senna-tag", "-path", MODEL], ["senna-lm", "train", "ngram"]]
)
def test_of_a_line_of_zeros_little_is_read(command, tmp_path, monkeypatch):
    (tmp_path / "zeros").write_bytes(bytes(1 << 20))
    monkeypatch.setattr("senna_py.io.streaming.LONGEST_LINE", 1 << 19)
    output = ["m.arpa"] if command[0] == "senna-lm" else []
    result = run(*command, *output, "zeros", cwd=tmp_path)
    assert_one_line_error(result, "zeros: a binary file: byte 0 is zero")


def test_text_that_is_not_in_its_encoding():
    for name in ("klingon", "rot13"):
        result = tag("--encoding", name, stdin=b"a\n")
        assert (result.returncode, name in result.stderr.decode()) == (2, True)
    assert_one_line_error(tag("--encoding", "ascii", stdin=b"caf\xe9\n"), "not ascii")
    assert_one_line_error(tag(stdin=b"\xff\xfea\x00b"), "not utf-16")


@pytest.mark.process
@pytest.mark.skipif(os.name == "nt", reason="a directory in use cannot be deleted")
def test_a_deleted_directory_is_named(tmp_path):
    (tmp_path / "gone").mkdir()
    (tmp_path / "a.toml").write_text(
        'task = "pos"\n[[train]]\nfiles = ["a.conllu"]\n[[dev]]\nfiles = ["a.conllu"]'
    )
    script = 'cd "$1" && rmdir "$1" && exec "$2" train "$3" corpora run'
    command = ["sh", "-c", script, "sh", tmp_path / "gone", installed("senna-py")]
    result = subprocess.run(
        [*command, tmp_path / "a.toml"], capture_output=True, check=False
    )
    assert_one_line_error(result, "the current directory has been deleted")
