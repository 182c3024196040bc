"""The fallback for `kernels.text.dictionary.enter_words`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Bytes, Ints


def enter_words(text: Bytes, begin: Ints, end: Ints, slots: Ints, first: Ints) -> None:
    data = text.tobytes()
    known: dict[bytes, int] = {}
    ranges = zip(begin.tolist(), end.tolist(), strict=True)
    first[:] = [known.setdefault(data[a:b], t) for t, (a, b) in enumerate(ranges)]
