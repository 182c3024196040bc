"""Fallbacks for `kernels.text.word_forms`, with a KeySearch as the Dictionary."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.text import word_forms as kernels
from senna_py.kernels.text.plain.tokens import count_of
from senna_py.kernels.text.tokens import FIRST, LOWER, UPPER
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
    data, found = raw.tobytes(), dict[bytes, bytes]()
    shapes_of_tokens = []
    for a, b in zip(token_begin.tolist(), token_end.tolist(), strict=True):
        shape = found.get(data[a:b])
        if shape is None:
            shape = found[data[a:b]] = _shape(data[a:b], char_kind)
        shapes_of_tokens.append(shape)
    padded = b"".join(shape.ljust(SHAPE_LENGTH) for shape in shapes_of_tokens)
    shapes[: len(padded)] = np.frombuffer(padded, np.uint8)
    begin[:] = np.arange(len(begin)) * SHAPE_LENGTH
    end[:] = begin + [len(shape) for shape in shapes_of_tokens]


def _shape(token: bytes, char_kind: Bytes) -> bytes:
    text = token.decode("utf-8", "surrogateescape")
    symbols = (_symbol(ord(char), char_kind) for char in text)
    return bytes(symbol for symbol, _ in groupby(symbols))[:SHAPE_LENGTH]


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


def sentence_caps(
    kind: Bytes,
    folded_begin: Ints,
    folded_end: Ints,
    starts: Ints,
    keys: Ints,
    out: Ints,
) -> None:
    first, count = (
        kind[folded_begin],
        count_of(kind[: folded_end.max(initial=0)] & LOWER != 0),
    )
    is_cased = first & (UPPER | LOWER) != 0
    is_upper = is_cased & (count[folded_end] == count[folded_begin])
    n_cased, n_initial, n_upper = (
        np.diff(count_of(flags)[starts])
        for flags in (is_cased, first & UPPER != 0, is_upper)
    )
    cases = [n_cased < 2, 5 * n_upper > 3 * n_cased, 5 * n_initial > 3 * n_cased]
    cases.append(n_initial == 0)
    values = np.select(cases, [keys[0], keys[4], keys[3], keys[1]], keys[2])
    out[:] = np.repeat(values, np.diff(starts))
