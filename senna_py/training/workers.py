"""Threads that train the same parameters without locks (Hogwild, Niu et al. 2011).

Updates are so small and sparse that conflicts between them hardly matter.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

# The approximate duration of a round in seconds, with several threads. Between rounds,
# the training loop checks its timers and whether it has been stopped.
_ROUND = 2.0


class Workers:
    """A context manager for `n` threads; if `n` is 1, the calling thread works itself.

    Attributes:
        n: The number of threads.
        speed: The batches per second in the last round, which the caller sets.
    """

    def __init__(self, n: int) -> None:
        """Prepare `n` threads, which start when they are first needed."""
        self.n = n
        self._pool = ThreadPoolExecutor(n) if n > 1 else None
        self.speed = 0.0

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool:
            self._pool.shutdown()

    def round_size(self) -> int:
        """Return the number of batches in the next round.

        A single thread trains on one batch per round. Several threads train on enough
        batches to be busy for about two seconds, and on at least one batch each.
        """
        return max(int(self.speed * _ROUND), self.n) if self._pool else 1

    def train(
        self, train: Callable[[int, int], tuple[float, int]], numbers: Iterable[int]
    ) -> tuple[float, int]:
        """Call `train` for all batches, and return the sums of its results.

        Args:
            train: A function that takes the index of a batch and the index of the
                thread, and returns the total cost and the number of examples.
            numbers: The indices of the batches.
        """
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
        """Yield function(item) for each item, in the order of the items."""

        def work(item: Any) -> Any:
            with _quiet():
                return function(item)

        return self._pool.map(work, items) if self._pool else map(work, items)


def _quiet() -> np.errstate:
    """Return a context manager that silences warnings about overflow.

    The cost is not finite after an overflow, which the training loop checks.
    """
    return np.errstate(over="ignore", invalid="ignore", divide="ignore")
