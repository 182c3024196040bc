"""The tasks: the layers of networks and treebanks, and what is known by their names.

TABLE has SENNA's seven tasks, levels of trees, and what treebanks annotate on words.
The tasks that are printed are in the order of their columns. A network with another
name is a task, too: it gives words tags or segments.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple


class Shape(NamedTuple):
    """How the spans of a layer lie; nothing else tells one sort of answer from another.

    Attributes:
        name: What configurations and model files call it (`kind`).
        head: The sort of network head that learns it.
        each_token: Whether every token has one span, which is the token itself.
        hangs_on: What a span may hang on: a `token`, another `span` of the layer, or
            nothing (an empty string).
        nested: Whether spans may lie within others.
    """

    name: str
    head: str
    each_token: bool = False
    hangs_on: str = ""
    nested: bool = False

    @property
    def flat(self) -> bool:
        """Whether spans lie side by side, so that IOBES tags say all about them."""
        return not (self.each_token or self.hangs_on or self.nested)

    @property
    def gives_tags(self) -> bool:
        """Whether a tag for each token says all about the spans."""
        return self.flat or (self.each_token and not self.hangs_on)

    @property
    def iobes(self) -> bool:
        """Whether IOBES tags, perhaps beside each token that spans hang on, say all."""
        return self.flat or (self.hangs_on == "token" and not self.each_token)


SHAPES = {
    shape.name: shape
    for shape in (
        Shape("tags", "words", each_token=True),
        Shape("segments", "words"),
        Shape("roles", "roles", hangs_on="token"),
        Shape("trees", "trees", nested=True),
        Shape("arcs", "arcs", each_token=True, hangs_on="token"),
    )
}
PREDICATE, NO_PREDICATE = "VB", "NOVB"  # the labels of VERBS
POS, VERBS, ROLES, TREES, ARCS = "pos", "vbs", "srl", "psg", "dep"
VALUES = "val"
ENTITIES = "entities"  # The style of pictures that mark spans in the text.
UPOS, XPOS, FEATS = "upos", "xpos", "feats"
LEMMA = "lemma"  # no network learns it: lemmas are made from one of these tags
LEMMA_TAGS = (POS, XPOS, UPOS)


class Task(NamedTuple):
    """A task: the name and the shape of a layer, and what the package knows about it.

    Attributes:
        name: Its name, on the command line and in files.
        shape: How the spans of its layer lie.
        title: What it prints, for the help; empty if it only serves other tasks.
        default: Whether it is printed when no task is named.
        attribute: What Python and JSON call its spans together, such as `entities`.
        span_name: What JSON calls the spans that hang on one token, or that nest.
        anchor_name: What JSON, tables and columns call what a span hangs on.
        label_name: What they call the label of a span.
        style: What a picture of its layer alone is called.
        needs: Tasks whose labels it reads beside those that are features.
        gold: Columns of a training file that give its labels, if no column has its name.
        derive: Makes its labels, a list of str, from these columns, lists of str by name;
            raises ValueError(token, problem).
        headline: The label whose F1 is the score, instead of the accuracy.
        senna: Whether it is one of SENNA's seven.
    """

    name: str
    shape: Shape
    title: str = ""
    default: bool = True
    attribute: str = ""
    span_name: str = ""
    anchor_name: str = "anchor"
    label_name: str = "label"
    style: str = ""
    needs: tuple[str, ...] = ()
    gold: tuple[str, ...] = ()
    derive: Callable[[Mapping[str, list[str]]], list[str]] | None = None
    headline: str = ""
    senna: bool = True

    @property
    def kind(self) -> str:
        """What configurations and model files call the shape."""
        return self.shape.name

    @property
    def labels(self) -> str:
        """What is labeled, which networks are for: words, roles, trees or arcs."""
        return self.shape.head

    @property
    def segmented(self) -> bool:
        """Whether its spans lie side by side, so that IOBES tags say all about them."""
        return self.shape.flat

    @property
    def marked(self) -> bool:
        """Whether its spans are marked in a text: entities, values, and a user's own."""
        return self.shape.flat and self.style == ENTITIES

    @property
    def explained(self) -> bool:
        """Whether `explanations.tsv` says what its labels mean."""
        return self.name in TABLE and self.name != LEMMA


