"""Weights that are divided so that sums of their products fit into 16 bits."""

import numpy as np
import pytest

from senna_py.kernels.llvm.turned_tile import COLUMNS, GROUP, SIDE
from senna_py.kernels.nn.limited_sums import limit_sums

INPUT = 255  # the largest
N_OUT = 8 * COLUMNS


def drawn(spread, n_in=96):
    """Integers of a normal distribution, from -127 to 127."""
    numbers = np.random.default_rng(spread).normal(0, spread, (n_in, N_OUT))
    return np.clip(numbers.round(), -127, 127).astype(np.int8)


def parts_of(limited):
    """For each part of each tile, its places and integers, int8[n, COLUMNS, 4]."""
    numbers = np.ascontiguousarray(limited.panels).view(np.int8)
    numbers = numbers.reshape(-1, COLUMNS, 4)
    assert (limited.places % SIDE == 0).all()
    assert (limited.starts % GROUP == 0).all()
    for first, end in zip(limited.starts[:-1], limited.starts[1:], strict=True):
        yield limited.places[first:end] // SIDE, numbers[first:end]


def whole(limited, n_in, n_parts=1):
    """The sum of all words, at their places in the weight."""
    total = np.zeros((n_in // 4, 4, N_OUT), int)
    for k, (places, numbers) in enumerate(parts_of(limited)):
        tile = k // n_parts
        columns = total[:, :, COLUMNS * tile : COLUMNS * (tile + 1)]
        np.add.at(columns, places, numbers.transpose(0, 2, 1))
    return total.reshape(n_in, N_OUT)


def fits(added):
    """Whether sums of products with inputs of any size fit; the last axis is added."""
    largest = INPUT * np.maximum(added, 0).sum(axis=-1, dtype=int)
    least = INPUT * np.minimum(added, 0).sum(axis=-1, dtype=int)
    return largest.max(initial=0) < 1 << 15 and least.min(initial=0) >= -(1 << 15)


@pytest.mark.parametrize("n_parts", [1, 3])
@pytest.mark.parametrize("spread", [1, 30, 60, 1000])
def test_words_add_up_to_the_weight_and_their_sums_fit_into_16_bits(spread, n_parts):
    numbers = drawn(spread)
    limited = limit_sums(numbers, n_parts)
    assert np.array_equal(whole(limited, len(numbers), n_parts), numbers)
    for _, words in parts_of(limited):
        # The two pairs of integers of a word are multiplied apart from each other.
        pairs = words.reshape(-1, GROUP, COLUMNS, 2, 2).transpose(0, 2, 3, 1, 4)
        assert fits(pairs.reshape(-1, 2 * GROUP))


@pytest.mark.parametrize("n_parts", [1, 3, 4])
def test_words_of_a_part_stay_together(n_parts):
    numbers = drawn(60)
    n = len(numbers) // 4 // n_parts
    for k, (places, words) in enumerate(parts_of(limit_sums(numbers, n_parts))):
        used = places[words.any(axis=(1, 2))]
        assert (used // n == k % n_parts).all()


@pytest.mark.parametrize("sign", [1, -1])
def test_the_largest_numbers_can_be_divided(sign):
    numbers = np.full((64, N_OUT), sign * 127, np.int8)
    assert np.array_equal(whole(limit_sums(numbers), len(numbers)), numbers)


def test_small_numbers_need_no_additional_words():
    limited = limit_sums(np.full((64, N_OUT), 32, np.int8))
    assert len(limited.panels) == 64 // 4 * N_OUT // COLUMNS


def test_large_words_are_added_to_small_ones():
    # In the order in which they are given, each two large words would be added.
    numbers = np.repeat(np.array([100, 100, 20, 20] * 4, np.int8), 4)
    numbers = np.tile(numbers[:, None], N_OUT)
    numbers[1::2] = 0
    limited = limit_sums(numbers)
    assert len(limited.panels) == len(numbers) // 4 * N_OUT // COLUMNS
