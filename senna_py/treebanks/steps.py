"""The steps of a run, which are executed in order, each one once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from senna_py.treebanks.journal import Journal
    from senna_py.treebanks.progress import StepProgress


class Step(NamedTuple):
    """A step of a run.

    Attributes:
        name: The name of the step.
        seconds: The estimated time in seconds.
        work: A function that executes the step, and returns a line for the journal.
    """

    name: str
    seconds: float
    work: Callable[[], str]


def run_steps(
    steps: Iterable[Step], journal: Journal, progress: StepProgress
) -> Iterator[tuple[Step, str]]:
    """Execute the steps that the journal does not have, and yield them with their lines.

    Raises:
        WriteError: If the journal cannot be written.
    """
    for step in steps:
        if step.name in journal.steps:
            progress.skip(step.name)
            continue
        progress.begin(step.name)
        line = step.work()
        progress.finish()
        journal.finish(step.name, line)
        yield step, line
