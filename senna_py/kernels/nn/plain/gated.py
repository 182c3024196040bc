"""Twin of `kernels.nn.gated.add_gated_units`: BLAS adds in another order."""

import numpy as np

from senna_py.kernels.nn.plain.dilated import dilated_windows

__all__ = ["add_gated_units"]


def add_gated_units(x, words, starts, dilation, size, weight, out):
    """See `kernels.nn.gated.add_gated_units`; words and weight: of twins in `llvm`."""
    n, dim = x.shape
    panels, bias, _, _ = weight
    windows = np.empty((n, size * dim), np.float32)
    dilated_windows(words.view(np.float32), starts, size, dilation, windows)
    sums = windows @ panels.view(np.float32)
    sums += bias
    gate = np.tanh(sums[:, dim:] * np.float32(0.5))
    gate *= np.float32(0.5)
    gate += np.float32(0.5)
    np.multiply(sums[:, :dim], gate, out=out)
    out += x
