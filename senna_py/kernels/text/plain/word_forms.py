"""Fallbacks for `kernels.text.word_forms`, with a KeySearch as the Dictionary."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.text import word_forms as kernels
from senna_py.kernels.text.tokens import FIRST
from senna_py.kernels.text.word_forms import SHAPE_LENGTH

if TYPE_CHECKING:
    from typing import Any

    from senna_py.kernels.arrays import Bytes, Ints


def affix_spans(
    kind: Bytes,
    folded_begin: Ints,
    folded_end: Ints,
    length: int,
    at_end: bool,
    whole: bool,
    begin: Ints,
    end: Ints,
) -> None:
    character = np.append(np.flatnonzero(kind & FIRST), len(kind))
    first, last = (
        np.searchsorted(character, side) for side in (folded_begin, folded_end)
    )
    short = last - first < length
    begin[:], end[:] = folded_begin, folded_end
    if at_end:
        begin[:] = np.where(short, begin, character[last - np.minimum(length, last)])
    else:
        end[:] = np.where(
            short, end, character[np.minimum(first + length, len(character) - 1)]
        )
    if not whole:
        end[short] = begin[short]


def word_shapes(
    raw: Bytes,
    token_begin: Ints,
    token_end: Ints,
    char_kind: Bytes,
    shapes: Bytes,
    begin: Ints,
    end: Ints,
) -> None:
    data = raw.tobytes()
    for t, (a, b) in enumerate(
        zip(token_begin.tolist(), token_end.tolist(), strict=True)
    ):
        text = data[a:b].decode("utf-8", "surrogateescape")
        symbols = (_symbol(ord(char), char_kind) for char in text)
        shape = bytes(symbol for symbol, _ in groupby(symbols))[:SHAPE_LENGTH]
        begin[t] = t * SHAPE_LENGTH
        end[t] = begin[t] + len(shape)
        shapes[begin[t] : end[t]] = np.frombuffer(shape, np.uint8)


def _symbol(code: int, char_kind: Bytes) -> int:
    if 0xDC80 <= code <= 0xDCFF:  # a byte outside UTF-8
        code = 0xFFFD
    return kernels.symbol_of(code, char_kind[code])


def find_spans(
    text: Bytes, begin: Ints, end: Ints, keys: Any, missing: int, out: Ints
) -> None:
    data = text.tobytes()
    found = [
        keys.find(data[a:b]) if a < b else -1
        for a, b in zip(begin.tolist(), end.tolist(), strict=True)
    ]
    out[:] = found
    out[out < 0] = missing
