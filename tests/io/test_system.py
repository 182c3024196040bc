"""What is asked of the system, where there is less of it."""

import math
import ntpath
import os
import platform
import types

import pytest

from senna_py.errors import SennaError
from senna_py.io import system
from senna_py.io.locks import LOCK, lock_directory


def test_processors_and_memory(monkeypatch):
    assert 1 <= system.processors() <= os.cpu_count()
    assert system.memory_limit() > 1 << 26
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.delattr(os, "sysconf", raising=False)
    assert system.processors() == os.cpu_count()
    assert system.memory_limit() == math.inf
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert system.processors() == 1


def test_what_needs_more_memory_than_there_is(monkeypatch):
    monkeypatch.setattr(system, "memory_limit", lambda: 1 << 30)
    system.check_room("m", 1 << 30)
    wanted = r"^m: needs about 2,048\.0 GiB of memory; there are 1\.0 GiB$"
    with pytest.raises(SennaError, match=wanted):
        system.check_room("m", 2 << 40)


def test_the_name_of_the_machine(monkeypatch):
    assert system.host()
    monkeypatch.delattr(os, "uname", raising=False)
    monkeypatch.setattr(platform, "_uname_cache", None, raising=False)
    assert system.host()


def test_paths_of_windows(monkeypatch):
    assert [*filter(None, system.steps_of("C:/a\\b/../c"))] == ["C:", "a\\b", "..", "c"]
    monkeypatch.setattr(os, "sep", "\\")
    monkeypatch.setattr(os, "path", ntpath)
    assert [*filter(None, system.steps_of("C:\\a\\b/..\\c"))] == ["C", "a", "b", "..", "c"]


def test_files_are_of_bytes_and_names_that_can_be_foreseen_are_no_links(tmp_path, monkeypatch):
    seen = []
    monkeypatch.setattr(os, "O_BINARY", 1 << 40, raising=False)
    monkeypatch.setattr(os, "open", lambda *given: seen.append(given))
    for foreseen in (False, True):
        system.open_file(tmp_path / "x", os.O_RDWR, foreseen=foreseen)
    no_link = os.O_NOFOLLOW | os.O_NONBLOCK
    assert [flags for _, flags, _ in seen] == [1 << 40 | os.O_RDWR | more for more in (0, no_link)]


class Windows:
    """Locks of one byte, as Windows has them: of a descriptor, and in its way for others."""

    LK_NBLCK = 2

    def __init__(self, fcntl):
        self._fcntl = fcntl

    def locking(self, descriptor, mode, n_bytes):
        assert (mode, n_bytes) == (self.LK_NBLCK, 1)
        assert os.lseek(descriptor, 0, os.SEEK_CUR) > os.fstat(descriptor).st_size
        try:
            self._fcntl.flock(descriptor, self._fcntl.LOCK_EX | self._fcntl.LOCK_NB)
        except OSError as error:
            raise PermissionError(13, "Permission denied") from error


@pytest.fixture
def windows(monkeypatch):
    """Locks as on Windows."""
    monkeypatch.setattr(system, "msvcrt", Windows(pytest.importorskip("fcntl")))
    monkeypatch.setattr(system, "fcntl", None)


def test_locks_of_windows(tmp_path, windows):
    with lock_directory(tmp_path, pytest.fail):
        (tmp_path / "x").touch()
        found = (tmp_path / LOCK).read_bytes()
        assert found.startswith(b"process %d on " % os.getpid())
        with pytest.raises(SennaError, match="in use by process"), lock_directory(tmp_path, print):
            pass
    assert os.listdir(tmp_path) == ["x"]


def test_open_files_that_a_process_may_have(monkeypatch):
    limits = [100, 200]
    calls = types.SimpleNamespace(
        RLIMIT_NOFILE=7,
        getrlimit=lambda what: tuple(limits),
        setrlimit=lambda what, given: limits.__setitem__(slice(None), given),
    )
    monkeypatch.setattr(system, "resource", calls)
    system.room_for_files(100)
    assert limits == [100, 200]
    system.room_for_files(150)
    assert limits == [150, 200]
    with pytest.raises(OSError, match="only 200 open files"):
        system.room_for_files(201)
    monkeypatch.setattr(system, "resource", None)
    system.room_for_files(1 << 20)
