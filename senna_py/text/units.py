"""The units of a text, which the learned tokenizer joins into tokens.

A unit is a run of letters, a run of digits, or any other single character, together
with any combining marks that follow. In scripts that are written without spaces between
words, such as Thai or Chinese, each letter is a unit. White space is not part of any
unit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.kernels.text import units as kernels
from senna_py.text.characters import UNIT, cover_characters

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.text.tokens import Ints

# The labels of units (`unit_label`).
INSIDE, TOKEN_END, MULTIWORD_END, SENTENCE_END = "I", "T", "M", "S"


class Units(NamedTuple):
    """The units of ranges of a text.

    Attributes:
        begin: int32[n_units], the first byte of each unit.
        end: int32[n_units], the byte after each unit.
        counts: int32[n_ranges], the number of units in each range.
    """

    begin: Ints
    end: Ints
    counts: Ints


def find_units(data: bytes, range_begin: Ints, range_end: Ints) -> Units:
    """Return the units of ranges of a text.

    Args:
        data: The text. A byte that is not valid UTF-8 is a unit.
        range_begin: int32[n_ranges], the first byte of each range, in ascending order.
        range_end: int32[n_ranges], the byte after each range.
    """
    cover_characters(data)
    begin, end = np.empty(len(data), np.int32), np.empty(len(data), np.int32)
    counts = np.empty(len(range_begin), np.int32)
    n_units = kernels.find_units(
        np.frombuffer(data, np.uint8), range_begin, range_end, UNIT, begin, end, counts
    )
    return Units(begin[:n_units], end[:n_units], counts)


def unit_label(is_multiword: bool, ends_sentence: bool) -> str:
    """Return the label of the last unit of a token.

    Args:
        is_multiword: Whether the token consists of several words.
        ends_sentence: Whether the token is the last of its sentence.
    """
    label = MULTIWORD_END if is_multiword else TOKEN_END
    return label + SENTENCE_END if ends_sentence else label


class LabelMeanings(NamedTuple):
    """The meanings of the labels of units.

    Attributes:
        ends_token: bool[n_labels], whether a token ends with the unit.
        is_multiword: bool[n_labels], whether this token consists of several words.
        ends_sentence: bool[n_labels], whether a sentence ends with the unit.
    """

    ends_token: NDArray[np.bool_]
    is_multiword: NDArray[np.bool_]
    ends_sentence: NDArray[np.bool_]

    @classmethod
    def of(cls, labels: list[str]) -> LabelMeanings:
        """Return the meanings of labels, which are INSIDE or come from `unit_label`."""
        return cls(
            np.array([label != INSIDE for label in labels]),
            np.array([label.startswith(MULTIWORD_END) for label in labels]),
            np.array([label.endswith(SENTENCE_END) for label in labels]),
        )
