"""Weights that are divided so that sums of their products fit into 16 bits."""

import numpy as np
import pytest

from senna_py.kernels.llvm.turned_tile import COLUMNS, SIDE
from senna_py.kernels.nn.limited_sums import limit_sums

INPUT = 255  # the largest


def whole(main, steps):
    """The sum of the main part and of all steps, and the numbers of all steps."""
    n_out, total = main.shape[1], main.astype(int)
    n_starts = n_out // COLUMNS + 1
    starts, steps = steps[:n_starts], steps[n_starts:].reshape(-1, 2, COLUMNS)
    assert starts[0] == 0
    assert starts[-1] == len(steps)
    numbers = np.ascontiguousarray(steps[:, 1]).view(np.int8).reshape(-1, COLUMNS, 4)
    for c in range(0, n_out, COLUMNS):
        for s in range(starts[c // COLUMNS], starts[c // COLUMNS + 1]):
            for k, place in enumerate(steps[s, 0]):
                first = 4 * place // SIDE
                total[first : first + 4, c + k] += numbers[s, k]
    return total, numbers


def fits(added):
    """Whether sums of products with inputs of any size fit; the last axis is added."""
    largest = INPUT * np.maximum(added, 0).sum(axis=-1, dtype=int)
    least = INPUT * np.minimum(added, 0).sum(axis=-1, dtype=int)
    return largest.max(initial=0) < 1 << 15 and least.min(initial=0) >= -(1 << 15)


@pytest.mark.parametrize("spread", [1, 30, 60, 1000])
def test_parts_add_up_to_the_weight_and_their_sums_fit_into_16_bits(spread):
    rng = np.random.default_rng(spread)
    numbers = np.clip(rng.normal(0, spread, (64, 32)).round(), -127, 127)
    numbers = numbers.astype(np.int8)
    main, steps = limit_sums(numbers)
    total, of_steps = whole(main, steps)
    assert np.array_equal(total, numbers)
    # Two words of two pairs of numbers: the numbers of two pairs are added.
    grouped = main.reshape(-1, 2, 2, 2, 32).transpose(0, 2, 4, 1, 3)
    assert fits(grouped.reshape(*grouped.shape[:3], 4))
    assert fits(of_steps.reshape(-1, COLUMNS, 2, 2))


def test_small_numbers_need_no_steps():
    numbers = np.full((64, 32), 32, np.int8)
    main, steps = limit_sums(numbers)
    assert np.array_equal(main, numbers)
    assert not steps.any()
