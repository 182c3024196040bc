"""A feature for the white space around a token."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from senna_py.features.protocol import Feature, positions

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.features.protocol import Batch
    from senna_py.text.tokens import Ints, Tokens


class UnitFeature(Feature):
    """The base class of features of units, which tell where units stand.

    A learned tokenizer may have them, and features of forms.
    """

    def codes(self, tokens: Tokens) -> NDArray[np.int64]:
        """Return the key of each token, as an index of `keys[1:]`: int64[n_tokens]."""
        raise NotImplementedError

    def column(
        self, vocabulary: Any, resource: Any
    ) -> Callable[[Batch], NDArray[np.int32]]:
        keys = positions(vocabulary, *self.keys[1:])
        return lambda batch: keys[self.codes(batch.tokens)]


class Gap(UnitFeature):
    """The feature `gap`: whether a token is next to white space.

    It is `none`, `before`, `after` or `both`. The beginning and the end of a sentence
    count as white space.
    """

    pattern = re.compile("gap")
    keys = ("PADDING", "none", "before", "after", "both")

    def codes(self, tokens: Tokens) -> NDArray[np.int64]:
        return gap_codes(tokens.begin, tokens.end, tokens.starts)


def gap_codes(begin: Ints, end: Ints, starts: Ints) -> NDArray[np.int64]:
    """Return on which sides each token is next to white space: int64[n_tokens].

    The code is 1 for white space before the token, 2 for white space after it, 3 for
    both, and otherwise 0.

    Args:
        begin: int32[n_tokens], the byte offset of each token.
        end: int32[n_tokens], the offset of each token's end.
        starts: int32[n_sentences + 1], where each sentence begins.
    """
    is_gap = np.ones(len(begin) + 1, bool)
    is_gap[1:-1] = begin[1:] > end[:-1]
    is_gap[starts] = True
    return is_gap[:-1] + 2 * is_gap[1:]


GAP = Gap("gap")
