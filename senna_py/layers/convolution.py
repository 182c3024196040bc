"""A linear layer on windows of consecutive rows: the convolution over time."""

import numpy as np

from senna_py.kernels.nn.lookup import add_windows
from senna_py.layers.blocks import apply_convolution
from senna_py.layers.window import WindowLayer

__all__ = ["WindowConvolution", "window_rows"]


def window_rows(x, first, window):
    """Windows of consecutive rows of x, a copy: float32[n, window * dim]; first: int32[n]."""
    return x[first[:, None] + np.arange(window, dtype=np.int32)].reshape(len(first), -1)


class WindowConvolution:
    """out[t] = bias + (rows first[t] to first[t] + window - 1 of x, as one) @ weight (equation 6).

    names: of weight and bias in files; weight: float32[window * dim, n_out]; bias: float32[n_out],
    or None for 0; tables: lookup tables whose rows, side by side, are those of x: then sums are in
    the order in which tagging makes them, see `layers.window`.
    """

    def __init__(self, names, weight, bias=None, tables=None):
        """Hold the arrays themselves, not copies: training changes them in place."""
        self.names, self.weight, self.bias, self._tables = names, weight, bias, tables

    def parameters(self):
        """Arrays by their names in files."""
        found = zip(self.names, (self.weight, self.bias), strict=True)
        return {name: array for name, array in found if array is not None}

    def fan_in(self):
        """Inputs of a unit, by the parameters' names."""
        return dict.fromkeys(self.parameters(), len(self.weight))

    def forward(self, x, first):
        """Outputs float32[n, n_out] of windows of x: float32[n_rows, dim], and the trace.

        first: int32[n], the row where each window begins.
        """
        if self._tables is None:
            out = apply_convolution(x, first, self.weight, self.bias)
        else:
            bias = np.zeros(self.weight.shape[1], np.float32) if self.bias is None else self.bias
            out = WindowLayer(self._tables, self.weight, bias).on_rows(x, first)
        return out, (x, first)

    def backward(self, d_out, trace, gradients):
        """d(cost)/d(x): float32[n_rows, dim]; gives `gradients` those of weight and bias."""
        x, first = trace
        d_x = np.zeros_like(x)
        windows = window_rows(x, first, len(self.weight) // x.shape[1])
        gradients.add(self.names[0], windows.T @ d_out)
        if self.bias is not None:
            gradients.add(self.names[1], d_out.sum(axis=0))
        add_windows(d_out @ self.weight.T, first, d_x)
        return d_x
