"""The paired bootstrap: sentences drawn with replacement, again and again.

Efron and Tibshirani (1993), An Introduction to the Bootstrap; for two systems on the same sentences
Koehn (2004), Statistical significance tests for machine translation evaluation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

__all__ = ["resamples"]

_CELLS = 1 << 22  # numbers of the samples that are drawn at once


def resamples(n: int, samples: int, seed: int) -> Iterator[NDArray[np.float64]]:
    """Yield how often each of `n` sentences is in each of some samples: float64[n_samples, n].

    A sample has n sentences; `samples` are drawn in all. The same seed gives the same ones.
    """
    rng, at_once = np.random.default_rng(seed), max(_CELLS // n, 1)
    for begin in range(0, samples, at_once):
        size = min(at_once, samples - begin)
        yield rng.multinomial(n, np.full(n, 1 / n), size).astype(np.float64)
