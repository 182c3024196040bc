"""The picture of a run, and what is said where it cannot be drawn."""

import json
import sys

import pytest

from senna_py.errors import SennaError, UsageError
from senna_py.lm.ranking.card import read_log
from senna_py.lm.ranking.plots import plot_log


def write_log(path):
    rows = [
        {"examples": n, "words": 10 * (1 + n // 3), "active": 0.5 / n, "inside_margin": 0.4 / n,
         "wrong_order": 0.1 / n}
        for n in (2, 1, 3, 4)
    ]  # fmt: skip
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
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


def test_log_is_read_in_order(tmp_path):
    assert [row["examples"] for row in read_log(write_log(tmp_path / "log"))] == [1, 2, 3, 4]


@pytest.mark.parametrize(("text", "message"), [("", "is empty"), ("{", "not a log")])
def test_damaged_log(text, message, tmp_path):
    (tmp_path / "log").write_text(text)
    with pytest.raises(SennaError, match=message):
        read_log(tmp_path / "log")
