"""An LSTM layer over a batch of sequences (Kim et al. 2016, equation 2)."""

import numpy as np

from senna_py.kernels.nn.lstm import add_and_halve, next_cells, step_backward
from senna_py.layers.linear import Linear, blas
from senna_py.layers.protocol import Layer


class LstmLayer(Layer):
    """h[t] = o * tanh(c[t]), c[t] = f * c[t-1] + i * g, from inputs x[t] and state
    h[t-1], c[t-1].

    i, f, o = sigmoid and g = tanh of their parts of W x[t] + U h[t-1] + b. The layer
    `projection` makes W x + b for all steps at once; `forward` and `backward` are the
    recurrence.

    name: of its arrays in files; weight: float32[n_inputs, 4 * size], W of the gates i,
    f, o and g side by side, transposed; recurrent: float32[size, 4 * size], U; bias:
    float32[4 * size].
    """

    def __init__(self, name, weight, recurrent, bias):
        self.name, self.weight, self.recurrent, self.bias = (
            name,
            weight,
            recurrent,
            bias,
        )
        self.projection = Linear(name, weight, bias, blas)

    @property
    def size(self):
        """Units of the layer."""
        return len(self.recurrent)

    def parameters(self):
        return {
            f"{self.name}_weight": self.weight,
            f"{self.name}_recurrent": self.recurrent,
            f"{self.name}_bias": self.bias,
        }

    def forward(self, gates, state):
        """The outputs h of all steps: float32[n_steps, batch, size], and the trace.

        gates: float32[n_steps, batch, 4 * size], from `projection`, is changed; state:
        float32[2, batch, size], h and c before the first step, becomes those after the
        last.
        """
        n_steps, batch, _ = gates.shape
        hidden = np.empty((n_steps + 1, batch, self.size), gates.dtype)
        cells, tanh_cells = np.empty_like(hidden), np.empty_like(hidden[1:])
        hidden[0], cells[0] = state
        product, outputs = (
            np.empty_like(gates[0]),
            gates[:, :, 2 * self.size : 3 * self.size],
        )
        for t in range(n_steps):
            np.matmul(hidden[t], self.recurrent, out=product)
            add_and_halve(gates[t], product)
            np.tanh(gates[t], out=gates[t])
            next_cells(gates[t], cells[t], cells[t + 1])
            np.tanh(cells[t + 1], out=tanh_cells[t])
            np.multiply(outputs[t], tanh_cells[t], out=hidden[t + 1])
        state[0], state[1] = hidden[-1], cells[-1]
        return hidden[1:], (gates, hidden, cells, tanh_cells)

    def backward(self, d_hidden, kept, gradients):
        """d(cost)/d(W x + b): float32[n_steps, batch, 4 * size]; gives `gradients` that
        of U.

        d_hidden: d(cost)/d(outputs), which is overwritten. Steps after the last one
        count for nothing (truncated backpropagation).
        """
        gates, hidden, cells, tanh_cells = kept
        d_cells, through = np.zeros_like(cells[0]), np.empty_like(cells[0])
        back = np.ascontiguousarray(
            self.recurrent.T
        )  # few rows times it: nearly twice as fast
        for t in reversed(range(len(gates))):
            step_backward(gates[t], cells[t], tanh_cells[t], d_hidden[t], d_cells)
            if t:
                np.matmul(gates[t], back, out=through)
                d_hidden[t - 1] += through
        flat = gates.reshape(-1, gates.shape[2])
        before = hidden[:-1].reshape(-1, self.size)
        gradients.add(f"{self.name}_recurrent", before.T @ flat)
        return gates
