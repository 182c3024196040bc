"""Dilated windows of words, which are padded with zeros at the ends of a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.kernels.runtime.jit import kernel, reordering_kernel

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Floats, Ints


@kernel
def dilated_windows(
    x: Floats, starts: Ints, size: int, dilation: int, out: Floats
) -> None:
    """Concatenate the rows t - h d, ..., t - d, t, t + d, ..., t + h d for each t.

    Args:
        x: float32[n, dim].
        starts: int32[n_sentences + 1], where each sentence begins.
        size: The number of rows of a window, 2 h + 1.
        dilation: The distance d between rows of a window.
        out: float32[n, size * dim], which is written. Rows outside the sentence are
            zero.
    """
    dim = x.shape[1]
    for s in range(len(starts) - 1):
        for t in range(starts[s], starts[s + 1]):
            for j in range(size):
                row, begin = t + (j - size // 2) * dilation, j * dim
                if starts[s] <= row < starts[s + 1]:
                    for d in range(dim):
                        out[t, begin + d] = x[row, d]
                else:
                    for d in range(dim):
                        out[t, begin + d] = 0


@reordering_kernel
def add_dilated_windows(
    d_windows: Floats, starts: Ints, size: int, dilation: int, d_x: Floats
) -> None:
    """Backward pass of `dilated_windows`: add the gradients of windows to d_x.

    Args:
        d_windows: float32[n, size * dim], d(cost)/d(out).
        starts, size, dilation: See `dilated_windows`.
        d_x: float32[n, dim], to which the gradient is added.
    """
    dim = d_x.shape[1]
    for s in range(len(starts) - 1):
        for t in range(starts[s], starts[s + 1]):
            for j in range(size):
                row, begin = t + (j - size // 2) * dilation, j * dim
                if starts[s] <= row < starts[s + 1]:
                    for d in range(dim):
                        d_x[row, d] += d_windows[t, begin + d]
