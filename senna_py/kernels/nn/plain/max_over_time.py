"""Fallbacks for the kernels of `kernels.nn.max_over_time` that are used in tagging."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Floats, Ints


def _max_over_time(x: Floats, bias: Floats, out: Floats) -> None:
    """Compute out[w] = max over i of x[i] + bias[clip(i - w, -m, m) + m] for all w.

    See `max_over_sentences` for the arrays.
    """
    n, m = len(x), len(bias) // 2
    if n > m:  # running maxima of the rows at a distance of at least m
        before = np.maximum.accumulate(x)
        after = np.maximum.accumulate(x[::-1])[::-1]
    for w in range(n):
        a, b = max(0, w - m + 1), min(n, w + m)
        found = []
        if a < b:
            found.append((x[a:b] + bias[a - w + m : b - w + m]).max(axis=0))
        if w >= m:
            found.append(before[w - m] + bias[0])
        if w + m < n:
            found.append(after[w + m] + bias[2 * m])
        out[w] = reduce(np.maximum, found)


def max_over_sentences(x: Floats, starts: Ints, bias: Floats, out: Floats) -> None:
    for s in range(len(starts) - 1):
        a, b = starts[s], starts[s + 1]
        _max_over_time(x[a:b], bias, out[a:b])


def max_over_predicates(
    words: Floats,
    starts: Ints,
    sentence: Ints,
    predicate: Ints,
    verb_bias: Floats,
    word_bias: Floats,
    out: Floats,
) -> None:
    m, row = len(verb_bias) // 2, 0
    for s, p in zip(sentence.tolist(), predicate.tolist(), strict=True):
        a, b = starts[s], starts[s + 1]
        distance = np.clip(np.arange(a, b) - p, -m, m) + m
        _max_over_time(
            words[a:b] + verb_bias[distance], word_bias, out[row : row + b - a]
        )
        row += b - a
