"""Running commands in tests: within this process, or as processes where that is the
point.
"""

import contextlib
import importlib
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from unittest.mock import patch

import pytest

from senna_py.cli.running import exit_code
from senna_py.io.system import STOP_SIGNALS
from tests.helpers.counting import counting

GOLDEN = Path(__file__).resolve().parent.parent / "data" / "golden"
MODEL = GOLDEN / "model"
# Under nohup, commands do not hear that a terminal is closed, as they should not.
HEARD = [
    number for number in STOP_SIGNALS if signal.getsignal(number) is not signal.SIG_IGN
]
VECTORS = [sys.executable, "-m", "senna_py", "vectors"]  # as a process


def installed(name):
    """Path of a console command of this environment."""
    path = Path(sys.executable).parent / name
    assert path.exists(), f"{path} is missing: install the package first"
    return str(path)


def run(name, *args, stdin=b"", env=None, cwd=None):
    """Run a command in this process as its entry point would; returns a
    CompletedProcess.

    stdout, stderr: bytes, also those that are written to descriptors. A fault of the
    program raises. Text beyond the first 256 bytes waits for compiled kernels. What the
    command does to environment and working directory is undone.
    """
    module = "root" if name == "senna-py" else name.removeprefix("senna-")
    command = importlib.import_module(f"senna_py.cli.{module}").command
    args = [str(arg) for arg in args]
    with (
        patch.dict(os.environ),
        in_directory(cwd),
        counting(256),
        Streams(stdin) as streams,
    ):
        os.environ.pop("SENNA_PY_MODEL", None)
        os.environ.update(env or {})
        try:
            code = exit_code(command, args, name)
        except SystemExit as end:  # a stopped run
            code = end.code
    return subprocess.CompletedProcess([name, *args], code or 0, *streams.written)


def on_terminal(name, *args):
    """Run an installed command whose standard error is a terminal; the
    CompletedProcess.
    """
    main, other = pytest.importorskip("pty").openpty()
    command, shown = [installed(name), *map(str, args)], b""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=other) as process:
        os.close(other)
        with contextlib.suppress(OSError):  # as Linux says that the other end is closed
            while part := os.read(main, 1 << 16):
                shown += part
        printed = process.communicate(timeout=120)[0]
    os.close(main)
    return subprocess.CompletedProcess(command, process.returncode, printed, shown)


def run_program(*command, cwd, stdin=None, **environment):
    """Run any program as a process that finds the installed commands; output as
    text.
    """
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        [*map(str, command)],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        env={**os.environ, "PATH": path, **environment},
    )


def tag(*args, **options):
    """Run senna-tag on the reference model in this process."""
    return run("senna-tag", "-path", MODEL, *args, **options)


def lm(*args, **options):
    """Run senna-lm in this process."""
    return run("senna-lm", *args, **options)


def lm_says(*args, code=0, stdin=""):
    """Run senna-lm in this process; returns what it prints and says.

    code: what it must end with: 0, or anything else for any error.
    """
    return _says(lm(*args, stdin=stdin.encode()), code)


def vectors(*args, **options):
    """Run `senna-py vectors` in this process."""
    return run("senna-py", "vectors", *args, **options)


def vectors_say(*args, code=0, stdin=""):
    """Run `senna-py vectors` as `lm_says` runs senna-lm."""
    return _says(vectors(*args, stdin=stdin.encode()), code)


def _says(result, code):
    printed = (result.stdout + result.stderr).decode()
    assert (result.returncode != 0) == (code != 0), printed
    return printed if code == 0 else printed.removesuffix("\n")


class Streams:
    """A context with standard input of given bytes, and files for standard output and
    error.

    written: after it, what standard output and standard error got.
    """

    def __init__(self, stdin):
        self._stdin = stdin

    def __enter__(self):
        self._files = [tempfile.TemporaryFile() for _ in range(3)]  # noqa: SIM115
        descriptors = [file.fileno() for file in self._files]
        if len(self._stdin) <= 1 << 16:  # what a pipe holds
            descriptors[0], write_end = os.pipe()
            os.write(write_end, self._stdin)
            os.close(write_end)
        else:
            self._files[0].write(self._stdin)
            self._files[0].seek(0)
        self._before = (
            [os.dup(n) for n in range(3)],
            (sys.stdin, sys.stdout, sys.stderr),
        )
        for stream in self._before[1]:
            if stream.writable():
                stream.flush()
        for n, descriptor in enumerate(descriptors):
            os.dup2(descriptor, n)
        if descriptors[0] != self._files[0].fileno():
            os.close(descriptors[0])
        sys.stdin, sys.stdout, sys.stderr = (
            open(n, mode, encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115
            for n, mode in enumerate("rww")
        )
        sys.stderr.reconfigure(line_buffering=True)
        return self

    def __exit__(self, *_):
        for stream in (sys.stdin, sys.stdout, sys.stderr):
            with contextlib.suppress(OSError):  # as where a process ends
                stream.close()
        descriptors, (sys.stdin, sys.stdout, sys.stderr) = self._before
        for n, descriptor in enumerate(descriptors):
            os.dup2(descriptor, n)
            os.close(descriptor)
        for file in self._files:
            file.seek(0)
        self.written = [file.read() for file in self._files[1:]]
        for file in self._files:
            file.close()


@contextlib.contextmanager
def in_directory(path):
    """A context with another working directory."""
    before = os.getcwd()
    os.chdir(path or before)
    try:
        yield
    finally:
        os.chdir(before)


def printed(result):
    """What a command printed, as text, which succeeded and said nothing."""
    assert (result.returncode, result.stderr) == (0, b"")
    return result.stdout.decode("utf-8", "surrogateescape")


def assert_one_line_error(result, *parts, code=1, is_last=False):
    """Check that a command failed with one line on standard error that has all `parts`.

    is_last: other lines may stand before it.
    """
    message = result.stderr.decode()
    if is_last:
        message = message.splitlines(keepends=True)[-1]
    assert result.returncode == code, message
    assert message.endswith("\n")
    assert message.count("\n") == 1, message
    assert "Traceback" not in message
    for part in parts:
        assert str(part) in message


def files_below(directory):
    """Bytes of all files below a directory, by their paths from there."""
    paths = sorted(path for path in Path(directory).rglob("*") if path.is_file())
    return {str(path.relative_to(directory)): path.read_bytes() for path in paths}


def peak_memory(*args):
    """Peak resident memory of senna-tag on the reference model, in KiB (Linux)."""
    code = (
        "import resource, subprocess, sys\n"
        "subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n"
    )
    command = [installed("senna-tag"), "-path", str(MODEL), *map(str, args)]
    return int(
        subprocess.check_output([sys.executable, "-c", code, *command], timeout=240)
    )
