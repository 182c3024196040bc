"""Fallbacks for `kernels.text.gazetteer`, which use a KeySearch or a PhraseSearch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.kernels.text.plain.tokens import fold_bytes

if TYPE_CHECKING:
    from typing import Any

    from senna_py.kernels.arrays import Bytes, Ints


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
    data, n = raw.tobytes(), 0
    for t, (a, b) in enumerate(zip(begin.tolist(), end.tolist(), strict=True)):
        text, _, _ = fold_bytes(data, a, b, False, char_kind, char_lower)
        first[t], last[t] = n, n + len(text)
        text.append(32)
        joined[n : n + len(text)] = text
        n += len(text)


def _longest_entity(
    joined: Bytes,
    first: Ints,
    last: Ints,
    t: int,
    end: int,
    phrases: Any,
    entity: Bytes,
) -> int:
    stop = t
    for u in range(t, end):
        index = phrases.find(joined[first[t] : last[u]].tobytes())
        if index < 0:
            break
        if entity[index]:
            stop = u + 1
    return stop
