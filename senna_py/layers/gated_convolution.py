"""Dilated convolutions with gated linear units, and residual blocks around them.

Gated linear units are from Dauphin et al. (2017), and dilated convolutions over text
are from Strubell et al. (2017).
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.nn.dilated import add_dilated_windows, dilated_windows
from senna_py.kernels.nn.gated import add_gated_units
from senna_py.layers.blocks import aligned
from senna_py.layers.int8 import Int8Weight
from senna_py.layers.layer_norm import LayerNorm
from senna_py.layers.linear import Linear, blas
from senna_py.layers.protocol import Array, Layer

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.layers.activations import Dropout
    from senna_py.layers.gradients import Gradients

    Ints = NDArray[np.int32]


class GatedConvolution(Layer):
    """A dilated convolution with gated linear units: (A w + a) * sigmoid(B w + b).

    For row t, w concatenates the 2 h + 1 rows x[t - h d], ..., x[t], ..., x[t + h d],
    where d is the dilation. Rows outside the sentence are zero. The fan-in is
    (2 h + 1) * dim.
    """

    def __init__(
        self, name: str, weight: NDArray, bias: NDArray, dilation: int
    ) -> None:
        """Store the arrays.

        Args:
            name: The prefix of the names of the arrays in files.
            weight: float32[(2 h + 1) * dim, 2 * n_out], the transposes of A and B, side
                by side.
            bias: float32[2 * n_out], a and b.
            dilation: The distance d between the rows of a window.
        """
        self._linear, self.dilation = Linear(name, weight, bias, blas), dilation

    def parameters(self) -> dict[str, NDArray]:
        return self._linear.parameters()

    def forward(self, x: NDArray, starts: Ints) -> tuple[NDArray, Any]:
        """Return the outputs, float32[n, n_out], and the trace.

        Args:
            x: float32[n, dim], the rows of all sentences.
            starts: int32[n_sentences + 1], where each sentence begins.
        """
        size = len(self._linear.weight) // x.shape[1]
        windows = np.empty((len(x), size * x.shape[1]), x.dtype)
        dilated_windows(x, starts, size, self.dilation, windows)
        both, _ = self._linear.forward(windows)
        n = both.shape[1] // 2
        # The product is contiguous, so NumPy computes all elements with the same code.
        gate = np.tanh(both[:, n:] * np.float32(0.5))
        gate *= np.float32(0.5)
        gate += np.float32(0.5)
        return both[:, :n] * gate, (windows, size, both[:, :n], gate, starts)

    def backward(self, d_out: NDArray, trace: Any, gradients: Gradients) -> NDArray:
        windows, size, straight, gate, starts = trace
        n = gate.shape[1]
        d_both = np.empty((len(gate), 2 * n), gate.dtype)
        np.multiply(d_out, gate, out=d_both[:, :n])
        np.multiply(d_both[:, :n], straight, out=d_both[:, n:])
        d_both[:, n:] *= 1 - gate
        d_windows = self._linear.backward(d_both, windows, gradients)
        d_x = np.zeros((len(windows), windows.shape[1] // size), windows.dtype)
        add_dilated_windows(d_windows, starts, size, self.dilation, d_x)
        return d_x


class GatedBlock(Layer):
    """A residual block: z = x + dropout(gated convolution(layer norm(x))).

    At inference, the input and the weight of the convolution are rounded to 8 bits; see
    `layers.int8`.
    """

    def __init__(
        self,
        name: str,
        gain: NDArray,
        shift: NDArray,
        weight: NDArray,
        bias: NDArray,
        dilation: int,
    ) -> None:
        """Store the arrays.

        Args:
            name: The prefix of the names of the arrays in files.
            gain: float32[dim], the gain of the layer norm.
            shift: float32[dim], the shift of the layer norm.
            weight: float32[(2 h + 1) * dim, 2 * dim], the weight of the convolution.
            bias: float32[2 * dim], the bias of the convolution.
            dilation: The dilation of the convolution.
        """
        self._norm = LayerNorm(name, gain, shift)
        self._convolution = GatedConvolution(name, weight, bias, dilation)
        self._arrays = weight, bias, weight.shape[0] // len(gain)

    @staticmethod
    def declare(name: str, size: str, dim: str, gates: str) -> list[Array]:
        """Declare the arrays of a block.

        Args:
            name: The prefix of the names of the arrays.
            size: The name of the number of rows in a window.
            dim: The name of the size of a row.
            gates: The name of the number of outputs before gating, which is 2 * dim.
        """
        return [
            *LayerNorm.declare(name, dim),
            Array(f"{name}_weight", (f"{size}*{dim}", gates), rounded=True),
            Array(f"{name}_bias", (gates,), "zeros", fan_in=f"{size}*{dim}"),
        ]

    def parameters(self) -> dict[str, NDArray]:
        return self._norm.parameters() | self._convolution.parameters()

    def forward(
        self, x: NDArray, starts: Ints, dropout: Dropout
    ) -> tuple[NDArray, Any]:
        """Return the outputs, float32[n, dim], and the trace.

        Args:
            x: float32[n, dim], the rows of all sentences.
            starts: int32[n_sentences + 1], where each sentence begins.
            dropout: The Dropout of the outputs of the convolution.
        """
        normal, norm_trace = self._norm.forward(x)
        out, convolution_trace = self._convolution.forward(normal, starts)
        out, factors = dropout.forward(out)
        out += x
        return out, (norm_trace, convolution_trace, dropout, factors)

    @cached_property
    def _packed(self) -> tuple[NDArray, NDArray, Int8Weight]:
        # Kernels are compiled again for arrays that cannot be written.
        gain, shift = (
            np.require(each, None, "W") for each in (self._norm.gain, self._norm.shift)
        )
        return gain, shift, Int8Weight(*self._arrays)

    def outputs(
        self, x: NDArray, starts: Ints, dropout: Dropout | None = None
    ) -> NDArray:
        """Return the outputs at inference: float32[n, dim]; see `forward`.

        `dropout` is ignored. The weight is packed on the first call, so it must not
        change afterwards.
        """
        out, size = aligned(*x.shape), self._arrays[2]
        gain, shift, weight = self._packed
        add_gated_units(
            x,
            gain,
            shift,
            starts,
            self._convolution.dilation,
            size,
            weight.arrays,
            out,
        )
        return out

    def backward(self, d_out: NDArray, trace: Any, gradients: Gradients) -> NDArray:
        norm_trace, convolution_trace, dropout, factors = trace
        d_units = d_out
        if factors is not None:
            d_units = dropout.backward(d_out.copy(), factors)
        d_normal = self._convolution.backward(d_units, convolution_trace, gradients)
        return d_out + self._norm.backward(d_normal, norm_trace, gradients)
