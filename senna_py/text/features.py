"""Discrete features: what a network sees of a token beside its word (section 3.2.1).

Each feature is called with Tokens and returns int32[n_tokens], indices into its vocabulary.
"""

import numpy as np

from senna_py.kernels import gazetteer as gazetteer_kernels
from senna_py.kernels import text as kernels
from senna_py.text.characters import KIND, LOWER

__all__ = ["Caps", "Gazetteers", "Suffix", "word"]


def word(tokens):
    """Dictionary index of each token."""
    return tokens.word


class Caps:
    """Capitalisation: `allcaps`, `hascap`, `initcap` or `nocaps`."""

    def __init__(self, vocabulary):
        """Take the Vocabulary with those keys."""
        keys = ("allcaps", "hascap", "initcap", "nocaps")
        self._keys = np.array([vocabulary.position(key) for key in keys], np.int32)

    def __call__(self, tokens):
        """Feature of each token: int32[n_tokens]."""
        out = np.empty(len(tokens), np.int32)
        kernels.caps_feature(tokens.kind, tokens.folded_begin, tokens.folded_end, self._keys, out)
        return out


class Suffix:
    """The last characters, in lower case."""

    def __init__(self, vocabulary, length=2):
        """Take the searchable Vocabulary of suffixes of `length` characters, and `NOSUFFIX`."""
        self._suffixes = vocabulary.table
        self._missing = vocabulary.position("NOSUFFIX")
        self._length = length

    def __call__(self, tokens):
        """Feature of each token: int32[n_tokens]."""
        out = np.empty(len(tokens), np.int32)
        kernels.suffix_feature(
            tokens.folded, tokens.kind, tokens.folded_begin, tokens.folded_end,
            self._length, self._suffixes, self._missing, out,
        )  # fmt: skip
        return out


class Gazetteers:
    """Whether a token is part of a listed phrase, for each of several lists."""

    def __init__(self, vocabulary, lists):
        """Take the Vocabulary with `NO` and `YES`, and pairs of a list and its entity marks.

        A list is a searchable Vocabulary of entities and their token-prefixes; its marks are
        uint8[n_phrases], 1 where a phrase is a whole entity.
        """
        self._no = vocabulary.position("NO")
        self._yes = vocabulary.position("YES")
        self._lists = [(phrases.table, entity) for phrases, entity in lists]

    def __call__(self, tokens):
        """Features of each token, one per list: a list of int32[n_tokens]."""
        size = 2 * len(tokens.data) + len(tokens) + 1
        joined, kind = np.empty(size, np.uint8), np.empty(size, np.uint8)
        first, last = np.empty(len(tokens), np.int32), np.empty(len(tokens), np.int32)
        gazetteer_kernels.join_tokens(
            tokens.raw, tokens.begin, tokens.end, KIND, LOWER,
            joined, kind, np.empty(size, np.int32), first, last,
        )  # fmt: skip
        columns = []
        for phrases, entity in self._lists:
            out = np.empty(len(tokens), np.int32)
            gazetteer_kernels.gazetteer_feature(
                joined, first, last, tokens.starts, phrases, entity, self._no, self._yes, out
            )
            columns.append(out)
        return columns
