"""Phrases of a gazetteer in a sentence."""

import numpy as np

from senna_py.kernels.runtime.jit import borrowing_kernel
from senna_py.kernels.text.dictionary import EMPTY_HASH, enter, extend_hash, find
from senna_py.kernels.text.tokens import fold


@borrowing_kernel
def join_tokens(
    raw, begin, end, char_kind, char_lower, joined, kind, origin, first, last
):
    """Write tokens in lower case, numbers as they are, with one space after each.

    raw: uint8; begin, end: int32[n_tokens] bytes; joined, kind, origin: scratch with
    2 * bytes + tokens entries; first, last: int32[n_tokens], where each token stands in
    `joined`.
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
def _longest_entity(joined, first, last, t, end, phrases, entity):
    """End of the longest listed entity at token t of a sentence up to token `end`; t if
    none.
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
def gazetteer_feature(joined, first, last, starts, phrases, entity, no, yes, out):
    """Mark with `yes` the tokens of every listed entity, the others with `no`.

    joined, first, last: from `join_tokens`; starts: int32[n_sentences + 1]; phrases, a
    Dictionary, and entity: from `enter_phrases`; out: int32[n_tokens]. Spec, section
    2.7.
    """
    out[:] = no
    for s in range(len(starts) - 1):
        for t in range(starts[s], starts[s + 1]):
            # It covers the shorter ones that begin here.
            stop = _longest_entity(
                joined, first, last, t, np.int64(starts[s + 1]), phrases, entity
            )
            out[t:stop] = yes


@borrowing_kernel
def gazetteer_places(joined, first, last, starts, phrases, entity, keys, longest, out):
    """Write the place of each token in the longest listed entity that holds it.

    joined to entity: as in `gazetteer_feature`; keys: int32[5], those of O, B, I, E and
    S; longest: int32[n_tokens], scratch; out: int32[n_tokens]. Of two as long, the
    first counts.
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
def enter_phrases(blob, begin, end, slots, entity):
    """Enter phrases and all their token-prefixes into a hash table.

    blob: uint8, lower-case phrases with one space between tokens and a newline after
    each; slots: int32[2**k], -1 before; out, with room for one entry per space and
    newline: begin, end: int32 and entity: uint8, 1 for a whole phrase. Returns the
    number of entries.
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
