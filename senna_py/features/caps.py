"""Capitalisation, of a token and of the sentence around it."""

import numpy as np

from senna_py.features.protocol import Feature, positions
from senna_py.kernels.text import caps_feature
from senna_py.kernels.word_forms import sentence_caps
from senna_py.text.vocabulary import Vocabulary

__all__ = ["CAPS_KEYS", "Caps", "SentenceCaps"]

CAPS_KEYS = ("PADDING", "allcaps", "hascap", "initcap", "nocaps")
_SENTENCE_KEYS = ("PADDING", "few", "lower", "mixed", "title", "upper")


class Caps(Feature):
    """`caps`: `allcaps`, `hascap`, `initcap` or `nocaps`."""

    @classmethod
    def parse(cls, name):
        """See Feature."""
        return cls(name) if name == "caps" else None

    def vocabulary(self, given):
        """See Feature."""
        return Vocabulary.from_keys(CAPS_KEYS, self.name)

    def column(self, vocabulary, resource, words):
        """See Feature."""
        keys = positions(vocabulary, *CAPS_KEYS[1:])

        def compute(batch):
            tokens = batch.tokens
            out = np.empty(len(tokens), np.int32)
            caps_feature(tokens.kind, tokens.folded_begin, tokens.folded_end, keys, out)
            return out

        return compute


class SentenceCaps(Feature):
    """`sentence.caps`: how much of its sentence is capitalised, see `kernels.word_forms`."""

    @classmethod
    def parse(cls, name):
        """See Feature."""
        return cls(name) if name == "sentence.caps" else None

    def vocabulary(self, given):
        """See Feature."""
        return Vocabulary.from_keys(_SENTENCE_KEYS, self.name)

    def column(self, vocabulary, resource, words):
        """See Feature."""
        keys = positions(vocabulary, *_SENTENCE_KEYS[1:])

        def compute(batch):
            tokens = batch.tokens
            out = np.empty(len(tokens), np.int32)
            sentence_caps(
                tokens.kind, tokens.folded_begin, tokens.folded_end, tokens.starts, keys, out
            )
            return out

        return compute
