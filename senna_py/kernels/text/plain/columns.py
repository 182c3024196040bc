"""Fallbacks for `kernels.text.columns`."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.text.columns import WORD, ZERO

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Bytes, Ints, Longs
    from senna_py.kernels.text.columns import Texts


def write_rows(
    raw: Bytes,
    begin: Ints,
    end: Ints,
    starts: Ints,
    width: int,
    texts: Texts,
    piece: Ints,
    first: Longs,
    out: Bytes,
) -> int:
    """Write one row for each token; see `kernels.text.columns.write_rows`."""
    data = raw.tobytes()
    ranges = zip(begin.tolist(), end.tolist(), strict=True)
    words = [_cell_of_word(data[i:j], width) for i, j in ranges]
    data = texts.data.tobytes()
    known = [data[i:j] for i, j in pairwise(texts.start.tolist())]
    cells = [_cells(words, known, piece, bounds) for bounds in first]
    rows = list(map(b"".join, zip(*cells, strict=True))) or [b""] * len(words)
    sentences = (rows[i:j] for i, j in pairwise(starts.tolist()))
    # A sentence ends with an empty row.
    found = b"".join(b"\n".join([*rows, b"", b""]) for rows in sentences)
    out[: len(found)] = np.frombuffer(found, np.uint8)
    return len(found)


def _cell_of_word(word: bytes, width: int) -> bytes:
    """Return a word as it is printed; see `write_rows` for the width."""
    if width == 0:
        return b'"%b"' % word.replace(b'"', b'""') if word[:1] == b'"' else word
    n_characters = len(word.decode("utf-8", "surrogateescape"))
    return b" " * (width - n_characters) + word


def _cells(
    words: list[bytes], texts: list[bytes], piece: Ints, bounds: Longs
) -> list[bytes]:
    """Return the cells of a column.

    Args:
        words: The words as they are printed.
        texts: The texts.
        piece: See `write_rows`.
        bounds: int64[n_tokens + 1], the row of `first` for the column.
    """
    counts = np.diff(bounds)
    owners = np.repeat(np.arange(len(words)), counts).tolist()
    pieces = piece[bounds[0] : bounds[-1]].tolist()
    found = [
        texts[i] if i >= 0 else words[t] if i == WORD else b"%d" % (ZERO - i)
        for i, t in zip(pieces, owners, strict=True)
    ]
    if (counts == 1).all():
        return found
    ends = (bounds - bounds[0]).tolist()
    return [b"".join(found[i:j]) for i, j in pairwise(ends)]
