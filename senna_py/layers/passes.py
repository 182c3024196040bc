"""Passes of a network through its layers.

A network applies its layers through a pass, `run(layer, x, ...)`, and is written once
for use and training. In use a layer gives its `outputs`, by kernels whose rows do not
depend on their company; in training its `forward`, which leaves a trace, and the pass
goes back through all of them.
"""

from typing import Any

from senna_py.layers.activations import Dropout


class InferencePass:
    """A pass of a network in use: it leaves no trace, and may go on in blocks."""

    trains = False
    dropouts = None, None

    def __call__(self, layer, x: Any, *given: Any) -> Any:
        return layer.outputs(x, *given)

    def drop(self, x: Any) -> Any:
        """Return x: units are dropped in training only."""
        return x


class TrainingPass:
    """A training pass; dropouts: two Dropouts, for looked-up vectors and for what comes
    after.
    """

    trains = True

    def __init__(self, dropouts: tuple[Dropout, Dropout]) -> None:
        self.dropouts = dropouts
        self._steps: list[tuple[Any, Any]] = []

    def __call__(self, layer, x: Any, *given: Any) -> Any:
        """Return the outputs of a layer, whose trace is kept."""
        out, trace = layer.forward(x, *given)
        self._steps.append((layer, trace))
        return out

    def drop(self, x: Any) -> Any:
        """Drop units of x in place, by the second of the dropouts."""
        return self(self.dropouts[1], x)

    def backward(self, d_out: Any, gradients: Any) -> Any:
        """Go back through all layers; gives `gradients` those of their parameters.

        Returns the gradient of what the first layer was given, None for rows of tables.
        """
        for layer, trace in reversed(self._steps):
            d_out = layer.backward(d_out, trace, gradients)
        return d_out
