"""Treebank tokens and sentences of raw bytes: where they stand."""

from itertools import pairwise

import numpy as np

from senna_py.kernels import text as kernels
from senna_py.text.characters import KIND, cover_characters
from senna_py.text.sentences import sentence_starts
from senna_py.text.treebank import tokenize

__all__ = ["sentence_indices", "treebank_ranges"]

_ASCII_BLANKS = np.array([chr(code).isspace() for code in range(128)])


def treebank_ranges(data):
    """Bytes of the Treebank tokens of `data`, in which a newline parts whatever is around it.

    Returns begin, end: int32[n_tokens]. A byte outside UTF-8 is a token of its own.
    """
    text = data.decode("utf-8", "surrogateescape")
    # Tokens are whatever is not blank, so their lengths say where they stand; asking the matches
    # for their places takes half as long again as finding them.
    words = tokenize(text)
    length = np.fromiter(map(len, words), np.int64, len(words))
    if data.isascii():
        solid = np.flatnonzero(~_ASCII_BLANKS[np.frombuffer(data, np.uint8)])
        begin = solid[np.cumsum(length) - length]
        return begin.astype(np.int32), (begin + length).astype(np.int32)
    cover_characters(data)
    code = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    blank = (KIND[code] & kernels.BLANK) != 0
    blank |= (code < 128) & _ASCII_BLANKS[np.minimum(code, 127)]
    begin = np.flatnonzero(~blank)[np.cumsum(length) - length]
    position = _byte_positions(code)
    return position[begin], position[begin + length]


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
