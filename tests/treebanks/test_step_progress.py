"""The time left of a run of several steps."""

import pytest

from senna_py.treebanks import progress
from senna_py.treebanks.progress import StepProgress, time_left


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still, as a list of the time."""
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(progress, "compile_seconds", lambda: 0.0)
    return now


@pytest.fixture
def shown():
    return []


def test_estimates_are_corrected_by_what_was_measured(clock, shown):
    steps = StepProgress({"one": 100, "two": 300}, lambda *each: shown.append(each))
    steps.begin("one")
    assert shown[-1] == (0.0, "7 min left: one")
    steps.show(1e-6)
    clock[0] = 100.0  # Twice as slow as estimated.
    steps.show(0.5, "half")
    assert shown[-1] == (0.125, "10 min left: one, half")
    clock[0] = 200.0
    steps.finish()
    steps.begin("two")
    assert shown[-1] == (0.25, "9 min left: two")
    steps.show(1e-6)
    clock[0] = 500.0
    steps.show(0.5)
    assert shown[-1] == (0.625, "5 min left: two")
    clock[0] = 800.0
    steps.show(1.0)
    assert shown[-1] == (1.0, "5 s left: two")


def test_steps_of_an_earlier_process(clock, shown):
    steps = StepProgress({"one": 100, "two": 300}, lambda *each: shown.append(each))
    steps.skip("one")
    steps.begin("two")
    assert shown[-1] == (0.25, "5 min left: two")
    steps.show(0.5)  # A checkpoint had it.
    assert shown[-1][0] == 0.625
    clock[0] = 60.0
    steps.show(0.75)
    assert shown[-1] == (0.8125, "1 min left: two")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "5 s"), (33, "35 s"), (56, "1 min"), (89 * 60, "89 min"), (9000, "2.5 h")],
)
def test_times(seconds, text):
    assert time_left(seconds) == text
