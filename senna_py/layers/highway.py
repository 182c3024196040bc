"""The layers above a convolution over characters (Kim et al. 2016, section 2.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.layers.linear import Linear, blas
from senna_py.layers.protocol import Layer

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.layers.gradients import Gradients


class _RectifiedLinear(Layer):
    """The base class of layers that rectify all or half of a linear layer's output."""

    def __init__(self, name: str, weight: NDArray, bias: NDArray) -> None:
        """Store the arrays.

        Args:
            name: The prefix of the names of the arrays in files.
            weight: float32[dim, n]; see the subclass.
            bias: float32[n].
        """
        self._linear = Linear(name, weight, bias, blas)

    def parameters(self) -> dict[str, NDArray]:
        return self._linear.parameters()


class Highway(_RectifiedLinear):
    """A highway layer (Kim et al. 2016, equation 8).

    z = t relu(W_H y + b_H) + (1 - t) y, with t = sigmoid(W_T y + b_T). The weight is
    float32[dim, 2 * dim], the transposes of W_H and W_T, side by side. The bias is
    float32[2 * dim], b_H and b_T.
    """

    def forward(self, y: NDArray) -> tuple[NDArray, Any]:
        """Return z for y, both float32[n, dim], and the trace."""
        both, _ = self._linear.forward(y)
        dim = y.shape[1]
        new = np.maximum(both[:, :dim], 0)
        gate = np.tanh(both[:, dim:] / 2) / 2 + both.dtype.type(0.5)
        return y + gate * (new - y), (y, new, gate)

    def backward(self, d_z: NDArray, trace: Any, gradients: Gradients) -> NDArray:
        y, new, gate = trace
        d_new = d_z * gate
        d_both = np.concatenate(
            [d_new * (new > 0), d_z * (new - y) * gate * (1 - gate)], 1
        )
        return d_z - d_new + self._linear.backward(d_both, y, gradients)


class Plain(_RectifiedLinear):
    """A rectified linear layer (Kim et al. 2016, equation 7 and Table 7).

    z = relu(W y + b). The weight is float32[dim, dim], the transpose of W. The bias is
    float32[dim].
    """

    def forward(self, y: NDArray) -> tuple[NDArray, Any]:
        """Return z for y, both float32[n, dim], and the trace."""
        z = np.maximum(self._linear.forward(y)[0], 0)
        return z, (y, z)

    def backward(self, d_z: NDArray, trace: Any, gradients: Gradients) -> NDArray:
        y, z = trace
        return self._linear.backward(d_z * (z > 0), y, gradients)
