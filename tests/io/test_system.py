"""What is asked of the system, where there is less of it; directories of one
process.
"""

import errno
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
    system.check_memory("m", 1 << 30)
    wanted = r"^m: needs about 2,048\.0 GiB of memory; there are 1\.0 GiB$"
    with pytest.raises(SennaError, match=wanted):
        system.check_memory("m", 2 << 40)


def test_the_name_of_the_machine(monkeypatch):
    assert system.host()
    monkeypatch.delattr(os, "uname", raising=False)
    monkeypatch.setattr(platform, "_uname_cache", None, raising=False)
    assert system.host()


def test_paths_of_windows(monkeypatch):
    assert [*filter(None, system.path_components("C:/a\\b/../c"))] == [
        "C:",
        "a\\b",
        "..",
        "c",
    ]
    monkeypatch.setattr(os, "sep", "\\")
    monkeypatch.setattr(os, "path", ntpath)
    assert [*filter(None, system.path_components("C:\\a\\b/..\\c"))] == [
        "C",
        "a",
        "b",
        "..",
        "c",
    ]


def test_files_are_of_bytes_and_names_that_can_be_foreseen_are_no_links(
    tmp_path, monkeypatch
):
    seen = []
    monkeypatch.setattr(os, "O_BINARY", 1 << 40, raising=False)
    monkeypatch.setattr(os, "open", lambda *given: seen.append(given))
    for foreseen in (False, True):
        system.open_file(tmp_path / "x", os.O_RDWR, predictable=foreseen)
    no_link = os.O_NOFOLLOW | os.O_NONBLOCK
    assert [flags for _, flags, _ in seen] == [
        1 << 40 | os.O_RDWR | more for more in (0, no_link)
    ]


class Windows:
    """Locks of one byte, as Windows has them: of a descriptor, and in its way for
    others.
    """

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
        with (
            pytest.raises(SennaError, match="in use by process"),
            lock_directory(tmp_path, print),
        ):
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
    system.require_open_files(100)
    assert limits == [100, 200]
    system.require_open_files(150)
    assert limits == [150, 200]
    with pytest.raises(OSError, match="only 200 open files"):
        system.require_open_files(201)
    monkeypatch.setattr(system, "resource", None)
    system.require_open_files(1 << 20)


def quiet(line):
    raise AssertionError(line)


def test_a_second_one_is_refused_and_writes_nothing(tmp_path):
    place = tmp_path / "runs" / "new"
    with lock_directory(place, quiet):
        before = (place / LOCK).read_bytes()
        with pytest.raises(SennaError) as error, lock_directory(place, quiet):
            pass
        assert str(error.value).startswith(
            f"{place}: in use by process {os.getpid()} on "
        )
        assert error.value.exit_code == 1
        assert [path.read_bytes() for path in place.iterdir()] == [before]
        (place / "model").touch()
    assert [path.name for path in place.iterdir()] == ["model"]
    with lock_directory(place, quiet):
        pass


def test_what_was_made_for_the_lock_alone_is_removed(tmp_path):
    with pytest.raises(KeyError), lock_directory(tmp_path / "a" / "b", quiet):
        raise KeyError
    assert not [*tmp_path.iterdir()]


def test_a_process_that_is_killed_leaves_no_lock(tmp_path):
    child = os.fork()
    if not child:
        context = lock_directory(tmp_path, quiet)
        context.__enter__()
        os._exit(0)
    os.waitpid(child, 0)
    assert (tmp_path / LOCK).read_bytes().startswith(b"process %d on " % child)
    with lock_directory(tmp_path, quiet):
        pass


def test_a_child_does_not_keep_the_lock_of_a_parent_that_was_killed(tmp_path):
    """As the processes that tokenize would."""
    here, leave = os.pipe(), os.pipe()
    parent = os.fork()
    if not parent:
        os.close(leave[1])
        context = lock_directory(tmp_path, quiet)
        context.__enter__()
        if not os.fork():
            os.write(here[1], b"x")
            os.read(leave[0], 1)  # until the test ends
        os._exit(0)
    os.waitpid(parent, 0)
    os.read(here[0], 1)  # the child of that is there
    with lock_directory(tmp_path, quiet):
        pass
    for descriptor in (*here, *leave):
        os.close(descriptor)


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP, errno.EINVAL, None])
def test_a_file_system_or_a_system_without_locks(tmp_path, monkeypatch, number):
    def flock(descriptor, how):
        raise OSError(number, os.strerror(number))

    if number is None:
        monkeypatch.setattr(system, "fcntl", None)
        monkeypatch.setattr(system, "msvcrt", None)
    else:
        monkeypatch.setattr(system.fcntl, "flock", flock)
    place, lines = tmp_path / "run", []
    with lock_directory(place, lines.append), lock_directory(place, lines.append):
        pass
    assert lines == 2 * [
        f"{place}: not locked: the file system has no locks; make sure that no other "
        "process uses it"
    ]


def test_places_where_no_directory_can_be(tmp_path):
    (tmp_path / "file").touch()
    for place in (tmp_path / "file", tmp_path / "file" / "run"):
        with (
            pytest.raises(SennaError, match=f"{place}: not written: "),
            lock_directory(place, quiet),
        ):
            pass
