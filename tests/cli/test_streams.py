"""Inputs and outputs of senna-tag: files, pipes, terminals, archives, formats of
output.
"""

import bz2
import gzip
import json
import lzma
import os
import select
import signal
import subprocess
import sys
import threading
import time

import pytest

from senna_py import Sentence
from senna_py.corpora.conll import ColumnFile
from senna_py.corpora.escapes import quote
from senna_py.model import TASKS
from senna_py.tagger import Tagger
from tests.helpers.commands import (
    GOLDEN,
    MODEL,
    installed,
    on_terminal,
    peak_memory,
    printed,
    tag,
)

PROSE = (GOLDEN / "prose.txt").read_bytes()
EXPECTED = (GOLDEN / "expected" / "prose.pos.txt").read_bytes()
PATIENCE = 120  # seconds for a process to start and compile


def start(*args, stdin=subprocess.PIPE):
    command = [installed("senna-tag"), "-path", str(MODEL), *args]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=stdin, stdout=pipe, stderr=pipe)


def read_sentence(process):
    """Output up to and including the next empty line, or fail when none comes."""
    data = b""
    deadline = time.monotonic() + PATIENCE
    while not data.endswith(b"\n\n"):
        assert select.select([process.stdout], [], [], deadline - time.monotonic())[
            0
        ], data
        part = os.read(process.stdout.fileno(), 65536)
        assert part, process.stderr.read()
        data += part
    return data


@pytest.mark.process
@pytest.mark.parametrize(
    "options", [("--jobs", "1"), ("--jobs", "2"), ("--split-sentences",)]
)
def test_a_coprocess_gets_the_tags_of_each_line_before_it_writes_the_next(options):
    with start("-pos", *options) as process:
        for word in (b"First", b"Second", b"Third"):
            process.stdin.write(word + b" line .\n")
            process.stdin.flush()
            rows = read_sentence(process).split(b"\n")
            assert rows[0].split()[0] == word
            assert len(rows) == 5
        process.stdin.write(b"no newline")
        process.stdin.close()
        assert len(read_sentence(process).splitlines()) == 3
        assert process.wait(PATIENCE) == 0


@pytest.mark.process
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_lines_are_not_held_back_by_the_beginning_of_another(jobs):
    lines, beginning = b"a b c .\n" * 20_000, b"beginning "
    with start("-pos", "--jobs", jobs) as process:
        writer = threading.Thread(target=process.stdin.write, args=(lines + beginning,))
        writer.start()
        rows = b""
        while rows.count(b"\n\n") < 20_000:
            assert select.select([process.stdout], [], [], PATIENCE)[0], len(rows)
            rows += os.read(process.stdout.fileno(), 1 << 20)
        writer.join()
        assert process.communicate(b"end", PATIENCE)[0].count(b"\n") == 3


@pytest.mark.process
def test_a_non_blocking_pipe_is_waited_for():
    read_end, write_end = os.pipe()
    os.set_blocking(read_end, False)
    with start("-pos", stdin=read_end) as process:
        os.close(read_end)
        for word in (b"One", b"Two"):
            time.sleep(0.2)
            os.write(write_end, word + b" line\n")
            assert read_sentence(process).split()[0] == word
        os.close(write_end)
        assert process.wait(PATIENCE) == 0


@pytest.mark.process
def test_a_line_that_comes_in_pieces_is_one_sentence():
    with start("-pos") as process:
        for piece in (b"one ", b"two", b"thirds\nnext "):
            process.stdin.write(piece)
            process.stdin.flush()
            time.sleep(0.05)
        words = [row.split()[0] for row in read_sentence(process).splitlines()[:-1]]
        assert words == [b"one", b"twothirds"]
        process.communicate(b"", PATIENCE)


@pytest.mark.process
def test_a_terminal_gets_the_tags_of_each_line_at_once():
    master, slave = pytest.importorskip("pty").openpty()
    try:
        with start("-pos", stdin=slave) as process:
            os.close(slave)
            for word in (b"Hello", b"Again"):
                os.write(master, word + b" there\n")
                assert read_sentence(process).split()[0] == word
            os.write(master, b"\x04")
            assert process.wait(PATIENCE) == 0
    finally:
        os.close(master)


@pytest.mark.parametrize(
    ("ending", "compress"),
    [(".gz", gzip.compress), (".xz", lzma.compress), (".bz2", bz2.compress)],
)
def test_compressed_files(write, ending, compress):
    result = tag("-pos", write(compress(PROSE), f"prose.txt{ending}"))
    assert (result.returncode, result.stdout) == (0, EXPECTED)


@pytest.mark.process
def test_a_reader_that_goes_away_ends_the_command_quietly(write):
    with start("-pos", str(write(PROSE * 400))) as process:
        assert process.stdout.read(10) == EXPECTED[:10]
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(PATIENCE) == 0


@pytest.mark.process
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_interrupt_at_work_ends_at_once(write, jobs):
    with start("--jobs", jobs, str(write(PROSE * 3000))) as process:
        process.stdout.read(100)
        process.send_signal(signal.SIGINT)
        process.stdout.close()
        assert process.wait(PATIENCE) == 130
        assert process.stderr.read() == b""


