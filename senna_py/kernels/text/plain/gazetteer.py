"""Fallbacks for `kernels.text.gazetteer`, which use a PhraseSearch."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.text.plain.tokens import fold_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from senna_py.kernels.arrays import Bytes, Ints
    from senna_py.kernels.text.plain.search import PhraseSearch


def join_tokens(
    raw: Bytes,
    begin: Ints,
    end: Ints,
    char_kind: Bytes,
    char_lower: Ints,
    joined: Bytes,
    kind: Bytes,
    origin: Ints,
    first: Ints,
    last: Ints,
) -> None:
    """Join tokens as the kernel does, but write only `joined`, `first` and `last`."""
    data, forms, texts = raw.tobytes(), dict[bytes, bytes](), []
    for a, b in zip(begin.tolist(), end.tolist(), strict=True):
        form = forms.get(data[a:b])
        if form is None:
            text, _, _ = fold_bytes(data, a, b, False, char_kind, char_lower)
            form = forms[data[a:b]] = bytes(text) + b" "
        texts.append(form)
    whole = b"".join(texts)
    joined[: len(whole)] = np.frombuffer(whole, np.uint8)
    lengths = np.array([len(text) for text in texts], np.int32)
    last[:] = np.cumsum(lengths) - 1
    first[:] = last + 1 - lengths


def _longest_phrases(
    joined: Bytes, first: Ints, last: Ints, starts: Ints, phrases: PhraseSearch
) -> Iterator[tuple[int, int]]:
    """Yield the longest listed phrase that begins at each token, if there is one.

    Args:
        joined, first, last, starts, phrases: See `gazetteer_places`.

    Yields:
        The first token and the token after the last one.
    """
    text = joined[: last.max(initial=0)].tobytes()
    find, begin, end = phrases.find, first.tolist(), last.tolist()
    for a, b in pairwise(starts.tolist()):
        for t in range(a, b):
            stop, i = t, begin[t]
            for u in range(t, b):
                mark = find(text[i : end[u]])
                if mark < 0:
                    break
                if mark:
                    stop = u + 1
            if stop > t:
                yield t, stop


def find_phrases(
    joined: Bytes, first: Ints, last: Ints, order: Ints, lines: Bytes, found: Ints
) -> None:
    """Write zeros, because `gazetteer_places` searches with a PhraseSearch."""
    found[:] = 0


def gazetteer_places(
    joined: Bytes,
    first: Ints,
    last: Ints,
    starts: Ints,
    phrases: PhraseSearch,
    keys: Ints,
    longest: Ints,
    out: Ints,
) -> None:
    outside, at_begin, inside, at_end, single = keys.tolist()
    lengths, places = [0] * len(out), [outside] * len(out)
    for t, stop in _longest_phrases(joined, first, last, starts, phrases):
        for k in range(t, stop):
            if stop - t > lengths[k]:
                lengths[k] = stop - t
                places[k] = inside if t < k < stop - 1 else at_end
                if k == t:
                    places[k] = at_begin if stop - t > 1 else single
    out[:] = places
