"""Learning rates of steps: how they fall over a run, and how one is cut for a long
gradient.
"""

import math
from typing import Any


def linear_fall(progress: float, final: float) -> float:
    """Factor of a rate that falls linearly from 1 to `final`; progress: from 0 to 1."""
    return 1 - (1 - final) * progress


def inverse_rate(rate: float, decrease: float, t: Any) -> Any:
    """Rate of example t, rate / (1 + decrease t) (Bengio et al. 2003, section 3.1)."""
    return rate / (1 + decrease * t)


def clipped_rate(rate: float, norm: float, longest: float) -> float:
    """Rate at which a step along a gradient of length `norm` is as if it were `longest`
    at most.

    Raises FloatingPointError if the length is not finite.
    """
    if not math.isfinite(norm):
        raise FloatingPointError(f"a gradient of length {norm}")
    return rate * (longest / norm) if norm > longest else rate


class Halving:
    """A rate that is halved after an epoch that gains too little (Kim et al. 2016,
    section 4.1).

    The gain is by how much the cost fell since the epoch before, not since the best
    one.
    """

    def __init__(self, rate: float, least_gain: float) -> None:
        """rate: the first one; least_gain: the least fall in cost that keeps it."""
        self.rate, self.least_gain, self._last = rate, least_gain, math.inf

    def end_epoch(self, cost: float | None) -> None:
        """Set the rate for the next epoch; cost: on the dev data, None without any."""
        if cost is None:
            return
        if self._last - cost < self.least_gain:
            self.rate /= 2
        self._last = cost

    def state(self) -> dict[str, float | None]:
        """Return what a checkpoint has to keep."""
        return {
            "rate": self.rate,
            "last": None if self._last == math.inf else self._last,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from what `state` gave."""
        self.rate, last = state["rate"], state["last"]
        self._last = math.inf if last is None else last
