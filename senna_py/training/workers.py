"""The threads that train side by side on the same parameters, without locks.

Hogwild (Niu et al. 2011): updates are so small and sparse that it hardly matters which
one wins.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

_ROUND = (
    2.0  # seconds between two looks at the clock and for signals, with several threads
)


class Workers:
    """A context manager with `n` threads; one is the thread that asks."""

    def __init__(self, n: int) -> None:
        """n: threads, which start when they are first needed."""
        self.n = n
        self._pool = ThreadPoolExecutor(n) if n > 1 else None
        self.speed = 0.0  # batches a second in the last round, as the caller tells

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool:
            self._pool.shutdown()

    def round_size(self) -> int:
        """Return how many batches make a round: one, or as many as keep several threads
        at work.
        """
        return max(int(self.speed * _ROUND), self.n) if self._pool else 1

    def train(
        self, train: Callable[[int, int], tuple[float, int]], numbers: Iterable[int]
    ) -> tuple[float, int]:
        """Call train(number, worker) for all numbers; returns the sums of what it
        gives.
        """
        numbers = iter(numbers)

        def work(worker: int) -> tuple[float, int]:
            total, n = 0.0, 0
            with _quiet():
                for number in numbers:  # shared: each thread takes the next one
                    cost, n_examples = train(number, worker)
                    total, n = total + cost, n + n_examples
            return total, n

        if not self._pool:
            return work(0)
        costs, counts = zip(*self._pool.map(work, range(self.n)), strict=True)
        return sum(costs), sum(counts)

    def map(
        self, function: Callable[[Any], Any], items: Iterable[Any]
    ) -> Iterator[Any]:
        """The results of function(item) in the order of the items."""

        def work(item: Any) -> Any:
            with _quiet():
                return function(item)

        return self._pool.map(work, items) if self._pool else map(work, items)


def _quiet() -> np.errstate:
    """A context without warnings of weights that overflow: the cost tells, once, in one
    line.
    """
    return np.errstate(over="ignore", invalid="ignore", divide="ignore")
