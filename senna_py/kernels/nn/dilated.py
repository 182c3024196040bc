"""Windows of words that lie some words apart, never beyond their sentence."""

from senna_py.kernels.runtime.jit import kernel, reordering_kernel


@kernel
def dilated_windows(x, starts, size, dilation, out):
    """Put the rows t - h d, ..., t - d, t, t + d, ..., t + h d of a sentence side by
    side.

    x: float32[n, dim]; starts: int32[n_sentences + 1]; size: 2 h + 1; dilation: d; out:
    float32[n, size * dim], zero where the sentence has no such row.
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
def add_dilated_windows(d_windows, starts, size, dilation, d_x):
    """Backward of `dilated_windows`: add d_windows to d_x, of the shapes of its `out`
    and `x`.
    """
    dim = d_x.shape[1]
    for s in range(len(starts) - 1):
        for t in range(starts[s], starts[s + 1]):
            for j in range(size):
                row, begin = t + (j - size // 2) * dilation, j * dim
                if starts[s] <= row < starts[s + 1]:
                    for d in range(dim):
                        d_x[row, d] += d_windows[t, begin + d]
