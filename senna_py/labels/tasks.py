"""The table of tasks: the names, shapes and properties of layers.

TABLE has SENNA's seven tasks, the levels of trees, and the annotations of words in
treebanks. Tasks that are printed are in the order of their columns. A model may also
have tasks that are not in the table, whose layers have tags or segments.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Any, NamedTuple

from senna_py.errors import UsageError


class Structure(Enum):
    """How the spans of a layer relate to its tokens and to each other.

    Formats, pictures and tables have a case for each structure.
    """

    TAGS = "tags"  # A label for each token, such as its part of speech.
    SPANS = "spans"  # Spans that do not overlap, such as named entities.
    FRAMES = "frames"  # Spans with tokens as anchors: arguments of predicates.
    TREE = "tree"  # Nested spans: constituents.
    HEADS = "heads"  # A head and a relation for each token: dependencies.
    LINKS = "links"  # Spans with other spans as anchors, such as coreferent mentions.


# The structure of a layer, by the last three fields of its Shape.
_STRUCTURES = {
    (True, "", False): Structure.TAGS,
    (False, "", False): Structure.SPANS,
    (False, "token", False): Structure.FRAMES,
    (False, "", True): Structure.TREE,
    (True, "token", False): Structure.HEADS,
    (False, "span", False): Structure.LINKS,
}


class Shape(NamedTuple):
    """The form of a layer: which spans it can have, and which network predicts it.

    Attributes:
        name: The name of the shape in configurations and model files, as `kind`.
        head: The type of network head that predicts such layers: `words`, `roles`,
            `trees` or `arcs`.
        each_token: Whether every token has exactly one span, which is the token itself.
        hangs_on: The type of the anchors of spans: a `token`, another `span` of the
            layer, or an empty string if spans have no anchors.
        nested: Whether spans may contain other spans.
    """

    name: str
    head: str
    each_token: bool = False
    hangs_on: str = ""
    nested: bool = False

    @property
    def structure(self) -> Structure:
        """The structure that `each_token`, `hangs_on` and `nested` describe together.

        Raises:
            ValueError: If they contradict each other.
        """
        structure = _STRUCTURES.get((self.each_token, self.hangs_on, self.nested))
        if structure is None:
            raise ValueError(f"no shape of a task: {self}")
        return structure

    @property
    def flat(self) -> bool:
        """Whether spans never overlap, so that IOBES tags represent them fully.

        Layers with one span for each token are not flat in this sense.
        """
        return self.structure is Structure.SPANS

    @property
    def gives_tags(self) -> bool:
        """Whether one tag for each token represents the spans fully."""
        return self.structure in (Structure.TAGS, Structure.SPANS)

    @property
    def iobes(self) -> bool:
        """Whether IOBES tags, in a sequence for each anchor, represent the spans fully.

        Without anchors, there is one sequence for each sentence.
        """
        return self.structure in (Structure.SPANS, Structure.FRAMES)


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
# The shape of the labels of units, from which the learned tokenizer makes tokens. Users
# cannot choose it for a task of their own.
_UNITS = Shape("units", "words", each_token=True)
PREDICATE, NO_PREDICATE = "VB", "NOVB"  # the labels of VERBS
POS, VERBS, ROLES, TREES, ARCS = "pos", "vbs", "srl", "psg", "dep"
VALUES = "val"
ENTITIES = "entities"  # the style of pictures that mark spans in the text
UPOS, XPOS, FEATS = "upos", "xpos", "feats"
# The task of the learned tokenizer, which labels units of text instead of words.
TOKENS = "tokens"
# Lemmas are not predicted by a network: they are computed from the tags of one of these
# tasks.
LEMMA = "lemma"
LEMMA_TAGS = (POS, XPOS, UPOS)


# The keys of a sentence in JSON and Parquet that are not keys of layers, and the keys of
# a span.
_KEYS_OF_SENTENCES = (
    "document",
    "end_char",
    "fields",
    "id",
    "line",
    "paragraph",
    "ranges",
    "scores",
    "sentence",
    "sentences",
    "spans",
    "start_char",
    "tags",
    "tasks",
    "text",
    "tokens",
)
_KEYS_OF_SPANS = (
    "end_char",
    "end_token",
    "label",
    "score",
    "start_char",
    "start_token",
    "text",
)


@dataclass(frozen=True)
class Task:
    """A task: the name and the shape of a layer, and its properties.

    Attributes:
        name: The name of the task on the command line and in files.
        shape: The shape of the layer.
        title: A description of the output, for the help. It is empty for tasks that
            only serve other tasks.
        default: Whether the layer is printed when no task is named.
        attribute: The name of the list of all spans in Python and JSON, such as
            `entities`.
        span_name: The name of the list of spans with the same anchor, or of nested
            spans, in JSON.
        anchor_name: The name of the anchor of a span in JSON, tables and columns.
        label_name: The name of the label of a span in JSON, tables and columns.
        style: The style of a picture of this layer alone.
        needs: The tasks whose layers are needed in addition to features.
        gold: The columns of a training file from which labels are taken if no column
            has the name of the task.
        derive: A function that computes the list of labels from a dict of these columns
            by name. It raises ValueError(token, problem) for invalid columns. It is
            None if labels need no conversion.
        headline: The label whose F1 is the score of the task, instead of the accuracy.
        senna: Whether the task is one of SENNA's seven.
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

    def __post_init__(self) -> None:
        """Check the names of the task.

        Raises:
            UsageError: If the layer would overwrite other values in JSON.
        """
        of_row: tuple[str, ...] = ()
        match self.shape.structure:
            case Structure.FRAMES:
                of_row = (self.anchor_name, "text", span_name_of(self))
            case Structure.HEADS:
                of_row = (self.anchor_name, self.label_name, "score")
            case Structure.LINKS:
                of_row = (self.anchor_name, *_KEYS_OF_SPANS)
        for keys in ((*keys_of(self), *_KEYS_OF_SENTENCES), of_row):
            for name in keys:
                if keys.count(name) > 1:
                    raise UsageError(
                        f"the task {self.name}: in JSON, {name!r} is something else"
                    )

    @property
    def marked(self) -> bool:
        """Whether spans are marked in pictures of texts, as entities and values are.

        The segments of tasks that are not in TABLE are also marked by default.
        """
        return self.shape.flat and self.style == ENTITIES

    @property
    def explained(self) -> bool:
        """Whether `explanations.tsv` has the meanings of the labels."""
        return self.name in TABLE and self.name != LEMMA


