"""What a bar counts."""

import io
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from senna_py.io import progress
from senna_py.io.progress import FileProgress, Progress
from tests.helpers.tagging import tag_paths


@pytest.fixture
def shown(monkeypatch):
    """A list of what is shown to be done."""
    found = []
    monkeypatch.setattr(Progress, "show", lambda self, done, status: found.append(done))
    return found


def test_a_bar_counts_bytes_of_files(shown, write):
    paths = [write(b"ab\n" * 1000, "a"), write(b"", "empty"), write(b"ab\n", "b")]
    with FileProgress(map(str, paths), True) as report:
        for done in (600, 1200), (), (1,):
            for position in done:
                report.update(position, 200)
            report.finish()
    assert shown == [600, 1200, 3000, 3000, 3001, 3003]


def test_parts_of_a_long_line_are_done_one_after_the_other(shown, write, tmp_path):
    path = write(b"Ann sleeps. " * 30_000, "a")
    tag_paths([path], output=tmp_path / "out", progress=True, split_sentences=True)
    assert len(shown) > 5 and shown == sorted(shown)
    assert shown[0] < 50_000 and shown[-1] == path.stat().st_size


@pytest.mark.parametrize(
    ("times", "lines"),
    [([0, 1, 6, 6, 7, 8], "2 of 3\n3 of 3\n"), ([0, 6, 6], "1 of 1\n")],
)
def test_a_line_now_and_then_and_the_last_one_once(times, lines, monkeypatch, capsys):
    clock, total = iter(times), int(lines[-2])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    with Progress(total) as report:
        for done in range(1, total + 1):
            report.show(done, f"{done} of {total}")
    assert capsys.readouterr().err == lines


def test_a_bar_on_a_terminal(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr(progress.sys, "stderr", Terminal())
    with Progress(4) as report:
        report.show(1, "one")
        report.show(4, "four")
        text = progress.sys.stderr.getvalue()
    assert "25%" in text and "one" in text and "100%" in text and "four" in text


def test_training_goes_on_when_its_terminal_is_closed(monkeypatch):
    """So that it ends with a checkpoint."""
    stream = SimpleNamespace(
        isatty=lambda: True, write=Mock(side_effect=OSError), flush=Mock()
    )
    monkeypatch.setattr(progress.sys, "stderr", stream)
    with progress.EpochProgress() as report:
        for done in (1, 2, 1):
            report(done, 2)
    assert stream.write.call_count > 2


def test_a_share_with_a_text(monkeypatch, capsys):
    """A bar on a terminal, otherwise a line every minute."""
    clock = iter((0, 30, 61, 61, 62))
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    with progress.ShareProgress() as report:
        report(0.1, "one")
        report(0.25, "two")
        report(0.3, "three")
    assert capsys.readouterr().err == " 25%  two\n"
    stream = io.StringIO()
    stream.isatty = lambda: True
    monkeypatch.undo()
    monkeypatch.setattr(progress.sys, "stderr", stream)
    with progress.ShareProgress() as report:
        report(0.1, "one")
        report.pause()
        stream.write("line\n")
        report(0.25, "two")
    text = stream.getvalue()
    bars = [line.split("\x1b[K") for line in text.split("\n")]
    assert bars[0][-1] == "line" and bars[1][-1] == ""
    assert "10%  one" in bars[0][1] and "25%  two" in bars[1][1]
