"""The division of a weight into words whose sums of products fit into 16 bits.

See `kernels.llvm.turned_tile`. Inputs are integers from 0 to 255, so the positive
integers that are added together, and the negative ones, must not exceed LIMIT in all.
Words are therefore grouped so that small ones are added to large ones. What is left over
of a word goes into additional words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.kernels.llvm.turned_tile import COLUMNS, GROUP, SIDE
from senna_py.kernels.runtime.jit import borrowing_kernel, kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Ints

LIMIT = 128  # ((1 << 15) - 1) // 255
_SUMS = 4 * COLUMNS  # of a word: of two pairs of a column, positive and negative ones


class LimitedWeight(NamedTuple):
    """A weight whose sums fit into 16 bits if the words of a group are added.

    Attributes:
        panels: int32[n, COLUMNS], the words of the first tile, of the second, and so on.
            Those of a tile belong to one part of the inputs after the other. They are in
            groups of GROUP words.
        starts: int32[n_tiles * n_parts + 1], where the words of each part of each tile
            begin.
        places: int32[n], SIDE times the index of the word of the rows by which a word
            is multiplied.
    """

    panels: Ints
    starts: Ints
    places: Ints


def limit_sums(numbers: NDArray[np.int8], n_parts: int = 1) -> LimitedWeight:
    """Divide a weight into groups of words that can be added.

    Args:
        numbers: int8[n_in, n_out]; n_in is a multiple of 4 * n_parts, and n_out of
            COLUMNS.
        n_parts: The number of equal parts of the inputs.
    """
    n_in, n_out = numbers.shape
    numbers = np.ascontiguousarray(numbers)
    starts = np.zeros(n_out // COLUMNS * n_parts + 1, np.int32)
    # Only a weight of mostly large numbers has as many additional words as others.
    room, is_divided = n_in // 4, False
    while not is_divided:
        room = 2 * room + n_parts * GROUP
        panels = np.empty((n_out // COLUMNS * room, COLUMNS, 4), np.int8)
        places = np.empty(len(panels), np.int32)
        is_divided = _divide(numbers, n_parts, panels, starts, places)
    n = starts[-1]
    return LimitedWeight(panels[:n].view(np.int32)[..., 0], starts, places[:n])


@kernel
def _divide(
    numbers: NDArray[np.int8],
    n_parts: int,
    panels: NDArray[np.int8],
    starts: Ints,
    places: Ints,
) -> bool:
    """Fill the arrays of a LimitedWeight, and return whether there was enough room.

    Args:
        numbers, n_parts: See `limit_sums`.
        panels: int8[n, COLUMNS, 4], which receives the integers of the words of all
            tiles.
        starts: See `LimitedWeight`.
        places: int32[n], which receives the places.
    """
    n_words = len(numbers) // 4 // n_parts
    room = len(panels) // ((len(starts) - 1) // n_parts)
    left = np.zeros((room + 1, COLUMNS, 4), np.int16)
    sums = np.zeros((room + 1, _SUMS), np.int16)
    words, is_taken = np.zeros(room + 1, np.int32), np.zeros(room + 1, np.bool_)
    order, group = np.zeros(room, np.int32), np.zeros(GROUP, np.int32)
    at = 0
    for part in range(len(starts) - 1):
        first, column = part % n_parts * n_words, part // n_parts * COLUMNS
        _read_words(numbers, first, n_words, column, left, words)
        for k in range(n_words):
            _add_up(left, k, sums)
        _sort_by_size(sums, n_words, order)
        for k in range(room):
            is_taken[k] = False
        n, i = n_words, 0
        while i < n:
            if not is_taken[order[i]]:
                if at + GROUP > len(panels) or n + GROUP > room:
                    return False
                _take_group(sums, order, i, n, is_taken, group, room)
                _take_part(left, group, panels, at)
                for k in range(GROUP):
                    places[at + k] = words[group[k]] * SIDE
                    if _is_left(left, group[k]):
                        _move(left, words, group[k], n)
                        _add_up(left, n, sums)
                        order[n] = n
                        n += 1
                at += GROUP
            i += 1
        starts[part + 1] = at
    return True


@borrowing_kernel
def _read_words(
    numbers: NDArray[np.int8],
    first: int,
    n: int,
    column: int,
    left: NDArray[np.int16],
    words: Ints,
) -> None:
    """Copy the words of a part of a tile.

    Args:
        numbers: int8[n_in, n_out].
        first, n: The index of the first word, and the number of words.
        column: The first column of the tile.
        left: int16[at least n, COLUMNS, 4], which receives the integers.
        words: int32[at least n], which receives the indices.
    """
    for k in range(n):
        words[k] = first + k
        for c in range(COLUMNS):
            for i in range(4):
                left[k, c, i] = numbers[4 * (first + k) + i, column + c]


@borrowing_kernel
def _add_up(left: NDArray[np.int16], k: int, sums: NDArray[np.int16]) -> None:
    """Add the positive integers, and the negative ones, of each pair of word k.

    Args:
        left: int16[more than k, COLUMNS, 4], the integers of words.
        k: The word.
        sums: int16[more than k, _SUMS], which receives the sums.
    """
    for c in range(COLUMNS):
        for pair in range(2):
            one, other = left[k, c, 2 * pair], left[k, c, 2 * pair + 1]
            sums[k, 4 * c + 2 * pair] = max(one, 0) + max(other, 0)
            sums[k, 4 * c + 2 * pair + 1] = -min(one, 0) - min(other, 0)


@kernel
def _sort_by_size(sums: NDArray[np.int16], n: int, order: Ints) -> None:
    """Sort words by their largest sum, in descending order.

    Args:
        sums: int16[at least n, _SUMS], from 0 to 2 * LIMIT.
        n: The number of words.
        order: int32[at least n], which receives the words.
    """
    largest, begins = np.zeros(n, np.int32), np.zeros(2 * LIMIT + 1, np.int32)
    for k in range(n):
        for i in range(_SUMS):
            largest[k] = max(largest[k], sums[k, i])
        begins[largest[k]] += 1
    after = 0
    for size in range(len(begins) - 1, -1, -1):
        n_of_size = begins[size]
        begins[size] = after
        after += n_of_size
    for k in range(n):
        order[begins[largest[k]]] = k
        begins[largest[k]] += 1


@borrowing_kernel
def _take_group(
    sums: NDArray[np.int16],
    order: Ints,
    i: int,
    n: int,
    is_taken: NDArray[np.bool_],
    group: Ints,
    zero: int,
) -> None:
    """Take words that can be added to a word.

    Each is the first one of those by which the sums exceed LIMIT in the fewest columns.

    Args:
        sums: int16[more than `zero`, _SUMS], the sums of words.
        order: int32[at least n], the words; those before `i` are taken.
        i, n: The range of words in `order`. The first one is in the group.
        is_taken: bool[more than `zero`], which words are taken; it is updated.
        group: int32[GROUP], which receives the words.
        zero: A word of zeros, for groups for which there are too few words. Its sums
            receive those of the group, and then zeros.
    """
    group[0] = order[i]
    is_taken[group[0]] = True
    for k in range(_SUMS):
        sums[zero, k] = sums[group[0], k]
    for m in range(1, GROUP):
        best, fewest = zero, COLUMNS + 1
        for j in range(i + 1, n):
            if is_taken[order[j]]:
                continue
            exceeded = _n_exceeded(sums, zero, order[j])
            if exceeded < fewest:
                best, fewest = np.int64(order[j]), exceeded
            if fewest == 0:
                break
        group[m] = best
        is_taken[best] = True
        if best != zero:
            for k in range(_SUMS):
                sums[zero, k] += sums[best, k]
    for k in range(_SUMS):
        sums[zero, k] = 0


@borrowing_kernel
def _n_exceeded(sums: NDArray[np.int16], one: int, other: int) -> int:
    """Return in how many columns the sums of two words exceed LIMIT."""
    n = 0
    for c in range(0, _SUMS, 4):
        exceeds = False
        for k in range(c, c + 4):
            exceeds |= sums[one, k] + sums[other, k] > LIMIT
        n += exceeds
    return n


@borrowing_kernel
def _take_part(
    left: NDArray[np.int16], group: Ints, panels: NDArray[np.int8], at: int
) -> None:
    """Move what can be added from the words of a group to panels.

    The first word, which is mostly the largest, is moved last, so that few others have
    a rest.

    Args:
        left: int16[n, COLUMNS, 4], the integers of words.
        group: int32[GROUP], the words.
        panels: int8[at least at + GROUP, COLUMNS, 4], which receives the integers.
        at: The place of the first word in `panels`.
    """
    for c in range(COLUMNS):
        for pair in range(0, 4, 2):
            above, below = LIMIT, -LIMIT
            for m in range(GROUP - 1, -1, -1):
                for i in range(pair, pair + 2):
                    taken = max(below, min(np.int64(left[group[m], c, i]), above))
                    above -= max(taken, 0)
                    below -= min(taken, 0)
                    panels[at + m, c, i] = taken
                    left[group[m], c, i] -= taken


@borrowing_kernel
def _is_left(left: NDArray[np.int16], k: int) -> bool:
    """Return whether word k has an integer that is not zero."""
    some = False
    for c in range(COLUMNS):
        for i in range(4):
            some |= left[k, c, i] != 0
    return some


@borrowing_kernel
def _move(left: NDArray[np.int16], words: Ints, k: int, to: int) -> None:
    """Move word k."""
    words[to] = words[k]
    for c in range(COLUMNS):
        for i in range(4):
            left[to, c, i] = left[k, c, i]
            left[k, c, i] = 0
