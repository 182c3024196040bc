"""Part tasks: calls of a function for a part of an input, which any process can run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from senna_py.errors import SennaError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from senna_py.corpora.places import BatchPlace
    from senna_py.parts.inputs import Part

    # A callback for progress: the name of a part, and the bytes and sentences done.
    Tell = Callable[[str, int, int], object]
    # A function for a part that begins at a place; it reports its progress.
    Function = Callable[[Part, BatchPlace, Tell], Any]


class PartTask(NamedTuple):
    """The call of a function for a part.

    Attributes:
        function: The function.
        part: The part.
        place: The place where the part begins.
        later: The parts of the input that wait for the result, which is the place after
            this part. There are none if the function tags the part.
        n_deaths: The number of processes that died while running the task.
    """

    function: Function
    part: Part
    place: BatchPlace
    later: Sequence[Part] = ()
    n_deaths: int = 0


def do_task(function: Function, part: Part, place: BatchPlace, tell: Tell) -> Any:
    """Return the result of a task, a SennaError, or the message of another error."""
    try:
        return function(part, place, tell)
    except SennaError as error:
        return error
    except Exception as error:
        return f"{part.label}: {type(error).__name__}: {error}"
