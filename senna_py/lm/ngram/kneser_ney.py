"""Modified Kneser-Ney smoothing, interpolated (Chen and Goodman 1998, section 4.2).

The estimates are those of KenLM's lmplz (Heafield et al. 2013): one discount for each
count of 1, 2 and 3 or more of every order, single words interpolated with the uniform
distribution.
"""

from itertools import pairwise

import numpy as np

from senna_py.lm.ngram.backoff import NEVER, BackoffModel
from senna_py.lm.ngram.counts import count_ngrams, make_trie

FALLBACK = (
    0.5,
    1.0,
    1.5,
)  # if counts of counts do not suffice: lmplz's --discount_fallback


def train_kneser_ney(ids, order, word_list, note=None):
    """BackoffModel of the stream `ids`: int32[n] of `word_list`, with n-grams up to
    `order`.

    note: called with a line of str for the user. Words that do not occur get the
    probability that interpolation with the uniform distribution gives them.
    """
    levels = count_ngrams(ids, order, word_list)
    counts = [
        *(_adjusted(level, above) for level, above in pairwise(levels)),
        levels[-1].count,
    ]
    lower = np.full(1, 1 / (len(word_list) - word_list.marks))
    probs, backoffs, found = [np.zeros(1, np.float32)], [], []  # log10
    for number, (level, count) in enumerate(zip(levels, counts, strict=True), 1):
        found.append(discounts(count))
        if found[-1] is None:
            found[-1] = FALLBACK
            if note:
                note(
                    f"order {number}: too few rare n-grams to estimate discounts; "
                    f"{', '.join(map(str, FALLBACK))} instead"
                )
        discount = np.array([0.0, *found[-1]])[np.minimum(count, 3)]
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
        "discounts": [[round(float(d), 6) for d in row] for row in found],
        "training positions": len(ids),
    }
    return BackoffModel(word_list, trie, starts, prob, np.concatenate(backoffs), info)


def _adjusted(level, above):
    """In how many contexts each n-gram occurs: int64[n]; for those after `<s>`, how
    often.

    The beginning of a stream without marks is a context of its own.
    """
    count = np.bincount(above.suffix, minlength=len(level))
    count[level.initial] = level.count[level.initial]
    if level.first >= 0:
        count[level.first] += 1
    if (level.context == 0).all() and level.initial.any():
        count[level.initial] = 0  # <s> itself is not predicted
    return count


def discounts(count):
    """Discounts of counts 1, 2, and 3 or more (equation 26), or None if they cannot be
    estimated.

    count: int64[n], of all n-grams of an order.
    """
    n = np.bincount(np.minimum(count, 5), minlength=6)[:5].astype(float)
    if not n[1:].all():
        return None
    y = n[1] / (n[1] + 2 * n[2])
    found = tuple(j - (j + 1) * y * n[j + 1] / n[j] for j in (1, 2, 3))
    # A discount of 0 would leave nothing to what was not seen.
    return found if all(0 < d <= j for j, d in enumerate(found, 1)) else None