def key_of(task: Task) -> str:
    """Return the key of a layer that is not among `tags` or `spans`."""
    return task.attribute or task.name


def keys_of(task: Task) -> tuple[str, ...]:
    """Return the keys of a layer in the JSON object of a sentence.

    A layer that is among `tags` or `spans` has none.
    """
    match task.shape.structure:
        case Structure.TAGS:
            return ()
        case Structure.SPANS:
            return (task.attribute,) if task.attribute else ()
        case Structure.TREE:
            return key_of(task), span_name_of(task)
    return (key_of(task),)


def span_name_of(task: Task) -> str:
    """Return the key of the spans with the same anchor, or of nested spans."""
    if task.span_name:
        return task.span_name
    return f"{key_of(task)}_spans" if task.shape.nested else "spans"


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
        needs=(POS,),  # for the leaves of trees
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
    Task(TOKENS, _UNITS, senna=False),
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
    """Return the tasks that are printed if none is named, with SENNA's tasks first.

    Tasks that only serve other tasks, or that are not printed by default, are returned
    only if a model has no others.

    Args:
        names: The tasks of the model.
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
    """Return the task with the given name, from TABLE or new.

    Args:
        name: The name of the task.
        kind: The name of the shape of a new task. If it is empty, the shape is tags for
            `xpos` and segments for all other tasks.

    Raises:
        UsageError: If the layer of a new task would overwrite other values in JSON.
    """
    rule = "tags" if name == XPOS else "segments"
    return TABLE.get(name) or new_task(name, SHAPES[kind or rule])


def new_task(name: str, shape: Shape, **names: str) -> Task:
    """Return a task that is not in TABLE.

    By default, pictures mark its segments like entities.

    Args:
        name: The name of the task.
        shape: The shape of its layers.
        **names: The title, the style and other names of the task.

    Raises:
        UsageError: If the layer would overwrite other values in JSON.
    """
    names.setdefault("style", ENTITIES if shape.flat else "")
    return Task(name, shape, senna=False, **names)  # type: ignore[arg-type]
