"""Named layouts of column files: CoNLL-U and the formats of shared tasks.

With a layout, the columns in a configuration are written `NAME=SOURCE`, such as
`pos=xpos`, where SOURCE is the name of the column in the layout. `NAME` alone means the
usual source of this name: `word` is short for `word=form` in CoNLL-U.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from senna_py.corpora.conllu import COLUMNS, KEYS, is_conllu
from senna_py.labels.tasks import TOKENS, Structure

if TYPE_CHECKING:
    from senna_py.labels.tasks import Task

CONLLU = "conllu"


class ColumnLayout(NamedTuple):
    """The layout of a shared task's files.

    Attributes:
        names: The names of the columns, for each possible number of columns.
        comments: Whether lines that begin with # are comments.
        brackets: The names of columns with brackets instead of tags.
        has_roles: Whether the columns of `names` are followed by a column of roles for
            each predicate.
        n_last: The number of columns after the roles.
        no_predicate: The value in the column `predicate` for tokens that are not
            predicates.
    """

    names: dict[int, list[str]]
    comments: bool = False
    brackets: tuple[str, ...] = ()
    has_roles: bool = False
    n_last: int = 0
    no_predicate: str = "-"


_CONLL2009 = [
    "id",
    "word",
    "lemma",
    "plemma",
    "pos",
    "ppos",
    "feats",
    "pfeats",
    "head",
    "phead",
    "deprel",
    "pdeprel",
    "predicate",
    "sense",
]
_CONLL2012 = [
    "document",
    "part",
    "id",
    "word",
    "pos",
    "parse",
    "lemma",
    "predicate",
    "sense",
    "speaker",
    "ner",
]
COLUMN_LAYOUTS = {
    "conll2000": ColumnLayout({3: ["word", "pos", "chk"]}),
    "conll2002": ColumnLayout({2: ["word", "ner"], 3: ["word", "pos", "ner"]}),
    "conll2003": ColumnLayout(
        {4: ["word", "pos", "chk", "ner"], 5: ["word", "lemma", "pos", "chk", "ner"]}
    ),
    "conll2009": ColumnLayout({14: _CONLL2009}, has_roles=True, no_predicate="_"),
    "conll2012": ColumnLayout(
        {11: _CONLL2012},
        comments=True,
        brackets=("ner", "roles"),
        has_roles=True,
        n_last=1,
    ),
}
LAYOUTS = (CONLLU, *COLUMN_LAYOUTS)
_KEY = re.compile(r"^(feats|misc)\..+")
# The structures of layers that one column of CoNLL-U represents.
_IN_ONE_COLUMN = Structure.TAGS, Structure.SPANS, Structure.LINKS
# The sources in CoNLL-U of columns with other names.
_CONLLU_NAMES = {"word": "form", "pos": "xpos", "heads": "head", "relation": "deprel"}


def layout_of(path: str | os.PathLike[str], layout: str = "") -> str:
    """Return `layout` or, if it is empty, the layout that a file's name implies.

    The result is an empty string if the name implies none.
    """
    return layout or (CONLLU if is_conllu(path) else "")


def column_name(column: str) -> str:
    """Return the name of a column `NAME` or `NAME=SOURCE`, with `word` for `form`."""
    name = column.partition("=")[0]
    return "word" if name == "form" else name


def default_columns(layout: str, task: Task, alone: bool = True) -> list[str]:
    """Return the columns of a layout that a configuration for a task lists by default.

    They are the column of the task and all columns that every file of the layout has.
    For the task `tokens` of CoNLL-U, they are only the column `tokens`.

    Args:
        layout: The name of the layout.
        task: The task.
        alone: Whether it is the only task that learns from the file. If not, keys of
            the column MISC of CoNLL-U are listed only for the tasks `ner` and `chk`.
    """
    if layout != CONLLU:
        needed, widths = (task.name, "roles"), COLUMN_LAYOUTS[layout].names.values()
        return [
            name
            for name in _known(layout)
            if name in needed or all(name in names for names in widths)
        ]
    if task.name == TOKENS:  # which is learned from the text and the IDs of tokens
        return [TOKENS]
    names = ["word", "lemma", "upos", "pos=xpos", "feats", "head", "deprel"]
    if task.shape.structure in _IN_ONE_COLUMN and task.name not in map(
        column_name, names
    ):
        if task.name in COLUMNS:
            names.append(task.name)
        elif alone or task.name in ("ner", "chk"):
            names.append(f"{task.name}=misc.{KEYS.get(task.name, task.name)}")
    return names


def source_problem(layout: str, columns: Sequence[str]) -> str | None:
    """Return a message about the first column that a layout does not have, or None."""
    for column in columns:
        source = source_of(layout, column)
        if column != "-" and _KEY.sub(r"\1.KEY", source) not in _known(layout):
            return f"{layout} has no column {source!r}; there are {', '.join(_known(layout))}"
    return None


def source_of(layout: str, column: str) -> str:
    """Return the source of a column `NAME` or `NAME=SOURCE`: its name in the layout."""
    name, equals, source = column.partition("=")
    if equals:
        return source
    return _CONLLU_NAMES.get(name, name) if layout == CONLLU else column_name(column)


def _known(layout: str) -> list[str]:
    """Return the names of all columns of a layout."""
    if layout == CONLLU:
        return [*COLUMNS[1:-1], "feats.KEY", "misc.KEY"]
    names = [*dict.fromkeys(chain(*COLUMN_LAYOUTS[layout].names.values()))]
    if "roles" in COLUMN_LAYOUTS[layout].brackets:
        names.append("roles")
    return names