def _verbs(columns: Mapping[str, list[str]]) -> list[str]:
    return [NO_PREDICATE if mark == "-" else PREDICATE for mark in columns["predicate"]]


def _level(level: int, columns: Mapping[str, list[str]]) -> list[str]:
    from senna_py.labels.parse_bits import level_tags  # noqa: PLC0415 - to train and to score
    from senna_py.labels.tag_schemes import recode  # noqa: PLC0415

    return recode(level_tags(columns["parse"], level), "iobes")


def _from_parse(level: int) -> dict[str, Any]:
    return {"gold": ("parse",), "derive": partial(_level, level)}


_TAGS, _SEGMENTS = SHAPES["tags"], SHAPES["segments"]
_TASKS = (
    Task(POS, _TAGS, "part-of-speech tags"),
    Task("chk", _SEGMENTS, "chunks", attribute="chunks", style="chunks"),
    Task("ner", _SEGMENTS, "named entities", attribute="entities", style=ENTITIES),
    Task(
        "pt0",
        _SEGMENTS,
        "parse-tree level 0: the deepest phrase of each word",
        default=False,
        **_from_parse(0),
    ),
    Task(
        ROLES,
        SHAPES["roles"],
        "semantic roles",
        attribute="frames",
        span_name="arguments",
        anchor_name="predicate",
        style="roles",
        gold=("predicate", "roles"),
    ),
    Task(
        TREES,
        SHAPES["trees"],
        "parse trees",
        attribute="tree",
        span_name="constituents",
        style="tree",
        needs=(POS,),  # The leaves of a tree have it.
        gold=(POS, "parse"),
    ),
    Task(UPOS, _TAGS, "universal parts of speech", senna=False),
    Task(FEATS, _TAGS, "morphological features", senna=False),
    Task(LEMMA, _TAGS, "lemmas", senna=False),
    Task(
        VALUES,
        _SEGMENTS,
        "dates, amounts and other values",
        default=False,
        attribute="values",
        style=ENTITIES,
        senna=False,
    ),
    Task(
        ARCS,
        SHAPES["arcs"],
        "dependencies",
        attribute="arcs",
        anchor_name="head",
        label_name="relation",
        style="dependencies",
        senna=False,
    ),
    Task(VERBS, _TAGS, gold=("predicate",), derive=_verbs, headline=PREDICATE),
    *(
        Task(f"pt{level}", _SEGMENTS, senna=False, **_from_parse(level))
        for level in range(1, 5)
    ),
)
TABLE = {task.name: task for task in _TASKS}
PRINTED = tuple(task.name for task in _TASKS if task.title)
SENNA = tuple(name for name in PRINTED if TABLE[name].senna)


def default_order(names: Iterable[str]) -> list[str]:
    """Return the tasks that are done if none is named, SENNA's first.

    Tasks that only serve others, or must be asked for, are returned only if there is
    nothing else.

    Args:
        names: The tasks of a model.
    """
    names = list(names)
    printed = [
        name
        for name in names
        if name not in TABLE or (TABLE[name].title and TABLE[name].default)
    ]
    order = {name: place for place, name in enumerate(SENNA)}
    return sorted(printed or names, key=lambda name: order.get(name, len(order)))


def find_task(name: str, kind: str = "") -> Task:
    """Return the task with a name.

    A task that is not in TABLE has the shape called `kind`. Without a kind, it has
    segments, except UD's second column of parts of speech, which has tags.
    """
    rule = "tags" if name == XPOS else "segments"
    shape = SHAPES[kind or rule]
    style = ENTITIES if shape.flat else ""
    return TABLE.get(name) or Task(name, shape, style=style, senna=False)
