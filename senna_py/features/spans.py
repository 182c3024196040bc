"""Features that are a string made from a token's text: form, affixes and shape.

The keys are the strings that occur in the training data. Affixes are in lower case.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from senna_py.features.protocol import PADDING, Feature
from senna_py.kernels.text import word_forms as kernels
from senna_py.text.characters import KIND
from senna_py.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.features.protocol import Batch, TrainingTokens
    from senna_py.text.tokens import Tokens

    Spans = tuple[NDArray[np.uint8], NDArray[np.int32], NDArray[np.int32]]


class TextFeature(Feature):
    """The base class of the features in this module.

    Attributes:
        missing: The key for strings that are not in the vocabulary.
    """

    missing: ClassVar[str]
    of_form = True

    def spans(self, tokens: Tokens) -> Spans:
        """Return a text that contains each token's string, and the strings' offsets.

        The text is uint8[n_bytes]; the begin and end offsets are int32[n_tokens].
        """
        raise NotImplementedError

    def vocabulary(self, training: TrainingTokens) -> Vocabulary:
        array, begin, end = self.spans(training.tokens)
        text = array.tobytes()
        spans = Counter(
            text[a:b] for a, b in zip(begin.tolist(), end.tolist(), strict=True)
        )
        spans.pop(b"", None)
        # A key is a single line without leading or trailing whitespace.
        frequent = (key for key, n in spans.items() if n >= training.min_count)
        keys = {key for key in frequent if key == key.strip() and b"\n" not in key}
        keys |= {PADDING.encode(), self.missing.encode()}
        return Vocabulary(b"".join(key + b"\n" for key in sorted(keys)), self.name)

    def column(
        self, vocabulary: Any, resource: Any
    ) -> Callable[[Batch], NDArray[np.int32]]:
        missing = vocabulary.position(self.missing)

        def compute(batch: Batch) -> NDArray[np.int32]:
            out = np.empty(len(batch.tokens), np.int32)
            kernels.find_spans(
                *self.spans(batch.tokens), vocabulary.table, missing, out
            )
            return out

        return compute


class Suffix(TextFeature):
    """The features `suffix` and `suffix.N`: the last two or N characters of a token.

    A token of one character is its own `suffix`, but a token with fewer than N
    characters has no `suffix.N`.
    """

    pattern = re.compile(r"suffix(?:\.(?P<length>[1-9][0-9]?))?")
    begins = "suffix."
    missing = "NOSUFFIX"
    _at_end = True

    def spans(self, tokens: Tokens) -> Spans:
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
    """The feature `prefix.N`: the first N characters of a token.

    A token with fewer than N characters has no prefix.
    """

    pattern = re.compile(r"prefix\.(?P<length>[1-9][0-9]?)")
    begins = "prefix."
    missing = "NOPREFIX"
    _at_end = False


class Form(TextFeature):
    """The feature `form`: the token itself, in its look-up form.

    Unlike the feature `word`, it has a table of its own.
    """

    pattern = re.compile("form")
    missing = "UNKNOWN"

    def spans(self, tokens: Tokens) -> Spans:
        return tokens.folded, tokens.folded_begin, tokens.folded_end


class Shape(TextFeature):
    """The feature `shape`: the types of a token's characters, such as `Aa` or `A.A.`.

    `kernels.text.word_forms` explains the types.
    """

    pattern = re.compile("shape")
    begins = "shape."
    missing = "UNKNOWN"

    def spans(self, tokens: Tokens) -> Spans:
        begin, end = np.empty(len(tokens), np.int32), np.empty(len(tokens), np.int32)
        shapes = np.empty(kernels.SHAPE_LENGTH * len(tokens), np.uint8)
        kernels.word_shapes(
            tokens.raw, tokens.begin, tokens.end, KIND, shapes, begin, end
        )
        return shapes, begin, end
