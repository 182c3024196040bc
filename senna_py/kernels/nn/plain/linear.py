"""Twins of `nn.linear`: BLAS adds in another order, so the last bits of a sum may differ."""

import numpy as np

__all__ = ["convolve", "hardtanh", "linear", "linear_of_rows", "panels_of"]


def linear(x, weight, bias, out):
    """See `kernels.nn.linear.linear`."""
    np.matmul(x, weight, out=out)
    out += bias


def panels_of(weight):
    """See `kernels.nn.linear.panels_of`: BLAS makes its own."""
    return np.empty(0, np.float32)


def linear_of_rows(x, rows, weight, panels, bias, out):
    """See `kernels.nn.linear.linear_of_rows`."""
    linear(x[rows], weight, bias, out)


def convolve(x, first, weight, bias, out):
    """See `kernels.nn.linear.convolve`."""
    window = len(weight) // x.shape[1]
    rows = first[:, None] + np.arange(window)
    linear(x[rows].reshape(len(first), len(weight)), weight, bias, out)


def hardtanh(x):
    """See `kernels.nn.linear.hardtanh`."""
    np.clip(x, np.float32(-1), np.float32(1), out=x)
