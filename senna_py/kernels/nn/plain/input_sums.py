"""The fallbacks for `kernels.nn.input_sums`, which multiply with BLAS.

The integers are stored as float64, and BLAS adds them exactly in any order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from typing import Any

    from senna_py.kernels.arrays import Floats, Ints


def input_sums(
    x: Floats,
    factor: np.float32,
    weight: tuple[Any, ...],
    words: Ints,
    products: Ints,
    out: Ints,
) -> None:
    rounded = x * factor
    np.rint(rounded, out=rounded)
    np.copyto(out, rounded.astype(np.float64) @ weight[0], casting="unsafe")


def add_input_sums(
    place: Ints,
    kept: Ints,
    new: Ints,
    index: Ints,
    others: Ints,
    scale: Floats,
    bias: Floats,
    out: Floats,
) -> None:
    total = np.empty(out.shape, np.int32)
    for sums, row in ((kept, place), (new, -1 - place)):
        words = np.flatnonzero(row >= 0)
        if len(words):
            total[words] = sums[row[words]]
    for rows in index.T:
        total += others[rows]
    np.multiply(total.astype(np.float32), scale, out=out)
    out += bias
