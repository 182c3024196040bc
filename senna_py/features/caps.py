"""Features for the capitalization of a token and of its sentence."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from senna_py.features.protocol import Feature, positions
from senna_py.kernels.text.tokens import caps_feature
from senna_py.kernels.text.word_forms import sentence_caps

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.features.protocol import Batch
    from senna_py.text.tokens import Tokens

CAPS_KEYS: tuple[str, ...] = ("PADDING", "allcaps", "hascap", "initcap", "nocaps")


class Caps(Feature):
    """The feature `caps`, whose value is `allcaps`, `hascap`, `initcap` or `nocaps`."""

    pattern = re.compile("caps")
    keys = CAPS_KEYS
    of_form = True

    def column(
        self, vocabulary: Any, resource: Any
    ) -> Callable[[Batch], NDArray[np.int32]]:
        keys = positions(vocabulary, *self.keys[1:])

        def compute(batch: Batch) -> NDArray[np.int32]:
            out = np.empty(len(batch.tokens), np.int32)
            self._fill(batch.tokens, keys, out)
            return out

        return compute

    def _fill(
        self, tokens: Tokens, keys: NDArray[np.int32], out: NDArray[np.int32]
    ) -> None:
        caps_feature(tokens.kind, tokens.folded_begin, tokens.folded_end, keys, out)


class SentenceCaps(Caps):
    """The feature `sentence.caps`: how much of a token's sentence is capitalized.

    `kernels.text.word_forms` explains the values.
    """

    pattern = re.compile(r"sentence\.caps")
    keys = ("PADDING", "few", "lower", "mixed", "title", "upper")
    of_form = False

    def _fill(
        self, tokens: Tokens, keys: NDArray[np.int32], out: NDArray[np.int32]
    ) -> None:
        spans = tokens.folded_begin, tokens.folded_end
        sentence_caps(tokens.kind, *spans, tokens.starts, keys, out)
