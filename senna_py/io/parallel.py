"""Parallel work on batches, with results in the order of the batches."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Executor, Future

_Batch = TypeVar("_Batch")
_Result = TypeVar("_Result")


def ordered_map(
    function: Callable[[_Batch], _Result],
    batches: Iterable[_Batch],
    jobs: int,
    processes: Executor | None = None,
) -> Iterator[_Result]:
    """Yield `function(batch)` for each batch, in their order.

    An empty batch has no result. It means that the next batch may take a while: the
    results of all batches before it are yielded first. So are the results of the
    batches before an error that the iterable raises.

    Args:
        function: The work on one batch.
        batches: The batches.
        jobs: The number of threads that work at the same time.
        processes: A pool of `jobs` processes to use in place of threads. It is shut
            down at the end.
    """
    if jobs == 1 and processes is None:
        yield from map(function, filter(None, batches))
        return
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - a third of a short run

    pending: deque[Future[_Result]] = deque()
    failure: Exception | None = None
    iterator = iter(batches)
    pool = processes or ThreadPoolExecutor(jobs)
    try:
        while True:
            try:
                batch = next(iterator)
            except StopIteration:
                break
            except Exception as error:  # raised after the results of earlier batches
                failure = error
                break
            if batch:
                pending.append(pool.submit(function, batch))
            while pending and (
                not batch or len(pending) > 2 * jobs or pending[0].done()
            ):
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        pool.shutdown(wait=processes is not None, cancel_futures=True)
    if failure is not None:
        raise failure
