"""Files of compiled kernels: what is damaged is as good as none; they give the same
bits.
"""

import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.kernels.runtime.code_cache import (
    KernelCache,
    _KernelFiles,
    _modules_behind,
)

KEY, DATA = (
    ("signature", "processor"),
    ("library", b"\x7fELF" + bytes(300), {"name": "kernel"}),
)


def kernel():
    """Stands for one."""


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    files = _KernelFiles(str(tmp_path_factory.mktemp("cache")), kernel)
    files.save(KEY, DATA)
    return files


def path_of(files, key=KEY):
    return files._data_path(files._name(key))


def load(files, key=KEY):
    """What KernelCache has of the files: damage is no error there."""
    with suppress(ValueError, PermissionError):
        return files.load(key)
    return None


@given(st.data())
def test_a_damaged_file_is_as_good_as_none(files, data):
    path = path_of(files)
    with open(path, "rb") as file:
        whole = file.read()
    assert load(files) == DATA
    kind = data.draw(st.sampled_from(["bit", "cut", "longer"]))
    changed = bytearray(whole)
    if kind == "bit":
        changed[data.draw(st.integers(0, len(whole) - 1))] ^= 1 << data.draw(
            st.integers(0, 7)
        )
    elif kind == "cut":
        del changed[data.draw(st.integers(0, len(whole) - 1)) :]
    else:
        changed += data.draw(st.binary(min_size=1, max_size=40))
    try:
        with open(path, "wb") as file:
            file.write(changed)
        assert load(files) is None
    finally:
        files.save(KEY, DATA)


def test_a_file_under_the_name_of_another_is_not_taken(files):
    with (
        open(path_of(files), "rb") as one,
        open(path_of(files, "other"), "wb") as other,
    ):
        other.write(one.read())
    assert load(files, "other") is None


def test_a_file_without_its_checksum_is_not_unpickled(tmp_path):
    files = _KernelFiles(str(tmp_path), kernel)
    with open(path_of(files), "wb") as file:
        file.write(
            bytes(16) + b"cos\nmkdir\n(S'" + str(tmp_path / "run").encode() + b"'\ntR."
        )
    assert load(files) is None
    assert not (tmp_path / "run").exists()


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="modes and owners of POSIX")
def test_what_others_may_write_is_not_unpickled(tmp_path):
    files = _KernelFiles(str(tmp_path), kernel)
    files.save(KEY, DATA)
    path = path_of(files)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    for mode in (0o620, 0o602):
        os.chmod(path, mode)
        assert load(files) is None
    os.chmod(path, 0o644)
    assert load(files) == DATA
    if os.geteuid() == 0:
        os.chown(path, 65534, -1)
        assert load(files) is None


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="modes and owners of POSIX")
def test_a_directory_that_others_may_write_holds_no_cache(tmp_path, monkeypatch):
    monkeypatch.setattr("numba.config.CACHE_DIR", str(tmp_path))
    before = os.umask(0)
    try:
        directory = KernelCache(kernel).cache_path
    finally:
        os.umask(before)
    assert directory == f"{tmp_path}/senna-py"
    assert stat.S_IMODE(os.stat(directory).st_mode) == 0o700
    os.chmod(directory, 0o770)
    assert not KernelCache(kernel).cache_path.startswith(f"{tmp_path}/")


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="users of POSIX")
def test_the_current_directory_never_decides_what_code_is_run(tmp_path, monkeypatch):
    """A user without a home, as in a container: `~` stays as it is in a path."""
    import pwd

    def no_entry(_):
        raise KeyError

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(pwd, "getpwuid", no_entry)
    monkeypatch.setattr("numba.config.CACHE_DIR", "kernels")
    monkeypatch.delenv("HOME", raising=False)
    for name in ("XDG_CACHE_HOME", "TMPDIR"):
        monkeypatch.setenv(name, "cache")
    assert os.path.expanduser("~") == "~"
    directory = KernelCache(kernel).cache_path
    assert directory == f"/tmp/senna-py-{os.geteuid()}"
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="users of POSIX")
def test_a_link_that_somebody_left_is_no_cache(tmp_path, monkeypatch):
    """All users may write the directory of temporary files."""
    (tmp_path / "other").mkdir(mode=0o700)
    (tmp_path / f"senna-py-{os.geteuid()}").symlink_to(tmp_path / "other")
    monkeypatch.setattr("numba.config.CACHE_DIR", "")
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    assert KernelCache(kernel).cache_path == f"/tmp/senna-py-{os.geteuid()}"


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="modes of POSIX")
def test_a_directory_that_others_could_replace_holds_no_cache(tmp_path, monkeypatch):
    monkeypatch.setattr("numba.config.CACHE_DIR", str(tmp_path / "all"))
    (tmp_path / "all").mkdir()
    for mode, is_taken in ((0o777, False), (0o1777, True), (0o775, True)):
        os.chmod(tmp_path / "all", mode)
        assert KernelCache(kernel).cache_path.startswith(f"{tmp_path}/") == is_taken


