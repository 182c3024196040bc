"""Passes of a network through its layers.

A network applies its layers through a pass, `forward_pass(layer, x, ...)`, so that it
is written once for inference and training. At inference a pass takes a layer's
`outputs`, from kernels whose rows are independent of each other. In training it takes a
layer's `forward`, keeps the trace, and can go back through all layers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from senna_py.layers.activations import Dropout

if TYPE_CHECKING:
    from senna_py.layers.gradients import Gradients
    from senna_py.layers.protocol import Layer

# The dropout of looked-up vectors, and that of the units of layers.
Dropouts = tuple[Dropout, Dropout]
NO_DROPOUTS = Dropout(None), Dropout(None)


class ForwardPass(Protocol):
    """A pass through layers.

    Attributes:
        trains: Whether it can go back.
        dropouts: The Dropouts, in training.
    """

    trains: bool
    dropouts: Any

    def __call__(self, layer: Layer, x: Any, *inputs: Any) -> Any:
        """Return the outputs of a layer."""

    def drop(self, x: Any) -> Any:
        """Return x, in training with some of its units dropped."""


class InferencePass:
    """A pass at inference, which keeps no traces and may be continued in blocks."""

    trains = False
    dropouts: Any = (None, None)

    def __call__(self, layer: Layer, x: Any, *inputs: Any) -> Any:
        return layer.outputs(x, *inputs)

    def drop(self, x: Any) -> Any:
        """Return x, because units are dropped in training only."""
        return x


class TrainingPass:
    """A pass in training, which keeps traces and can go back."""

    trains = True

    def __init__(self, dropouts: Dropouts) -> None:
        """Start a pass with the dropouts of looked-up vectors and of units."""
        self.dropouts: Any = dropouts
        self._steps: list[tuple[Layer, Any]] = []

    def __call__(self, layer: Layer, x: Any, *inputs: Any) -> Any:
        out, trace = layer.forward(x, *inputs)
        self._steps.append((layer, trace))
        return out

    def drop(self, x: Any) -> Any:
        """Drop units of x in place, by the second of the dropouts."""
        return self(self.dropouts[1], x)

    def backward(self, d_out: Any, gradients: Gradients) -> Any:
        """Go back through all layers, and collect the gradients of their parameters.

        Returns:
            The gradient of the input of the first layer, or None for rows of tables.
        """
        for layer, trace in reversed(self._steps):
            d_out = layer.backward(d_out, trace, gradients)
        return d_out
