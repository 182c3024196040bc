"""Elementwise operations of an LSTM layer, between the matrix products of a step.

The source is Kim et al. (2016). The arrays `gates` and `recurrent` are float32[batch, 4
* size], with the gates i, f, o and g side by side. All other arrays are float32[batch,
size].
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.kernels.runtime.jit import reordering_kernel

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Floats


@reordering_kernel
def add_and_halve(gates: Floats, recurrent: Floats) -> None:
    """Add the recurrent part to the gates, and halve the columns of i, f and o.

    The halving is for the sigmoid: sigmoid(x) = (tanh(x / 2) + 1) / 2.
    """
    half = gates.dtype.type(0.5)
    n_sigmoid = 3 * (gates.shape[1] // 4)
    for b in range(gates.shape[0]):
        row, add = gates[b], recurrent[b]
        for j in range(n_sigmoid):
            row[j] = half * (row[j] + add[j])
        for j in range(n_sigmoid, len(row)):
            row[j] += add[j]


@reordering_kernel
def next_cells(gates: Floats, before: Floats, cells: Floats) -> None:
    """Compute the cells of a step, c = f c_before + i g, and the gates i, f and o.

    At the start, the columns of i, f and o contain tanh(x / 2), which is replaced by
    sigmoid(x), and the columns of g contain tanh(x). See Kim et al. (2016), equation 2.
    """
    half, size = gates.dtype.type(0.5), cells.shape[1]
    for b in range(len(cells)):
        sigmoid = gates[b, : 3 * size]
        for j in range(len(sigmoid)):
            sigmoid[j] = half * sigmoid[j] + half
        i, f, g = gates[b, :size], gates[b, size : 2 * size], gates[b, 3 * size :]
        for j in range(size):
            cells[b, j] = f[j] * before[b, j] + i[j] * g[j]


@reordering_kernel
def step_backward(
    gates: Floats, before: Floats, tanh_cells: Floats, d_hidden: Floats, d_cells: Floats
) -> None:
    """Replace the gates of a step by the gradients of their pre-activations.

    Args:
        gates: The gates, which are overwritten.
        before: c of the previous step.
        tanh_cells: tanh(c).
        d_hidden: d(cost)/d(h).
        d_cells: d(cost)/d(c) from the next step, which is replaced by d(cost)/d(c) of
            the previous step.
    """
    one, size = gates.dtype.type(1), d_cells.shape[1]
    for b in range(len(d_cells)):
        i, f = gates[b, :size], gates[b, size : 2 * size]
        o, g = gates[b, 2 * size : 3 * size], gates[b, 3 * size :]
        for j in range(size):
            t = tanh_cells[b, j]
            d_o = d_hidden[b, j] * t
            d_c = d_cells[b, j] + d_hidden[b, j] * o[j] * (one - t * t)
            d_i, d_f, d_g = d_c * g[j], d_c * before[b, j], d_c * i[j]
            d_cells[b, j] = d_c * f[j]
            i[j] = d_i * i[j] * (one - i[j])
            f[j] = d_f * f[j] * (one - f[j])
            o[j] = d_o * o[j] * (one - o[j])
            g[j] = d_g * (one - g[j] * g[j])
