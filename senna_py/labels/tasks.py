"""The tasks: what each one labels, and all else that the package has to know about it
by name.

SENNA's seven, levels of trees and what treebanks say of words stand in TABLE, those
printed in the order of their columns. Networks of other names are tasks too: tags or
segments of words.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple

# What is labeled, which networks are for, by the kind of a task.
KINDS = {
    "tags": "words",
    "segments": "words",
    "roles": "roles",
    "trees": "trees",
    "arcs": "arcs",
}
PREDICATE, NO_PREDICATE = "VB", "NOVB"  # the labels of VERBS
POS, VERBS, ROLES, TREES, ARCS = "pos", "vbs", "srl", "psg", "dep"
VALUES = "val"
UPOS, XPOS, FEATS = "upos", "xpos", "feats"
LEMMA, LEMMA_TAGS = (
    "lemma",
    (POS, XPOS, UPOS),
)  # of no network, but by one of these tags


class Task(NamedTuple):
    """A task.

    kind: one of KINDS; title: what it prints, for the help, or nothing if it only
    serves other tasks; default: whether it is printed when no task is named; attribute:
    that of a Sentence for what it finds besides tags; needs: tasks whose labels it
    reads beside those that are features;
    gold: columns of a training file that give its labels, if no column has its name;
    derive: makes its labels, a list of str, from these columns, lists of str by name,
    and raises ValueError(token, problem); headline: the label whose F1 is the score,
    instead of the accuracy;
    senna: whether it is one of SENNA's seven.
    """

    name: str
    kind: str
    title: str = ""
    default: bool = True
    attribute: str = ""
    needs: tuple[str, ...] = ()
    gold: tuple[str, ...] = ()
    derive: Callable[[Mapping[str, list[str]]], list[str]] | None = None
    headline: str = ""
    senna: bool = True

    @property
    def labels(self) -> str:
        """What is labeled, which networks are for: words, roles, trees or arcs."""
        return KINDS[self.kind]

    @property
    def segmented(self) -> bool:
        """Whether its labels are tags of segments, IOBES."""
        return self.kind == "segments"

    @property
    def marked(self) -> bool:
        """Whether its segments are marked in a text: entities, values, and those of a
        user.
        """
        return self.name in ("ner", VALUES) or (
            self.segmented and self.name not in TABLE
        )


def _verbs(columns: Mapping[str, list[str]]) -> list[str]:
    return [NO_PREDICATE if mark == "-" else PREDICATE for mark in columns["predicate"]]


def _level(level: int, columns: Mapping[str, list[str]]) -> list[str]:
    from senna_py.labels.parse_bits import level_tags  # noqa: PLC0415 - to train and to score
    from senna_py.labels.tag_schemes import recode  # noqa: PLC0415

    return recode(level_tags(columns["parse"], level), "iobes")


def _from_parse(level: int) -> dict[str, Any]:
    return {"gold": ("parse",), "derive": partial(_level, level)}


_TASKS = (
    Task(POS, "tags", "part-of-speech tags"),
    Task("chk", "segments", "chunks", attribute="chunks"),
    Task("ner", "segments", "named entities", attribute="entities"),
    Task(
        "pt0",
        "segments",
        "parse-tree level 0: the deepest phrase of each word",
        default=False,
        **_from_parse(0),
    ),
    Task(
        ROLES,
        "roles",
        "semantic roles",
        attribute="frames",
        gold=("predicate", "roles"),
    ),
    Task(
        TREES,
        "trees",
        "parse trees",
        attribute="tree",
        needs=(POS,),  # the leaves of a tree have it
        gold=(POS, "parse"),
    ),
    Task(UPOS, "tags", "universal parts of speech", senna=False),
    Task(FEATS, "tags", "morphological features", senna=False),
    Task(LEMMA, "tags", "lemmas", senna=False),
    Task(
        VALUES,
        "segments",
        "dates, amounts and other values",
        default=False,
        attribute="values",
        senna=False,
    ),
    Task(ARCS, "arcs", "dependencies", attribute="arcs", senna=False),
    Task(VERBS, "tags", gold=("predicate",), derive=_verbs, headline=PREDICATE),
    *(Task(f"pt{n}", "segments", senna=False, **_from_parse(n)) for n in range(1, 5)),
)
TABLE = {task.name: task for task in _TASKS}
PRINTED = tuple(task.name for task in _TASKS if task.title)
SENNA = tuple(name for name in PRINTED if TABLE[name].senna)


def default_order(names: Iterable[str]) -> list[str]:
    """Those of the tasks `names` that are done if none is named: SENNA's first, in its
    order.

    Tasks that only serve others, or must be asked for, are done if there is nothing
    else.
    """
    names = list(names)
    printed = [
        n for n in names if n not in TABLE or (TABLE[n].title and TABLE[n].default)
    ]
    order = {name: place for place, name in enumerate(SENNA)}
    return sorted(printed or names, key=lambda name: order.get(name, len(order)))


def find_task(name: str, kind: str = "") -> Task:
    """The task of a name; one that is not in TABLE is of the given kind.

    As a rule that is segments; UD's second column of parts of speech has tags.
    """
    rule = "tags" if name == XPOS else "segments"
    return TABLE.get(name) or Task(name, kind or rule, senna=False)
