"""Column files whose layout is known by a name: CoNLL-U and those of shared tasks.

A column of a configuration is then `NAME=SOURCE`, such as `pos=xpos`: its name here and
its name in the layout. `word` stands for `word=form`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from senna_py.corpora.conll import ColumnFile, ColumnSentence
from senna_py.corpora.conllu import COLUMNS, KEYS, ConlluFile, is_conllu
from senna_py.corpora.props import phrases_of_column
from senna_py.errors import SennaError
from senna_py.io.streaming import BY_MARK
from senna_py.labels.tag_schemes import encode

if TYPE_CHECKING:
    from senna_py.labels.tasks import Task

CONLLU = "conllu"


class _Columns(NamedTuple):
    """A layout of a shared task.

    Attributes:
        names: The names of the columns, by their number.
        comments: Whether lines that begin with # are comments.
        brackets: The names of columns that have brackets instead of tags.
        has_roles: Whether columns of roles follow those of `names`, one for each
            predicate.
        n_last: The number of columns that follow the roles.
        no_predicate: The mark in the column of predicates of a token that is none.
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
_LAYOUTS = {
    "conll2000": _Columns({3: ["word", "pos", "chk"]}),
    "conll2002": _Columns({2: ["word", "ner"], 3: ["word", "pos", "ner"]}),
    "conll2003": _Columns(
        {4: ["word", "pos", "chk", "ner"], 5: ["word", "lemma", "pos", "chk", "ner"]}
    ),
    "conll2009": _Columns({14: _CONLL2009}, has_roles=True, no_predicate="_"),
    "conll2012": _Columns(
        {11: _CONLL2012},
        comments=True,
        brackets=("ner", "roles"),
        has_roles=True,
        n_last=1,
    ),
}
LAYOUTS = (CONLLU, *_LAYOUTS)
_KEY = re.compile(r"^(feats|misc)\..+")
# The sources in CoNLL-U of columns that have another name here.
_CONLLU_NAMES = {"word": "form", "pos": "xpos", "heads": "head", "relation": "deprel"}


def layout_of(path: str | os.PathLike[str], layout: str = "") -> str:
    """Return `layout`, or the one that a file's name implies; empty if there is none."""
    return layout or (CONLLU if is_conllu(path) else "")


def column_name(column: str) -> str:
    """Return the name of a column `NAME` or `NAME=SOURCE`; `form` is called `word`."""
    name = column.partition("=")[0]
    return "word" if name == "form" else name


def default_columns(layout: str, task: Task, alone: bool = True) -> list[str]:
    """Return the columns of a layout that a task needs, as a configuration lists them.

    Other columns are included if all files of the layout have them.

    Args:
        layout: The name of the layout.
        task: The task.
        alone: Whether it is the only task that learns from the file.
    """
    if layout != CONLLU:
        needed, widths = (task.name, "roles"), _LAYOUTS[layout].names.values()
        return [
            name
            for name in _known(layout)
            if name in needed or all(name in names for names in widths)
        ]
    names = ["word", "lemma", "upos", "pos=xpos", "feats", "head", "deprel"]
    if task.labels == "words" and task.name not in map(column_name, names):
        if task.name in COLUMNS:
            names.append(task.name)
        elif alone or task.name in ("ner", "chk"):
            names.append(f"{task.name}=misc.{KEYS.get(task.name, task.name)}")
    return names


def source_problem(layout: str, columns: Sequence[str]) -> str | None:
    """Describe a column that a layout does not have, or return None."""
    for column in columns:
        source = _source(layout, column)
        if column != "-" and _KEY.sub(r"\1.KEY", source) not in _known(layout):
            return f"{layout} has no column {source!r}; there are {', '.join(_known(layout))}"
    return None


def _source(layout: str, column: str) -> str:
    """Return the name in the layout of a column `NAME` or `NAME=SOURCE`."""
    name, equals, source = column.partition("=")
    if equals:
        return source
    return _CONLLU_NAMES.get(name, name) if layout == CONLLU else column_name(column)


def _known(layout: str) -> list[str]:
    """Return the names of all columns of a layout."""
    if layout == CONLLU:
        return [*COLUMNS[1:-1], "feats.KEY", "misc.KEY"]
    names = [*dict.fromkeys(chain(*_LAYOUTS[layout].names.values()))]
    if "roles" in _LAYOUTS[layout].brackets:
        names.append("roles")
    return names


