"""The tasks: what each one labels, and all else that the package has to know about it by name.

SENNA's seven and the levels of parse trees stand in TABLE, the tasks that are printed in the order
of their columns. A network of any other name is a task too: tags or segments of words.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from senna_py.labels.parse_levels import LEVELS, level_tags
from senna_py.labels.tag_schemes import recode

__all__ = [
    "KINDS",
    "NO_PREDICATE",
    "POS",
    "PREDICATE",
    "PRINTED",
    "ROLES",
    "TABLE",
    "TREES",
    "VERBS",
    "Task",
    "find_task",
]

KINDS = ("tags", "segments", "roles")  # what can be trained and scored; there are trees, too
PREDICATE, NO_PREDICATE = "VB", "NOVB"  # the labels of VERBS
POS, VERBS, ROLES, TREES = "pos", "vbs", "srl", "psg"


@dataclass(frozen=True)
class Task:
    """A task.

    kind: tags, segments (IOBES), roles or trees; title: what it prints, for the help, or nothing if
    it is there for the sake of others; default: whether it is printed when no task is named;
    attribute: where a Sentence has its segments; needs: tasks whose labels are read beside those
    that are features; gold: columns of a training file that tell its labels, where none has its
    name; derive: from the first of these, a list of str, to the labels, a list of str (raises
    ValueError(token, problem)); headline: the label whose F1 is the score, if one is.
    """

    name: str
    kind: str
    title: str = ""
    default: bool = True
    attribute: str = ""
    needs: tuple[str, ...] = ()
    gold: tuple[str, ...] = ()
    derive: Callable[[list[str]], list[str]] | None = None
    headline: str = ""
    senna: bool = True

    @property
    def labels(self) -> str:
        """What is labelled: words, roles or trees."""
        return "words" if self.kind in ("tags", "segments") else self.kind


def _verbs(marks: list[str]) -> list[str]:
    return [NO_PREDICATE if mark == "-" else PREDICATE for mark in marks]


def _level(level: int, bits: list[str]) -> list[str]:
    return recode(level_tags(bits, level), "iobes")


def _levels() -> dict[str, dict]:
    return {
        name: {"gold": ("parse",), "derive": partial(_level, level)}
        for name, level in LEVELS.items()
    }


_OF_LEVEL = _levels()
_TASKS = (
    Task(POS, "tags", "part-of-speech tags"),
    Task("chk", "segments", "chunks", attribute="chunks"),
    Task("ner", "segments", "named entities", attribute="entities"),
    Task("pt0", "segments", "parse-tree level 0 (printed only if asked for)", default=False,
         **_OF_LEVEL.pop("pt0")),
    Task(ROLES, "roles", "semantic roles", gold=("predicate", "roles")),
    Task(TREES, "trees", "parse trees", needs=(POS,)),  # the leaves of a tree have it
    Task(VERBS, "tags", gold=("predicate",), derive=_verbs, headline=PREDICATE),
    *(Task(name, "segments", senna=False, **gold) for name, gold in _OF_LEVEL.items()),
)  # fmt: skip
TABLE = {task.name: task for task in _TASKS}
PRINTED = tuple(task.name for task in _TASKS if task.title)


def find_task(name: str, kind: str = "") -> Task:
    """The task of a name; one that is not in TABLE is of the given kind, segments as a rule."""
    return TABLE.get(name) or Task(name, kind or "segments", senna=False)
