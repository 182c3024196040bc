"""Brackets and quotes that belong together."""

import numpy as np

from senna_py.labels.constraints import CLOSES, CLOSES_QUOTE, OPENS

_CLOSING = {b"(": b")", b"[": b"]", b"{": b"}", b'"': b'"',
            "“".encode(): "”".encode(), "«".encode(): "»".encode()}  # fmt: skip
_BRACKETS = b")", b"]", b"}"
_MARKS = *_CLOSING, *_CLOSING.values()
_LONGEST = max(map(len, _MARKS))
_FIRST = np.isin(np.arange(256), [mark[0] for mark in _MARKS])
_DEEPEST = 2  # pairs within each other


def paired(tokens):
    """Which tokens open or close a pair within their sentence: int8[n_tokens], kinds of rows.

    A mark without its partner is like any other token, and so is a pair that is within two others.
    """
    kinds = np.zeros(len(tokens), np.int8)
    short = tokens.end - tokens.begin <= _LONGEST
    rows = np.flatnonzero(short & _FIRST[tokens.raw[tokens.begin]])
    owners = np.searchsorted(tokens.starts, rows, side="right")
    sentence, opened = 0, []
    for row, owner in zip(rows.tolist(), owners.tolist(), strict=True):
        mark = tokens.data[tokens.begin[row] : tokens.end[row]]
        if owner != sentence:
            sentence, opened = owner, []
        partner = next((k for k in reversed(range(len(opened))) if opened[k][1] == mark), None)
        if partner is not None:
            first, _ = opened[partner]
            del opened[partner:]
            if partner < _DEEPEST:
                kinds[first], kinds[row] = OPENS, CLOSES if mark in _BRACKETS else CLOSES_QUOTE
        elif mark in _CLOSING:
            opened.append((row, _CLOSING[mark]))
    return kinds
