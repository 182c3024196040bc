"""Learning-rate schedules, and gradient clipping."""

import math
from typing import Any


def linear_fall(progress: float, final: float) -> float:
    """Return the factor of a learning rate that falls linearly from 1 to `final`.

    Args:
        progress: The progress of the run, from 0 to 1.
        final: The factor at the end of the run.
    """
    return 1 - (1 - final) * progress


def inverse_rate(rate: float, decrease: float, t: Any) -> Any:
    """Return the learning rate for example t, which falls hyperbolically.

    The rate is rate / (1 + decrease * t) (Bengio et al. 2003).

    Args:
        rate: The initial learning rate.
        decrease: The rate of decay per example.
        t: The number of examples so far, or an array of such numbers.
    """
    return rate / (1 + decrease * t)


def clipped_rate(rate: float, norm: float, longest: float) -> float:
    """Return the learning rate, scaled as if the gradient were clipped to a norm.

    Args:
        rate: The learning rate.
        norm: The L2 norm of the gradient.
        longest: The L2 norm to which longer gradients are clipped.

    Raises:
        FloatingPointError: If the norm is not finite.
    """
    if not math.isfinite(norm):
        raise FloatingPointError(f"a gradient of length {norm}")
    return rate * (longest / norm) if norm > longest else rate


class Halving:
    """A learning rate that is halved when the dev cost improves too little.

    The improvement is measured against the previous epoch, not against the best epoch
    (Kim et al. 2016, section 4.1).

    Attributes:
        rate: The learning rate.
        least_gain: The improvement below which the rate is halved.
    """

    def __init__(self, rate: float, least_gain: float) -> None:
        """Start with `rate`; the first epoch counts as an improvement."""
        self.rate, self.least_gain, self._last = rate, least_gain, math.inf

    def end_epoch(self, cost: float | None) -> None:
        """Set the rate for the next epoch from the dev cost.

        Without dev data, the cost is None and the rate stays the same.
        """
        if cost is None:
            return
        if self._last - cost < self.least_gain:
            self.rate /= 2
        self._last = cost

    def state(self) -> dict[str, float | None]:
        """Return the state for a checkpoint, as JSON values."""
        return {
            "rate": self.rate,
            "last": None if self._last == math.inf else self._last,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Restore a state that the method `state` returned."""
        self.rate, last = state["rate"], state["last"]
        self._last = math.inf if last is None else last
