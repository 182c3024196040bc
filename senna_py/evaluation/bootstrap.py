"""The paired bootstrap: sentences drawn with replacement, again and again.

Efron and Tibshirani (1993), An Introduction to the Bootstrap; for two systems on the same sentences
Koehn (2004), Statistical significance tests for machine translation evaluation.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_CELLS = 1 << 22  # numbers of the samples that are drawn at once


@dataclass(frozen=True)
class Estimate:
    """A figure, and the interval in which it lies in most samples."""

    value: float
    low: float
    high: float

    @property
    def sign(self) -> int:
        """1 or -1 if the whole interval is above or below 0, else 0."""
        return int(self.low > 0) - int(self.high < 0)


def estimate(value: float, drawn: Floats, confidence: float = 95.0) -> Estimate:
    """Estimate with the middle `confidence` percent of a figure's values in samples.

    drawn: float64[n_samples], NaN for samples without such a figure.
    """
    tail = (100 - confidence) / 2
    low, high = np.nanpercentile(drawn, [tail, 100 - tail])
    return Estimate(float(value), float(low), float(high))


def resampled(figure: Callable[[Floats], Floats], table: Floats, samples: int, seed: int) -> Floats:
    """Values of a figure in samples of the sentences: float64[..., samples].

    table: float64[..., n_sentences, k], numbers of each sentence; figure: function from their sums
    over each of some samples, [..., n_samples, k], to [..., n_samples].
    """
    drawn = [figure(times @ table) for times in resamples(table.shape[-2], samples, seed)]
    return np.concatenate(drawn, axis=-1)


def resamples(n: int, samples: int, seed: int) -> Iterator[Floats]:
    """Yield how often each of `n` sentences is in each of some samples: float64[n_samples, n].

    A sample has n sentences; `samples` are drawn in all. The same seed gives the same ones.
    """
    rng, at_once = np.random.default_rng(seed), max(_CELLS // n, 1)
    for begin in range(0, samples, at_once):
        size = min(at_once, samples - begin)
        yield rng.multinomial(n, np.full(n, 1 / n), size).astype(np.float64)
