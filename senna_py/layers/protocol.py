"""What a layer is: parameters by name, a forward pass, and the backward pass that belongs to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.layers.gradients import Gradients


class Layer:
    """A function of arrays, with what training changes of it.

    Layers hold arrays that belong to others (a network, a file), no copies, and are made when they
    are needed. What `forward` gets besides x, and what stands in the trace, differ among them.
    Those of taggers say by `declare` how their parameters begin and how many inputs their units
    have, see `layers.declarations`, in the order in which they are drawn.
    """

    def parameters(self) -> dict[str, NDArray]:
        """Arrays by their names in files, none by default; training changes them in place."""
        return {}

    def forward(self, x: NDArray, *given: Any) -> tuple[NDArray, Any]:
        """The output, and the trace that `backward` needs."""
        raise NotImplementedError

    def outputs(self, x: NDArray, *given: Any) -> Any:
        """The output alone, in use; it may be written over x."""
        return self.forward(x, *given)[0]

    def backward(self, d_out: NDArray, trace: Any, gradients: Gradients) -> NDArray:
        """d(cost)/d(x) of d(cost)/d(output); gives `gradients` those of the parameters."""
        raise NotImplementedError