@pytest.mark.process
@pytest.mark.parametrize("seconds", [0.02, 0.1, 0.2, 0.4])
def test_interrupt_while_starting(seconds):
    process = subprocess.Popen(
        [
            sys.executable,
            "-X",
            "importtime",
            installed("senna-tag"),
            "-path",
            MODEL,
            "-pos",
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with process:
        while b"senna_py.cli.entry" not in process.stderr.readline():
            assert process.poll() is None
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        assert b"Traceback" not in process.stderr.read()
        assert process.wait(PATIENCE) == 130


@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss is in other units")
def test_memory_does_not_grow_with_the_input(write):
    # Several batches.
    small, large = (
        write(PROSE * 200),
        write(PROSE * 1200, "large.txt"),
    )
    options = ("-pos", "-chk", "-ner")
    assert peak_memory(*options, large) < peak_memory(*options, small) + 20_000


def test_conll_and_senna_columns_say_the_same():
    """But for the roles, which are in one column, and the sentences have as many
    columns.
    """
    padded = printed(tag(stdin=PROSE)).splitlines()
    header, *rows = printed(
        tag("--format", "conll", "--header", stdin=PROSE)
    ).splitlines()
    assert header == "word\tpos\tchk\tner\tpredicate\troles\ttree"
    assert rows == printed(tag("--format", "conll", stdin=PROSE)).splitlines()
    assert (
        len({len(roles) for roles in (row.split("\t")[5:-1] for row in padded if row)})
        > 1
    )
    for row, other in zip(rows, padded, strict=True):
        fields = [field.strip() for field in other.split("\t")]
        if fields != [""]:
            fields = [*fields[:5], "|".join(fields[5:-1]) or "-", fields[-1]]
        assert row == "\t".join(map(quote, fields))


@pytest.mark.parametrize(
    "options", [(), ("-pos", "-ner"), ("-chk", "-srl", "-offsettags")]
)
def test_pandas_reads_all_rows(write, options):
    """With no option but the separator: quotation marks, #, other bytes of CSV."""
    import pandas

    words = [
        '"',
        "#",
        '"a',
        '""',
        "'",
        "a,b",
        "x",
        '"""',
        "|",
        "\\",
        "\\N",
        "(",
        "say",
        '"a"',
        ".",
    ]
    text = (" ".join(words) + '\n\n# " x\n" said\n').encode()
    path = write(
        tag("--format", "conll", "--header", "-usrtokens", *options, stdin=text).stdout
    )
    frame = pandas.read_csv(path, sep="\t")
    words += ["#", '"', "x", '"', "said"]
    assert frame.word.tolist() == words
    with_ends = pandas.read_csv(path, sep="\t", skip_blank_lines=False)
    assert with_ends.word.isna().to_numpy().nonzero()[0].tolist() == [15, 19, 22]
    file = ColumnFile(path)  # as senna-eval and senna-train read it
    assert [word for sentence in file for word in sentence.columns[0]] == words
    assert file.names == list(frame.columns)


def test_jsonl_has_what_python_gives():
    text, tagger = "Anna’s dog ran .\r\n\n  \nNo\n", Tagger(MODEL, TASKS)
    options = [f"-{task}" for task in TASKS]
    lines = printed(
        tag("--format", "jsonl", *options, stdin=text.encode())
    ).splitlines()
    assert list(map(Sentence.from_json, lines)) == [
        tagger("Anna’s dog ran ."),
        tagger("No"),
    ]
    assert json.loads(lines[0]).keys() >= {
        "tags",
        "chunks",
        "entities",
        "frames",
        "constituents",
    }


def test_jsonl_writes_bytes_outside_utf8_reversibly():
    result = tag("--format", "jsonl", "-pos", stdin=b"caf\xe9 \x01 ok\n")
    sentence = json.loads(result.stdout.decode("utf-8"))
    assert sentence["text"].encode("utf-8", "surrogateescape") == b"caf\xe9 \x01 ok"
    assert [t["text"] for t in sentence["tokens"]] == ["caf", "\udce9", "\x01", "ok"]


def test_progress_goes_to_standard_error():
    result = tag("-pos", "--progress", GOLDEN / "prose.txt")
    assert result.stdout == EXPECTED
    assert (
        f"{len(PROSE):,} of {len(PROSE):,} bytes, 22 sentences"
        in result.stderr.decode()
    )


@pytest.mark.process
def test_progress_on_a_terminal_is_the_default_for_files():
    for options, shown in (([], True), (["--no-progress"], False)):
        result = on_terminal(
            "senna-tag", "-path", MODEL, "-pos", *options, GOLDEN / "prose.txt"
        )
        assert result.stdout == EXPECTED
        assert (b"sentences/s" in result.stderr) is shown


def test_verbose_describes_the_model():
    result = tag("-pos", "-verbose", stdin=PROSE)
    assert result.stdout == EXPECTED
    assert result.stderr.decode().splitlines() == [
        f"senna-tag: model {MODEL}",
        "senna-tag: pos: window network, window 5, 24 hidden units; word 3014 x 20, caps 5 x 5, "
        "suffix 203 x 5; 45 labels",
    ]
