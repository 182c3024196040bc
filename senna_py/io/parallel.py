"""Process batches in parallel, with results in order."""

from __future__ import annotations

import sys
from collections import deque
from typing import TYPE_CHECKING, TypeVar

from senna_py.io.streaming import PAUSE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Executor, Future

    from senna_py.io.streaming import Pause

# Seconds after which a thread that runs Python gives way to one that waits. Compiled
# kernels run without Python's lock for less than the usual 0.005 seconds at a time.
_SWITCH_INTERVAL = 0.0005

_Batch = TypeVar("_Batch")
_Result = TypeVar("_Result")


def ordered_map(
    function: Callable[[_Batch], _Result],
    batches: Iterable[_Batch | Pause],
    jobs: int,
    processes: Executor | None = None,
) -> Iterator[_Result]:
    """Yield the result of a function for each batch, in the order of the batches.

    The results of all batches before a PAUSE are yielded before the next batch is
    requested. If `batches` raises an error, it is raised again after the results of all
    earlier batches.

    Args:
        function: The function to call with each batch.
        batches: The batches, with PAUSE wherever the next batch may not be available
            yet.
        jobs: The number of threads or processes. With one job and without `processes`,
            the function is called in this thread. While there are threads, the process
            switches between threads more often than by default.
        processes: A pool of `jobs` processes to use instead of threads. It is shut down
            at the end.
    """
    if jobs == 1 and processes is None:
        yield from (function(batch) for batch in batches if batch is not PAUSE)
        return
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - a third of a short run

    pending: deque[Future[_Result]] = deque()
    failure: Exception | None = None
    iterator = iter(batches)
    pool = processes or ThreadPoolExecutor(jobs)
    interval = sys.getswitchinterval()
    try:
        if processes is None:
            sys.setswitchinterval(min(interval, _SWITCH_INTERVAL))
        while True:
            try:
                batch = next(iterator)
            except StopIteration:
                break
            except Exception as error:
                failure = error  # results of earlier batches come first
                break
            if batch is not PAUSE:
                pending.append(pool.submit(function, batch))
            while pending and (
                batch is PAUSE or len(pending) > 2 * jobs or pending[0].done()
            ):
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        sys.setswitchinterval(interval)
        pool.shutdown(wait=processes is not None, cancel_futures=True)
    if failure is not None:
        raise failure
