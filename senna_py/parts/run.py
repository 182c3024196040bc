"""The tagging of a corpus: its inputs are cut into parts, which workers tag."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from typing import TYPE_CHECKING, Any, Protocol

from senna_py.corpora.places import BatchPlace
from senna_py.errors import SennaError, counted
from senna_py.io.progress import Progress, say
from senna_py.io.streaming import BY_MARK, InputError
from senna_py.parts.inputs import Part, cut, find_inputs
from senna_py.parts.processes import Processes
from senna_py.parts.store import COUNTS
from senna_py.parts.tasks import PartTask

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from senna_py.parts.tasks import Tell
    from senna_py.parts.work import PartWork
    from senna_py.pipeline.options import Note


class Workers(Protocol):
    """Runs tasks, in processes of this machine or on the workers of a cluster.

    Attributes:
        capacity: The number of unfinished tasks at which callers should stop submitting
            further ones.
    """

    capacity: int

    def submit(self, task: PartTask, first: bool = False) -> None:
        """Submit a task, which runs before waiting ones if `first`."""

    def finished(self, hear: Tell) -> Iterator[tuple[PartTask, Any]]:
        """Wait, and yield finished tasks with their outcomes; see `do_task`.

        `hear` is called with the progress of tasks.
        """


@contextlib.contextmanager
def connect(address: str | None, jobs: int) -> Iterator[Workers]:
    """Return a context manager that yields workers.

    Args:
        address: The address of a Dask scheduler, or None for processes of this machine.
        jobs: The maximum number of processes.

    Raises:
        SennaError: If there is no scheduler, if no worker appears within two minutes,
            or if a worker stops answering.
    """
    if address is None:
        with contextlib.closing(Processes(jobs)) as processes:
            yield processes
        return
    from senna_py.parts import cluster  # noqa: PLC0415 - an extra

    with cluster.connect(address) as workers:
        yield workers


def tag_corpus(
    names: Sequence[str],
    work: PartWork,
    connected: AbstractContextManager[Workers],
    part_bytes: int,
    note: Note,
) -> int:
    """Tag files, directories, globs and URLs in parts, with an output for each part.

    Args:
        names: The inputs.
        work: The work on a part.
        connected: A context manager that yields workers; see `connect`.
        part_bytes: The approximate size of a part.
        note: A callback that shows the user a line.

    Returns:
        The number of inputs that failed. The user was shown a note for each of them.

    Raises:
        SennaError: For a problem that affects all inputs. Finished outputs remain.
    """
    begin = time.monotonic()
    inputs, failed = _cut_inputs(names, work, part_bytes)
    for reason in failed.values():
        note(reason)
    n_parts = sum(map(len, inputs))
    n_bytes = sum(part.size for parts in inputs for part in parts)
    say(f"{counted(n_parts, 'part')}, {counted(n_bytes, 'byte')}")
    records: list[dict[str, Any]] = []
    n_unchanged = 0
    with (
        work.store.lock(note),
        connected as workers,
        _PartProgress(n_bytes) as progress,
    ):
        for part, outcome in outcomes(workers, work, inputs, progress.hear):
            if isinstance(outcome, str):
                if part.input.name not in failed:
                    note(outcome)
                failed.setdefault(part.input.name, outcome)
                continue
            progress.hear(part.name, part.size, outcome.record["sentences"])
            records.append(outcome.record)
            n_unchanged += outcome.is_unchanged
            for line, topic in outcome.notes:
                note(line, topic)
        if n_unchanged:
            note(f"{n_unchanged:,} of {n_parts:,} parts were there already")
        records.sort(key=lambda record: (record["input"]["name"], record["number"]))
        sums = {key: sum(record[key] for record in records) for key in COUNTS}
        manifest = {"complete": not failed, "settings": work.settings}
        work.store.finish(
            manifest | sums | {"failed": failed, "parts": records}, inputs
        )
    made = ", ".join(counted(sums[f"{noun}s"], noun) for noun in ("sentence", "token"))
    seconds = time.monotonic() - begin
    say(f"{counted(len(records), 'part')}, {made}, in {seconds:.1f} seconds")
    return len(failed)


def _cut_inputs(
    names: Sequence[str], work: PartWork, part_bytes: int
) -> tuple[list[list[Part]], dict[str, str]]:
    """Return the parts of each input, and error messages by name for failed inputs."""
    inputs, failed = find_inputs(names, work.store.holds)
    if work.store.form.pairs:
        part_bytes = sys.maxsize
    parts_of: dict[str, list[Part]] = {}
    for each in inputs:
        try:
            output = work.store.name_of(Part(each))
            if output in parts_of:
                raise InputError(f"{each.name}: another input has the same output")
            encoding = work.options.encoding or BY_MARK
            parts_of[output] = cut(each, part_bytes, encoding)
        except InputError as error:
            failed[each.name] = str(error)
    return [*parts_of.values()], failed


def outcomes(
    workers: Workers,
    work: PartWork,
    inputs: Iterable[list[Part]],
    hear: Tell,
) -> Iterator[tuple[Part, Any]]:
    """Tag all parts, and yield each with the result of `work.tag` or an error message.

    A part is tagged as soon as the place where it begins is known. Another task finds
    that place by reading the part before it.

    Args:
        workers: The workers.
        work: The work on a part.
        inputs: The parts of each input.
        hear: A callback for progress.

    Raises:
        SennaError: For a problem that affects all inputs, such as a full disk.
    """

    n_open = 0  # The number of unfinished tasks.

    def submit(parts: Sequence[Part], place: BatchPlace) -> None:
        nonlocal n_open
        part, *later = parts
        workers.submit(PartTask(work.tag, part, place))
        n_open += 1
        if later:
            scan = PartTask(work.place_after, part, place, later)
            workers.submit(scan, first=True)
            n_open += 1

    waiting = iter(inputs)
    while True:
        while n_open < workers.capacity and (parts := next(waiting, None)) is not None:
            submit(parts, BatchPlace(parts[0].input.name))
        if not n_open:
            return
        for task, outcome in workers.finished(hear):
            n_open -= 1
            if isinstance(outcome, SennaError) and not isinstance(outcome, InputError):
                raise outcome
            if isinstance(outcome, BatchPlace):
                submit(task.later, outcome)
                continue
            result = str(outcome) if isinstance(outcome, InputError) else outcome
            # If the place after a part is unknown, all later parts fail.
            yield from ((part, result) for part in task.later or [task.part])


class _PartProgress(Progress):
    """A progress bar for all parts; a part that is repeated is counted once."""

    def __init__(self, total: int) -> None:
        super().__init__(total)
        self._done_of: dict[str, tuple[int, int]] = {}
        self._n_bytes = self._n_sentences = 0
        self._lock = threading.Lock()

    def hear(self, name: str, n_bytes: int, n_sentences: int) -> None:
        """Update the number of bytes and sentences of a part that are done."""
        with self._lock:
            before_bytes, before_sentences = self._done_of.get(name, (0, 0))
            self._n_bytes += n_bytes - before_bytes
            self._n_sentences += n_sentences - before_sentences
            self._done_of[name] = n_bytes, n_sentences
            self.show_text(self._n_bytes, self._n_sentences)
