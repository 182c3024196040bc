"""The tokens of rules, and what they say about the units of a learned tokenizer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.text.units import LETTER
from senna_py.text.characters import UNIT
from senna_py.text.equal_texts import group_texts
from senna_py.text.languages import language_ranges
from senna_py.text.tokenizer_kinds import ENGLISH_UD, LANGUAGES, PENN
from senna_py.text.treebank import treebank_ranges

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.text.tokens import Ints

RULE_KINDS = (PENN, ENGLISH_UD, *LANGUAGES)  # the tokenizers that consist of rules
# Every rule splits these ASCII marks from the letters before them.
_SEPARATE = np.isin(np.arange(256), [*b",;:"])


def rule_ranges(
    data: bytes, kind: str, abbreviations: tuple[str, ...] = ()
) -> tuple[Ints, Ints]:
    """Return the first byte of each token and the byte after it: two int32[n_tokens].

    Args:
        data: The text. Tokens do not depend on other lines. A byte that is not valid
            UTF-8 is a token.
        kind: One of RULE_KINDS.
        abbreviations: Additional abbreviations, without final periods.
    """
    if kind in LANGUAGES:
        return language_ranges(data, kind, abbreviations)
    return treebank_ranges(data, kind == ENGLISH_UD, abbreviations)


def rule_ends(
    data: bytes, begin: Ints, end: Ints, gaps: NDArray[np.int64], kind: str
) -> NDArray[np.bool_]:
    """Return whether the rules end a token with each unit: bool[n_units].

    The rules see each stretch of text between white space on its own, so that a stretch
    that occurs several times is divided once.

    Args:
        data: The text.
        begin: int32[n_units], the first byte of each unit.
        end: int32[n_units], the byte after each unit.
        gaps: int64[n_units], the sides on which each unit is next to white space; see
            `features.gap.gap_codes`.
        kind: One of RULE_KINDS.
    """
    first, last = np.flatnonzero(gaps & 1), np.flatnonzero(gaps & 2)
    ends = np.ones(len(begin), bool)
    raw = np.frombuffer(data, np.uint8)
    is_simple = last == first
    is_simple |= (
        (last == first + 1)
        & _SEPARATE[raw[begin[last]]]
        & (UNIT[raw[begin[first]]] == LETTER)
    )
    first, last = first[~is_simple], last[~is_simple]
    if not len(first):
        return ends
    stretch_begin, stretch_end = begin[first], end[last]
    new, group = group_texts(data, stretch_begin, stretch_end)
    places = zip(stretch_begin[new].tolist(), stretch_end[new].tolist(), strict=True)
    joined = b"\n".join([data[i:j] for i, j in places])
    is_end = np.zeros(len(joined) + 1, bool)
    is_end[rule_ranges(joined, kind)[1]] = True
    sizes = (stretch_end - stretch_begin)[new] + 1
    offset = (np.cumsum(sizes) - sizes)[group]
    counts = last - first + 1
    owner = np.repeat(np.arange(len(first)), counts)
    units = first[owner] + np.arange(len(owner)) - (np.cumsum(counts) - counts)[owner]
    ends[units] = is_end[end[units] - stretch_begin[owner] + offset[owner]]
    return ends
