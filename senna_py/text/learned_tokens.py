"""The interface of the learned tokenizer, which finds tokens and sentences in a text.

`models.unit_network` implements it by a network that labels units (`text.units`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.text.tokens import Ints, Tokens


class LearnedTokens(NamedTuple):
    """The surface tokens of a text.

    Attributes:
        begin: int32[n_tokens], the first byte of each token.
        end: int32[n_tokens], the byte after each token.
        is_multiword: bool[n_tokens], whether each token consists of several words.
        ends_sentence: bool[n_tokens], whether each token is the last of its sentence.
    """

    begin: Ints
    end: Ints
    is_multiword: NDArray[np.bool_]
    ends_sentence: NDArray[np.bool_]

    @property
    def begins_sentence(self) -> NDArray[np.bool_]:
        """Whether each token is the first of its sentence: bool[n_tokens]."""
        return np.append(True, self.ends_sentence[:-1])[: len(self.begin)]


class TokenFinder(Protocol):
    """Finds tokens and sentences. Threads may share a finder.

    Attributes:
        rules: The name of the tokenizer whose rules for sentences a splitter refines.
    """

    rules: str

    def find(self, data: bytes, range_begin: Ints, range_end: Ints) -> LearnedTokens:
        """Return the tokens of ranges of a text.

        No token or sentence crosses the end of a range.

        Args:
            data: The text.
            range_begin: int32[n_ranges], the first byte of each range, in ascending
                order.
            range_end: int32[n_ranges], the byte after each range.
        """

    def multiwords(
        self, tokens: Tokens, is_multiword: NDArray[np.bool_]
    ) -> NDArray[np.bool_]:
        """Return which tokens consist of several words: bool[n_tokens].

        Forms that always or never do so in the training data are corrected.

        Args:
            tokens: The tokens that `find` found.
            is_multiword: bool[n_tokens], the attribute of LearnedTokens.
        """
