import os

import pytest

from senna_py.errors import SennaError
from senna_py.training.log import append_row, cut_log, log_size, read_log


def test_rows_come_back_and_are_cut(tmp_path):
    path = tmp_path / "log"
    assert log_size(path) == 0
    append_row(path, {"epoch": 1})
    size = log_size(path)
    append_row(path, {"epoch": 2})
    assert read_log(path) == [{"epoch": 1}, {"epoch": 2}]
    cut_log(path, size)
    assert read_log(path) == [{"epoch": 1}]
    cut_log(path, size + 100)
    cut_log(tmp_path / "none", 5)
    assert read_log(path) == [{"epoch": 1}] and not (tmp_path / "none").exists()


def test_half_a_line_is_taken_back(tmp_path, monkeypatch):
    path = tmp_path / "log"
    append_row(path, {"epoch": 1})
    whole = path.read_bytes()

    class Short:
        """A file on a disk that is full after five bytes."""

        def __init__(self, file):
            self._file = file

        def __enter__(self):
            return self

        def __exit__(self, *_):
            self._file.close()

        def __getattr__(self, name):
            return getattr(self._file, name)

        def write(self, data):
            return self._file.write(data[:5])

    monkeypatch.setattr("builtins.open", lambda *a, _open=open, **k: Short(_open(*a, **k)))
    with pytest.raises(OSError, match=os.strerror(28)):
        append_row(path, {"epoch": 2})
    monkeypatch.undo()
    assert path.read_bytes() == whole


@pytest.mark.parametrize(
    ("text", "message"),
    [("", "log: the log is empty"), ("{", "log: not a log of training"), ("3\n", "not a log")],
)
def test_damaged_log(text, message, tmp_path):
    (tmp_path / "log").write_text(text)
    with pytest.raises(SennaError, match=message):
        read_log(tmp_path / "log")
    with pytest.raises(SennaError, match="No such file"):
        read_log(tmp_path / "none")
