"""What a bar counts."""

import gzip
import io

import pytest

from senna_py.io import progress
from senna_py.io.progress import FileProgress, Progress
from senna_py.io.streaming import Source, read_batches


@pytest.fixture
def shown(monkeypatch):
    """A list of what is shown to be done."""
    found = []
    monkeypatch.setattr(Progress, "show", lambda self, done, status: found.append(done))
    return found


@pytest.mark.parametrize("is_compressed", [False, True])
def test_a_bar_counts_what_is_done_and_not_what_is_read(write, shown, is_compressed):
    data, name = b"ab\n" * 1000, "a.gz" if is_compressed else "a"
    stored = gzip.compress(data) if is_compressed else data
    paths = [write(stored, name), write(b"", "empty"), write(stored, f"b{name}")]
    with FileProgress(map(str, paths), True) as report:
        for path in paths:
            with Source(path) as source:
                batches = report.reading(source, read_batches(source), len)
                assert sum(batch is not None for batch in batches) <= 1  # all is read at once
                for n_bytes in (600, 600) if path != paths[1] else ():
                    report.update(n_bytes, 200)
                report.finish()
    n = len(stored)
    first = [n // 5, 2 * n // 5, n]
    assert shown == [*first, n, *(n + each for each in first)]


def test_a_line_now_and_then(monkeypatch, capsys):
    clock = iter([0, 1, 6, 6, 7, 8])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    with Progress(3) as report:
        for done in (1, 2, 3):
            report.show(done, f"{done} of 3")
    assert capsys.readouterr().err == "2 of 3\n3 of 3\n"


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
