"""Systems that lack something: tagging, training, scoring and serving do without it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import senna_py.io.system
from tests.conftest import skipping

ROOT = Path(__file__).resolve().parent.parent
BARE = ROOT / "tests" / "helpers" / "bare"

# What macOS or Windows lack; `renaming` is that of open files. SENNA_PY_VARIANTS=1
# takes them away by groups and one by one, too.
MISSING = {
    "files": [
        "fcntl",
        "renaming",
        "mmap.MADV_DONTNEED",
        "os.O_CLOEXEC",
        "os.O_NOFOLLOW",
        "os.O_NONBLOCK",
        "os.O_DIRECTORY",
        "os.fchmod",
        "os.fchown",
        "os.mkfifo",
        "os.pread",
    ],
    "machine": [
        "os.geteuid",
        "os.getuid",
        "os.sched_getaffinity",
        "os.sysconf",
        "os.uname",
    ],
    "processes": [
        "resource",
        "os.fork",
        "os.killpg",
        "os.nice",
        "os.register_at_fork",
        "signal.SIGALRM",
        "signal.SIGHUP",
        "signal.SIGKILL",
        "signal.SIGPIPE",
        "signal.alarm",
    ],
}
EACH = [name for names in MISSING.values() for name in names]


def work(place, *missing):
    """Do all the work in a process that lacks something."""
    if "renaming" in missing and not os.path.exists("/proc/self/fd"):
        pytest.skip("the system does not list open files")
    paths = [str(BARE), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {
        "PYTHONPATH": os.pathsep.join(paths),
        "SENNA_TEST_WITHOUT": " ".join(missing),
    }
    result = subprocess.run(
        [sys.executable, BARE / "work.py", place],
        env=os.environ | environment,
        timeout=600,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.count("\n") == 4


@pytest.mark.slow
def test_without_all(tmp_path):
    work(tmp_path, *EACH)


@pytest.mark.process
@pytest.mark.skipif(
    "SENNA_PY_VARIANTS" not in os.environ, reason="SENNA_PY_VARIANTS is not set"
)
@pytest.mark.parametrize("missing", [*MISSING.values(), *([name] for name in EACH)])
def test_without_some(tmp_path, missing):
    work(tmp_path, *missing)


@pytest.mark.parametrize("name", ["fcntl", "resource", "msvcrt"])
def test_one_module_knows_what_systems_have(name):
    package = Path(senna_py.io.system.__file__).parents[1]
    using = [
        p.stem
        for p in package.rglob("*.py")
        if f"import {name}\n" in p.read_text("utf-8")
    ]
    assert using == ["system"]


def test_tests_of_what_a_system_lacks_are_skipped(monkeypatch):
    monkeypatch.delattr(os, "fork", raising=False)
    with pytest.raises(pytest.skip.Exception, match="fork"), skipping():
        os.fork()
    with pytest.raises(AttributeError, match="fork"), skipping():
        exec(compile("os.fork()", "senna_py/x.py", "exec"), {"os": os})
