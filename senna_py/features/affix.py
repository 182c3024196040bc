"""Beginnings and ends of words, in lower case."""

import re

import numpy as np

from senna_py.features.spans import TextFeature
from senna_py.kernels.word_forms import affix_spans

__all__ = ["Prefix", "Suffix"]

_LENGTH = re.compile(r"[1-9][0-9]?")


class Suffix(TextFeature):
    """`suffix`: the last two characters, or the only one; `suffix.N`: the last N."""

    missing = "NOSUFFIX"
    _kind, _alone = "suffix", True  # whether there is a feature without a number

    @classmethod
    def parse(cls, name):
        """See Feature."""
        kind, dot, length = name.partition(".")
        if kind != cls._kind or not (dot or cls._alone):
            return None
        if dot and not _LENGTH.fullmatch(length):
            raise cls.unknown(name)
        return cls(name)

    def spans(self, tokens):
        """See TextFeature."""
        begin, end = np.empty(len(tokens), np.int32), np.empty(len(tokens), np.int32)
        length = self.name.partition(".")[2]
        affix_spans(
            tokens.kind, tokens.folded_begin, tokens.folded_end,
            int(length or 2), self._kind == "suffix", not length, begin, end,
        )  # fmt: skip
        return tokens.folded, begin, end


class Prefix(Suffix):
    """`prefix.N`: the first N characters."""

    missing = "NOPREFIX"
    _kind, _alone = "prefix", False
