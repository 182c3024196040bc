"""The progress of a run of several steps, and an estimate of its remaining time."""

import time
from collections.abc import Callable, Mapping

from senna_py.kernels.runtime.compile_events import compile_seconds

# Estimates are trusted as much as measurements of this many seconds.
_TRUSTED = 30.0
_LEAST_SHARE = 0.02  # Below this share of a step, its own speed is not measured.


class StepProgress:
    """Measures the steps of a run, and estimates the remaining time.

    The estimated times are scaled by the ratio of measured to estimated times so far.
    Compilation time is not counted.
    """

    def __init__(
        self, seconds: Mapping[str, float], show: Callable[[float, str], object]
    ) -> None:
        """Store the estimated times.

        Args:
            seconds: The estimated time of each step in seconds, by the name of the
                step.
            show: A callback that is called with the completed share of the run, from 0
                to 1, and a line of text.
        """
        self._left, self._show = dict(seconds), show
        self._total = sum(self._left.values())
        self._expected = self._actual = 0.0  # The times of the finished steps.
        self._name, self._begin = "", self._now()
        # The first share of the step above 0 that was shown, and when it was shown.
        self._first = 0.0, self._begin

    def _now(self) -> float:
        return time.monotonic() - compile_seconds()

    def skip(self, name: str) -> None:
        """Skip a step that an earlier process has finished."""
        del self._left[name]

    def begin(self, name: str) -> None:
        """Begin a step."""
        self._name, self._begin = name, self._now()
        self._first = 0.0, self._begin
        self.show(0.0)

    def show(self, share: float, detail: str = "") -> None:
        """Show the progress of the current step.

        Args:
            share: The completed share of the step, from 0 to 1.
            detail: Text to show after the name of the step.
        """
        if not self._first[0]:
            self._first = share, self._now()
        seconds = self._seconds_left(share)
        estimate = self._left[self._name]
        rest = sum(self._left.values()) - share * estimate
        text = f"{self._name}, {detail}" if detail else self._name
        done = 1 - rest / max(self._total, 1e-9)
        self._show(done, f"{time_left(seconds)} left: {text}")

    def _seconds_left(self, share: float) -> float:
        """Estimate the remaining time of the run in seconds.

        Args:
            share: The completed share of the current step, from 0 to 1.
        """
        estimate, now = self._left[self._name], self._now()
        first_share, first_time = self._first
        done = share - first_share
        expected = self._expected + done * estimate
        actual = self._actual + now - self._begin
        factor = (actual + _TRUSTED) / (expected + _TRUSTED)
        step = (1 - share) * estimate * factor
        if done > _LEAST_SHARE:
            step = (1 - share) * (now - first_time) / done
        return step + (sum(self._left.values()) - estimate) * factor

    def finish(self) -> None:
        """Finish the current step."""
        self._expected += (1 - self._first[0]) * self._left.pop(self._name)
        self._actual += self._now() - self._begin


def time_left(seconds: float) -> str:
    """Return a time as text, rounded coarsely because it is an estimate."""
    minutes = round(seconds / 60)
    if seconds < 55:
        return f"{max(round(seconds / 5) * 5, 5)} s"
    if minutes < 90:
        return f"{max(minutes, 1)} min"
    return f"{seconds / 3600:.1f} h"
