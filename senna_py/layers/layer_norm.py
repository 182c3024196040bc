"""Layer normalization (Ba et al. 2016)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.nn.layer_norm import normalize, normalize_backward, normalize_rows
from senna_py.layers.protocol import Array, Layer

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.layers.gradients import Gradients


class LayerNorm(Layer):
    """Layer normalization of rows (Ba et al. 2016).

    y = gain * (x - mean of x) / sqrt(variance of x + 1e-5) + shift. The fan-in is 1.

    Attributes:
        name: The prefix of the names of the arrays in files.
        gain: float32[dim].
        shift: float32[dim].
    """

    def __init__(self, name: str, gain: NDArray, shift: NDArray) -> None:
        self.name, self.gain, self.shift = name, gain, shift

    @staticmethod
    def declare(name: str, dim: str) -> list[Array]:
        """Declare the arrays of a layer; `dim` is the name of the size of its input."""
        return [
            Array(f"{name}_gain", (dim,), "ones"),
            Array(f"{name}_shift", (dim,), "zeros"),
        ]

    def parameters(self) -> dict[str, NDArray]:
        return {f"{self.name}_gain": self.gain, f"{self.name}_shift": self.shift}

    def forward(self, x: NDArray) -> tuple[NDArray, Any]:
        """Return the outputs for `x`, both float32[n, dim], and the trace for `backward`."""
        out, normal = np.empty_like(x), np.empty_like(x)
        scale = np.empty(len(x), x.dtype)
        normalize(x, self.gain, self.shift, out, normal, scale)
        return out, (normal, scale)

    def outputs(self, x: NDArray) -> NDArray:
        out = np.empty_like(x)
        normalize_rows(x, self.gain, self.shift, out)
        return out

    def backward(self, d_out: NDArray, trace: Any, gradients: Gradients) -> NDArray:
        d_x = np.zeros_like(d_out)
        d_gain, d_shift = np.zeros_like(self.gain), np.zeros_like(self.shift)
        normalize_backward(d_out, *trace, self.gain, d_x, d_gain, d_shift)
        gradients.add(f"{self.name}_gain", d_gain)
        gradients.add(f"{self.name}_shift", d_shift)
        return d_x
