"""The fallback for `kernels.nn.gated.add_gated_units`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.nn import gated
from senna_py.kernels.nn.plain.dilated import dilated_windows
from senna_py.kernels.nn.plain.int8 import multiply_rows
from senna_py.kernels.nn.plain.multiply_add import multiply_add

if TYPE_CHECKING:
    from typing import Any

    from senna_py.kernels.arrays import Floats, Ints


def _exp(x: Floats) -> Floats:
    x = np.fmin(np.fmax(x, gated.LEAST), gated.LARGEST)
    power = np.floor(multiply_add(x, gated.LOG2_E, np.float32(0.5)))
    x = multiply_add(power, -gated.LN2_REST, multiply_add(power, -gated.LN2, x))
    y = np.full_like(x, gated.POLYNOMIAL[0])
    for coefficient in gated.POLYNOMIAL[1:]:
        y = multiply_add(y, x, coefficient)
    y = multiply_add(y, x * x, x) + np.float32(1)
    return y * ((power.astype(np.int32) + 127) << 23).view(np.float32)


def add_gated_units(
    x: Floats,
    normal: Floats,
    starts: Ints,
    dilation: int,
    size: int,
    weight: tuple[Any, ...],
    out: Floats,
) -> None:
    n, dim = x.shape
    windows = np.empty((n, size * dim), np.float32)
    dilated_windows(normal, starts, size, dilation, windows)
    both = multiply_rows(windows, weight)
    np.divide(both[:, :dim], _exp(-both[:, dim:]) + np.float32(1), out=out)
    out += x
