"""Forward passes, which run a network's layers at inference or in training.

A network applies its layers with `forward_pass(layer, x, ...)`, so the same code serves
both cases. At inference, the pass calls `outputs` of a layer, whose rows are
independent of each other. In training, it calls `forward` and records the trace for
backpropagation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from senna_py.layers.activations import Dropout

if TYPE_CHECKING:
    from senna_py.layers.gradients import Gradients
    from senna_py.layers.protocol import Layer

# The Dropout of looked-up vectors, and the Dropout of the units of layers.
Dropouts = tuple[Dropout, Dropout]
NO_DROPOUTS = Dropout(None), Dropout(None)


class ForwardPass(Protocol):
    """A forward pass through layers.

    Attributes:
        trains: Whether this is a TrainingPass.
        dropouts: The Dropouts in training, or a pair of None at inference.
    """

    trains: bool
    dropouts: Any

    def __call__(self, layer: Layer, x: Any, *inputs: Any) -> Any:
        """Return the outputs of a layer for x and further inputs."""

    def drop(self, x: Any) -> Any:
        """Return x; in training, some units are set to zero by dropout first."""


class InferencePass:
    """A forward pass at inference, which records no traces."""

    trains = False
    dropouts: Any = (None, None)

    def __call__(self, layer: Layer, x: Any, *inputs: Any) -> Any:
        return layer.outputs(x, *inputs)

    def drop(self, x: Any) -> Any:
        """Return x unchanged, because units are only dropped in training."""
        return x


class TrainingPass:
    """A forward pass in training, which records traces for backpropagation."""

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
        """Apply the dropout of units to x in place, and return x."""
        return self(self.dropouts[1], x)

    def backward(self, d_out: Any, gradients: Gradients) -> Any:
        """Backpropagate through all layers, and collect the gradients of parameters.

        Args:
            d_out: d(cost)/d(output of the last layer).
            gradients: The object that collects the gradients.

        Returns:
            d(cost)/d(input of the first layer), or None if the input of the first layer
            is the indices of rows of lookup tables.
        """
        for layer, trace in reversed(self._steps):
            d_out = layer.backward(d_out, trace, gradients)
        return d_out
