"""The threads that train the same parameters side by side, without locks.

This is Hogwild (Niu et al. 2011): updates are so small and sparse that conflicts
between them hardly matter.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

# With several threads, the seconds between two looks at the clock and for signals.
_ROUND = 2.0


class Workers:
    """A context manager with `n` threads, one of which is the calling thread."""

    def __init__(self, n: int) -> None:
        """Prepare for `n` threads, which start when they are first needed."""
        self.n = n
        self._pool = ThreadPoolExecutor(n) if n > 1 else None
        self.speed = 0.0  # batches a second in the last round, set by the caller

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool:
            self._pool.shutdown()

    def round_size(self) -> int:
        """Return how many batches make a round.

        With several threads, a round has enough batches to keep them busy.
        """
        return max(int(self.speed * _ROUND), self.n) if self._pool else 1

    def train(
        self, train: Callable[[int, int], tuple[float, int]], numbers: Iterable[int]
    ) -> tuple[float, int]:
        """Call train(number, worker) for all numbers; sum up its results."""
        numbers = iter(numbers)

        def work(worker: int) -> tuple[float, int]:
            total, n = 0.0, 0
            with _quiet():
                for number in numbers:  # all threads share this iterator
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
        """Return the results of function(item) in the order of the items."""

        def work(item: Any) -> Any:
            with _quiet():
                return function(item)

        return self._pool.map(work, items) if self._pool else map(work, items)


def _quiet() -> np.errstate:
    """Return a context without warnings of overflow, which the cost reveals anyway."""
    return np.errstate(over="ignore", invalid="ignore", divide="ignore")
