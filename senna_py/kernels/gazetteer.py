"""Phrases of a gazetteer in a sentence."""

import numpy as np

from senna_py.kernels.dictionary import EMPTY_HASH, extend_hash, find
from senna_py.kernels.jit import kernel
from senna_py.kernels.text import fold

__all__ = ["gazetteer_feature", "join_tokens"]


@kernel
def join_tokens(raw, begin, end, char_kind, char_lower, joined, kind, origin, first, last):
    """Write tokens in lower case, numbers as they are, with one space after each.

    raw: uint8; begin, end: int32[n_tokens] bytes; joined, kind, origin: scratch with
    2 * bytes + tokens entries; first, last: int32[n_tokens], where each token stands in `joined`.
    """
    n = np.int64(0)
    for t in range(len(begin)):
        first[t] = n
        n = fold(
            raw, np.int64(begin[t]), np.int64(end[t]), np.bool_(False),
            char_kind, char_lower, joined, kind, origin, n,
        )  # fmt: skip
        last[t] = n
        joined[n] = 32
        n += 1


@kernel
def gazetteer_feature(joined, first, last, starts, phrases, entity, no, yes, out):
    """Mark with `yes` the tokens of every listed entity, the others with `no`.

    joined, first, last: from `join_tokens`; starts: int32[n_sentences + 1]; phrases: Dictionary
    of entities and their token-prefixes; entity: uint8[n_phrases], 1 for a whole entity;
    out: int32[n_tokens]. Spec, section 2.7.
    """
    out[:] = no
    for s in range(len(starts) - 1):
        for t in range(starts[s], starts[s + 1]):
            value = EMPTY_HASH
            i = begin = np.int64(first[t])
            for u in range(t, starts[s + 1]):
                if last[u] - first[t] > phrases.longest:
                    break
                while i < last[u]:
                    value = extend_hash(value, joined[i])
                    i += 1
                index = find(phrases, value, joined, begin, np.int64(last[u]))
                if index < 0:
                    break
                if entity[index]:
                    for k in range(t, u + 1):
                        out[k] = yes
