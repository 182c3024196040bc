"""Errors for attributes of tasks that were not run."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from senna_py.errors import UsageError
from senna_py.labels.tasks import TABLE, Structure

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_Value = TypeVar("_Value")
_NOUN_CHUNKS = "noun_chunks"


class ByTask(dict[str, _Value]):
    """A dict with tasks as keys; a missing task raises UsageError with advice.

    Attributes:
        name: The attribute that returns this dict: `tags`, `spans` or `scores`.
    """

    def __init__(self, values: Mapping[str, _Value], name: str) -> None:
        super().__init__(values)
        self.name = name

    def __missing__(self, task: str) -> _Value:
        known = TABLE.get(task)
        if known is None:
            names = {each.attribute for each in TABLE.values() if each.attribute}
            advice = f"{self.name} has {', '.join(self) or 'none'}"
            if task in names or task == _NOUN_CHUNKS:
                advice = f"use doc.{task}"
            raise UsageError(f"no such task: {task!r}; {advice}")
        structure = known.shape.structure
        if known.attribute and structure is not Structure.SPANS:
            raise UsageError(
                f"no {self.name} of {task}: use sentence.{known.attribute}"
            )
        if self.name == "spans" and structure is Structure.TAGS:
            raise UsageError(f"no spans of {task}: use doc.tags[{task!r}]")
        raise not_run(task, task, self)


def not_run(name: str, task: str, tags: Iterable[str]) -> UsageError:
    """Return the error for an attribute of a task that was not run.

    Args:
        name: The attribute that was requested.
        task: The task that computes it.
        tags: The tasks that were run and have tags.
    """
    has = f" (tokens have {', '.join(tags)})" if tags else ""
    return UsageError(
        f"no {name}: the task {task} was not run{has}; "
        f"load(nlp.model.path, tasks=[*nlp.tasks, {task!r}]) runs it, if the model has it"
    )
