"""Dilated convolutions with gated linear units, and residual blocks of them.

Gated linear units: Dauphin et al. (2017); dilated convolutions over text: Strubell et
al. (2017).
"""

from functools import cached_property

import numpy as np

from senna_py.kernels.nn.dilated import add_dilated_windows, dilated_windows
from senna_py.kernels.nn.gated import add_gated_units
from senna_py.layers.blocks import aligned
from senna_py.layers.int8 import Int8Weight
from senna_py.layers.layer_norm import LayerNorm
from senna_py.layers.linear import Linear, blas
from senna_py.layers.protocol import Array, Layer


class GatedConvolution(Layer):
    """y[t] = (A w[t] + a) * sigmoid(B w[t] + b), w[t] = x[t - h d], ..., x[t], ..., x[t
    + h d].

    Rows beyond the sentence are zero. name: of its arrays in files; weight: float32[(2
    h + 1) * dim, 2 * n], A beside B, transposed; bias: float32[2 * n]; dilation: d.
    Fan-in: (2 h + 1) * dim.
    """

    def __init__(self, name, weight, bias, dilation):
        self._linear, self.dilation = Linear(name, weight, bias, blas), dilation

    def parameters(self):
        return self._linear.parameters()

    def forward(self, x, starts):
        """Outputs float32[n, n_out] of sentences x: float32[n, dim], and the trace.

        starts: int32[n_sentences + 1].
        """
        size = len(self._linear.weight) // x.shape[1]
        windows = np.empty((len(x), size * x.shape[1]), x.dtype)
        dilated_windows(x, starts, size, self.dilation, windows)
        both, _ = self._linear.forward(windows)
        n = both.shape[1] // 2
        gate = np.tanh(
            both[:, n:] * np.float32(0.5)
        )  # contiguous: one code for all elements
        gate *= np.float32(0.5)
        gate += np.float32(0.5)
        return both[:, :n] * gate, (windows, size, both[:, :n], gate, starts)

    def backward(self, d_out, trace, gradients):
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
    """z = x + dropout(gated convolution(layer norm(x))).

    In use, what its convolution takes, and its weight, are rounded to 8 bits, see
    layers.int8.

    name: of its arrays in files; gain, shift: float32[dim], of the norm; weight, bias,
    dilation: of the convolution, whose n is dim.
    """

    def __init__(self, name, gain, shift, weight, bias, dilation):
        self._norm = LayerNorm(name, gain, shift)
        self._convolution = GatedConvolution(name, weight, bias, dilation)
        self._arrays = weight, bias, weight.shape[0] // len(gain)

    @staticmethod
    def declare(name, size, dim, gates):
        """Arrays of a layer of these sizes, see layers.protocol; gates: twice dim."""
        return [
            *LayerNorm.declare(name, dim),
            Array(f"{name}_weight", (f"{size}*{dim}", gates), rounded=True),
            Array(f"{name}_bias", (gates,), "zeros", fan_in=f"{size}*{dim}"),
        ]

    def parameters(self):
        return self._norm.parameters() | self._convolution.parameters()

    def forward(self, x, starts, dropout):
        """Outputs float32[n, dim] of sentences x: float32[n, dim], and the trace.

        starts: int32[n_sentences + 1]; dropout: a layers.activations.Dropout.
        """
        normal, norm_trace = self._norm.forward(x)
        out, convolution_trace = self._convolution.forward(normal, starts)
        out, factors = dropout.forward(out)
        out += x
        return out, (norm_trace, convolution_trace, dropout, factors)

    @cached_property
    def _packed(self):
        return Int8Weight(*self._arrays[:2])

    def outputs(self, x, starts, dropout=None):
        """Outputs in use; the weight, laid out for many batches, must not change
        after.
        """
        out, size = aligned(*x.shape), self._arrays[2]
        add_gated_units(
            x,
            self._norm.outputs(x),
            starts,
            self._convolution.dilation,
            size,
            self._packed.arrays,
            out,
        )
        return out

    def backward(self, d_out, trace, gradients):
        norm_trace, convolution_trace, dropout, factors = trace
        d_made = (
            dropout.backward(d_out.copy(), factors) if factors is not None else d_out
        )
        d_normal = self._convolution.backward(d_made, convolution_trace, gradients)
        return d_out + self._norm.backward(d_normal, norm_trace, gradients)
