"""Linear layers on windows of consecutive rows, that is, convolutions over time."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.nn.lookup import add_windows
from senna_py.layers.blocks import apply_linear
from senna_py.layers.lookup import Lookup
from senna_py.layers.protocol import Layer
from senna_py.layers.window import WindowLayer

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.layers.activations import Dropout
    from senna_py.layers.gradients import Gradients
    from senna_py.layers.window import ProductCache

    Ints = NDArray[np.int32]


class WindowConvolution(Layer):
    """A linear layer on windows of x (Collobert et al. 2011, equation 6).

    out[t] = bias + (x[first[t]], ..., x[first[t] + window - 1]) @ weight, where the
    rows of a window are concatenated.

    Attributes:
        names: The names of weight and bias in files. The second one is None if there is
            no bias.
        weight: float32[window * dim, n_out].
        bias: float32[n_out], or None if there is no bias.
    """

    def __init__(
        self,
        names: tuple[str, str | None],
        weight: NDArray,
        bias: NDArray | None = None,
        tables: Sequence[Any] | None = None,
    ) -> None:
        """Store the arrays.

        Args:
            names: See the class.
            weight: See the class.
            bias: See the class.
            tables: The lookup tables whose concatenated rows are the rows of x, or
                None. With tables, products are summed in the same order as at
                inference; see `layers.window`.
        """
        self.names, self.weight, self.bias, self._tables = names, weight, bias, tables

    def parameters(self) -> dict[str, NDArray]:
        arrays = zip(self.names, (self.weight, self.bias), strict=True)
        return {
            name: array
            for name, array in arrays
            if name is not None and array is not None
        }

    def forward(self, x: NDArray, first: Ints) -> tuple[NDArray, Any]:
        """Return the outputs for windows of x, float32[n, n_out], and the trace.

        Args:
            x: float32[n_rows, dim].
            first: int32[n], the row of x where each window begins.
        """
        bias = self.bias
        if bias is None:
            bias = np.zeros(self.weight.shape[1], np.float32)
        if self._tables is None:
            out = apply_linear(self._windows(x, first), self.weight, bias)
        else:
            out = WindowLayer(self._tables, self.weight, bias).on_rows(x, first)
        return out, (x, first)

    def _windows(self, x: NDArray, first: Ints) -> NDArray:
        """Return the concatenated rows of each window: float32[n, window * dim]."""
        in_window = np.arange(len(self.weight) // x.shape[1], dtype=np.int32)
        return x[first[:, None] + in_window].reshape(len(first), len(self.weight))

    def backward(self, d_out: NDArray, trace: Any, gradients: Gradients) -> NDArray:
        x, first = trace
        d_x = np.zeros_like(x)
        gradients.add(self.names[0], self._windows(x, first).T @ d_out)
        if self.bias is not None and self.names[1] is not None:
            gradients.add(self.names[1], d_out.sum(axis=0))
        add_windows(d_out @ self.weight.T, first, d_x)
        return d_x


class Windows(Layer):
    """The first layer of a network: a linear layer on windows of lookup-table rows.

    The fan-in of weight and bias is window * dims, and the fan-in of the tables is 1.
    """

    def __init__(
        self,
        names: tuple[str, str],
        weight: NDArray,
        bias: NDArray,
        tables: Sequence[Any],
        cache: ProductCache | None = None,
    ) -> None:
        """Store the arrays.

        Args:
            names: The names of weight and bias in files.
            weight: float32[window * dims, n_out].
            bias: float32[n_out].
            tables: The lookup tables: float32[n_keys, dim]. dims is the sum of their
                dims.
            cache: A ProductCache for these tables and this weight, which is used at
                inference, or None.
        """
        self._lookup = Lookup.numbered(tables)
        self._linear = WindowConvolution(names, weight, bias, tables)
        self._inference_arguments = tables, weight, bias, cache

    def parameters(self) -> dict[str, NDArray]:
        return self._lookup.parameters() | self._linear.parameters()

    @cached_property
    def in_use(self) -> WindowLayer:
        """The WindowLayer for inference, created on first use."""
        return WindowLayer(*self._inference_arguments)

    def outputs(
        self, index: Ints, first: Ints, dropout: Dropout | None = None
    ) -> NDArray:
        return self.in_use(index, first)

    def forward(
        self, index: Ints, first: Ints, dropout: Dropout
    ) -> tuple[NDArray, Any]:
        """Return the outputs for windows, float32[n, n_out], and the trace.

        Args:
            index: int32[n_rows, n_tables], the indices of the rows in each table.
            first: int32[n], the row of `index` where each window begins.
            dropout: The Dropout of the looked-up rows.
        """
        x, factors = dropout.forward(self._lookup.forward(index)[0])
        out, trace = self._linear.forward(x, first)
        return out, (index, dropout, factors, trace)

    def backward(self, d_out: NDArray, trace: Any, gradients: Gradients) -> None:
        """Collect the gradients of the parameters."""
        index, dropout, factors, trace = trace
        d_x = dropout.backward(self._linear.backward(d_out, trace, gradients), factors)
        self._lookup.backward(d_x, index, gradients)
