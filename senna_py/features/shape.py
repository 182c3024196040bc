"""Shapes of words: `Aa`, `a`, `A.A.`, `0-a`."""

import re

import numpy as np

from senna_py.features.spans import TextFeature
from senna_py.kernels.text.word_forms import SHAPE_LENGTH, word_shapes
from senna_py.text.characters import KIND


class Shape(TextFeature):
    """`shape`: kinds of characters, see `kernels.text.word_forms.word_shapes`."""

    pattern = re.compile("shape")
    begins = "shape."
    missing = "UNKNOWN"

    def spans(self, tokens):
        begin, end = np.empty(len(tokens), np.int32), np.empty(len(tokens), np.int32)
        shapes = np.empty(SHAPE_LENGTH * len(tokens), np.uint8)
        word_shapes(tokens.raw, tokens.begin, tokens.end, KIND, shapes, begin, end)
        return shapes, begin, end
