"""Grouping of equal pieces of a text."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.kernels.text.dictionary import enter_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.text.tokens import Ints


class EqualTexts(NamedTuple):
    """Groups of equal pieces of a text, in the order of their first pieces.

    Attributes:
        first: int64[n_groups], the first piece of each group.
        group: int64[n_pieces], the group of each piece.
    """

    first: NDArray[np.int64]
    group: NDArray[np.int64]


def group_texts(data: bytes, begin: Ints, end: Ints) -> EqualTexts:
    """Group equal pieces of a text.

    Args:
        data: The text.
        begin: int32[n_pieces], the first byte of each piece.
        end: int32[n_pieces], the byte after each piece.
    """
    slots = np.full(1 << (2 * len(begin)).bit_length(), -1, np.int32)
    same = np.empty(len(begin), np.int32)
    enter_words(np.frombuffer(data, np.uint8), begin, end, slots, same)
    is_first = same == np.arange(len(same), dtype=np.int32)
    return EqualTexts(np.flatnonzero(is_first), (np.cumsum(is_first) - 1)[same])
