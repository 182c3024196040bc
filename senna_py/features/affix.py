"""Beginnings and ends of words, in lower case."""

import re

import numpy as np

from senna_py.features.spans import TextFeature
from senna_py.kernels.text.word_forms import affix_spans


class Suffix(TextFeature):
    """`suffix`: the last two characters, or the only one; `suffix.N`: the last N."""

    pattern = re.compile(r"suffix(?:\.(?P<length>[1-9][0-9]?))?")
    begins = "suffix."
    missing = "NOSUFFIX"
    _at_end = True

    def spans(self, tokens):
        begin, end = np.empty(len(tokens), np.int32), np.empty(len(tokens), np.int32)
        affix_spans(
            tokens.kind, tokens.folded_begin, tokens.folded_end,
            self.length or 2, self._at_end, self.length is None, begin, end,
        )  # fmt: skip
        return tokens.folded, begin, end


class Prefix(Suffix):
    """`prefix.N`: the first N characters."""

    pattern = re.compile(r"prefix\.(?P<length>[1-9][0-9]?)")
    begins = "prefix."
    missing = "NOPREFIX"
    _at_end = False
