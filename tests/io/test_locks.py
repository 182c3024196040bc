"""Directories that belong to one process."""

import errno
import os

import pytest

from senna_py.errors import SennaError
from senna_py.io import system
from senna_py.io.locks import LOCK, lock_directory


def quiet(line):
    raise AssertionError(line)


def test_a_second_one_is_refused_and_writes_nothing(tmp_path):
    place = tmp_path / "runs" / "new"
    with lock_directory(place, quiet):
        before = (place / LOCK).read_bytes()
        with pytest.raises(SennaError) as error, lock_directory(place, quiet):
            pass
        assert str(error.value).startswith(f"{place}: in use by process {os.getpid()} on ")
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
        f"{place}: not locked: the file system has no locks; see that no other process uses it"
    ]


def test_places_where_no_directory_can_be(tmp_path):
    (tmp_path / "file").touch()
    for place in (tmp_path / "file", tmp_path / "file" / "run"):
        with (
            pytest.raises(SennaError, match=f"{place}: not written: "),
            lock_directory(place, quiet),
        ):
            pass
