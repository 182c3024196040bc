"""Occurrences of the phrases of a gazetteer in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.runtime.jit import borrowing_kernel
from senna_py.kernels.text.dictionary import EMPTY_HASH, enter, extend_hash, find
from senna_py.kernels.text.tokens import fold

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Bytes, Ints
    from senna_py.kernels.text.dictionary import Dictionary


@borrowing_kernel
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
    """Write all tokens in lower case, with a space after each token.

    Numbers are not replaced.

    Args:
        raw: uint8[n_bytes], the text.
        begin, end: int32[n_tokens], the byte range of each token.
        char_kind, char_lower: The tables of `text.characters`.
        joined, kind: uint8[2 * n_bytes + n_tokens], which receive the tokens and the
            classes of their characters.
        origin: int32[2 * n_bytes + n_tokens], scratch.
        first, last: int32[n_tokens], which receive the range of each token in `joined`.
    """
    n = np.int64(0)
    for t in range(len(begin)):
        first[t] = n
        n = fold(
            raw,
            np.int64(begin[t]),
            np.int64(end[t]),
            np.bool_(False),
            char_kind,
            char_lower,
            joined,
            kind,
            origin,
            n,
        )
        last[t] = n
        joined[n] = 32
        n += 1


@borrowing_kernel
def _longest_entity(
    joined: Bytes,
    first: Ints,
    last: Ints,
    t: int,
    end: int,
    phrases: Dictionary,
    entity: Bytes,
) -> int:
    """Return the end of the longest listed entity that begins at token t, or t.

    Args:
        joined, first, last: From `join_tokens`.
        t: The index of the token.
        end: The token index of the end of the sentence.
        phrases, entity: See `gazetteer_feature`.
    """
    value = EMPTY_HASH
    i = begin = np.int64(first[t])
    stop = t
    for u in range(t, end):
        if last[u] - first[t] > phrases.longest:
            break
        while i < last[u]:
            value = extend_hash(value, joined[i])
            i += 1
        index = find(phrases, value, joined, begin, np.int64(last[u]))
        if index < 0:
            break
        if entity[index]:
            stop = u + 1
    return stop


@borrowing_kernel
def gazetteer_feature(
    joined: Bytes,
    first: Ints,
    last: Ints,
    starts: Ints,
    phrases: Dictionary,
    entity: Bytes,
    no: int,
    yes: int,
    out: Ints,
) -> None:
    """Write `yes` for the tokens of every listed entity, and `no` for all others.

    Args:
        joined, first, last: From `join_tokens`.
        starts: int32[n_sentences + 1], where each sentence begins.
        phrases: A Dictionary of phrases and prefixes, from `enter_phrases`.
        entity: uint8[n_keys], 1 if a key of `phrases` is an entity.
        no, yes: The values to write.
        out: int32[n_tokens], which is written.
    """
    out[:] = no
    for s in range(len(starts) - 1):
        for t in range(starts[s], starts[s + 1]):
            # The longest entity covers all shorter ones that begin here.
            stop = _longest_entity(
                joined, first, last, t, np.int64(starts[s + 1]), phrases, entity
            )
            out[t:stop] = yes


@borrowing_kernel
def gazetteer_places(
    joined: Bytes,
    first: Ints,
    last: Ints,
    starts: Ints,
    phrases: Dictionary,
    entity: Bytes,
    keys: Ints,
    longest: Ints,
    out: Ints,
) -> None:
    """Write the IOBES class of each token in the longest listed entity around it.

    If two entities that contain a token have the same length, the first one counts.

    Args:
        joined, first, last, starts, phrases, entity: See `gazetteer_feature`.
        keys: int32[5], the values to write for O, B, I, E and S.
        longest: int32[n_tokens], scratch.
        out: int32[n_tokens], which is written.
    """
    out[:] = keys[0]
    longest[:] = 0
    for s in range(len(starts) - 1):
        for t in range(starts[s], starts[s + 1]):
            stop = _longest_entity(
                joined, first, last, t, np.int64(starts[s + 1]), phrases, entity
            )
            for k in range(t, stop):
                if stop - t > longest[k]:
                    longest[k] = stop - t
                    if stop - t == 1:
                        out[k] = keys[4]
                    elif k == t:
                        out[k] = keys[1]
                    else:
                        out[k] = keys[3] if k == stop - 1 else keys[2]


@borrowing_kernel
def enter_phrases(
    blob: Bytes, begin: Ints, end: Ints, slots: Ints, entity: Bytes
) -> int:
    """Insert all phrases and their prefixes of whole tokens into a hash table.

    Args:
        blob: uint8[n_bytes], phrases in lower case, with one space between tokens and a
            newline after each phrase.
        begin, end: int32[n_spaces + n_newlines], which receive the range of each key.
        slots: int32[2**k], the hash table, whose elements are initially -1.
        entity: uint8[n_spaces + n_newlines], which receives 1 for whole phrases and 0
            for other prefixes.

    Returns:
        The number of keys.
    """
    n = np.int64(0)
    value = EMPTY_HASH
    line = np.int64(0)
    for i in range(len(blob)):
        if blob[i] == 32 or blob[i] == 10:
            if i > line:
                begin[n] = line
                end[n] = i
                index = enter(blob, begin, end, slots, n, value)
                if index == n:
                    entity[n] = 0
                    n += 1
                if blob[i] == 10:
                    entity[index] = 1
            if blob[i] == 10:
                value = EMPTY_HASH
                line = np.int64(i + 1)
                continue
        value = extend_hash(value, blob[i])
    return n
