"""Twin of `kernels.gated.add_gated_units`: BLAS adds in another order."""

import numpy as np

from senna_py.kernels.cold_start.plain.dilated import dilated_windows

__all__ = ["add_gated_units"]


def add_gated_units(x, normal, starts, dilation, weight, panels, bias, both, out):
    """See `kernels.gated.add_gated_units`."""
    n, dim = x.shape
    windows = np.empty((n, len(weight)), np.float32)
    dilated_windows(normal, starts, len(weight) // dim, dilation, windows)
    sums = windows @ weight
    sums += bias
    gate = np.tanh(sums[:, dim:] * np.float32(0.5))
    gate *= np.float32(0.5)
    gate += np.float32(0.5)
    np.multiply(sums[:, :dim], gate, out=out)
    out += x