def test_the_user_has_the_cache_and_not_the_package(tmp_path, monkeypatch):
    """What is beside the package would stay when it is uninstalled."""
    monkeypatch.setattr("numba.config.CACHE_DIR", "")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert KernelCache(kernel).cache_path == str(tmp_path / "senna-py")


def test_code_is_that_of_the_sources_that_it_holds():
    def names(module):
        return {f"{p.parent.name}.{p.stem}" for p in _modules_behind(module)}

    treebank = names("senna_py.kernels.text.treebank")
    assert {"text.treebank", "text.tokens", "runtime.jit"} <= treebank
    assert not {"nn.int8", "plain.search", "plain.tokens"} & treebank
    # int8 uses tiles, which use instructions
    assert "llvm.instructions" in names("senna_py.kernels.nn.gated")
    assert treebank | {"nn.int8", "lm.ranking"} <= names("tests.kernels.anything")


def test_processes_that_compile_at_once_find_whole_files(tmp_path):
    files = _KernelFiles(str(tmp_path), kernel)

    def work(_):
        files.save(KEY, DATA)
        return files.load(KEY) == DATA

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(160)))
    assert [path.name for path in tmp_path.iterdir()] == [files._name(KEY)]


def test_what_nobody_used_for_a_month_goes(tmp_path):
    """Also what killed processes left half written; two versions may share the
    directory.
    """
    files = _KernelFiles(str(tmp_path), kernel)
    old = [tmp_path / f"{files._base}.0123.4567.nbc{end}" for end in ("", ".tmp.89")]
    other = tmp_path / f"{files._base}.89ab.4567.nbc"
    own = tmp_path / files._name("other")
    for path in [*old, other, own]:
        path.write_bytes(b"x")
    files.save("loaded", DATA)
    loaded = tmp_path / files._name("loaded")
    for path in [*old, own, loaded]:
        os.utime(path, (0, 0))
    assert files.load("loaded") == DATA
    assert loaded.stat().st_mtime > 0
    files.save(KEY, DATA)
    assert {p.name for p in tmp_path.iterdir()} == {
        other.name,
        own.name,
        loaded.name,
        files._name(KEY),
    }


SCRIPT = """
import numpy as np
from senna_py.kernels.nn.softmax import exp_rows

scores = np.random.default_rng(0).normal(size=(64, 4866)).astype(np.float32)
total = np.empty(64)
exp_rows(scores, scores.max(1), total)
print(total.tobytes().hex())
"""


@pytest.mark.process
def test_sums_are_the_same_compiled_and_loaded(tmp_path):
    """Without inlining, the first process adds up in another order than those that
    follow.
    """
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    first, second = (
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            capture_output=True,
            check=True,
            env=environment,
        ).stdout
        for _ in range(2)
    )
    assert list(tmp_path.rglob("*.nbc"))
    assert first == second
