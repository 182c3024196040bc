"""The fallback for `kernels.nn.dilated.dilated_windows`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Bools, Floats, Ints


def rows_of_windows(
    starts: Ints, size: int, dilation: int
) -> tuple[NDArray[np.int64], Bools]:
    """Find the rows of the window around each row.

    Args:
        starts, size, dilation: See `kernels.nn.dilated.dilated_windows`.

    Returns:
        The rows, int64[n, size], and whether each one is inside the sentence, bool[n,
        size]. A row outside the sentence is replaced by the row in the middle.
    """
    lengths, middle = np.diff(starts), np.arange(starts[-1])[:, None]
    rows = middle + (np.arange(size) - size // 2) * dilation
    inside = rows >= np.repeat(starts[:-1], lengths)[:, None]
    inside &= rows < np.repeat(starts[1:], lengths)[:, None]
    return np.where(inside, rows, middle), inside


def dilated_windows(
    x: Floats, starts: Ints, size: int, dilation: int, out: Floats
) -> None:
    rows, inside = rows_of_windows(starts, size, dilation)
    windows = x[rows]
    windows[~inside] = 0
    out[:] = windows.reshape(out.shape)
