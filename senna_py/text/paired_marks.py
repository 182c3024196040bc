"""Pairs of brackets and quotes, as classes of rows for the rules of labels."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from senna_py.labels.constraints import RowClass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.text.tokens import Tokens

_CLOSING = {
    b"(": b")",
    b"[": b"]",
    b"{": b"}",
    b'"': b'"',
    "“".encode(): "”".encode(),
    "«".encode(): "»".encode(),
}
_BRACKETS = b")", b"]", b"}"
_MARKS = *_CLOSING, *_CLOSING.values()
_LONGEST = max(map(len, _MARKS))
_FIRST = np.isin(np.arange(256), [mark[0] for mark in _MARKS])
_DEEPEST = 2  # the nesting depth from which pairs are ignored


def pair_classes(tokens: Tokens) -> NDArray[np.int8]:
    """Return the class of each token as a bracket or quote: int8[n_tokens].

    The first mark of a pair is OPENS, the second is CLOSES or CLOSES_QUOTE. All other
    tokens are OTHER, including marks without a partner in their sentence, and pairs
    before which two other marks are still open.
    """
    classes = np.full(len(tokens), RowClass.OTHER, np.int8)
    short = tokens.end - tokens.begin <= _LONGEST
    rows = np.flatnonzero(short & _FIRST[tokens.raw[tokens.begin]])
    owners = np.searchsorted(tokens.starts, rows, side="right")
    sentence, opened = 0, list[tuple[int, bytes]]()
    # Indices of `opened`, by the mark that closes the pair.
    places = defaultdict[bytes, list[int]](list)
    for row, owner in zip(rows.tolist(), owners.tolist(), strict=True):
        mark = tokens.data[tokens.begin[row] : tokens.end[row]]
        if owner != sentence:
            sentence, opened = owner, []
            places.clear()
        if places[mark]:
            partner = places[mark][-1]
            first, _ = opened[partner]
            while len(opened) > partner:
                places[opened.pop()[1]].pop()
            if partner < _DEEPEST:
                classes[first] = RowClass.OPENS
                is_bracket = mark in _BRACKETS
                closes = RowClass.CLOSES if is_bracket else RowClass.CLOSES_QUOTE
                classes[row] = closes
        elif mark in _CLOSING:
            places[_CLOSING[mark]].append(len(opened))
            opened.append((row, _CLOSING[mark]))
    return classes
