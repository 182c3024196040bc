"""Windows of words that are some words apart and never reach beyond their sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.kernels.runtime.jit import kernel, reordering_kernel

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Floats, Ints


@kernel
def dilated_windows(
    x: Floats, starts: Ints, size: int, dilation: int, out: Floats
) -> None:
    """Put the rows t - h d, ..., t - d, t, t + d, ..., t + h d side by side.

    Args:
        x: float32[n, dim].
        starts: int32[n_sentences + 1].
        size: 2 h + 1.
        dilation: d.
        out: float32[n, size * dim], which is written; it is zero where the sentence has
            no such row.
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
    """Backward pass of `dilated_windows`: add d_windows to d_x.

    Args:
        d_windows: float32[n, size * dim].
        starts, size, dilation: See `dilated_windows`.
        d_x: float32[n, dim].
    """
    dim = d_x.shape[1]
    for s in range(len(starts) - 1):
        for t in range(starts[s], starts[s + 1]):
            for j in range(size):
                row, begin = t + (j - size // 2) * dilation, j * dim
                if starts[s] <= row < starts[s + 1]:
                    for d in range(dim):
                        d_x[row, d] += d_windows[t, begin + d]
