"""A hash table of the forms of tokens that threads share and that only grows.

A form is the text of a token together with its look-up form, because the same text may
be looked up in several ways.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.kernels.runtime.jit import borrowing_kernel, kernel
from senna_py.kernels.text.dictionary import EMPTY_HASH, extend_hash

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Bytes, Ints


class FormTexts(NamedTuple):
    """The forms of the tokens of a batch.

    Attributes:
        raw: uint8[n_bytes], the text.
        begin, end: int32[n_tokens], the byte range of each token.
        folded: uint8[n_folded], the text of look-up forms.
        folded_begin, folded_end: int32[n_tokens], the byte range of each look-up form.
    """

    raw: NDArray[np.uint8]
    begin: NDArray[np.int32]
    end: NDArray[np.int32]
    folded: NDArray[np.uint8]
    folded_begin: NDArray[np.int32]
    folded_end: NDArray[np.int32]


class FormKeys(NamedTuple):
    """The arrays of the hash table.

    Attributes:
        slots: int32[2**k], a hash table with open addressing that contains the indices
            of forms, or -1.
        blob: uint8[n_bytes], the text of each form, followed by its look-up form.
        ends: int32[2 * capacity + 1], where the text and the look-up form of each form
            end in `blob`, from the second element on.
    """

    slots: NDArray[np.int32]
    blob: NDArray[np.uint8]
    ends: NDArray[np.int32]


@borrowing_kernel
def _hash(texts: FormTexts, t: int) -> np.int64:
    value = EMPTY_HASH
    for i in range(texts.begin[t], texts.end[t]):
        value = extend_hash(value, texts.raw[i])
    return np.int64((value ^ (value >> np.uint64(32))) & np.uint64(0x7FFFFFFF))


@borrowing_kernel
def _same_bytes(a: Bytes, begin: int, end: int, b: Bytes, other: int) -> bool:
    """Return whether a[begin:end] equals as many bytes of b from `other` on."""
    i = begin
    while i < end and a[i] == b[other + i - begin]:
        i += 1
    return i >= end


@borrowing_kernel
def _is_kept(texts: FormTexts, t: int, keys: FormKeys, form: int) -> bool:
    """Return whether token t has the form with this index in a hash table."""
    begin, end = np.int64(texts.begin[t]), np.int64(texts.end[t])
    first, last = np.int64(texts.folded_begin[t]), np.int64(texts.folded_end[t])
    a, b, c = keys.ends[2 * form], keys.ends[2 * form + 1], keys.ends[2 * form + 2]
    return (
        end - begin == b - a
        and last - first == c - b
        and _same_bytes(texts.raw, begin, end, keys.blob, np.int64(a))
        and _same_bytes(texts.folded, first, last, keys.blob, np.int64(b))
    )


@borrowing_kernel
def _are_equal(texts: FormTexts, t: int, u: int) -> bool:
    """Return whether two tokens have the same form."""
    begin, end = np.int64(texts.begin[t]), np.int64(texts.end[t])
    first, last = np.int64(texts.folded_begin[t]), np.int64(texts.folded_end[t])
    other, another = np.int64(texts.begin[u]), np.int64(texts.folded_begin[u])
    return (
        end - begin == texts.end[u] - other
        and last - first == texts.folded_end[u] - another
        and _same_bytes(texts.raw, begin, end, texts.raw, other)
        and _same_bytes(texts.folded, first, last, texts.folded, another)
    )


@kernel
def find_forms(
    texts: FormTexts, keys: FormKeys, n_kept: int, place: Ints, missing: Ints
) -> int:
    """Look up the forms of tokens.

    Args:
        texts: The forms of the tokens.
        keys: The hash table.
        n_kept: The number of forms to use. Another thread may be writing the forms
            after them.
        place: int32[n_tokens], which receives the index of each form, or -1 - m for the
            distinct missing form m.
        missing: int32[n_tokens], which receives the first token with each distinct
            missing form.

    Returns:
        The number of distinct missing forms.
    """
    size = np.int64(16)
    while size < 2 * len(place):
        size *= 2
    fresh = np.full(size, np.int32(-1))
    n_missing, n_slots = np.int64(0), len(keys.slots)
    for t in range(len(place)):
        value = _hash(texts, np.int64(t))
        at = value & (n_slots - 1)
        form = np.int64(keys.slots[at])
        # Indices are assigned in order, so all further ones are not in use yet either.
        while 0 <= form < n_kept and not _is_kept(texts, np.int64(t), keys, form):
            at = (at + 1) & (n_slots - 1)
            form = np.int64(keys.slots[at])
        if 0 <= form < n_kept:
            place[t] = form
            continue
        at = value & (size - 1)
        while fresh[at] >= 0 and not _are_equal(
            texts, np.int64(t), np.int64(missing[fresh[at]])
        ):
            at = (at + 1) & (size - 1)
        if fresh[at] < 0:
            fresh[at] = n_missing
            missing[n_missing] = t
            n_missing += 1
        place[t] = -1 - fresh[at]
    return n_missing


LONGEST = 128  # the number of bytes of the longest text that is kept


@kernel
def keep_forms(
    texts: FormTexts,
    missing: Ints,
    keys: FormKeys,
    seen: Bytes,
    n_kept: int,
    kept: Ints,
) -> int:
    """Add missing forms of at most LONGEST bytes to a hash table while there is room.

    Once half of the room is taken, a form is only added when it is missing for the
    second time.

    Args:
        texts: The forms of the tokens.
        missing: int32[n_missing], tokens with distinct missing forms.
        keys: The hash table.
        seen: uint8[2**k], 1 at the hashes of forms that have been missing before.
        n_kept: The number of forms in the table.
        kept: int32[n_missing], which receives the indices in `missing` of the forms
            that are added.

    Returns:
        The number of forms that are added. Their indices in the table follow each
        other from `n_kept` on.
    """
    n, n_slots = np.int64(0), len(keys.slots)
    capacity = (len(keys.ends) - 1) // 2
    for m in range(len(missing)):
        t, form = np.int64(missing[m]), n_kept + n
        value = _hash(texts, t)
        if 2 * form >= capacity:
            mark = (value ^ (value >> 11)) & (len(seen) - 1)
            if not seen[mark]:
                seen[mark] = 1
                continue
        begin, first = texts.begin[t], texts.folded_begin[t]
        if texts.end[t] - begin > LONGEST:
            continue
        stop = np.int64(keys.ends[2 * form])
        middle = stop + texts.end[t] - begin
        end = middle + texts.folded_end[t] - first
        if form == capacity or end > len(keys.blob):
            break
        at = value & (n_slots - 1)
        while keys.slots[at] >= 0 and not _is_kept(
            texts, t, keys, np.int64(keys.slots[at])
        ):
            at = (at + 1) & (n_slots - 1)
        if keys.slots[at] >= 0:
            continue  # another thread has added it
        for i in range(middle - stop):
            keys.blob[stop + i] = texts.raw[begin + i]
        for i in range(end - middle):
            keys.blob[middle + i] = texts.folded[first + i]
        keys.ends[2 * form + 1], keys.ends[2 * form + 2] = middle, end
        keys.slots[at] = form
        kept[n] = m
        n += 1
    return n
