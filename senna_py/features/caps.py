"""Capitalization, of a token and of the sentence around it."""

import re

import numpy as np

from senna_py.features.protocol import Feature, positions
from senna_py.kernels.text.tokens import caps_feature
from senna_py.kernels.text.word_forms import sentence_caps

CAPS_KEYS: tuple[str, ...] = ("PADDING", "allcaps", "hascap", "initcap", "nocaps")


class Caps(Feature):
    """`caps`: `allcaps`, `hascap`, `initcap` or `nocaps`."""

    pattern = re.compile("caps")
    keys = CAPS_KEYS

    def column(self, vocabulary, resource):
        keys = positions(vocabulary, *self.keys[1:])

        def compute(batch):
            out = np.empty(len(batch.tokens), np.int32)
            self._fill(batch.tokens, keys, out)
            return out

        return compute

    def _fill(self, tokens, keys, out):
        caps_feature(tokens.kind, tokens.folded_begin, tokens.folded_end, keys, out)


class SentenceCaps(Caps):
    """`sentence.caps`: how much of its sentence is capitalized, see
    `kernels.text.word_forms`.
    """

    pattern = re.compile(r"sentence\.caps")
    keys = ("PADDING", "few", "lower", "mixed", "title", "upper")

    def _fill(self, tokens, keys, out):
        spans = tokens.folded_begin, tokens.folded_end
        sentence_caps(tokens.kind, *spans, tokens.starts, keys, out)
