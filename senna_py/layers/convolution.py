"""A linear layer on windows of consecutive rows: the convolution over time."""

from functools import cached_property

import numpy as np

from senna_py.kernels.nn.lookup import add_windows
from senna_py.layers.blocks import apply_linear
from senna_py.layers.lookup import Lookup
from senna_py.layers.protocol import Layer
from senna_py.layers.window import WindowLayer


class WindowConvolution(Layer):
    """out[t] = bias + (rows first[t] to first[t] + window - 1 of x, as one) @ weight
    (equation 6).

    names: of weight and bias in files; weight: float32[window * dim, n_out]; bias:
    float32[n_out], or None for 0; tables: lookup tables whose rows, side by side, are
    those of x: then sums are in the order in which tagging makes them, see
    `layers.window`.
    """

    def __init__(self, names, weight, bias=None, tables=None):
        self.names, self.weight, self.bias, self._tables = names, weight, bias, tables

    def parameters(self):
        found = zip(self.names, (self.weight, self.bias), strict=True)
        return {name: array for name, array in found if array is not None}

    def forward(self, x, first):
        """Outputs float32[n, n_out] of windows of x: float32[n_rows, dim], and the
        trace.

        first: int32[n], the row where each window begins.
        """
        bias = (
            np.zeros(self.weight.shape[1], np.float32)
            if self.bias is None
            else self.bias
        )
        if self._tables is None:
            out = apply_linear(self._windows(x, first), self.weight, bias)
        else:
            out = WindowLayer(self._tables, self.weight, bias).on_rows(x, first)
        return out, (x, first)

    def _windows(self, x, first):
        in_window = np.arange(len(self.weight) // x.shape[1], dtype=np.int32)
        return x[first[:, None] + in_window].reshape(len(first), len(self.weight))

    def backward(self, d_out, trace, gradients):
        x, first = trace
        d_x = np.zeros_like(x)
        gradients.add(self.names[0], self._windows(x, first).T @ d_out)
        if self.bias is not None:
            gradients.add(self.names[1], d_out.sum(axis=0))
        add_windows(d_out @ self.weight.T, first, d_x)
        return d_x


class Windows(Layer):
    """The first layer of networks: rows of lookup tables, and a linear layer on windows
    of them.

    names: of weight and bias in files; weight: float32[window * dims, n_out]; bias:
    float32[n_out];
    tables: the lookup tables, dims the sum of theirs; cache: in use, a ProductCache of
    these tables and this weight, or None. Fan-in: window * dims, and 1 of tables.
    """

    def __init__(self, names, weight, bias, tables, cache=None):
        self._lookup = Lookup.numbered(tables)
        self._linear = WindowConvolution(names, weight, bias, tables)
        self._of_use = tables, weight, bias, cache

    def parameters(self):
        return self._lookup.parameters() | self._linear.parameters()

    @cached_property
    def in_use(self):
        """The WindowLayer that makes the outputs in use."""
        return WindowLayer(*self._of_use)

    def outputs(self, index, first, dropout=None):
        return self.in_use(index, first)

    def forward(self, index, first, dropout):
        """Outputs float32[n, n_out] for the windows that begin at rows `first`, and the
        trace.

        index: int32[n_rows, n_tables]; first: int32[n]; dropout: of the looked-up rows.
        """
        x, factors = dropout.forward(self._lookup.forward(index)[0])
        out, trace = self._linear.forward(x, first)
        return out, (index, dropout, factors, trace)

    def backward(self, d_out, trace, gradients):
        """Give `gradients` those of the parameters."""
        index, dropout, factors, trace = trace
        d_x = dropout.backward(self._linear.backward(d_out, trace, gradients), factors)
        self._lookup.backward(d_x, index, gradients)
