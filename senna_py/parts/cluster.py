"""Runs tasks on a Dask cluster, which repeats the tasks of workers that die."""

from __future__ import annotations

import contextlib
import logging
import threading
from concurrent.futures import CancelledError
from typing import TYPE_CHECKING, Any

from distributed import Client, Future, as_completed, get_worker

from senna_py.errors import SennaError
from senna_py.parts.tasks import do_task

if TYPE_CHECKING:
    from collections.abc import Iterator

    from senna_py.corpora.places import BatchPlace
    from senna_py.parts.inputs import Part
    from senna_py.parts.tasks import Function, PartTask, Tell

_TOPIC = "senna-py"
_SECONDS_TO_WAIT = 120  # The timeout for the first worker.
_LOGGERS = ("asyncio", "distributed", "distributed.client", "tornado")


@contextlib.contextmanager
def connect(address: str) -> Iterator[Cluster]:
    """Return a context manager that yields the workers of the scheduler at an address.

    Raises:
        SennaError: If there is no scheduler, if no worker appears within two minutes,
            or if a worker stops answering.
    """
    for name in _LOGGERS:  # The command reports these errors.
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        client = Client(address, set_as_default=False)
        client.wait_for_workers(1, timeout=_SECONDS_TO_WAIT)
    except (OSError, ValueError, RuntimeError) as error:
        if "new thread" in str(error):
            raise  # The command reports this error.
        raise SennaError(f"{address}: no Dask workers: {error}") from None
    try:
        with client:
            yield Cluster(client)
    except TimeoutError:
        raise SennaError(
            "a worker stopped answering; run it again for the rest"
        ) from None


class Cluster:
    """The workers of a Dask cluster; see `parts.run.Workers`."""

    capacity = 10_000

    def __init__(self, client: Client) -> None:
        self._client = client
        self._running = as_completed(loop=client.loop)
        self._tasks: dict[Any, PartTask] = {}
        self._hear: Tell | None = None
        self._unheard: list[Any] = []  # What tasks tell before somebody waits.
        self._telling = threading.Lock()
        client.subscribe_topic(_TOPIC, lambda event: self._tell(event[1]))

    def submit(self, task: PartTask, first: bool = False) -> None:
        """Submit a task, with a higher priority than waiting ones if `first`."""
        future = self._client.submit(
            _do, task.function, task.part, task.place, pure=False, priority=int(first)
        )
        self._tasks[future.key] = task
        self._running.add(future)

    def finished(self, hear: Tell) -> Iterator[tuple[PartTask, Any]]:
        """Wait for the next finished task, and yield it with its outcome.

        `hear` is called with the progress of tasks.

        Raises:
            SennaError: If the scheduler is gone.
        """
        with self._telling:
            self._hear = hear
            for done in self._unheard:
                hear(*done)
            self._unheard.clear()
        future = next(self._running)
        task = self._tasks.pop(future.key)
        yield task, _outcome(future, task)

    def _tell(self, done: tuple[Any, ...]) -> None:
        """Pass on what a task tells. Dask's thread calls this."""
        with self._telling:
            if self._hear is None:
                self._unheard.append(done)
            else:
                self._hear(*done)


def _outcome(future: Future[Any], task: PartTask) -> Any:
    try:
        return future.result()
    except CancelledError:
        raise SennaError(
            "the scheduler is gone; what is done stays: run it again"
        ) from None
    except Exception as error:  # For example KilledWorker.
        return f"{task.part.label}: {type(error).__name__}: {error}"


def _do(function: Function, part: Part, place: BatchPlace) -> Any:
    """Run a task on a worker, which reports progress as events of Dask."""
    worker = get_worker()
    return do_task(function, part, place, lambda *done: worker.log_event(_TOPIC, done))
