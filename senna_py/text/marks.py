"""Correct the part of speech of punctuation that a model does not know.

A network guesses from the context what an unknown mark is. A small treebank without a
question mark would therefore give a model that takes one for a noun.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import category

import numpy as np

from senna_py.labels.tasks import UPOS
from senna_py.text.signs import is_sign, relabeled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from senna_py.text.tokens import Tokens

# The characters that Unicode counts as punctuation, but that may stand for words: they
# are symbols (%), parts of words (the apostrophe) or blanks (_).
_FOR_WORDS = frozenset("#%&*@/\\_§¶†‡‰‱٪؉؊＃％＆＊＠／＼＿﹟﹠﹡﹪﹫'’‛′＇")
_PUNCTUATION, _SYMBOL = "PUNCT", "SYM"
_IS_WORD_BYTE = np.array([byte < 128 and chr(byte).isalnum() for byte in range(256)])


def is_mark(word: str) -> bool:
    """Return whether a word can only be punctuation, in whatever language."""
    return (
        all(category(char)[0] == "P" and char not in _FOR_WORDS for char in word)
        and bool(word)
        and not is_sign(word)
    )


class MarkRule:
    """Labels unknown words that can only be punctuation as such."""

    def __init__(self, labels: Sequence[str], unknown: int) -> None:
        """Look up the labels; use `mark_rule`, which checks the arguments.

        Args:
            labels: The labels of the network.
            unknown: The index of words that are not in the dictionary.
        """
        self._label = labels.index(_PUNCTUATION)
        self._stays = np.array([name in (_PUNCTUATION, _SYMBOL) for name in labels])
        self._unknown = unknown

    def apply(self, labels: NDArray[np.int32], tokens: Tokens) -> NDArray[np.int32]:
        """Return labels of tokens, corrected for unknown punctuation.

        Args:
            labels: int32[n_tokens], the labels of the network, which do not change.
            tokens: The tokens.

        Returns:
            int32[n_tokens], which is `labels` itself if nothing is to be corrected.
        """
        marks = self._marks(tokens, ~self._stays[labels])
        return relabeled(labels, marks, self._label)

    def decided(self, labels: NDArray[np.int32], tokens: Tokens) -> NDArray[np.bool_]:
        """Return which words the rule has labeled or confirmed: bool[n_tokens].

        Args:
            labels: int32[n_tokens], labels that the rule has corrected.
            tokens: The tokens.
        """
        is_decided = np.zeros(len(labels), bool)
        is_decided[self._marks(tokens, labels == self._label)] = True
        return is_decided

    def _marks(self, tokens: Tokens, among: NDArray[np.bool_]) -> list[int]:
        """Return the indices of unknown words that can only be punctuation.

        Args:
            tokens: The tokens.
            among: bool[n_tokens], the words to look at.
        """
        rows = np.flatnonzero((tokens.word == self._unknown) & among)
        rows = rows[~_IS_WORD_BYTE[tokens.raw[tokens.begin[rows]]]]
        return tokens.rows_that(is_mark, rows)


def mark_rule(task: str, labels: Sequence[str], unknown: int) -> MarkRule | None:
    """Return the rule for a network, or None unless it predicts UPOS with PUNCT.

    Args:
        task: The name of the task.
        labels: The labels of the network.
        unknown: The index of words that are not in the dictionary.
    """
    if task != UPOS or _PUNCTUATION not in labels:
        return None
    return MarkRule(labels, unknown)
