"""Tasks: calls of a function for a part of an input, which any process can run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from senna_py.errors import SennaError

if TYPE_CHECKING:
    from collections.abc import Callable

    from senna_py.corpora.places import BatchPlace
    from senna_py.parts.inputs import Part

    # A callback for progress: the name of a part, and the bytes and sentences done.
    Tell = Callable[[str, int, int], object]
    # A function for a part that begins at a place; it reports its progress.
    Function = Callable[[Part, BatchPlace, Tell], Any]


class Task(NamedTuple):
    """The call of a function for a part.

    Attributes:
        function: The function.
        parts: All parts of the input.
        number: The index of the part in `parts`.
        place: The place where the part begins.
        tags: Whether the function tags the part; otherwise it finds the place after it.
        n_deaths: The number of processes that died while running the task.
    """

    function: Function
    parts: list[Part]
    number: int
    place: BatchPlace
    tags: bool
    n_deaths: int = 0

    @property
    def part(self) -> Part:
        """The part for which the function is called."""
        return self.parts[self.number]


def do_task(function: Function, part: Part, place: BatchPlace, tell: Tell) -> Any:
    """Return the result of a task, a SennaError, or the message of another error."""
    try:
        return function(part, place, tell)
    except SennaError as error:
        return error
    except Exception as error:
        return f"{part.label}: {type(error).__name__}: {error}"
