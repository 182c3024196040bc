"""The linear layer."""

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
    """Return x @ weight + bias, computed by BLAS: float[n, n_out].

    The last bits of a row may depend on the number of rows. `blocks.apply_linear` is
    slower, but its rows are independent of each other.

    Args:
        x: float[n, n_in].
        weight: float[n_in, n_out].
        bias: float[n_out].
    """
    out = x @ weight
    out += bias
    return out


class Linear(Layer):
    """A linear layer: out = bias + x @ weight (Collobert et al. 2011, equation 5).

    Attributes:
        name: The prefix of the names of the arrays in files.
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
        """Store the arrays.

        Args:
            name: The prefix of the names of the arrays in files.
            weight: See the class.
            bias: See the class.
            product: The function that computes the outputs in training: `apply_linear`,
                which takes float32 only and whose rows are independent of each other,
                or `blas`, which takes floats of any precision.
            packed: The class that computes the outputs at inference: PackedLinear or
                Int8Weight.
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
        """Declare the arrays of a layer.

        Args:
            name: The prefix of the names of the arrays.
            n_in: The name of the number of inputs.
            n_out: The name of the number of outputs.
            group: The group of the arrays; see `Array`.
            rounded: Whether the weight is rounded to 8 bits; see `Array`.
        """
        return [
            Array(f"{name}_weight", (n_in, n_out), "weights", group, rounded=rounded),
            Array(f"{name}_bias", (n_out,), "zeros", group, n_in),
        ]

    @cached_property
    def packed(self) -> Any:
        """The packed layer for inference, created on first use.

        The arrays must not change afterwards.
        """
        return self._packed(self.weight, self.bias)

    def outputs(self, x: NDArray) -> NDArray:
        """Return the outputs at inference, float32[n, n_out], for x: float32[n, n_in].

        The rows of the outputs are independent of each other.
        """
        return self.packed(x)

    def parameters(self) -> dict[str, NDArray]:
        return {f"{self.name}_weight": self.weight, f"{self.name}_bias": self.bias}

    def forward(self, x: NDArray) -> tuple[NDArray, NDArray]:
        """Return the outputs, float32[n, n_out], and the trace, which is x.

        x is float32[n, n_in].
        """
        return self._product(x, self.weight, self.bias), x

    def backward(self, d_out: NDArray, x: NDArray, gradients: Gradients) -> NDArray:
        gradients.add(f"{self.name}_weight", x.T @ d_out)
        gradients.add(f"{self.name}_bias", d_out.sum(axis=0))
        return d_out @ self.weight.T
