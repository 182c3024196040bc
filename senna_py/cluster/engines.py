"""Who does the work: threads of this process, or the workers of a Dask cluster."""

import contextlib
import logging
import queue
import time
import uuid
from concurrent.futures import ThreadPoolExecutor

from senna_py.errors import SennaError

__all__ = ["Cluster", "LostWorkers", "Threads", "local_cluster"]

_AHEAD = 3  # tasks given out for each thread, so that none waits for this process
_PATIENCE = 120.0  # seconds without a worker, or without an answer of the scheduler
_SECONDS_BETWEEN_LOOKS = 5.0
_FETCHERS = 8  # results that may be waited for at the same time
_ALLOWED_DEATHS = 12  # of workers at one task, in a cluster of this machine
# Dask has its workers give memory back at once. The arrays of each batch then are new pages, which
# costs a third of the time.
_MALLOC = {
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": 1 << 28,
    "distributed.nanny.pre-spawn-environ.MALLOC_MMAP_THRESHOLD_": 1 << 25,
}


class LostWorkers(SennaError):
    """A task at which so many workers died that the engine gave it up."""


class Threads:
    """Threads of this process."""

    def __init__(self, jobs):
        """Begin `jobs` threads."""
        self._pool, self._done = ThreadPoolExecutor(jobs), queue.Queue()
        self.slots, self.busy = jobs, 0

    def submit(self, task, function, *arguments):
        """Let function(*arguments) be called; task: by which `wait` names its result."""
        self.busy += 1
        future = self._pool.submit(function, *arguments)
        future.add_done_callback(lambda future: self._done.put((task, future)))

    def wait(self):
        """Wait for the next result: its task and a function that returns it or raises."""
        task, future = self._done.get()
        self.busy -= 1
        return task, future.result

    def close(self):
        """Drop what has not begun."""
        self._pool.shutdown(wait=False, cancel_futures=True)


class Cluster:
    """Workers of a Dask cluster. A task of a worker that died is done by another."""

    def __init__(self, address, patience=_PATIENCE, own=None):
        """Connect to the scheduler at `address`.

        patience: seconds to wait for workers that are not there; own: the cluster, if it is to end
        with this. Raises SennaError if there is no scheduler.
        """
        from distributed import Client  # noqa: PLC0415 - takes a second

        self._address, self._patience, self._own = address, patience, own
        for name in ("distributed", "tornado"):  # what there is to say is said here
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            self._client = Client(own or address, timeout=min(patience, 30), set_as_default=False)
        except Exception as error:
            raise SennaError(f"{address}: no Dask scheduler: {error}") from None
        self._done, self._tasks, self._name = queue.Queue(), {}, uuid.uuid4().hex[:8]
        self._fetchers = ThreadPoolExecutor(_FETCHERS)
        self._count, self._threads = 0, 0
        self._looked, self._seen = 0.0, time.monotonic()

    @property
    def busy(self):
        """Number of tasks that are not done."""
        return len(self._tasks)

    @property
    def slots(self):
        """How many tasks may be given out together; waits for a worker. Raises SennaError."""
        while not self._look():
            time.sleep(0.2)
        return _AHEAD * self._threads

    def submit(self, task, function, *arguments):
        """See Threads."""
        key = f"senna-tag-{self._name}-{self._count}"
        self._count += 1
        future = self._client.submit(function, *arguments, key=key, pure=False)
        self._tasks[key] = task, future
        future.add_done_callback(self._fetch)

    def _fetch(self, future):
        """Get a result without waiting for it here: its worker may have died with it."""
        with contextlib.suppress(RuntimeError):  # all is over
            fetched = self._fetchers.submit(self._result, future)
            fetched.add_done_callback(lambda fetched: self._done.put((future.key, fetched)))

    def wait(self):
        """See Threads; raises SennaError if the scheduler or all workers are gone."""
        while True:
            try:
                key, fetched = self._done.get(timeout=1)
            except queue.Empty:
                self._look()
                continue
            if key in self._tasks:
                task, _ = self._tasks.pop(key)
                return task, fetched.result

    def _result(self, future):
        from distributed import KilledWorker  # noqa: PLC0415

        if future.cancelled() or self._client.status != "running":
            raise self._gone()
        try:
            return future.result()
        except KilledWorker as error:
            raise LostWorkers(f"{error.allowed_failures + 1} workers died at it") from None

    def _gone(self):
        return SennaError(
            f"{self._address}: the scheduler is gone; what is done stays: run the same command "
            "again"
        )

    def _look(self):
        """How many threads there are, asked now and then; raises SennaError after the patience."""
        if self._client.status not in ("running", "connecting"):
            raise self._gone()
        now = time.monotonic()
        if now - self._looked >= (_SECONDS_BETWEEN_LOOKS if self._threads else 0.2):
            self._looked = now
            with contextlib.suppress(OSError, TimeoutError, RuntimeError, ValueError):
                self._threads = sum(self._client.nthreads().values())
                if self._threads:
                    self._seen = now
        if now - self._seen > self._patience:
            if self._client.status != "running":
                raise self._gone()
            raise SennaError(
                f"{self._address}: no worker for {self._patience:.0f} seconds; what is done stays: "
                "run the same command again when there are some"
            )
        return self._threads

    def close(self):
        """Let go of all tasks; end the cluster if it is this one's."""
        self._tasks.clear()
        self._fetchers.shutdown(wait=False, cancel_futures=True)
        with contextlib.suppress(Exception):  # it may be gone
            self._client.close(timeout=5)
        if self._own is not None:
            with contextlib.suppress(Exception):
                self._own.close(timeout=10)


def local_cluster(jobs, patience=_PATIENCE):
    """A Cluster of `jobs` worker processes with one thread each on this machine."""
    import dask  # noqa: PLC0415
    from distributed import LocalCluster  # noqa: PLC0415

    dask.config.set({
        "distributed.scheduler.allowed-failures": _ALLOWED_DEATHS,
        "distributed.comm.timeouts.connect": "3s",  # to a worker that died with a result
        # What Dask watches its processes by takes a few hundredths of each core.
        "distributed.worker.profile.enabled": False,
        "distributed.admin.tick.interval": "1s",
        "distributed.admin.system-monitor.interval": "5s",
        "distributed.admin.system-monitor.gil.enabled": False,
        **_MALLOC,
    })  # fmt: skip
    own = LocalCluster(
        n_workers=jobs, threads_per_worker=1, dashboard_address="127.0.0.1:0", host="127.0.0.1",
        silence_logs=logging.CRITICAL,
    )  # fmt: skip
    return Cluster("local", patience, own)
