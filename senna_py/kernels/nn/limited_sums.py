"""The division of a weight into parts whose sums of products fit into 16 bits.

See `kernels.llvm.turned_tile`. Inputs are integers from 0 to 255, so the positive
integers that are added together, and the negative ones, must not exceed LIMIT in all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.llvm.turned_tile import COLUMNS, SIDE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Ints

LIMIT = 128  # ((1 << 15) - 1) // 255


def limit_sums(numbers: NDArray[np.int8]) -> tuple[NDArray[np.int8], Ints]:
    """Divide a weight into a main part and steps for the rest.

    Args:
        numbers: int8[n_in, n_out]; n_in is a multiple of 8, and n_out of COLUMNS.

    Returns:
        The main part, int8[n_in, n_out], and one array with all steps. That contains
        n_out / COLUMNS + 1 starts, and then the steps of `multiply_turned`; those of
        columns COLUMNS * c and on are starts[c] to starts[c + 1].
    """
    n_in, n_out = numbers.shape
    # Two words, the pairs of their integers, and the integers of a pair.
    grouped = numbers.astype(np.int16).reshape(-1, 2, 2, 2, n_out)
    main = np.empty_like(grouped)
    _fill_part(
        [grouped[:, w, :, k] for w in range(2) for k in range(2)],
        [main[:, w, :, k] for w in range(2) for k in range(2)],
    )
    rest = (grouped - main).reshape(n_in // 4, 4, n_out)
    return main.reshape(n_in, n_out).astype(np.int8), _steps(rest)


def _fill_part(numbers: list[NDArray[np.int16]], out: list[NDArray[np.int16]]) -> None:
    """Fill `out` with parts of numbers that are added, so that LIMIT holds for them.

    Both are lists of int16[...] of one shape, the elements of which are added.
    """
    above = np.full(numbers[0].shape, LIMIT, np.int16)
    below = -above
    for given, part in zip(numbers, out, strict=True):
        np.clip(given, below, above, out=part)
        above -= np.maximum(part, 0)
        below -= np.minimum(part, 0)


def _steps(rest: NDArray[np.int16]) -> Ints:
    """Return the steps for the rest of a weight, int16[n_words, 4, n_out]."""
    n_out = rest.shape[2]
    word, column = np.nonzero(rest.any(axis=1))
    left = rest[word, :, column].reshape(-1, 2, 2)
    found = []
    while len(left):
        part = np.empty_like(left)
        _fill_part([left[..., k] for k in range(2)], [part[..., k] for k in range(2)])
        found.append((column, word, part.astype(np.int8).reshape(-1, 4).view(np.int32)))
        left = left - part
        again = left.any(axis=(1, 2))
        left, word, column = left[again], word[again], column[again]
    if not found:
        return np.zeros(n_out // COLUMNS + 1, np.int32)
    columns, words, weights = map(np.concatenate, zip(*found, strict=True))
    order = np.argsort(columns, kind="stable")
    columns, counts = columns[order], np.bincount(columns, minlength=n_out)
    starts = np.zeros(n_out // COLUMNS + 1, np.int32)
    np.cumsum(counts.reshape(-1, COLUMNS).max(axis=1), out=starts[1:])
    step = starts[columns // COLUMNS] + np.arange(len(columns))
    step -= (np.cumsum(counts) - counts)[columns]
    steps = np.zeros((starts[-1], 2, COLUMNS), np.int32)
    steps[step, 0, columns % COLUMNS] = words[order] * SIDE
    steps[step, 1, columns % COLUMNS] = weights[order, 0]
    return np.concatenate([starts, steps.reshape(-1)])
