"""Learning rates: how they fall over a run, and how a long gradient is clipped."""

import math
from typing import Any


def linear_fall(progress: float, final: float) -> float:
    """Return the factor of a rate that falls linearly from 1 to `final`.

    The progress of the run is between 0 and 1.
    """
    return 1 - (1 - final) * progress


def inverse_rate(rate: float, decrease: float, t: Any) -> Any:
    """Return the rate of example t, rate / (1 + decrease t) (Bengio et al. 2003)."""
    return rate / (1 + decrease * t)


def clipped_rate(rate: float, norm: float, longest: float) -> float:
    """Return the rate for a gradient of length `norm`, as if it were at most `longest`.

    Raises:
        FloatingPointError: If the length is not finite.
    """
    if not math.isfinite(norm):
        raise FloatingPointError(f"a gradient of length {norm}")
    return rate * (longest / norm) if norm > longest else rate


class Halving:
    """A rate that is halved after an epoch with too little gain (Kim et al. 2016, 4.1).

    The gain is how much the cost fell since the previous epoch, not since the best
    epoch.
    """

    def __init__(self, rate: float, least_gain: float) -> None:
        """Start with `rate`, and keep it as long as the cost falls by `least_gain`."""
        self.rate, self.least_gain, self._last = rate, least_gain, math.inf

    def end_epoch(self, cost: float | None) -> None:
        """Set the rate for the next epoch by the cost on dev data, if there are any."""
        if cost is None:
            return
        if self._last - cost < self.least_gain:
            self.rate /= 2
        self._last = cost

    def state(self) -> dict[str, float | None]:
        """Return the state for a checkpoint."""
        return {
            "rate": self.rate,
            "last": None if self._last == math.inf else self._last,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from the result of `state`."""
        self.rate, last = state["rate"], state["last"]
        self._last = math.inf if last is None else last
