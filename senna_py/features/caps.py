"""Capitalization, of a token and of the sentence around it."""

import re

import numpy as np

from senna_py.features.protocol import Feature, positions
from senna_py.kernels.text.tokens import caps_feature
from senna_py.kernels.text.word_forms import sentence_caps

CAPS_KEYS = ("PADDING", "allcaps", "hascap", "initcap", "nocaps")


class Caps(Feature):
    """`caps`: `allcaps`, `hascap`, `initcap` or `nocaps`."""

    pattern = re.compile("caps")
    keys = CAPS_KEYS

    def column(self, vocabulary, resource):
        keys = positions(vocabulary, *self.keys[1:])

        def compute(batch):
            tokens = batch.tokens
            out = np.empty(len(tokens), np.int32)
            caps_feature(tokens.kind, tokens.folded_begin, tokens.folded_end, keys, out)
            return out

        return compute


class SentenceCaps(Feature):
    """`sentence.caps`: how much of its sentence is capitalized, see `kernels.text.word_forms`."""

    pattern = re.compile(r"sentence\.caps")
    keys = ("PADDING", "few", "lower", "mixed", "title", "upper")

    def column(self, vocabulary, resource):
        keys = positions(vocabulary, *self.keys[1:])

        def compute(batch):
            tokens = batch.tokens
            out = np.empty(len(tokens), np.int32)
            sentence_caps(
                tokens.kind, tokens.folded_begin, tokens.folded_end, tokens.starts, keys, out
            )
            return out

        return compute
