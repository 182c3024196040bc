"""How commands end, alone and above a thread that compiles, and print words that are no
UTF-8.
"""

import io
import os
import re
import subprocess
import sys

import click
import pytest

from senna_py.cli.running import exit_code
from senna_py.cli.streams import take_any_text
from senna_py.errors import SennaError
from senna_py.kernels.runtime.compile_events import NOTICE
from tests.helpers.commands import installed, printed, vectors

COMMAND = """
import atexit, sys, threading
import click
from senna_py.cli.running import run
from senna_py.io.progress import say
from senna_py.errors import SennaError

atexit.register(print, "in order")

@click.command("senna-x")
def command():
    print("output")  # into a buffer
    {ending}

if {loading}:
    from senna_py.kernels.runtime.switch import prepare_kernels
    prepare_kernels(threading.Event().wait)
sys.argv[1:] = []
run(command)
"""


def end(ending, loading=False, stderr=subprocess.PIPE):
    """Run a command that ends by a statement, a loading thread beside it or not."""
    code = COMMAND.format(ending=ending, loading=loading)
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"}
    return subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        timeout=60,
        check=False,
    )


def code_of(error):
    """Exit code of a command that raises an error."""

    @click.command("senna-x")
    def command():
        raise error

    return exit_code(command, [])


@pytest.mark.parametrize("kind", [SennaError, OSError, click.UsageError])
def test_messages_are_one_line_that_is_not_endless(kind, capsys):
    code_of(kind("a\n\x1b[31m" + "b" * 9000 + ": damaged"))
    *_, line = capsys.readouterr().err.splitlines()
    message = line.removeprefix("senna-x: ").removeprefix("Error: ")
    assert message.startswith("a\\n\\x1b[31mbbb") and message.endswith("bbb: damaged")
    assert len(message) == 300 and " ... " in message


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (SennaError("x.txt: damaged"), 1, "senna-x: x.txt: damaged\n"),
        (OSError("x.txt: gone"), 1, "senna-x: x.txt: gone\n"),
        (ImportError("Numba cannot be used"), 1, "senna-x: Numba cannot be used\n"),
        (MemoryError(), 1, "senna-x: not enough memory\n"),
        (MemoryError("Unable to"), 1, "senna-x: not enough memory: Unable to\n"),
        (TimeoutError(), 1, "senna-x: TimeoutError\n"),
        (
            RuntimeError("can't start new thread"),
            1,
            "senna-x: can't start new thread\n",
        ),
        (click.Abort(), 130, ""),
    ],
)
def test_what_a_command_may_end_with(error, code, line, capsys):
    assert code_of(error) == code
    assert capsys.readouterr().err == line


@pytest.mark.process
@pytest.mark.parametrize("loading", [False, True])
@pytest.mark.parametrize(
    ("ending", "code", "said"),
    [
        ("return", 0, ""),
        ("raise SennaError('x.txt: damaged')", 1, "senna-x: x.txt: damaged\n"),
        (
            "raise ZeroDivisionError('a fault')",
            1,
            r"Traceback \(most .*\nZeroDivision.*: a fault\n",
        ),
    ],
)
def test_the_end_of_the_process(ending, code, said, loading):
    result = end(ending, loading)
    assert result.returncode == code
    assert (
        re.fullmatch(said, result.stderr, re.DOTALL)
        and result.stderr.count("Traceback") < 2
    )
    # What exits in order would meet LLVM at work.
    assert result.stdout == ("output\n" if loading else "output\nin order\n")


@pytest.mark.process
def test_who_waits_for_kernels_at_a_terminal_is_told():
    clock = "from senna_py.kernels.runtime.compile_events import _clock as clock; "
    master, terminal = os.openpty()
    assert end(clock + "clock.tell()", stderr=terminal).returncode == 0
    os.close(terminal)
    assert os.read(master, 999).decode() == f"\r\x1b[Ksenna-x: {NOTICE}\r\n"
    os.close(master)


@pytest.mark.process
def test_a_log_is_told_once_of_compiling():
    clock = (
        "from senna_py.kernels.runtime.compile_events import tell_of_waiting as wait; "
    )
    result = end(f"{clock}wait(0); wait(9)")
    assert (result.returncode, result.stderr) == (0, f"senna-x: {NOTICE}\n")
    assert "senna-py warm-up" in NOTICE


@pytest.mark.process
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
@pytest.mark.parametrize(
    ("ending", "code"), [("return", 0), ("raise SennaError('x')", 1)]
)
def test_a_full_disk_under_standard_error_ends_nothing(ending, code):
    with open("/dev/full", "w") as full:
        result = end(f"say('a'); say('b'); {ending}", stderr=full)
    assert (result.returncode, result.stdout) == (code, "output\nin order\n")


@pytest.mark.process
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
@pytest.mark.parametrize(
    "words", [["--version"], ["tag", "--help"], ["model", "explain", "NN"], ["--help"]]
)
def test_little_output_on_a_full_disk_and_to_nobody(words):
    command = [installed("senna-py"), *words]
    with open("/dev/full", "w") as full:
        found = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert found.returncode == 1
    assert found.stderr.startswith(b"senna-py: ") and found.stderr.count(b"\n") == 1
    assert (
        found.stderr.endswith(b": No space left on device\n")
        and b"Errno" not in found.stderr
    )
    reading, writing = os.pipe()
    os.close(reading)
    found = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (found.returncode, found.stderr) == (0, b"")


def test_an_exit_within_a_command_stays_one_without_a_warning(recwarn):
    with pytest.raises(SystemExit, match="3"):
        exit_code(click.Command("x", callback=lambda: sys.exit(3)), [])
    assert not recwarn.list


@pytest.mark.parametrize(
    ("encoding", "text", "expected"),
    [
        ("utf-8", "ab\udcff é", b"ab\xff \xc3\xa9"),
        ("utf-8", "\ud800", b"\\ud800"),
        ("ascii", "é\udce9", b"\\xe9\xe9"),
    ],
)
def test_what_an_encoding_lacks(encoding, text, expected):
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding)
    take_any_text(stream, None, io.StringIO())
    stream.write(text)
    stream.flush()
    assert raw.getvalue() == expected


def test_neighbours_that_are_no_text(write):
    path = write(b"caf\xe9 1 0\nthe 0 1\na 1 1\n")
    result = vectors("neighbors", path, "the", "--metric", "cosine")
    assert "caf\udce9" in printed(result)
