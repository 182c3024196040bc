"""Logs of runs, and pictures of them; what is said where they cannot be drawn."""

import json
import os
import sys

import pytest

from senna_py.cli.run_options import RunOptions
from senna_py.errors import SennaError, UsageError
from senna_py.training.log import append_row, cut_log, log_size, read_log
from senna_py.training.plots import check_plotting, plot_log

LOGS = {
    "taggers": [{"epoch": n, "cost": 1 / n, "dev_F1": 90 + n} for n in range(1, 5)],
    "language models": [
        {
            "epoch": n / 2,
            "train": None if n == 3 else 9.0,
            "valid": None if n % 2 else 8.0,
        }
        for n in range(1, 5)
    ],
    "ranking": [
        {
            "examples": n,
            "words": 10 * (1 + n // 3),
            "active": 0.5 / n,
            "inside_margin": 0.4 / n,
            "wrong_order": 0.1 / n,
        }
        for n in (2, 1, 3, 4)
    ],
    "skip-gram": [
        {"words": n, "loss": 2 / n, "noise_loss": 1 / n, "validation_loss": 4 / n}
        for n in (1, 2)
    ],
}
LABELS = {
    "taggers": "dev F1",
    "language models": "perplexity",
    "ranking": "inside the margin",
    "skip-gram": "loss of a predicted word",
}


def write_log(path, kind="taggers"):
    path.write_text("".join(json.dumps(row) + "\n" for row in LOGS[kind]))
    return path


@pytest.mark.extra
@pytest.mark.parametrize("kind", LOGS)
def test_picture(kind, tmp_path):
    pytest.importorskip("matplotlib")
    for suffix in ("png", "svg"):
        plot_log(write_log(tmp_path / "log", kind), tmp_path / f"run.{suffix}")
    assert (tmp_path / "run.png").read_bytes().startswith(b"\x89PNG")
    assert LABELS[kind] in (tmp_path / "run.svg").read_text()


@pytest.mark.extra
def test_scores_of_all_tasks_are_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    row = {
        "epoch": 1,
        "cost": 1.0,
        "dev_mean": 85,
        "dev_pos_accuracy": 90,
        "dev_ner_F1": 80,
    }
    (tmp_path / "log").write_text(json.dumps(row) + "\n")
    plot_log(tmp_path / "log", tmp_path / "run.svg")
    drawn = (tmp_path / "run.svg").read_text()
    assert all(f"dev {name}" in drawn for name in ("mean", "pos accuracy", "ner F1"))


@pytest.mark.extra
@pytest.mark.parametrize("row", ["{}", '{"epoch": 1}', '{"examples": 3}'])
def test_log_of_something_else(row, tmp_path):
    pytest.importorskip("matplotlib")
    (tmp_path / "log").write_text(f"{row}\n")
    with pytest.raises(SennaError, match="log: not a log of training"):
        plot_log(tmp_path / "log", tmp_path / "run.png")


def test_without_matplotlib(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(UsageError, match="needs matplotlib"):
        plot_log(write_log(tmp_path / "log"), tmp_path / "run.png")


@pytest.mark.extra
def test_pictures_that_cannot_be_drawn_are_refused_before_the_work(tmp_path):
    pytest.importorskip("matplotlib")
    check_plotting(tmp_path / "a.PNG")
    with pytest.raises(UsageError, match=r"a\.xyz: unknown picture format"):
        check_plotting(tmp_path / "a.xyz")
    with pytest.raises(UsageError, match="there is no directory"):
        check_plotting(tmp_path / "none" / "a.png")


@pytest.mark.parametrize("name", ["log.jsonl", "model"])
def test_no_input_is_a_file_of_the_run(tmp_path, name):
    (tmp_path / name).write_text("")
    with (
        RunOptions(False, None, 60, 60, None) as options,
        pytest.raises(UsageError, match=f"{name}: output would overwrite the input"),
    ):
        options.check(tmp_path, "model", [tmp_path])


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

    monkeypatch.setattr(
        "builtins.open", lambda *a, _open=open, **k: Short(_open(*a, **k))
    )
    with pytest.raises(OSError, match=os.strerror(28)):
        append_row(path, {"epoch": 2})
    monkeypatch.undo()
    assert path.read_bytes() == whole


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "log: the log is empty"),
        ("{", "log: not a log of training"),
        ("3\n", "not a log"),
    ],
)
def test_damaged_log(text, message, tmp_path):
    (tmp_path / "log").write_text(text)
    with pytest.raises(SennaError, match=message):
        read_log(tmp_path / "log")
    with pytest.raises(SennaError, match="No such file"):
        read_log(tmp_path / "none")
