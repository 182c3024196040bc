"""Runs tasks in processes of this machine, with which it communicates through pipes.

No port is opened, because anybody who can reach a scheduler's port can make it run
code.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any

from senna_py.errors import SennaError
from senna_py.io.system import STOP_SIGNALS, require_open_files
from senna_py.parts.tasks import do_task

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.connection import Connection

    from senna_py.parts.tasks import PartTask, Tell

ALLOWED_DEATHS = 12  # The number of processes that may die while running a task.
_BEAT = 5  # The seconds between two heartbeats.
_MOST_QUIET = 12  # The number of missed heartbeats after which a process is killed.


class _Worker:
    """A process, this end of its pipe, and the task that it runs, if any."""

    def __init__(self) -> None:
        # A forked process would lack all threads of this process except one.
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process = context.Process(
            target=_do_tasks, args=(other, _BEAT), daemon=True
        )
        with _delayed_signals(), _silence():
            self.process.start()
        other.close()
        self.task: PartTask | None = None
        self.n_quiet = 0  # The number of missed heartbeats.

    def end(self) -> None:
        """Kill the process immediately."""
        self.process.kill()
        self.process.join()
        self.pipe.close()


class Processes:
    """A pool of up to `most` processes; see `parts.run.Workers`.

    Processes are started when they are needed. If one dies, its task is repeated by
    another, up to ALLOWED_DEATHS times. `close` kills them.
    """

    def __init__(self, most: int) -> None:
        require_open_files(32 + 4 * most)
        self.capacity = most
        self._workers: list[_Worker] = []
        self._waiting: deque[PartTask] = deque()
        self._beat_began = time.monotonic()

    def close(self) -> None:
        """Kill all processes."""
        while self._workers:
            self._workers.pop().end()

    def submit(self, task: PartTask, first: bool = False) -> None:
        """Queue a task, at the head of the queue if `first`."""
        if first:
            self._waiting.appendleft(task)
        else:
            self._waiting.append(task)

    def finished(self, hear: Tell) -> Iterator[tuple[PartTask, Any]]:
        """Wait for messages, and yield the finished tasks with their outcomes.

        Nothing is yielded if no task has finished. `hear` is called with the progress
        of tasks.
        """
        self._assign()
        for worker in self._wait():
            try:
                topic, value = worker.pipe.recv()
            except (EOFError, OSError):
                yield from self._replace(worker)
                continue
            worker.n_quiet = 0
            if topic == "told":
                hear(*value)
            elif topic == "done" and worker.task:
                task, worker.task = worker.task, None
                yield task, value

    def _assign(self) -> None:
        """Send queued tasks to idle processes."""
        while self._waiting and (worker := self._idle_worker()):
            task = worker.task = self._waiting.popleft()
            worker.n_quiet = 0
            # If the process has died, reading its next message will fail.
            with contextlib.suppress(OSError):
                worker.pipe.send((task.function, task.part, task.place))

    def _idle_worker(self) -> _Worker | None:
        """Return an idle process, starting one if necessary; None if all are busy.

        Raises:
            SennaError: If there is no process and none can be started.
        """
        for worker in self._workers:
            if worker.task is None:
                return worker
        if len(self._workers) >= self.capacity:
            return None
        try:
            self._workers.append(_Worker())
        except OSError as error:
            if not self._workers:
                raise SennaError(
                    f"no process can be started: {error.strerror}"
                ) from None
            self.capacity = len(self._workers)
            return None
        return self._workers[-1]

    def _wait(self) -> list[_Worker]:
        """Kill processes that hang, and return those that sent a message or died."""
        ready = wait([worker.pipe for worker in self._workers], _BEAT)
        # If this process was stopped, too, that time counts as only one beat.
        if time.monotonic() > self._beat_began + _BEAT:
            self._beat_began = time.monotonic()
            for worker in self._workers:
                worker.n_quiet += 1
                if worker.n_quiet > _MOST_QUIET:
                    worker.process.kill()  # This closes its pipe.
        return [worker for worker in self._workers if worker.pipe in ready]

    def _replace(self, worker: _Worker) -> Iterator[tuple[PartTask, Any]]:
        """Remove a process that died, and queue its task again.

        If too many processes died while running it, the task is yielded as failed.
        """
        self._workers.remove(worker)
        worker.end()
        if (task := worker.task) is None:
            return
        if task.n_deaths < ALLOWED_DEATHS:
            self.submit(task._replace(n_deaths=task.n_deaths + 1), first=True)
            return
        yield task, f"{task.part.label}: {task.n_deaths + 1} processes died"


@contextlib.contextmanager
def _delayed_signals() -> Iterator[None]:
    """Block signals while a process starts, so that none arrives before it is recorded.

    The new process inherits the mask and ignores Ctrl-C.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    """Silence stderr, so that a starting process prints no traceback.

    The parent process reports the error.
    """
    standard_error = os.dup(2)
    with open(os.devnull, "wb") as nothing:
        os.dup2(nothing.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(standard_error, 2)
        os.close(standard_error)


def _do_tasks(pipe: Connection, beat: float) -> None:
    """Run tasks from a pipe until its other end is closed.

    A thread sends a heartbeat every `beat` seconds.
    """
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {*STOP_SIGNALS} - {signal.SIGINT})
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # The parent process kills this one.
    lock = threading.Lock()

    def send(topic: str, value: Any = None) -> None:
        with lock:
            try:
                pipe.send((topic, value))
            except OSError:  # The parent process is gone.
                os._exit(1)

    def live() -> None:
        while True:
            time.sleep(beat)
            send("lives")

    threading.Thread(target=live, daemon=True).start()
    with contextlib.suppress(EOFError):
        while True:
            function, part, place = pipe.recv()
            outcome = do_task(function, part, place, lambda *done: send("told", done))
            send("done", outcome)
