"""A process that compiles kernels for others, and goes on when they have ended."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

fcntl = pytest.importorskip("fcntl")  # without locks, each process compiles by itself
pytestmark = pytest.mark.process

ROOT = Path(__file__).resolve().parents[3]
# Needs a kernel that the process has to compile; arguments: what it does besides, and a
# file of its own for each process that is begun.
RUN = f"""
import os, sys
sys.path.append({str(ROOT)!r})
import numpy as np
from senna_py.kernels.runtime import background
from senna_py.kernels.runtime.background import have_compiled
from senna_py.kernels.runtime.compile_events import tell_when_compiling
from tests.helpers.small_kernels import call_both, total
tell_when_compiling(lambda: print("told"))
background.LONG = float(os.environ["LONG"])  # until those who wait are told, too
have_compiled(call_both, *sys.argv[1:])
print(total(np.arange(5.0)), sum(total.dispatcher.stats.cache_hits.values()))
"""

SETTINGS = {"SENNA_PY_BACKGROUND": "1", "LONG": "999"}


def begin(directory, *arguments, cwd=None, **more):
    """Begin a program that needs a kernel; its output ends when it does."""
    environment = {**os.environ, **SETTINGS, "NUMBA_CACHE_DIR": str(directory)}
    command = [sys.executable, "-c", RUN, *map(str, arguments)]
    return subprocess.Popen(
        command,
        env=environment | more,
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def run(directory, *arguments, **more):
    """Output of the program."""
    process = begin(directory, *arguments, **more)
    found = process.communicate(timeout=120)[0]
    assert process.returncode == 0, found
    return found


def kernels(directory):
    return sorted({path.name.split(".")[3] for path in Path(directory).rglob("*.nbc")})


def wait_for(condition):
    until = time.monotonic() + 100
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_what_was_begun_is_finished_when_its_user_has_gone(tmp_path):
    begun, seen = tmp_path / "begun", tmp_path / "go"
    # `total` was there, so it went.
    assert run(tmp_path / "cache", begun, seen) == "told\n10.0 1\n"
    assert kernels(tmp_path / "cache") == ["total"]
    seen.touch()
    wait_for(lambda: kernels(tmp_path / "cache") == ["mean", "total"])
    assert run(tmp_path / "cache", begun) == "10.0 1\n"
    # Nothing was missing the second time.
    assert len(begun.read_text().splitlines()) == 1


def test_one_process_works_at_a_time_and_tells_once(tmp_path):
    begun = tmp_path / "begun"
    processes = [begin(tmp_path / "cache", begun) for _ in range(3)]
    found = [process.communicate(timeout=120)[0] for process in processes]
    assert sorted(found) == ["10.0 1\n", "10.0 1\n", "told\n10.0 1\n"]
    assert len(begun.read_text().splitlines()) == 1


def test_who_waits_long_for_another_one_is_told(tmp_path):
    assert run(tmp_path, tmp_path / "begun") == "told\n10.0 1\n"
    (lock,) = tmp_path.rglob("senna-py.lock")
    for path in tmp_path.rglob("*.nbc"):
        path.unlink()
    with open(lock, "rb+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        process = begin(tmp_path, tmp_path / "begun", LONG="0.1")
        assert process.stdout.readline() == "told\n"
    assert process.communicate(timeout=120)[0] == "10.0 1\n"


def test_who_waits_goes_on_when_another_one_ends_without_the_kernel(tmp_path):
    assert run(tmp_path, tmp_path / "begun") == "told\n10.0 1\n"
    (lock,) = tmp_path.rglob("senna-py.lock")
    for path in tmp_path.rglob("*.nbc"):
        path.unlink()
    with open(lock, "rb+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        process = begin(tmp_path, tmp_path / "begun")
        with pytest.raises(subprocess.TimeoutExpired):
            process.communicate(timeout=3)
    # A busy machine may not have come to the lock by then: it is free, and this process
    # tells.
    assert process.communicate(timeout=120)[0].removeprefix("told\n") == "10.0 1\n"


@pytest.mark.parametrize(
    "more", [{"SENNA_PY_BACKGROUND": "0"}, {"PYTHONHOME": "/nowhere"}]
)
def test_without_the_process_a_program_compiles_itself(tmp_path, more):
    before = "import os; os.environ.update({}); "
    command = before.format({**more, "NUMBA_CACHE_DIR": str(tmp_path)}) + RUN
    environment = {**os.environ, **SETTINGS}
    found = subprocess.run(
        [sys.executable, "-c", command, tmp_path / "begun"],
        env=environment,
        text=True,
        capture_output=True,
        check=True,
    )
    assert found.stdout.splitlines()[-1] == "10.0 0"
    assert not (tmp_path / "begun").exists()


def test_a_directory_that_is_removed(tmp_path):
    (tmp_path / "here").mkdir()
    begun, seen = tmp_path / "begun", tmp_path / "go"
    assert (
        run(tmp_path / "cache", begun, seen, cwd=tmp_path / "here") == "told\n10.0 1\n"
    )
    (tmp_path / "here").rmdir()
    seen.touch()
    wait_for(lambda: kernels(tmp_path / "cache") == ["mean", "total"])


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_where_no_cache_can_be_written_nothing_is_begun(tmp_path):
    tmp_path.chmod(0o500)
    assert run(tmp_path, "/nowhere/begun", HOME=str(tmp_path)) == "10.0 0\n"


BESIDE = f"""
import os, sys
sys.path.append({str(ROOT)!r})
from senna_py.io import system
from senna_py.kernels.runtime.background import beside
system.processors = lambda: int(sys.argv[2])

def write(path):
    with open(path, "w") as file:
        print(os.getpid(), file=file)
    raise ValueError  # which concerns nobody else

with beside(write, sys.argv[1]):
    print(os.getpid())
"""


@pytest.mark.parametrize("n_processors", [1, 2])
def test_another_process_works_beside_if_there_is_a_processor_for_it(
    n_processors, tmp_path
):
    path = tmp_path / "process"
    found = subprocess.run(
        [sys.executable, "-c", BESIDE, path, str(n_processors)],
        text=True,
        capture_output=True,
        check=True,
    )
    assert path.exists() == (n_processors == 2)
    if path.exists():
        assert path.read_text() != found.stdout
