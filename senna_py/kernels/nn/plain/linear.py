"""Fallbacks for `kernels.nn.linear`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.nn.plain.multiply_add import add_products

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Floats, Longs


def linear(x: Floats, weight: Floats, bias: Floats, out: Floats) -> None:
    out[:] = bias
    add_products(x, weight, out)


def panels_of(weight: Floats) -> Floats:
    """Return an empty array, because the fallbacks use no panels."""
    return np.empty(0, np.float32)


def linear_of_rows(
    x: Floats, rows: Longs, weight: Floats, panels: Floats, bias: Floats, out: Floats
) -> None:
    linear(x[rows], weight, bias, out)


def hardtanh(x: Floats) -> None:
    np.clip(x, np.float32(-1), np.float32(1), out=x)
