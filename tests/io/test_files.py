"""Files that are replaced, in directories where others may write, too."""

import os
import stat

import pytest

from senna_py.errors import SennaError
from senna_py.io import files
from senna_py.io.files import replace_file
from senna_py.io.locks import LOCK, lock_directory, open_locked
from senna_py.io.output import open_output


@pytest.fixture
def secret(tmp_path):
    """A file elsewhere, which must stay as it is."""
    path = tmp_path / "secret"
    path.write_bytes(b"secret")
    yield path
    assert path.read_bytes() == b"secret"


@pytest.fixture
def place(tmp_path):
    directory = tmp_path / "place"
    directory.mkdir()
    return directory


def test_a_name_that_somebody_foresaw_is_not_taken(place, secret, monkeypatch):
    monkeypatch.setattr(files.os, "urandom", bytes)
    for link in (os.symlink, os.link):
        link(secret, place / "m.00000000.part")
        with pytest.raises(SennaError, match="m: not written: File exists"):
            replace_file(place / "m", lambda file: file.write(b"model"))
        assert os.listdir(place) == ["m.00000000.part"]
        os.unlink(place / "m.00000000.part")


def test_what_is_half_written_has_a_new_name_each_time(place):
    names = set()
    for _ in range(3):
        replace_file(place / "m", lambda file: names.update(os.listdir(place)))
    assert len(names) == 4 and os.listdir(place) == ["m"]


def outputs(place):
    """What opens files of known names in a directory: functions."""

    def output():
        with open_output(place / "out", []) as out:
            out.write(b"tags")

    def locked():
        with lock_directory(place, pytest.fail):
            pass

    return {"out.partial": output, LOCK: locked}


@pytest.mark.parametrize("name", ["out.partial", LOCK])
def test_no_link_is_followed(place, secret, name):
    os.symlink(secret, place / name)
    with pytest.raises(SennaError, match="not written: "):
        outputs(place)[name]()
    assert os.listdir(place) == [name]


def test_a_pipe_is_not_waited_for(place):
    os.mkfifo(place / "out.partial")
    with pytest.raises(SennaError, match="not written: "):
        outputs(place)["out.partial"]()


def test_a_new_file_has_the_rights_that_are_usual(place):
    before = os.umask(0o027)
    try:
        os.close(open_locked(place / "a", os.O_WRONLY)[0])
        replace_file(place / "b", lambda file: file.write(b""))
    finally:
        os.umask(before)
    assert [stat.S_IMODE(os.stat(place / each).st_mode) for each in "ab"] == [0o640] * 2
