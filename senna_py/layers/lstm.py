"""An LSTM layer over batches of sequences (Kim et al. 2016, equation 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.nn.lstm import add_and_halve, next_cells, step_backward
from senna_py.layers.linear import Linear, blas
from senna_py.layers.protocol import Layer

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.layers.gradients import Gradients


class LstmLayer(Layer):
    """An LSTM layer: h[t] = o * tanh(c[t]), where c[t] = f * c[t-1] + i * g.

    i, f, o and g are the four parts of W x[t] + U h[t-1] + b, after a sigmoid for i, f
    and o, and tanh for g. `projection` computes W x + b for all steps at once, and
    `forward` computes the recurrence.

    Attributes:
        name: The prefix of the names of the arrays in files.
        weight: float32[n_inputs, 4 * size], the transpose of W. Its columns are for i,
            f, o and g, in this order.
        recurrent: float32[size, 4 * size], the transpose of U.
        bias: float32[4 * size], b.
        projection: The Linear layer with W and b.
    """

    def __init__(
        self, name: str, weight: NDArray, recurrent: NDArray, bias: NDArray
    ) -> None:
        self.name, self.weight = name, weight
        self.recurrent, self.bias = recurrent, bias
        self.projection = Linear(name, weight, bias, blas)

    @property
    def size(self) -> int:
        """The number of units of the layer."""
        return len(self.recurrent)

    def parameters(self) -> dict[str, NDArray]:
        return {
            f"{self.name}_weight": self.weight,
            f"{self.name}_recurrent": self.recurrent,
            f"{self.name}_bias": self.bias,
        }

    def forward(self, gates: NDArray, state: NDArray) -> tuple[NDArray, Any]:
        """Return the outputs h, float32[n_steps, batch, size], and the trace.

        Args:
            gates: float32[n_steps, batch, 4 * size], the output of `projection`, which
                is overwritten.
            state: float32[2, batch, size], h and c before the first step. They are
                replaced in place by h and c after the last step.
        """
        n_steps, batch, _ = gates.shape
        hidden = np.empty((n_steps + 1, batch, self.size), gates.dtype)
        cells, tanh_cells = np.empty_like(hidden), np.empty_like(hidden[1:])
        hidden[0], cells[0] = state
        product = np.empty_like(gates[0])
        output_gates = gates[:, :, 2 * self.size : 3 * self.size]
        for t in range(n_steps):
            np.matmul(hidden[t], self.recurrent, out=product)
            add_and_halve(gates[t], product)
            np.tanh(gates[t], out=gates[t])
            next_cells(gates[t], cells[t], cells[t + 1])
            np.tanh(cells[t + 1], out=tanh_cells[t])
            np.multiply(output_gates[t], tanh_cells[t], out=hidden[t + 1])
        state[0], state[1] = hidden[-1], cells[-1]
        return hidden[1:], (gates, hidden, cells, tanh_cells)

    def backward(self, d_hidden: NDArray, trace: Any, gradients: Gradients) -> NDArray:
        """Return d(cost)/d(W x + b), and collect the gradient of U.

        Backpropagation is truncated: no gradient comes from steps after the last one.

        Args:
            d_hidden: float32[n_steps, batch, size], d(cost)/d(outputs), which is
                overwritten.
            trace: The trace of `forward`, which is overwritten.
            gradients: The object that collects the gradients.

        Returns:
            d(cost)/d(W x + b): float32[n_steps, batch, 4 * size].
        """
        gates, hidden, cells, tanh_cells = trace
        d_cells, d_before = np.zeros_like(cells[0]), np.empty_like(cells[0])
        # Multiplying a few rows by a contiguous array is nearly twice as fast.
        transposed = np.ascontiguousarray(self.recurrent.T)
        for t in reversed(range(len(gates))):
            step_backward(gates[t], cells[t], tanh_cells[t], d_hidden[t], d_cells)
            if t:
                np.matmul(gates[t], transposed, out=d_before)
                d_hidden[t - 1] += d_before
        flat = gates.reshape(-1, gates.shape[2])
        before = hidden[:-1].reshape(-1, self.size)
        gradients.add(f"{self.name}_recurrent", before.T @ flat)
        return gates
