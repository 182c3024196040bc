"""The linear layer, and its product with a weight by BLAS."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from senna_py.layers.blocks import PackedLinear, apply_linear
from senna_py.layers.protocol import Array, Layer

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.layers.gradients import Gradients


def blas(x: NDArray, weight: NDArray, bias: NDArray) -> NDArray:
    """Return x @ weight + bias as BLAS computes it.

    The last bits of a row depend on the number of rows. `blocks.apply_linear` is
    slower, but its rows are independent of each other.
    """
    out = x @ weight
    out += bias
    return out


class Linear(Layer):
    """out = bias + x @ weight (Collobert et al. 2011, equation 5).

    Attributes:
        name: The name of the arrays in files.
        weight: float32[n_in, n_out].
        bias: float32[n_out].
    """

    def __init__(
        self,
        name: str,
        weight: NDArray,
        bias: NDArray,
        product: Callable[..., NDArray] = apply_linear,
        packed: Callable[..., Any] = PackedLinear,
    ) -> None:
        """Hold the arrays.

        Args:
            name: The name of the arrays in files.
            weight: See the class.
            bias: See the class.
            product: Computes the output in training: `apply_linear`, for float32, whose
                rows are independent of each other, or `blas`, for floats of any
                precision.
            packed: The class that computes the outputs at inference.
        """
        self.name, self.weight, self.bias = name, weight, bias
        self._product, self._packed = product, packed

    @staticmethod
    def declare(
        name: str,
        n_in: str,
        n_out: str,
        group: str = "",
        rounded: bool = False,
    ) -> list[Array]:
        """Declare the arrays of a layer of these sizes."""
        return [
            Array(f"{name}_weight", (n_in, n_out), "weights", group, rounded=rounded),
            Array(f"{name}_bias", (n_out,), "zeros", group, n_in),
        ]

    @cached_property
    def packed(self) -> Any:
        """Computes the outputs at inference; the arrays must not change."""
        return self._packed(self.weight, self.bias)

    def outputs(self, x: NDArray) -> NDArray:
        """Return the outputs at inference, whose rows are independent of each other."""
        return self.packed(x)

    def parameters(self) -> dict[str, NDArray]:
        return {f"{self.name}_weight": self.weight, f"{self.name}_bias": self.bias}

    def forward(self, x: NDArray) -> tuple[NDArray, NDArray]:
        """Return the outputs, float32[n, n_out], and the trace, which is x.

        Args:
            x: float32[n, n_in].
        """
        return self._product(x, self.weight, self.bias), x

    def backward(self, d_out: NDArray, x: NDArray, gradients: Gradients) -> NDArray:
        gradients.add(f"{self.name}_weight", x.T @ d_out)
        gradients.add(f"{self.name}_bias", d_out.sum(axis=0))
        return d_out @ self.weight.T
