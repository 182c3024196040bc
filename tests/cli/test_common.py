"""How commands end, alone and above a thread that compiles."""

import os
import subprocess
import sys

import pytest

COMMAND = """
import atexit, sys, threading
import click
from senna_py.cli.common import run
from senna_py.errors import SennaError

atexit.register(print, "in order")

@click.command("senna-x")
def command():
    print("output")  # into a buffer
    {ending}

if {daemon}:
    threading.Thread(target=threading.Event().wait, daemon=True).start()
sys.argv[1:] = []
run(command)
"""


def end(ending, daemon):
    """Run a command that ends by a statement, a daemon thread beside it or not."""
    code = COMMAND.format(ending=ending, daemon=daemon)
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"}
    return subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60,
        check=False,
    )  # fmt: skip


@pytest.mark.process
@pytest.mark.parametrize(
    "ending",
    ["raise SennaError(text)", "raise OSError(text)", "raise click.UsageError(text)"],
)
def test_messages_are_one_line_that_is_not_endless(ending):
    result = end(f"text = 'a\\n\\x1b[31m' + 'b' * 9000 + ': damaged'; {ending}", False)
    *_, line = result.stderr.splitlines()
    message = line.removeprefix("senna-x: ").removeprefix("Error: ")
    assert message.startswith("a\\n\\x1b[31mbbb") and message.endswith("bbb: damaged")
    assert len(message) == 300 and " ... " in message


@pytest.mark.process
@pytest.mark.parametrize("daemon", [False, True])
def test_a_fault_of_the_program_is_a_traceback(daemon):
    result = end("raise ZeroDivisionError('a fault')", daemon)
    assert result.returncode == 1
    assert result.stderr.startswith("Traceback (most recent call last):\n")
    assert result.stderr.count("Traceback") == 1
    assert result.stderr.endswith("\nZeroDivisionError: a fault\n")
    # What exits in order would meet LLVM at work.
    assert result.stdout == ("output\n" if daemon else "output\nin order\n")


@pytest.mark.process
@pytest.mark.parametrize("daemon", [False, True])
@pytest.mark.parametrize(
    ("ending", "code", "line"),
    [
        ("return", 0, ""),
        ("raise SennaError('x.txt: damaged')", 1, "senna-x: x.txt: damaged\n"),
        ("raise OSError('x.txt: gone')", 1, "senna-x: x.txt: gone\n"),
        ("raise MemoryError", 1, "senna-x: not enough memory\n"),
        ("raise click.Abort", 130, ""),
    ],
)
def test_what_a_command_may_end_with(ending, code, line, daemon):
    result = end(ending, daemon)
    assert (result.returncode, result.stderr) == (code, line)
    assert result.stdout == ("output\n" if daemon else "output\nin order\n")


@pytest.mark.process
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
@pytest.mark.parametrize(("ending", "code"), [("return", 0), ("raise SennaError('x')", 1)])
def test_a_full_disk_under_standard_error_ends_nothing(ending, code):
    code_text = COMMAND.format(
        ending=f"from senna_py.cli.common import say; say('a'); say('b'); {ending}", daemon=False
    )
    with open("/dev/full", "w") as full:
        result = subprocess.run(
            [sys.executable, "-c", code_text], stdout=subprocess.PIPE, stderr=full, text=True,
            timeout=60, check=False,
        )  # fmt: skip
    assert (result.returncode, result.stdout) == (code, "output\nin order\n")
