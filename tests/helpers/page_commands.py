"""Running the commands of a page, or of the examples of help, one after the other."""

import importlib.util
import json
import os
import shlex
import signal
import subprocess
from collections.abc import Callable, Iterable, Mapping

import pytest

from tests.helpers.commands import installed
from tests.helpers.shell import Shell

__all__ = ["run_lines"]

TYPED = b"The big dog sees a cat.\n"  # standard input of commands without a file

# Parts of commands, and modules of extras without which these do not run.
_NEEDED = {
    "mpirun": "mpi4py",
    "parquet": "pyarrow",
    "senna-py corpus": "distributed",
    "senna-py serve": "uvicorn",
}


def run_lines(
    shell: Shell,
    lines: Iterable[str],
    before: Mapping[str, Callable[[Shell], None]] | None = None,
) -> str:
    """Run commands in a shell; returns what they print.

    Each of them must print something or write a file.

    Commands that need an extra which is not installed are left out. If there are any,
    the test is skipped after the others.

    before: what prepares files for a command, by its beginning.
    """
    printed, left_out = "", []
    for line in lines:
        needed = [module for part, module in _NEEDED.items() if part in line]
        if missing := [name for name in needed if not importlib.util.find_spec(name)]:
            left_out.append(f"{line.strip()}: there is no {missing[0]}")
            continue
        for beginning, prepare in (before or {}).items():
            if line.startswith(beginning):
                prepare(shell)
        if line.startswith("senna-py serve"):
            _ask_server(shell, line)
            continue
        for part in line.split(" && "):
            files = _files(shell.directory)
            printed += (said := shell.run(part, TYPED))
            assert said or _files(shell.directory) != files, f"{part}: did nothing"
    if left_out:
        pytest.skip("; ".join(left_out))
    return printed


def _files(directory):
    """The files below a directory, with the times at which they were written."""
    paths = (
        os.path.join(place, name) for place, _, n in os.walk(directory) for name in n
    )
    return {path: os.lstat(path).st_mtime_ns for path in paths}


def _ask_server(shell, line):
    """Start a server at a free port, send it a text, and stop it."""
    from tests.helpers.server import JSON, PATIENCE, ask  # it imports the extra

    name, *options = shlex.split(line, comments=True)
    command = [installed(name), *options, "--port", "0"]
    with subprocess.Popen(
        command, cwd=shell.directory, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            said = next(said for said in process.stderr if "running on" in said)
            port = int(said.split("http://127.0.0.1:")[1].split()[0])
            text = json.dumps({"text": "Anna sees Rome."})
            status, _, answer = ask(port, "POST", "/tag", text, JSON)
            assert (status, len(json.loads(answer)["sentences"])) == (200, 1), answer
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE)
