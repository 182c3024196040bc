"""Features that are a piece of text of each token, found in the list of those seen in
training.

These are the beginnings and ends of words, in lower case, and their shapes.
"""

import re
from collections import Counter
from typing import ClassVar

import numpy as np

from senna_py.features.protocol import PADDING, Feature
from senna_py.kernels.text import word_forms as kernels
from senna_py.text.characters import KIND
from senna_py.text.vocabulary import Vocabulary


class TextFeature(Feature):
    """Base of such features; missing: the key of all that is not listed."""

    missing: ClassVar[str]

    def spans(self, tokens):
        """Return the text that is read: uint8; begin, end of each token in it:
        int32[n_tokens].
        """
        raise NotImplementedError

    def vocabulary(self, given):
        text, begin, end = self.spans(given.tokens)
        text = text.tobytes()
        spans = Counter(
            text[a:b] for a, b in zip(begin.tolist(), end.tolist(), strict=True)
        )
        spans.pop(b"", None)
        # A key is a line without blanks around it, and must not be taken for a fixed
        # one.
        frequent = (key for key, n in spans.items() if n >= given.min_count)
        keys = {
            key for key in frequent if key and key == key.strip() and b"\n" not in key
        }
        keys |= {PADDING.encode(), self.missing.encode()}
        return Vocabulary(b"".join(key + b"\n" for key in sorted(keys)), self.name)

    def column(self, vocabulary, resource):
        missing = vocabulary.position(self.missing)

        def compute(batch):
            out = np.empty(len(batch.tokens), np.int32)
            kernels.find_spans(
                *self.spans(batch.tokens), vocabulary.table, missing, out
            )
            return out

        return compute


class Suffix(TextFeature):
    """`suffix`: the last two characters, or the only one; `suffix.N`: the last N."""

    pattern = re.compile(r"suffix(?:\.(?P<length>[1-9][0-9]?))?")
    begins = "suffix."
    missing = "NOSUFFIX"
    _at_end = True

    def spans(self, tokens):
        begin, end = np.empty(len(tokens), np.int32), np.empty(len(tokens), np.int32)
        kernels.affix_spans(
            tokens.kind,
            tokens.folded_begin,
            tokens.folded_end,
            self.length or 2,
            self._at_end,
            self.length is None,
            begin,
            end,
        )
        return tokens.folded, begin, end


class Prefix(Suffix):
    """`prefix.N`: the first N characters."""

    pattern = re.compile(r"prefix\.(?P<length>[1-9][0-9]?)")
    begins = "prefix."
    missing = "NOPREFIX"
    _at_end = False


class Shape(TextFeature):
    """`shape`: kinds of characters, such as `Aa` or `A.A.`, see
    `kernels.text.word_forms`.
    """

    pattern = re.compile("shape")
    begins = "shape."
    missing = "UNKNOWN"

    def spans(self, tokens):
        begin, end = np.empty(len(tokens), np.int32), np.empty(len(tokens), np.int32)
        shapes = np.empty(kernels.SHAPE_LENGTH * len(tokens), np.uint8)
        kernels.word_shapes(
            tokens.raw, tokens.begin, tokens.end, KIND, shapes, begin, end
        )
        return shapes, begin, end
