"""Correct the labels of emoji and emoticons by the guidelines of treebanks.

The labels themselves are listed in `labels/english_rules.py`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from senna_py.labels.english_rules import SIGNS
from senna_py.labels.tasks import UPOS
from senna_py.text.emoticons import emoticon_pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from senna_py.text.tokens import Tokens

# Characters that are shown as pictures by default. Older characters are pictures only
# if a variation selector follows (`_EMOJI`).
_PICTURE = (
    "[\U0001f000-\U0001faff\u231a\u231b\u23e9-\u23ec\u23f0\u23f3\u2614\u2615\u2639\u263a\u2648-\u2653"
    "\u2665\u267f\u2693\u26a1\u26bd\u26be\u26c4\u26c5\u26ce\u26d4\u26ea\u26f2\u26f3\u26f5\u26fa"
    "\u26fd\u2705\u270a\u270b\u2728\u274c\u2753-\u2755\u2757\u2764\u27b0\u27bf\u2b50\u2b55]"
)
_PLAIN = ".,!?'`\"-–—…‘’“”"  # a token that has only these is punctuation, not a sign
# Joiners, selectors and tags that continue a picture.
_MORE = "[\ufe0f\u200d\u20e3\u2640\u2642\U000e0020-\U000e007f]*"
_EMOJI = rf"(?:{_PICTURE}|[\u2190-\u2bff](?=\ufe0f)){_MORE}"


@cache
def _sign() -> re.Pattern[str]:
    """Return the pattern for a sequence of emoji, or for an emoticon."""
    return re.compile(f"(?:{_EMOJI})+|{emoticon_pattern()}")


def is_sign(word: str) -> bool:
    """Return whether a word is an emoticon or consists of emoji."""
    return bool(word.strip(_PLAIN)) and _sign().fullmatch(word) is not None


class SignRule:
    """Replaces labels that are impossible for emoji and emoticons, for one task."""

    def __init__(self, task: str, labels: Sequence[str]) -> None:
        """Look up the rule of a task; use `sign_rule`, which checks the arguments.

        Args:
            task: The name of the task.
            labels: The labels of the network.
        """
        rule = SIGNS[task]
        self._label = labels.index(rule["label"])
        self._is_other = np.isin(labels, rule["never"])
        self._is_upos = task == UPOS

    def apply(self, labels: NDArray[np.int32], tokens: Tokens) -> NDArray[np.int32]:
        """Return labels of tokens, corrected for emoji and emoticons.

        Args:
            labels: int32[n_tokens], the labels of the network, which do not change.
            tokens: The tokens.

        Returns:
            int32[n_tokens], which is `labels` itself if nothing is to be corrected.
        """
        long = tokens.end - tokens.begin > 1
        may_be = self._is_other[labels]
        if self._is_upos:  # an emoji is checked whatever its label
            may_be |= _may_be_picture(tokens) & (labels != self._label)
        signs = tokens.rows_that(is_sign, np.flatnonzero(long & may_be))
        return relabeled(labels, signs, self._label)


def relabeled(
    labels: NDArray[np.int32], rows: Sequence[int], label: int
) -> NDArray[np.int32]:
    """Return labels with one label for some rows: `labels` itself without any rows."""
    if not rows:
        return labels
    changed = labels.copy()
    changed[rows] = label
    return changed


def _may_be_picture(tokens: Tokens) -> NDArray[np.bool_]:
    """Return whether each token begins with a character of a block that has emoji.

    Returns:
        bool[n_tokens].
    """
    first = tokens.raw[tokens.begin]
    second = tokens.raw[np.minimum(tokens.begin + 1, len(tokens.raw) - 1)]
    old = (first == 0xE2) & (second >= 0x86) & (second <= 0xAF)
    return (first == 0xF0) & (second == 0x9F) | old


def sign_rule(task: str, labels: Sequence[str]) -> SignRule | None:
    """Return the rule of a task, or None if it has none.

    The result is also None if the labels of the network do not include the label of
    signs, or include none of the labels that the rule would replace.
    """
    rule = SIGNS.get(task)
    if rule is None or rule["label"] not in labels or not {*rule["never"]} & {*labels}:
        return None
    return SignRule(task, labels)
