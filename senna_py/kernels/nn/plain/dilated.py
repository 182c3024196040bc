"""The fallback for `kernels.nn.dilated.dilated_windows`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Floats, Ints


def dilated_windows(
    x: Floats, starts: Ints, size: int, dilation: int, out: Floats
) -> None:
    lengths = np.diff(starts)
    rows = np.arange(len(x))[:, None] + (np.arange(size) - size // 2) * dilation
    inside = rows >= np.repeat(starts[:-1], lengths)[:, None]
    inside &= rows < np.repeat(starts[1:], lengths)[:, None]
    found = x[np.where(inside, rows, 0)]
    found[~inside] = 0
    out[:] = found.reshape(out.shape)
