"""The fallback for `kernels.nn.convolution.max_of_windows`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Floats, Ints, Longs


def max_of_windows(
    table: Floats, characters: Ints, starts: Longs, out: Floats, place: Ints
) -> None:
    width = table.shape[1]
    for k, (begin, end) in enumerate(
        zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
    ):
        n = end - begin - width + 1  # number of windows
        total = table[characters[begin : begin + n], 0]
        for o in range(1, width):
            total = total + table[characters[begin + o : begin + o + n], o]
        out[k] = total.max(axis=0)
        place[k] = begin + total.argmax(axis=0)
