"""Fallbacks of `kernels.nn.linear`."""

import numpy as np

from senna_py.kernels.nn.plain.multiply_add import add_products


def affine(flat, offset, weight, out, target):
    rows = out[target]
    add_products(flat[offset[:, None] + np.arange(len(weight))], weight, rows)
    out[target] = rows


def linear(x, weight, bias, out):
    out[:] = bias
    add_products(x, weight, out)


def panels_of(weight):
    """No panels."""
    return np.empty(0, np.float32)


def linear_of_rows(x, rows, weight, panels, bias, out):
    linear(x[rows], weight, bias, out)


def hardtanh(x):
    np.clip(x, np.float32(-1), np.float32(1), out=x)
