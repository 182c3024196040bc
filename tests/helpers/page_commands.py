"""Running the commands of a page, or of the examples of help, one after the other."""

import contextlib
import importlib.util
import json
import os
import shlex
import signal
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from tests.helpers.commands import installed
from tests.helpers.pages import ROOT
from tests.helpers.shell import Shell

__all__ = ["run_lines", "running_server"]

TYPED = b"The big dog sees a cat.\n"  # standard input of commands without a file

# Parts of commands, and modules of extras without which these do not run.
_NEEDED = {
    "mpirun": "mpi4py",
    "parquet": "pyarrow",
    "senna-py corpus": "distributed",
    "senna-py serve": "uvicorn",
    "udvalidate": "udtools",
}


def run_lines(
    shell: Shell,
    lines: Iterable[str],
    before: Mapping[str, Callable[[Shell], None]] | None = None,
) -> tuple[str, list[str]]:
    """Run commands in a shell; returns what they print, and what is left out and why.

    Each of them must print or say something, or write a file.

    Commands that need an extra which is not installed are left out.

    before: what prepares files for a command, by its beginning.
    """
    printed, left_out = "", []
    for line in lines:
        if missing := _missing(line):
            left_out.append(f"{line}: there is no {missing}")
            continue
        for beginning, prepare in (before or {}).items():
            if line.startswith(beginning):
                prepare(shell)
        if line.startswith("senna-py serve"):
            _ask_server(shell, line)
            continue
        for part in line.removeprefix("time ").split(" && "):
            before_it = shell.said, _files(shell.directory)
            printed += (shown := shell.run(part, TYPED))
            after_it = shell.said, _files(shell.directory)
            assert shown or after_it != before_it, f"{part}: did nothing"
    return printed, left_out


def _missing(line):
    """What a command needs and is not here, or None."""
    for part, module in _NEEDED.items():
        if part in line and not importlib.util.find_spec(module):
            return module
    model = ROOT / "models/pt/model.safetensors"
    return "Portuguese model" if "--path pt" in line and not model.exists() else None


def _files(directory):
    """The files below a directory, with the times at which they were written."""
    paths = (
        os.path.join(place, name) for place, _, n in os.walk(directory) for name in n
    )
    return {path: os.lstat(path).st_mtime_ns for path in paths}


def _ask_server(shell, line):
    """Start a server, send it a text, and stop it."""
    from tests.helpers.server import JSON, ask  # it imports the extra

    with running_server(line, shell.directory) as port:
        text = json.dumps({"text": "Anna sees Rome."})
        status, _, answer = ask(port, "POST", "/tag", text, JSON)
        assert (status, len(json.loads(answer)["sentences"])) == (200, 1), answer


@contextlib.contextmanager
def running_server(line: str, directory: Path) -> Iterator[int]:
    """A context with the port of a server that a command starts, at a free one."""
    name, *options = shlex.split(line, comments=True)
    command = [installed(name), *options, "--port", "0"]
    with subprocess.Popen(
        command, cwd=directory, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            said = next(said for said in process.stderr if "running on" in said)
            yield int(said.split("http://127.0.0.1:")[1].split()[0])
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=240)
