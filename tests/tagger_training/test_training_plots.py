"""The picture of a run, its log, and what is said where they cannot be used."""

import json
import sys

import pytest

from senna_py.errors import SennaError, UsageError
from senna_py.formats.run_log import append_row, cut_rows
from senna_py.io.pictures import check_plotting
from senna_py.training.log import read_log
from senna_py.training.plots import plot_log


def write_log(path):
    for n in range(1, 5):
        append_row(path, {"epoch": n, "cost": 1 / n, "dev_F1": 90 + n})
    return path


def test_picture(tmp_path):
    pytest.importorskip("matplotlib")
    plot_log(write_log(tmp_path / "log"), tmp_path / "run.png")
    assert (tmp_path / "run.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(SennaError, match="not drawn"):
        plot_log(tmp_path / "log", tmp_path / "none" / "run.png")


def test_without_matplotlib(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(UsageError, match="needs matplotlib"):
        plot_log(write_log(tmp_path / "log"), tmp_path / "run.png")


def test_pictures_that_cannot_be_drawn_are_refused_before_the_work(tmp_path):
    pytest.importorskip("matplotlib")
    check_plotting(tmp_path / "a.PNG")
    with pytest.raises(UsageError, match=r"a\.xyz: no kind of picture"):
        check_plotting(tmp_path / "a.xyz")
    with pytest.raises(UsageError, match="there is no directory"):
        check_plotting(tmp_path / "none" / "a.png")


def test_log_is_cut_to_whole_lines_of_known_epochs(tmp_path):
    path = write_log(tmp_path / "log")
    whole = path.read_text()
    for tail in ("", '{"epoch": 5}', '{"epo', "\n", "[]\n", '{"epoch": "x"}\n'):
        path.write_text(whole + tail)
        cut_rows(path, "epoch", 9)
        assert path.read_text() == whole
    cut_rows(path, "epoch", 2)
    assert [json.loads(line)["epoch"] for line in path.read_text().splitlines()] == [1, 2]
    cut_rows(tmp_path / "none", "epoch", 2)


@pytest.mark.parametrize("text", ["", "{", "3\n", "{}\n"])
def test_damaged_log(text, tmp_path):
    (tmp_path / "log").write_text(text)
    with pytest.raises(SennaError, match="log"):
        read_log(tmp_path / "log")
