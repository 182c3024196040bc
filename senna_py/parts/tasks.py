"""Tasks: work on a part of an input, which any process can do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from senna_py.errors import SennaError

if TYPE_CHECKING:
    from collections.abc import Callable

    from senna_py.corpora.places import BatchPlace
    from senna_py.parts.inputs import Part

    # Tells of a part how many bytes and sentences of it are done.
    Tell = Callable[[str, int, int], object]
    # What is done on a part that begins at a place.
    Function = Callable[[Part, BatchPlace, Tell], Any]


class Task(NamedTuple):
    """A task.

    Attributes:
        function: What is to be done.
        parts: The parts of an input.
        number: The number of the part that is meant.
        place: The place where it begins.
        tags: Whether the part is tagged; otherwise its end is looked for.
        n_deaths: The number of processes that died at the task.
    """

    function: Function
    parts: list[Part]
    number: int
    place: BatchPlace
    tags: bool
    n_deaths: int = 0

    @property
    def part(self) -> Part:
        """The part that is meant."""
        return self.parts[self.number]


def do_task(function: Function, part: Part, place: BatchPlace, tell: Tell) -> Any:
    """Return the outcome of a task: a result, a SennaError, or why it failed as text."""
    try:
        return function(part, place, tell)
    except SennaError as error:
        return error
    except Exception as error:
        return f"{part.label}: {type(error).__name__}: {error}"
