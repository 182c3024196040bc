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
    from senna_py.text.tokens import Tokens


class Gap(Feature):
    """The feature `gap`: whether a token is next to white space.

    It is `none`, `before`, `after` or `both`. The beginning and the end of a sentence
    count as white space.
    """

    pattern = re.compile("gap")
    keys = ("PADDING", "none", "before", "after", "both")

    def column(
        self, vocabulary: Any, resource: Any
    ) -> Callable[[Batch], NDArray[np.int32]]:
        keys = positions(vocabulary, *self.keys[1:])

        def compute(batch: Batch) -> NDArray[np.int32]:
            return keys[gap_codes(batch.tokens)]

        return compute


def gap_codes(tokens: Tokens) -> NDArray[np.int64]:
    """Return where each token is next to white space: int64[n_tokens].

    It is 1 before the token, 2 after it, 3 on both sides, and otherwise 0.
    """
    is_gap = np.ones(len(tokens) + 1, bool)
    is_gap[1:-1] = tokens.begin[1:] > tokens.end[:-1]
    is_gap[tokens.starts] = True
    return is_gap[:-1] + 2 * is_gap[1:]
