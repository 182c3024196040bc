"""Running the installed commands in tests."""

import os
import subprocess
import sys
from pathlib import Path

GOLDEN = Path(__file__).resolve().parent.parent / "data" / "golden"
MODEL = GOLDEN / "model"


def installed(name):
    """Path of a console command of this environment."""
    path = Path(sys.executable).parent / name
    assert path.exists(), f"{path} is missing: install the package first"
    return str(path)


def run(command, *args, stdin=b"", env=None, **options):
    """Run an installed command to its end; returns the CompletedProcess, output as bytes."""
    environment = {k: v for k, v in os.environ.items() if k != "SENNA_PY_MODEL"} | (env or {})
    return subprocess.run(
        [installed(command), *map(str, args)],
        input=stdin,
        capture_output=True,
        env=environment,
        timeout=240,
        check=False,
        **options,
    )


def tag(*args, stdin=b"", **options):
    """Run senna-tag on the reference model."""
    return run("senna-tag", "-path", MODEL, *args, stdin=stdin, **options)


def assert_one_line_error(result, *parts, code=1):
    """Check that a command failed with one line on standard error that has all `parts`."""
    message = result.stderr.decode()
    assert result.returncode == code, message
    assert message.endswith("\n")
    assert message.count("\n") == 1, message
    assert "Traceback" not in message
    for part in parts:
        assert str(part) in message


def peak_memory(*args):
    """Peak resident memory of senna-tag on the reference model, in KiB (Linux)."""
    code = (
        "import resource, subprocess, sys\n"
        "subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n"
    )
    command = [installed("senna-tag"), "-path", str(MODEL), *map(str, args)]
    return int(subprocess.check_output([sys.executable, "-c", code, *command], timeout=240))
