"""What depends on nothing but the form of a token: computed once per form, and kept."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Protocol

import numpy as np

from senna_py.features.protocol import Batch, ValuesOfTokens
from senna_py.kernels.text import forms as kernels
from senna_py.kernels.text.key_table import WithFallback

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from numpy.typing import NDArray

    from senna_py.features.protocol import FormValue
    from senna_py.text.tokens import Tokens

    Ints = NDArray[np.int32]

_MARKS = 1 << 16  # the number of marks of forms that have been missing once
_GROWTH = 4  # the factor by which arrays of values grow
_BYTES = 32  # the average number of bytes of a form for which there is room


class _Index(Protocol):
    """Finds the places of forms in a table."""

    def find(self, tokens: Tokens, n_kept: int) -> tuple[Ints, Ints]:
        """Return `ValuesOfTokens.place`, and the first token with each missing form.

        Only the first `n_kept` places are used.
        """

    def keep(self, tokens: Tokens, missing: Ints, n_kept: int) -> NDArray[np.integer]:
        """Add missing forms, from place `n_kept` on.

        Returns the indices in `missing` of the forms for which there was room. One
        thread at a time calls this.
        """


class _HashIndex:
    """An _Index for compiled kernels."""

    def __init__(self, capacity: int) -> None:
        slots = np.full(1 << (2 * capacity).bit_length(), -1, np.int32)
        blob = np.empty(_BYTES * capacity, np.uint8)
        ends = np.empty(2 * capacity + 1, np.int32)
        ends[0] = 0
        self._keys = kernels.FormKeys(slots, blob, ends)
        self._seen, self._n_missing = np.zeros(_MARKS, np.uint8), 0

    def find(self, tokens: Tokens, n_kept: int) -> tuple[Ints, Ints]:
        place, missing = np.empty((2, len(tokens)), np.int32)
        n = kernels.find_forms(_texts(tokens), self._keys, n_kept, place, missing)
        return place, missing[:n]

    def keep(self, tokens: Tokens, missing: Ints, n_kept: int) -> NDArray[np.integer]:
        self._n_missing += len(missing)
        # With many marks, new forms would often collide with the mark of another.
        if self._n_missing > _MARKS // 4:
            self._seen[:], self._n_missing = 0, len(missing)
        kept = np.empty(len(missing), np.int32)
        n = kernels.keep_forms(
            _texts(tokens), missing, self._keys, self._seen, n_kept, kept
        )
        return kept[:n]


class _DictIndex:
    """An _Index for fallbacks."""

    def __init__(self, capacity: int) -> None:
        self._capacity, self._places = capacity, dict[tuple[bytes, bytes], int]()

    def find(self, tokens: Tokens, n_kept: int) -> tuple[Ints, Ints]:
        place, missing = [], dict[tuple[bytes, bytes], int]()
        for row, form in enumerate(_forms(tokens)):
            at = self._places.get(form, n_kept)
            place.append(at if at < n_kept else -1 - missing.setdefault(form, row))
        rows = np.array([*missing.values()], np.int32)
        places = np.array(place, np.int32)
        is_new = places < 0
        places[is_new] = -1 - np.searchsorted(rows, -1 - places[is_new])
        return places, rows

    def keep(self, tokens: Tokens, missing: Ints, n_kept: int) -> NDArray[np.integer]:
        kept = list[int]()
        for row, form in enumerate(_forms(tokens.rows(missing))):
            if n_kept + len(kept) == self._capacity:
                break
            if form not in self._places and len(form[0]) <= kernels.LONGEST:
                self._places[form] = n_kept + len(kept)
                kept.append(row)
        return np.array(kept, np.int64)


def _texts(tokens: Tokens) -> kernels.FormTexts:
    return kernels.FormTexts(
        tokens.raw,
        tokens.begin,
        tokens.end,
        tokens.folded,
        tokens.folded_begin,
        tokens.folded_end,
    )


def _forms(tokens: Tokens) -> list[tuple[bytes, bytes]]:
    """Return the text and the look-up form of each token."""
    folded = tokens.folded.tobytes()
    begin, end = tokens.folded_begin.tolist(), tokens.folded_end.tolist()
    places = zip(begin, end, strict=True)
    return [*zip(tokens.texts(), (folded[a:b] for a, b in places), strict=True)]


class FormTable:
    """Keeps values of forms, up to a number of forms. Threads may share it.

    Its memory grows with the number of forms.
    """

    def __init__(self, values: Mapping[Hashable, FormValue], capacity: int) -> None:
        """Prepare the table.

        Args:
            values: The values of a form, by any keys.
            capacity: The maximum number of forms.
        """
        self._values = values
        # Compiled kernels and fallbacks do not share the table.
        self._stores = WithFallback(
            lambda: _Store(_HashIndex(capacity), values, capacity),
            lambda: _Store(_DictIndex(capacity), values, capacity),
        )

    def find(self, tokens: Tokens) -> dict[Hashable, ValuesOfTokens]:
        """Return the values of the forms of tokens, by their keys.

        Args:
            tokens: Tokens whose forms are all in the text (`Tokens.with_forms`).
        """
        if not self._values:
            return {}
        store = self._stores.get()
        place, missing, rows = store.find(tokens)
        if not len(missing):
            return {
                key: ValuesOfTokens(place, kept, kept[:0]) for key, kept in rows.items()
            }
        forms = Batch(tokens.rows(missing))
        new = {key: value.compute(forms) for key, value in self._values.items()}
        store.keep(tokens, missing, new)
        return {
            key: ValuesOfTokens(place, kept, new[key]) for key, kept in rows.items()
        }


class _Store:
    """The forms of a FormTable and their values, which never change once written."""

    def __init__(
        self, index: _Index, values: Mapping[Hashable, FormValue], capacity: int
    ) -> None:
        self._index, self._n, self._lock = index, 0, threading.Lock()
        self._capacity = capacity
        self._rows = {
            key: np.empty((0, value.width), np.int32) for key, value in values.items()
        }

    def find(self, tokens: Tokens) -> tuple[Ints, Ints, dict[Hashable, Ints]]:
        """Return the result of `_Index.find`, and the values in the table by key."""
        with self._lock:  # so that all values below `n` have been written
            n = self._n
            rows = {key: rows[:n] for key, rows in self._rows.items()}
        return *self._index.find(tokens, n), rows

    def keep(self, tokens: Tokens, missing: Ints, new: Mapping[Hashable, Ints]) -> None:
        """Add missing forms and their values, as long as there is room."""
        with self._lock:
            kept = self._index.keep(tokens, missing, self._n)
            end = self._n + len(kept)
            for key in self._rows:
                if end > len(self._rows[key]):
                    self._rows[key] = self._grown(self._rows[key], end)
                self._rows[key][self._n : end] = new[key][kept]
            self._n = end

    def _grown(self, rows: Ints, least: int) -> Ints:
        """Return a longer copy of some values. Threads may still read the old array."""
        n_rows = min(max(_GROWTH * len(rows), least), self._capacity)
        grown = np.empty((n_rows, rows.shape[1]), np.int32)
        grown[: self._n] = rows[: self._n]
        return grown
