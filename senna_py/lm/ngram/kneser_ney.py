"""Interpolated modified Kneser-Ney smoothing (Chen and Goodman 1998, section 4.2).

The estimates agree with KenLM's lmplz (Heafield et al. 2013). Each order has three
discounts, for the counts 1, 2, and 3 or more. Unigrams are interpolated with the
uniform distribution.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from senna_py.lm.ngram.backoff import NEVER, BackoffModel
from senna_py.lm.ngram.counts import count_ngrams, make_trie

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from senna_py.lm.ngram.counts import Level
    from senna_py.lm.word_list import WordList

# The discounts if they cannot be estimated, as with --discount_fallback of lmplz.
FALLBACK = (0.5, 1.0, 1.5)


def train_kneser_ney(
    ids: NDArray[np.int32],
    order: int,
    word_list: WordList,
    note: Callable[[str], object] | None = None,
) -> BackoffModel:
    """Train a back-off model with modified Kneser-Ney smoothing.

    The probability of words that do not occur comes from the uniform distribution, with
    which unigrams are interpolated.

    Args:
        ids: int32[n], the training stream.
        order: The order of the model.
        word_list: The words of the stream.
        note: A callback for lines that are shown to the user, or None.

    Raises:
        SennaError: If there are too many n-grams for int32.
    """
    levels = count_ngrams(ids, order, word_list)
    counts = [
        *(_adjusted(level, above) for level, above in pairwise(levels)),
        levels[-1].count,
    ]
    lower = np.full(1, 1 / word_list.n_predicted)
    probs, backoffs = [np.zeros(1, np.float32)], []  # log10
    discounts_of_orders = []
    for number, (level, count) in enumerate(zip(levels, counts, strict=True), 1):
        estimated = discounts(count)
        if estimated is None and note:
            note(
                f"order {number}: too few rare n-grams to estimate discounts; "
                f"{', '.join(map(str, FALLBACK))} instead"
            )
        discounts_of_orders.append(estimated or FALLBACK)
        discount = np.array([0.0, *discounts_of_orders[-1]])[np.minimum(count, 3)]
        total = np.bincount(level.context, count, len(lower))
        left = np.bincount(level.context, discount, len(lower))
        seen = total > 0
        gamma = np.divide(left, total, out=np.ones(len(lower)), where=seen)
        share = (count - discount) / np.where(seen, total, 1)[level.context]
        lower = share + gamma[level.context] * lower[level.suffix]
        probs.append(np.log10(lower).astype(np.float32))
        backoffs.append(np.log10(gamma).astype(np.float32))
    trie, starts = make_trie(levels)
    prob = np.concatenate(probs)
    if word_list.marks:
        prob[1 + word_list.begin] = NEVER
    info = {
        "smoothing": "modified Kneser-Ney",
        "discounts": [
            [round(float(discount), 6) for discount in row]
            for row in discounts_of_orders
        ],
        "training positions": len(ids),
    }
    return BackoffModel(word_list, trie, starts, prob, np.concatenate(backoffs), info)


def _adjusted(level: Level, above: Level) -> NDArray[np.int64]:
    """Return the adjusted count of each n-gram of a level: int64[n].

    The adjusted count is the number of distinct words that precede the n-gram or, if it
    begins with `<s>`, its count. The beginning of a stream without marks counts as a
    preceding word. The unigram `<s>` has the count 0, because it is not predicted.
    """
    count = np.bincount(above.suffix, minlength=len(level))
    count[level.initial] = level.count[level.initial]
    if level.first >= 0:
        count[level.first] += 1
    if (level.context == 0).all() and level.initial.any():
        count[level.initial] = 0
    return count


def discounts(count: NDArray[np.int64]) -> tuple[float, float, float] | None:
    """Estimate the discounts of one order (Chen and Goodman 1998, equation 26).

    Args:
        count: int64[n], the counts of all n-grams of the order.

    Returns:
        The discounts of the counts 1, 2, and 3 or more. The result is None if one of
        the counts 1 to 4 does not occur, or if an estimate is out of range.
    """
    n = np.bincount(np.minimum(count, 5), minlength=6)[:5].astype(float)
    if not n[1:].all():
        return None
    y = n[1] / (n[1] + 2 * n[2])
    one, two, three = (float(j - (j + 1) * y * n[j + 1] / n[j]) for j in (1, 2, 3))
    # A discount of 0 would leave no probability to unseen n-grams.
    is_valid = 0 < one <= 1 and 0 < two <= 2 and 0 < three <= 3
    return (one, two, three) if is_valid else None
