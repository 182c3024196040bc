"""Treebank tokens and sentences of raw bytes: where they stand."""

from itertools import chain, pairwise

import numpy as np

from senna_py.kernels import text as kernels
from senna_py.text.characters import KIND, cover_characters
from senna_py.text.sentences import sentence_starts
from senna_py.text.treebank import tokenize

__all__ = ["sentence_indices", "treebank_ranges"]

_ASCII_BLANKS = np.array([chr(code).isspace() for code in range(128)])
_MOST_PIECES = 1 << 16
_LONGEST_PIECE = 40  # characters; longer ones hardly come again


class _Pieces(dict):
    """Lengths of the tokens of what stands between blanks: tuples of int, found once a piece.

    No token depends on what is beyond a blank, save one that a period ends: on whether a capital
    A-Z or a digit comes next. There a blank and an `A` or `0` follow the piece, without a length.
    """

    def __missing__(self, piece):
        found = tuple(map(len, tokenize(piece)))
        if " " in piece:
            found = found[:-1]
        if len(self) >= _MOST_PIECES:
            self.clear()
        if len(piece) <= _LONGEST_PIECE:
            self[piece] = found
        return found


_pieces = _Pieces()  # shared by threads: each step on a dict is whole


def treebank_ranges(data):
    """Bytes of the Treebank tokens of `data`, in which a newline parts whatever is around it.

    Returns begin, end: int32[n_tokens]. A byte outside UTF-8 is a token of its own.
    """
    text = data.decode("utf-8", "surrogateescape")
    is_ascii = data.isascii()
    if is_ascii:
        code = np.frombuffer(data, np.uint8)
        blank = _ASCII_BLANKS[code]
    else:
        cover_characters(data)
        code = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
        blank = (KIND[code] & kernels.BLANK) != 0
        blank |= (code < 128) & _ASCII_BLANKS[np.minimum(code, 127)]
    pieces = _split(text, code, blank)
    # Tokens are whatever is not blank, so their lengths say where they stand.
    length = np.fromiter(chain.from_iterable(map(_pieces.__getitem__, pieces)), np.int64)
    begin = np.flatnonzero(~blank)[np.cumsum(length) - length]
    end = begin + length
    if is_ascii:
        return begin.astype(np.int32), end.astype(np.int32)
    position = _byte_positions(code)
    return position[begin], position[end]


def _split(text, code, blank):
    """What stands between the blanks of `text`, as keys of _Pieces: a list of str.

    code: the characters, unsigned integers; blank: bool, whether each is white space.
    """
    pieces = text.split()
    period = np.flatnonzero((code[:-2] == ord(".")) & blank[1:-1] & ~blank[2:])
    period = period[code[period + 1] != ord("\n")]
    first = np.flatnonzero(~blank & np.append(True, blank[:-1])[: len(blank)])
    owner = np.searchsorted(first, period, side="right") - 1
    for i, k in zip(period.tolist(), owner.tolist(), strict=True):
        if "A" <= text[i + 2] <= "Z":
            pieces[k] += " A"
        elif text[i + 2].isdecimal():
            pieces[k] += " 0"
    return pieces


def _byte_positions(code):
    """Byte where each character stands in UTF-8, and the end: int32[n + 1].

    code: uint32[n]; a lone surrogate stands for one byte.
    """
    size = 1 + (code >= 0x80).astype(np.int32) + (code >= 0x800) + (code >= 0x10000)
    size[(code >= 0xDC80) & (code <= 0xDCFF)] = 1
    return np.append(0, np.cumsum(size)).astype(np.int32)


def sentence_indices(data, begin, end, starts):
    """Index of the first token of each sentence of each paragraph: int64[n_sentences].

    begin, end: int32[n_tokens], bytes in `data`; paragraph p owns the tokens
    `starts[p]:starts[p + 1]`, of which there is at least one.
    """
    if data.isascii():
        text = data.decode()
        words = [text[i:j] for i, j in zip(begin.tolist(), end.tolist(), strict=True)]
    else:
        words = [
            data[i:j].decode("utf-8", "surrogateescape")
            for i, j in zip(begin.tolist(), end.tolist(), strict=True)
        ]
    joined = np.append(False, begin[1:] == end[:-1])[: len(begin)].tolist()
    found = []
    for first, last in pairwise(starts.tolist()):
        starting = sentence_starts(words[first:last], joined[first:last])
        found += [first + k for k in starting]
    return np.array(found, np.int64)
