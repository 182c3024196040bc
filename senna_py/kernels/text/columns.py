"""Printing of annotated tokens as columns, straight into bytes."""

from typing import NamedTuple

import numpy as np

from senna_py.kernels.runtime.jit import borrowing_kernel
from senna_py.kernels.text.tokens import utf8_length

__all__ = ["Layout", "Roles", "Texts", "Trees", "write_rows"]

_TAB, _NEWLINE, _SPACE, _STAR, _DASH, _CLOSE = 9, 10, 32, 42, 45, 41
_QUOTE, _BAR = 34, 124
_OPEN_TREE = np.frombuffer(b"(S1", np.uint8)
_OPEN_SENTENCE = np.frombuffer(b"(S", np.uint8)


class Texts(NamedTuple):
    """Texts by index: text i is `data[start[i]:start[i + 1]]`; uint8 and int32."""

    data: np.ndarray
    start: np.ndarray


class Layout(NamedTuple):
    """Form of printed rows.

    words: whether the first column is the word; width: characters that words are padded to, or 0:
    then words that begin with a quotation mark are quoted as in CSV, and the roles of all
    predicates stand in one column;
    offsets: whether character offsets are printed; between: byte that stands between the two;
    n_last: how many columns of labels stand behind roles and trees.
    """

    words: bool
    width: int
    offsets: bool
    between: int
    n_last: int = 0


class Roles(NamedTuple):
    """Semantic roles of a batch; `shown` says whether there are any to print.

    is_predicate: bool[n_tokens]; first: int32[n_sentences + 1], predicates of each sentence;
    begin: int64[n_predicates + 1], rows of each predicate in label: int32[n_rows], text indices.
    """

    shown: bool
    is_predicate: np.ndarray
    first: np.ndarray
    begin: np.ndarray
    label: np.ndarray


class Trees(NamedTuple):
    """Trees of a batch as in `networks.batch.Trees`, and the texts left and right of `*`."""

    shown: bool
    label: np.ndarray
    rows: np.ndarray
    begin: np.ndarray
    whole: np.ndarray
    left: Texts
    right: Texts


@borrowing_kernel
def _put(data, begin, end, out, n):
    for i in range(begin, end):
        out[n] = data[i]
        n += 1
    return n


@borrowing_kernel
def _put_text(texts, index, out, n):
    return _put(texts.data, texts.start[index], texts.start[index + 1], out, n)


@borrowing_kernel
def _put_padding(count, out, n):
    for _ in range(count):
        out[n] = _SPACE
        n += 1
    return n


@borrowing_kernel
def _put_quoted(raw, begin, end, out, n):
    """Write a word between quotation marks, with those that it has doubled."""
    out[n] = _QUOTE
    n += 1
    for i in range(begin, end):
        out[n] = raw[i]
        n += 1
        if raw[i] == _QUOTE:
            out[n] = _QUOTE
            n += 1
    out[n] = _QUOTE
    return n + 1


@borrowing_kernel
def _put_word(raw, begin, end, width, out, n):
    """Write a word, padded on the left to `width` characters, or quoted if that is 0."""
    if width == 0 and raw[begin] == _QUOTE:
        return _put_quoted(raw, begin, end, out, n)
    characters = 0
    i = np.int64(begin)
    while i < end:
        i += max(utf8_length(raw, i, np.int64(end)), 1)
        characters += 1
    n = _put_padding(width - characters, out, n)
    return _put(raw, begin, end, out, n)


@borrowing_kernel
def _put_roles(texts, roles, s, token, width, out, n):
    """Write the roles of a token of sentence s: a column each, or all in one if width is 0."""
    first, last = roles.first[s], roles.first[s + 1]
    for p in range(first, last):
        begin = n
        n = _put_text(texts, roles.label[roles.begin[p] + token], out, n)
        if width == 0 and p > first:
            out[begin] = _BAR  # in place of the tab
    if width == 0 and first == last:
        out[n] = _TAB
        out[n + 1] = _DASH
        n += 2
    return n


@borrowing_kernel
def _put_integer(value, out, n):
    digits = 1
    power = 10
    while value >= power:
        digits += 1
        power *= 10
    for k in range(digits - 1, -1, -1):
        out[n + k] = 48 + value % 10
        value //= 10
    return n + digits


@borrowing_kernel
def _put_tree(trees, s, t, begin, end, out, n):
    """Write the brackets of token t of sentence s, which has the tokens begin to end."""
    length = end - begin
    first = trees.rows[s] + t - begin
    n_levels = trees.begin[s + 1] - trees.begin[s]
    if t == begin:
        for byte in _OPEN_TREE:
            out[n] = byte
            n += 1
        if not trees.whole[s]:
            for byte in _OPEN_SENTENCE:
                out[n] = byte
                n += 1
    for level in range(n_levels - 1, -1, -1):
        n = _put_text(trees.left, trees.label[first + level * length], out, n)
    out[n] = _STAR
    n += 1
    for level in range(n_levels):
        n = _put_text(trees.right, trees.label[first + level * length], out, n)
    if t == end - 1:
        out[n] = _CLOSE
        n += 1
        if not trees.whole[s]:
            out[n] = _CLOSE
            n += 1
    return n


@borrowing_kernel
def write_rows(raw, begin, end, starts, layout, offset, column, texts, roles, trees, out):
    """Write one row per token and an empty one after each sentence; returns the bytes written.

    raw: uint8[n_bytes]; begin, end: int32[n_tokens]; starts: int32[n_sentences + 1]; offset:
    int32[n_tokens, 2], if shown; column: int32[n_tokens, n_columns], indices into texts, which
    begin with the tab; roles: their texts are in the same Texts; out: uint8, large enough.
    Spec, section 4.
    """
    n = np.int64(0)
    for s in range(len(starts) - 1):
        for t in range(starts[s], starts[s + 1]):
            if layout.words:
                n = _put_word(raw, begin[t], end[t], layout.width, out, n)
            if layout.offsets:
                out[n] = _TAB
                n = _put_integer(offset[t, 0], out, n + 1)
                out[n] = layout.between
                n = _put_integer(offset[t, 1], out, n + 1)
            n_first = column.shape[1] - layout.n_last
            for c in range(n_first):
                n = _put_text(texts, column[t, c], out, n)
            if roles.shown:
                out[n] = _TAB
                n += 1
                if roles.is_predicate[t]:
                    n = _put_word(raw, begin[t], end[t], layout.width, out, n)
                else:
                    n = _put_padding(layout.width - 1, out, n)
                    out[n] = _DASH
                    n += 1
                n = _put_roles(texts, roles, s, t - starts[s], layout.width, out, n)
            if trees.shown:
                out[n] = _TAB
                n = _put_tree(trees, s, t, starts[s], starts[s + 1], out, n + 1)
            for c in range(n_first, column.shape[1]):
                n = _put_text(texts, column[t, c], out, n)
            out[n] = _NEWLINE
            n += 1
        out[n] = _NEWLINE
        n += 1
    return n
