"""Parallel work on batches, in their order."""

from collections import deque


def ordered_map(function, batches, jobs, processes=None):
    """Yield function(batch) for each of `batches`, in their order.

    jobs: threads that work at the same time; processes: a ProcessPoolExecutor of as
    many to use instead, which is shut down at the end. An empty batch has no result:
    the next may have to be waited for, so the results of all batches before it are
    yielded first. An error of the batches is raised after these results, too.
    """
    if jobs == 1 and processes is None:
        yield from map(function, filter(None, batches))
        return
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - a third of a short run

    pending, failure = deque(), None
    iterator = iter(batches)
    pool = processes or ThreadPoolExecutor(jobs)
    try:
        while True:
            try:
                batch = next(iterator)
            except StopIteration:
                break
            except Exception as error:
                failure = error  # what was taken before it comes first
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
