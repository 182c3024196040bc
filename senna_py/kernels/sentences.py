"""Sentences of paragraphs, over bytes."""

import numpy as np

from senna_py.kernels.cold_start.jit import borrowing_kernel
from senna_py.kernels.text import code_point, utf8_length
from senna_py.kernels.treebank import ABBREVIATIONS, BEGINS, MARKS, STARTERS, TITLE, listed

__all__ = ["CLOSING", "OPENING", "find_sentences"]

# Values of marks: bits.
CLOSING = 1
OPENING = 2


@borrowing_kernel
def _opening_quotes(raw, begin, end, opens):
    """Whether each token is a `"` or `'` that opens a quotation: opens, bool[n_tokens]."""
    is_open = False
    n = len(begin)
    for t in range(n):
        opens[t] = False
        c = raw[begin[t]]
        if end[t] - begin[t] > 1 or c not in (34, 39):
            continue
        before = t > 0 and begin[t] == end[t - 1]
        after = t + 1 < n and begin[t + 1] == end[t]
        opens[t] = after if before != after else c == 34 and not is_open
        if c == 34:
            is_open = opens[t]


@borrowing_kernel
def _begins(raw, begin, end, t, plain, trie, char_class):
    """Whether a sentence may begin at token `t`, after a plain full stop or an abbreviation."""
    last = np.int64(len(begin) - 1)
    while t < last and listed(raw, begin[t], end[t], trie, MARKS) & OPENING:
        t += 1
    if not plain:
        return listed(raw, begin[t], end[t], trie, STARTERS) != 0
    i = np.int64(begin[t])
    size = utf8_length(raw, i, np.int64(end[t]))
    return size > 0 and (char_class[code_point(raw, i, size)] & BEGINS) != 0


@borrowing_kernel
def _find(raw, begin, end, first, opens, trie, char_class, out, n_out):
    """Append the sentences of one paragraph, whose first token is `first`; returns their number."""
    n = np.int64(len(begin))
    _opening_quotes(raw, begin, end, opens)
    out[n_out] = first
    n_out += 1
    for t in range(n):
        final = raw[end[t] - 1]
        if final not in (33, 46, 63):  # ! . ?
            continue
        if final == 46 and listed(raw, begin[t], end[t] - 1, trie, ABBREVIATIONS) & TITLE:
            continue
        u = t + 1
        while u < n and listed(raw, begin[u], end[u], trie, MARKS) & CLOSING and not opens[u]:
            u += 1
        plain = final != 46 or end[t] - begin[t] == 1
        if u < n and _begins(raw, begin, end, u, plain, trie, char_class):
            out[n_out] = first + u
            n_out += 1
    return n_out


@borrowing_kernel
def find_sentences(raw, begin, end, starts, trie, char_class, opens, out):
    """Find the first token of each sentence of each paragraph; returns their number.

    raw: uint8[n_bytes]; begin, end: int32[n_tokens]; starts: int32[n_paragraphs + 1], the tokens of
    each, at least one; trie: see `kernels.treebank`; char_class: uint8[0x110000]; out:
    opens: bool[n_tokens], scratch; out: int64[n_tokens].
    """
    n_out = np.int64(0)
    for p in range(len(starts) - 1):
        a, b = starts[p], starts[p + 1]
        n_out = _find(raw, begin[a:b], end[a:b], np.int64(a), opens, trie, char_class, out, n_out)
    return n_out
