"""Errors for attributes of tasks that were not run."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from senna_py.errors import UsageError
from senna_py.labels.tasks import TABLE

if TYPE_CHECKING:
    from collections.abc import Iterable

_Value = TypeVar("_Value")


class ByTask(dict[str, _Value]):
    """A dict by task that raises UsageError, with advice, for a missing task."""

    def __missing__(self, task: str) -> _Value:
        known = TABLE.get(task)
        if known is not None and known.attribute and not known.shape.flat:
            raise UsageError(
                f"no tags of {task}: what it finds is sentence.{known.attribute}"
            )
        raise not_run(task, task, self)


def not_run(name: str, task: str, tags: Iterable[str]) -> UsageError:
    """Return the error for an attribute of a task that was not run.

    Args:
        name: The attribute.
        task: The task.
        tags: The tasks that were run and have tags.
    """
    has = f" (tokens have {', '.join(tags)})" if tags else ""
    return UsageError(
        f"no {name}: the task {task} was not run{has}; "
        f"load(tasks=[*nlp.tasks, {task!r}]) runs it, if the model has it"
    )
