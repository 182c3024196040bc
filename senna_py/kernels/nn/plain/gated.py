"""Twin of `kernels.nn.gated.add_gated_units`: BLAS adds in another order."""

import numpy as np

from senna_py.kernels.nn.plain.dilated import dilated_windows

__all__ = ["add_gated_units"]


def add_gated_units(x, words, starts, dilation, size, panels, bias, way, both, out):
    """See `kernels.nn.gated.add_gated_units`; words and panels: of twins in `bfloat16`."""
    n, dim = x.shape
    weight, windows = panels.view(np.float32), np.empty((n, size * dim), np.float32)
    dilated_windows(words.view(np.float32), starts, size, dilation, windows)
    sums = windows @ weight
    sums += bias
    gate = np.tanh(sums[:, dim:] * np.float32(0.5))
    gate *= np.float32(0.5)
    gate += np.float32(0.5)
    np.multiply(sums[:, :dim], gate, out=out)
    out += x
