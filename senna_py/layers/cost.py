"""The base class of costs, where the backward pass through a network begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.layers.gradients import Gradients


class Cost:
    """A cost of scores, the last layer of a network in training.

    A cost may have parameters of its own.
    """

    def parameters(self) -> dict[str, NDArray]:
        """Return the trained arrays, keyed by their names in files.

        Training changes them in place.
        """
        return {}

    def forward(self, scores: NDArray, *targets: Any) -> tuple[Any, Any]:
        """Return the cost of the scores and the trace that `backward` needs."""
        raise NotImplementedError

    def backward(self, trace: Any, gradients: Gradients) -> NDArray:
        """Return d(cost)/d(scores), and collect the gradients of the parameters.

        Args:
            trace: The trace of `forward`.
            gradients: The object that collects the gradients.
        """
        raise NotImplementedError
