"""Features that are a piece of text of each token, found in the list of those seen in training."""

from collections import Counter
from typing import ClassVar

import numpy as np

from senna_py.features.protocol import PADDING, Feature
from senna_py.kernels.text.word_forms import find_spans
from senna_py.text.vocabulary import Vocabulary


class TextFeature(Feature):
    """Base of such features; missing: the key of all that is not listed."""

    missing: ClassVar[str]

    def spans(self, tokens):
        """Return the text that is read: uint8; begin, end of each token in it: int32[n_tokens]."""
        raise NotImplementedError

    def vocabulary(self, given):
        text, begin, end = self.spans(given.tokens)
        text = text.tobytes()
        spans = Counter(text[a:b] for a, b in zip(begin.tolist(), end.tolist(), strict=True))
        spans.pop(b"", None)
        # A key is a line without blanks around it, and must not be taken for a fixed one.
        frequent = (key for key, n in spans.items() if n >= given.min_count)
        keys = {key for key in frequent if key and key == key.strip() and b"\n" not in key}
        keys |= {PADDING.encode(), self.missing.encode()}
        return Vocabulary(b"".join(key + b"\n" for key in sorted(keys)), self.name)

    def column(self, vocabulary, resource):
        missing = vocabulary.position(self.missing)

        def compute(batch):
            out = np.empty(len(batch.tokens), np.int32)
            find_spans(*self.spans(batch.tokens), vocabulary.table, missing, out)
            return out

        return compute