class LayoutFile:
    """The sentences of a file of some layout, which can be iterated over once."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        layout: str,
        columns: Sequence[str],
        multiwords: str = "words",
        encoding: str | None = BY_MARK,
    ) -> None:
        """Open a file.

        Args:
            path: The file; `-` is standard input.
            layout: The name of the layout.
            columns: The columns of the sentences, `NAME` or `NAME=SOURCE` each; `-` is
                a column of dashes.
            multiwords: What counts as one token, as `ConlluFile` takes it.
            encoding: The encoding, as `Source` takes it.

        Raises:
            SennaError: If the file cannot be read, or the layout lacks a column.
        """
        if problem := source_problem(layout, columns):
            raise SennaError(f"{path}: {problem}")
        self._layout = layout
        self._sources = [_source(layout, column) for column in columns]
        self._names = [*map(column_name, columns)]
        if layout == CONLLU:
            self._file: ConlluFile | ColumnFile = ConlluFile(path, multiwords, encoding)
        else:
            names = _LAYOUTS[layout].names
            self._file = ColumnFile(
                path,
                same_in_all=False,
                comments=_LAYOUTS[layout].comments,
                encoding=encoding,
                first=next(iter(names.values()))[0],
                widths=() if _LAYOUTS[layout].has_roles else names,
            )
        self.name, self.error = self._file.name, self._file.error
        self.source = self._file.source

    def __iter__(self) -> Iterator[ColumnSentence]:
        """Yield the sentences; raise SennaError naming a line that cannot be read."""
        if isinstance(self._file, ConlluFile):
            yield from self._conllu_sentences(self._file)
            return
        for sentence in self._file:
            columns = self._columns(self._file, sentence)
            yield ColumnSentence(sentence.line, columns, sentence.lines)

    def _conllu_sentences(self, file: ConlluFile) -> Iterator[ColumnSentence]:
        """Yield sentences of CoNLL-U; raise SennaError if no word has one of the keys."""
        missing, is_empty = {source for source in self._sources if "." in source}, True
        for sentence in file:
            is_empty = False
            columns = []
            for source in self._sources:
                if source == "-":
                    columns.append(["-"] * len(sentence.forms))
                    continue
                values = sentence.column(source)
                if "" in values:
                    line, column = sentence.lines[values.index("")], source.upper()
                    raise self.error(line, f"{column} is empty; _ stands for no value")
                if source in missing and {*values} != {"_"}:
                    missing.remove(source)
                columns.append(values)
            yield ColumnSentence(sentence.lines[0], columns, sentence.lines)
        if missing and not is_empty:
            source = min(missing)
            column, _, key = source.partition(".")
            name = self._names[self._sources.index(source)]
            raise SennaError(
                f"{self.name}: no word has {key} in its column {column.upper()}; columns can "
                f"say where it is instead, as in form,{name}={column}.KEY"
            )

    def _columns(self, file: ColumnFile, sentence: ColumnSentence) -> list[list[str]]:
        """Return the columns that were asked for; those of roles stand at the end."""
        layout = _LAYOUTS[self._layout]
        names, roles = self._split_columns(file, layout, sentence)
        by_name = dict(zip(names, sentence.columns, strict=False))
        if "predicate" in by_name:
            by_name["predicate"] = [
                "-" if mark == layout.no_predicate else mark
                for mark in by_name["predicate"]
            ]
        for name in {*layout.brackets} & {*by_name} & {*self._sources}:
            by_name[name] = _bracket_tags(file, sentence, by_name[name])
        columns = [
            self._column(sentence, name, by_name)
            for name in self._sources
            if name != "roles"
        ]
        if self._sources[-1] != "roles":
            return columns
        if "roles" in layout.brackets:
            roles = [_bracket_tags(file, sentence, column) for column in roles]
        return columns + roles

    def _column(
        self, sentence: ColumnSentence, name: str, by_name: Mapping[str, list[str]]
    ) -> list[str]:
        if name == "-":
            return ["-"] * sentence.n_tokens
        if name not in by_name:
            raise self.error(
                sentence.line,
                f"expected a column {name} of {self._layout}, found "
                f"{len(sentence.columns)} columns",
            )
        return by_name[name]

    def _split_columns(
        self, file: ColumnFile, layout: _Columns, sentence: ColumnSentence
    ) -> tuple[list[str], list[list[str]]]:
        """Return the names of the first columns of a sentence, and its columns of roles."""
        n_columns = len(sentence.columns)
        if layout.has_roles:
            ((n_first, names),) = layout.names.items()
            if n_columns >= n_first + layout.n_last:
                return names, sentence.columns[n_first : n_columns - layout.n_last]
            widths = f"{n_first + layout.n_last} or more"
        elif n_columns in layout.names:
            return layout.names[n_columns], []
        else:
            widths = " or ".join(map(str, layout.names))
        between = " between tabs" if file.has_tabs else ""
        raise self.error(
            sentence.line,
            f"expected the {widths} columns of {self._layout}, found {n_columns}{between}",
        )


def _bracket_tags(
    file: ColumnFile, sentence: ColumnSentence, column: list[str]
) -> list[str]:
    """Convert a column of brackets, such as `(PER*`, to IOBES tags."""
    phrases = phrases_of_column(column, file, sentence, nested=True)
    return encode(phrases, len(column), "iobes")
