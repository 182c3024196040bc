"""Fallbacks of `kernels.text.tokens`, over bytes; a Dictionary is a
`runtime.search.KeySearch`.
"""

import re

import numpy as np

from senna_py.kernels.text import tokens as kernels

_NUMBER = re.compile(rb"[+-]?[.,]?[0-9]+(?:[.,][0-9]+)*")
_BETWEEN_SPACES = re.compile(rb"[^ \t\n\v\f\r]+")


def code_point(raw, i, size):
    """A shifted uint8 would lose its bits."""
    return ord(raw[i : i + size].tobytes().decode())


def fold_bytes(data, begin, end, numbers, char_kind, char_lower):
    """Folded form of `data[begin:end]`, as `kernels.text.tokens.fold` writes it.

    data: bytes; the other parameters are those of `fold`. Returns two bytearrays,
    folded and kind, and a list of int, origin; kind and origin have one more: what
    stands behind the end.
    """
    folded, kind, origin = bytearray(), bytearray(), []
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


def fold(raw, begin, end, numbers, char_kind, char_lower, folded, kind, origin, n):
    text, flags, places = fold_bytes(
        raw.tobytes(), begin, end, numbers, char_kind, char_lower
    )
    stop = n + len(text)
    folded[n:stop], kind[n:stop], origin[n : stop + 1] = text, flags[:-1], places
    return stop


def _fold_text(data, begin, end, char_kind, char_lower, folded, kind, origin):
    """Append the folded form of a text whose numbers stay as they are."""
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
    raw,
    range_begin,
    range_end,
    splitting,
    char_kind,
    char_lower,
    words,
    unknown,
    hashes,
    folded,
    kind,
    origin,
    begin,
    end,
    folded_begin,
    folded_end,
    word,
    starts,
    source,
):
    data, tokens, n = raw.tobytes(), [], 0
    starts[0] = n_sentences = 0
    for r, (a, b) in enumerate(
        zip(range_begin.tolist(), range_end.tolist(), strict=True)
    ):
        text, flags, places = fold_bytes(data, a, b, True, char_kind, char_lower)
        size, n_before = len(text), len(tokens)
        folded[n : n + size] = text
        kind[n : n + size + 1] = flags
        for i, j, index in _tokens(bytes(text), flags, splitting, words):
            tokens.append(
                (places[i], places[j], n + i, n + j, unknown if index < 0 else index)
            )
        if len(tokens) > n_before:
            source[n_sentences] = r
            n_sentences += 1
            starts[n_sentences] = len(tokens)
        n += size
    columns = zip(*tokens, strict=True) if tokens else ((),) * 5
    for out, values in zip(
        (begin, end, folded_begin, folded_end, word), columns, strict=True
    ):
        out[: len(tokens)] = values
    return len(tokens), n_sentences, n


def _tokens(text, kind, splitting, words):
    """Yield begin, end and dictionary index (or -1) of the tokens of a folded range."""
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


def _next_token(text, kind, i, words):
    """See `kernels.text.tokens._next_token`; the last of `kind` stands behind the
    text.
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
