"""What a layer is: parameters by name, a forward pass, and the backward pass that belongs to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from numpy.typing import NDArray


class GradientSink(Protocol):
    """What a backward pass gives the gradients of its parameters to; see `gradients.Gradients`."""

    def add(self, name: str, gradient: NDArray) -> None:
        """Take the gradient of a whole array; a second one of the same array is added."""

    def product(self, name: str, left: NDArray, right: NDArray) -> None:
        """Take the gradient left.T @ right of a matrix, which need not be made at once."""

    def rows(self, name: str, n_rows: int, index: NDArray, gradient: NDArray) -> None:
        """Take gradients of rows of a table of n_rows, in any order and with repetitions."""

    def distinct_rows(self, name: str, rows: NDArray, gradient: NDArray) -> None:
        """Take gradients of rows of a table, or elements of a vector, each of which comes once."""


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

    def backward(self, d_out: NDArray, trace: Any, gradients: GradientSink) -> NDArray:
        """d(cost)/d(x) of d(cost)/d(output); gives `gradients` those of the parameters."""
        raise NotImplementedError
