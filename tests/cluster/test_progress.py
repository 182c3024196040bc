"""Progress of all parts on standard error."""

import pytest

pytest.importorskip("fsspec")

from senna_py.cluster.progress import PartProgress

pytestmark = pytest.mark.extra


def test_parts_tokens_and_failures_are_counted(capsys):
    with PartProgress(5, 1, wanted=True) as progress:
        progress.finished(1000)
        progress.finished(234)
        progress.failed(2)
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1].startswith("3 of 5 parts, 2 failed, 1,234 tokens, ")
    assert lines[-1].endswith(" tokens/s")


def test_without_a_terminal_nothing_is_shown_unless_wanted(capsys):
    notes = []
    with PartProgress(2, 0, note=notes.append) as progress:
        progress.finished(1)
        progress.note("a.txt: no such file")
    assert capsys.readouterr().err == ""
    assert notes == ["a.txt: no such file"]
