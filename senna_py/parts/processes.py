"""Worker processes of this machine, each at the other end of a pipe that nobody else
can reach.

No port is opened: whoever reaches the port of a scheduler could have it run any code.
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
from typing import TYPE_CHECKING, Any, NamedTuple

from senna_py.corpora.places import BatchPlace
from senna_py.errors import SennaError
from senna_py.io.streaming import InputError
from senna_py.io.system import STOP_SIGNALS, require_open_files
from senna_py.parts.progress import telling

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from multiprocessing.connection import Connection

    from senna_py.parts.inputs import Part

ALLOWED_DEATHS = 12  # of processes at one task
_BEAT = 5  # seconds between two signs of life
_MOST_QUIET = 12  # beats without one, after which a process is killed


class _Task(NamedTuple):
    """What to do with a part of an input: `tag` or `scan`; place: where it begins."""

    name: str
    parts: list[Part]
    number: int
    place: BatchPlace
    deaths: int = 0

    @property
    def part(self) -> Part:
        return self.parts[self.number]


class _Worker:
    """A process, the end of its pipe, its task or None, and for how many beats it was
    quiet.
    """

    def __init__(self) -> None:
        context = multiprocessing.get_context(
            "spawn"
        )  # a fork has only one of many threads
        self.pipe, other = context.Pipe()
        self.process = context.Process(
            target=_do_tasks, args=(other, _BEAT), daemon=True
        )
        with _signals_wait(), _silent():
            self.process.start()
        other.close()
        self.task: _Task | None = None
        self.quiet = 0

    def end(self) -> None:
        """End it now, whatever it does."""
        self.process.kill()
        self.process.join()
        self.pipe.close()


class Processes:
    """Up to `most` processes, begun as there is work for them; close it at the end.

    One that dies is replaced, and its task is done again, up to ALLOWED_DEATHS times.
    """

    def __init__(self, most: int) -> None:
        require_open_files(32 + 4 * most)
        self._most, self._workers = most, list[_Worker]()
        self._first, self._later = deque[_Task](), deque[_Task]()
        self._beat_began = time.monotonic()

    def close(self) -> None:
        """End all processes."""
        while self._workers:
            self._workers.pop().end()

    def results(
        self, work: Any, inputs: Iterable[list[Part]], hear: Callable[..., object]
    ) -> Iterator[tuple[Part, Any]]:
        """Yield each part with its result; see `parts.run.results`."""
        waiting = iter(inputs)
        while True:
            self._give(work, waiting)
            if not any(worker.task for worker in self._workers):
                return
            for worker in self._ready():
                try:
                    kind, value = worker.pipe.recv()
                except (EOFError, OSError):
                    yield from self._lose(worker)
                    continue
                worker.quiet = 0
                if kind == "told":
                    hear(*value)
                elif kind == "done" and worker.task:
                    task, worker.task = worker.task, None
                    yield from self._finish(task, value)

    def _give(self, work: Any, inputs: Iterator[list[Part]]) -> None:
        """Give tasks to all processes that have none, of which there may be more
        now.
        """
        while len(self._workers) < self._most or not all(
            each.task for each in self._workers
        ):
            if not (self._first or self._later):
                parts = next(inputs, None)
                if parts is None:
                    return
                self._add(parts, 0, BatchPlace(parts[0].input.name))
            worker = next((each for each in self._workers if each.task is None), None)
            if worker is None:
                worker = self._begin()
                if worker is None:
                    return
            task = (self._first or self._later).popleft()
            worker.task, worker.quiet = task, 0
            with contextlib.suppress(
                OSError
            ):  # that it died is seen when it is to be heard
                worker.pipe.send((getattr(work, task.name), task.part, task.place))

    def _begin(self) -> _Worker | None:
        """Begin a process; raises SennaError if there is none and none begins."""
        try:
            worker = _Worker()
        except OSError as error:
            if not self._workers:
                raise SennaError(
                    f"no process can be started: {error.strerror}"
                ) from None
            self._most = len(self._workers)
            return None
        self._workers.append(worker)
        return worker

    def _add(self, parts: list[Part], number: int, place: BatchPlace) -> None:
        """Have a part tagged, and the place found where the next one begins."""
        self._later.append(_Task("tag", parts, number, place))
        if number + 1 < len(parts):
            self._first.append(_Task("scan", parts, number, place))

    def _ready(self) -> list[_Worker]:
        """Processes that can be heard, or are dead; those that are long quiet are
        killed.
        """
        found = wait([worker.pipe for worker in self._workers], _BEAT)
        # Time in which this process was stopped, too, is one beat.
        if time.monotonic() > self._beat_began + _BEAT:
            self._beat_began = time.monotonic()
            for worker in self._workers:
                worker.quiet += 1
                if worker.quiet > _MOST_QUIET:
                    worker.process.kill()  # and so its pipe is closed
        return [worker for worker in self._workers if worker.pipe in found]

    def _lose(self, worker: _Worker) -> Iterator[tuple[Part, Any]]:
        """Do without a process; its task is done again, or has failed."""
        self._workers.remove(worker)
        worker.end()
        if (task := worker.task) is None:
            return
        if task.deaths < ALLOWED_DEATHS:
            self._first.appendleft(task._replace(deaths=task.deaths + 1))
            return
        name, number = task.part.input.name, task.number
        yield from self._finish(
            task, f"{name}, part {number}: {task.deaths + 1} processes died"
        )

    def _finish(self, task: _Task, result: Any) -> Iterator[tuple[Part, Any]]:
        """Yield what is known now; raises SennaError for what concerns all."""
        if isinstance(result, InputError):
            result = str(result)
        if isinstance(result, SennaError):
            raise result
        if task.name == "tag":
            yield task.part, result
        elif isinstance(result, BatchPlace):
            self._add(task.parts, task.number + 1, result)
        else:  # nobody knows where the others begin
            yield from ((part, result) for part in task.parts[task.number + 1 :])


@contextlib.contextmanager
def _signals_wait() -> Iterator[None]:
    """Have signals wait, so that a process that begins is known; it never gets that of
    Ctrl-C.
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
def _silent() -> Iterator[None]:
    """Have a process that begins write no traceback: what goes wrong is said by this
    one.
    """
    seen = os.dup(2)
    with open(os.devnull, "wb") as nothing:
        os.dup2(nothing.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(seen, 2)
        os.close(seen)


def _do_tasks(pipe: Connection, beat: float) -> None:
    """Do tasks until the other end of a pipe is closed; beat: seconds between signs of
    life.
    """
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {*STOP_SIGNALS} - {signal.SIGINT})
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # its parent ends it
    lock = threading.Lock()

    def send(kind: str, value: Any = None) -> None:
        with lock:
            try:
                pipe.send((kind, value))
            except OSError:  # nobody is there any more
                os._exit(1)

    def live() -> None:
        while True:
            time.sleep(beat)
            send("lives")

    threading.Thread(target=live, daemon=True).start()
    with telling(lambda *message: send("told", message)), contextlib.suppress(EOFError):
        while True:
            function, part, place = pipe.recv()
            try:
                result = function(part, place)
            except SennaError as error:
                result = error
            except Exception as error:
                name = f"{part.input.name}, part {part.number}"
                result = f"{name}: {type(error).__name__}: {error}"
            send("done", result)
