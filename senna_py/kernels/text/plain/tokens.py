"""Fallbacks for `kernels.text.tokens`, with a KeySearch as the Dictionary."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.text import tokens as kernels

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Bools, Bytes, Ints
    from senna_py.kernels.text.dictionary import Dictionary

_NUMBER = re.compile(rb"[+-]?[.,]?[0-9]+(?:[.,][0-9]+)*")
_BETWEEN_SPACES = re.compile(rb"[^ \t\n\v\f\r]+")


def code_point(raw: Bytes, i: int, size: int) -> int:
    """Return the code point of the UTF-8 character of `size` bytes at `raw[i]`.

    The character is decoded, because shifting a uint8 would lose bits.
    """
    return ord(raw[i : i + size].tobytes().decode())


def fold_bytes(
    data: Any, begin: int, end: int, numbers: bool, char_kind: Bytes, char_lower: Ints
) -> tuple[bytearray, bytearray, list[int]]:
    """Return the folded form of `data[begin:end]`; see `kernels.text.tokens.fold`.

    Args:
        data: The text, bytes.
        begin, end, numbers, char_kind, char_lower: See `fold`.

    Returns:
        The bytearrays `folded` and `kind`, and the list `origin`. `kind` and `origin`
        have an additional element for the end.
    """
    folded, kind = bytearray(), bytearray()
    origin: list[int] = []
    position = begin
    for number in _NUMBER.finditer(data, begin, end) if numbers else ():
        _fold_text(
            data, position, number.start(), char_kind, char_lower, folded, kind, origin
        )
        folded.append(48)
        kind.append(kernels.WORD | kernels.FIRST)
        origin.append(number.start())
        position = number.end()
    _fold_text(data, position, end, char_kind, char_lower, folded, kind, origin)
    kind.append(kernels.FIRST)
    origin.append(end)
    return folded, kind, origin


def fold(
    raw: Bytes,
    begin: int,
    end: int,
    numbers: bool,
    char_kind: Bytes,
    char_lower: Ints,
    folded: Bytes,
    kind: Bytes,
    origin: Ints,
    n: int,
) -> int:
    text, flags, places = fold_bytes(
        raw.tobytes(), begin, end, numbers, char_kind, char_lower
    )
    stop = n + len(text)
    folded[n:stop], kind[n:stop], origin[n : stop + 1] = text, flags[:-1], places
    return stop


def _fold_text(
    data: Any,
    begin: int,
    end: int,
    char_kind: Bytes,
    char_lower: Ints,
    folded: bytearray,
    kind: bytearray,
    origin: list[int],
) -> None:
    """Append the folded form of a text in which numbers are not replaced."""
    text = data[begin:end]
    if text.isascii():
        folded += text.lower()
        kind += bytes(char_kind[np.frombuffer(text, np.uint8)] | kernels.FIRST)
        origin += range(begin, end)
        return
    for char in text.decode("utf-8", "surrogateescape"):
        code, size, flags = ord(char), 1, 0
        if 0xDC80 <= code <= 0xDCFF:  # a byte that is not part of valid UTF-8
            form = bytes([code & 0xFF])
        else:
            size, flags = len(char.encode()), int(char_kind[code])
            form = chr(char_lower[code]).encode()
            form *= 2 if flags & kernels.DOUBLED else 1
        folded += form
        kind += bytes([flags | kernels.FIRST]) + bytes([flags]) * (len(form) - 1)
        origin += [begin] * len(form)
        begin += size


def tokenize(
    raw: Bytes,
    range_begin: Ints,
    range_end: Ints,
    splitting: int,
    char_kind: Bytes,
    char_lower: Ints,
    words: Dictionary,
    unknown: int,
    hashes: NDArray[np.uint64],
    folded: Bytes,
    kind: Bytes,
    origin: Ints,
    begin: Ints,
    end: Ints,
    folded_begin: Ints,
    folded_end: Ints,
    word: Ints,
    starts: Ints,
    source: Ints,
) -> tuple[int, int, int]:
    data, n = raw.tobytes(), 0
    forms: dict[bytes, tuple[bytes, bytes, list[tuple[int, ...]]]] = {}
    texts, flags = [], []
    tokens: list[tuple[int, ...]] = []
    starts[0] = n_sentences = 0
    ranges = zip(range_begin.tolist(), range_end.tolist(), strict=True)
    for r, (a, b) in enumerate(ranges):
        key = data[a:b]
        if key not in forms:
            text, kinds, places = fold_bytes(key, 0, b - a, True, char_kind, char_lower)
            new = [
                (places[i], places[j], i, j, unknown if index < 0 else index)
                for i, j, index in _tokens(bytes(text), kinds, splitting, words)
            ]
            forms[key] = bytes(text), bytes(kinds[:-1]), new
        form, classes, own = forms[key]
        texts.append(form)
        flags.append(classes)
        if own:
            tokens += [(a + i, a + j, n + k, n + m, w) for i, j, k, m, w in own]
            source[n_sentences] = r
            n_sentences += 1
            starts[n_sentences] = len(tokens)
        n += len(form)
    flags.append(bytes([kernels.FIRST]))
    folded[:n] = np.frombuffer(b"".join(texts), np.uint8)
    kind[: n + 1] = np.frombuffer(b"".join(flags), np.uint8)
    columns = zip(*tokens, strict=True) if tokens else ((),) * 5
    for out, values in zip(
        (begin, end, folded_begin, folded_end, word), columns, strict=True
    ):
        out[: len(tokens)] = values
    return len(tokens), n_sentences, n


def _tokens(
    text: Any, kind: Any, splitting: int, words: Any
) -> Iterator[tuple[int, int, int]]:
    """Yield the begin, the end and the word index of each token of a folded range.

    The index is -1 if the word is not in the KeySearch.
    """
    if splitting == kernels.GIVEN:
        if text:
            yield 0, len(text), words.find(text)
    elif splitting == kernels.WHITESPACE:
        for found in _BETWEEN_SPACES.finditer(text):
            yield *found.span(), words.find(found.group())
    else:
        i = 0
        while i < len(text):
            if kind[i] & kernels.BLANK:
                i += 1
                continue
            j, index = _next_token(text, kind, i, words)
            yield i, j, index
            i = j


def _next_token(text: Any, kind: Any, i: int, words: Any) -> tuple[int, int]:
    """Return the end of SENNA's token at `i`, and its index in the KeySearch or -1.

    The last element of `kind` is for the end of the text.
    """
    n = len(text)
    run = stop = i
    while run < n and kind[run] & kernels.WORD:
        run += 1
    while stop < n and stop - i < words.longest and not kind[stop] & kernels.BLANK:
        stop += 1
    for k in range(stop, max(run, i + 1) - 1, -1):
        if kind[k] & kernels.FIRST:
            index = words.find(text[i:k])
            if index >= 0:
                return k, index
    if run > i:
        return run, -1
    run = i + 1
    while not kind[run] & kernels.FIRST:
        run += 1
    return run, -1


def decode(raw: Bytes) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """Return the code points of a text and the byte at which each character begins.

    A byte outside valid UTF-8 is a character, whose code point is between 0xDC80 and
    0xDCFF.

    Args:
        raw: uint8[n_bytes].

    Returns:
        uint32[n] and int64[n].
    """
    text = raw.tobytes().decode("utf-8", "surrogateescape")
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    sizes = 1 + (codes >= 0x80) + (codes >= 0x800) + (codes >= 0x10000)
    sizes[_is_byte(codes)] = 1
    return codes, np.cumsum(sizes) - sizes


def _is_byte(codes: NDArray[np.uint32]) -> Bools:
    return (codes >= 0xDC80) & (codes <= 0xDCFF)


def unknown_block(raw: Bytes, known: Bools) -> int:
    codes, _ = decode(raw)
    blocks = (codes >> 8)[~_is_byte(codes) & (codes >= 0x80)]
    unknown = blocks[~known[blocks]]
    return int(unknown[0]) if len(unknown) else -1


def count_of(flags: Bools) -> NDArray[np.int64]:
    """Return how many flags are set before each position: int64[n + 1]."""
    return np.append(0, np.cumsum(flags))


def caps_feature(
    kind: Bytes, folded_begin: Ints, folded_end: Ints, keys: Ints, out: Ints
) -> None:
    kind = kind[: folded_end.max(initial=0) + 1]
    any_upper, any_lower = (
        count[folded_end] > count[folded_begin]
        for count in (
            count_of(kind & bit != 0) for bit in (kernels.UPPER, kernels.LOWER)
        )
    )
    is_first_upper = kind[folded_begin] & kernels.UPPER != 0
    cases = [any_upper & ~any_lower, is_first_upper, any_upper]
    out[:] = np.select(cases, [keys[0], keys[2], keys[1]], keys[3])


def count_characters(
    raw: Bytes, begin: Ints, end: Ints, line_begin: Ints, starts: Ints, out: Ints
) -> None:
    _, places = decode(raw)
    lines = np.repeat(np.searchsorted(places, line_begin), np.diff(starts))
    out[:, 0] = np.searchsorted(places, begin) - lines
    out[:, 1] = np.searchsorted(places, end) - lines
