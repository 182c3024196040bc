"""Column files whose columns are known by the name of a layout: CoNLL-U and the shared
tasks'.

A column of a configuration is then `NAME=SOURCE`, such as `pos=xpos`: what it is here,
and what the layout calls it. `word` stands for `word=form`.
"""

import re
from itertools import chain
from typing import NamedTuple

from senna_py.corpora.conll import ColumnFile, ColumnSentence
from senna_py.corpora.conllu import COLUMNS, KEYS, ConlluFile, is_conllu
from senna_py.corpora.props import phrases_of_column
from senna_py.errors import SennaError
from senna_py.io.streaming import BY_MARK
from senna_py.labels.tag_schemes import encode

CONLLU = "conllu"


class _Columns(NamedTuple):
    """A layout of the shared tasks.

    names: what each column is, by the number of columns; comments: whether lines that
    begin with # and have no further column are comments; brackets: columns whose
    segments are brackets; more: whether `names` has only the first columns, followed by
    one of roles for each predicate, and by `n_last` others; marks: what stands in the
    column of predicates for none.
    """

    names: dict
    comments: bool = False
    brackets: tuple = ()
    more: bool = False
    n_last: int = 0
    marks: str = "-"


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
    "conll2009": _Columns({14: _CONLL2009}, more=True, marks="_"),
    "conll2012": _Columns(
        {11: _CONLL2012}, comments=True, brackets=("ner", "roles"), more=True, n_last=1
    ),
}
LAYOUTS = (CONLLU, *_LAYOUTS)
_KEY = re.compile(r"^(feats|misc)\..+")
# Names of ours that CoNLL-U's columns have besides their own, where no SOURCE is given.
_CONLLU_NAMES = {"word": "form", "pos": "xpos", "heads": "head", "relation": "deprel"}


def layout_of(path, layout=""):
    """The layout of a file: the given one, or that of its name; an empty str for
    none.
    """
    return layout or (CONLLU if is_conllu(path) else "")


def column_name(column):
    """Our name of a column `NAME` or `NAME=SOURCE`; `form` is the word."""
    name = column.partition("=")[0]
    return "word" if name == "form" else name


def default_columns(layout, task, alone=True):
    """Names of the columns that a layout has for a Task, as a configuration would list
    them.

    Of a layout with several numbers of columns, those that all its files have, and the
    task's. alone: whether it is the only one that learns from a file.
    """
    if layout != CONLLU:
        own, every = (task.name, "roles"), _LAYOUTS[layout].names.values()
        return [
            n for n in _known(layout) if n in own or all(n in names for names in every)
        ]
    names = ["word", "lemma", "upos", "pos=xpos", "feats", "head", "deprel"]
    if task.labels == "words" and task.name not in map(column_name, names):
        is_own, key = task.name in COLUMNS, KEYS.get(task.name, task.name)
        if is_own or alone or task.name in ("ner", "chk"):
            names.append(task.name if is_own else f"{task.name}=misc.{key}")
    return names


def source_problem(layout, columns):
    """Why a layout has no such columns: str, or None if it has."""
    for column in columns:
        source = _source(layout, column)
        if column != "-" and _KEY.sub(r"\1.KEY", source) not in _known(layout):
            return f"{layout} has no column {source!r}; there are {', '.join(_known(layout))}"
    return None


def _source(layout, column):
    """The layout's name of a column of a configuration."""
    name, equals, source = column.partition("=")
    if equals:
        return source
    return _CONLLU_NAMES.get(name, name) if layout == CONLLU else column_name(column)


def _known(layout):
    if layout == CONLLU:
        return [*COLUMNS[1:-1], "feats.KEY", "misc.KEY"]
    names = [*dict.fromkeys(chain(*_LAYOUTS[layout].names.values()))]
    return [*names, *(["roles"] if "roles" in _LAYOUTS[layout].brackets else [])]


class LayoutFile:
    """Iterates over the sentences of a file of some layout once, as a ColumnFile
    does.
    """

    def __init__(self, path, layout, columns, multiwords="words", encoding=BY_MARK):
        """Open the file, or standard input for `-`; raises SennaError naming it.

        columns: what is read, `NAME` or `NAME=SOURCE`, in the order of the columns that
        are yielded; `-` is a column of dashes; for multiwords see ConlluFile, for
        encoding Source.
        """
        if problem := source_problem(layout, columns):
            raise SennaError(f"{path}: {problem}")
        self._layout = layout
        self._sources = [_source(layout, column) for column in columns]
        self._ours = [*map(column_name, columns)]
        if layout == CONLLU:
            self._file = ConlluFile(path, multiwords, encoding)
        else:
            names, comments, _, more, *_ = _LAYOUTS[layout]
            first = next(iter(names.values()))[0]
            self._file = ColumnFile(
                path,
                same_in_all=False,
                comments=comments,
                encoding=encoding,
                first=first,
                widths=() if more else names,
            )
        self.name, self.error = self._file.name, self._file.error
        self.source = self._file.source

    def __iter__(self):
        """Yield each ColumnSentence; raises SennaError naming the line that cannot be
        read.
        """
        if self._layout == CONLLU:
            yield from self._conllu()
            return
        for sentence in self._file:
            yield ColumnSentence(sentence.line, self._columns(sentence), sentence.lines)

    def _conllu(self):
        lacking, empty = {source for source in self._sources if "." in source}, True
        for sentence in self._file:
            empty = False
            columns = [
                ["-"] * len(sentence.forms)
                if source == "-"
                else sentence.column(source)
                for source in self._sources
            ]
            for source, values in zip(self._sources, columns, strict=True):
                if "" in values:
                    line, column = sentence.lines[values.index("")], source.upper()
                    raise self.error(line, f"{column} is empty; _ stands for no value")
            if lacking:
                found = zip(self._sources, columns, strict=True)
                lacking -= {source for source, values in found if {*values} != {"_"}}
            yield ColumnSentence(sentence.lines[0], columns, sentence.lines)
        for source in sorted(lacking):
            if not empty:
                base, _, key = source.partition(".")
                name = self._ours[self._sources.index(source)]
                raise SennaError(
                    f"{self.name}: no word has {key} in its column {base.upper()}; columns can say "
                    f"where it is instead, as in form,{name}={base}.KEY"
                )

    def _columns(self, sentence):
        """Columns of a ColumnSentence by the names of `columns`, and those of roles at
        the end.
        """
        layout = _LAYOUTS[self._layout]
        names, roles = self._names(layout, sentence)
        if self._sources[-1] != "roles":
            roles = []
        by_name = dict(zip(names, sentence.columns, strict=False))
        if "predicate" in by_name:
            by_name["predicate"] = [
                "-" if mark == layout.marks else mark for mark in by_name["predicate"]
            ]
        if "roles" in layout.brackets:
            roles = [self._tags(sentence, column) for column in roles]
        for name in {*layout.brackets} & {*by_name} & {*self._sources}:
            by_name[name] = self._tags(sentence, by_name[name])
        return [
            *(
                self._column(sentence, name, by_name)
                for name in self._sources
                if name != "roles"
            ),
            *roles,
        ]

    def _column(self, sentence, name, by_name):
        if name == "-":
            return ["-"] * sentence.n_tokens
        if name not in by_name:
            raise self.error(
                sentence.line,
                f"expected a column {name} of {self._layout}, found "
                f"{len(sentence.columns)} columns",
            )
        return by_name[name]

    def _names(self, layout, sentence):
        """Names of the columns of a sentence, and its columns of roles."""
        n_columns = len(sentence.columns)
        if layout.more:
            ((n_first, names),) = layout.names.items()
            if n_columns >= n_first + layout.n_last:
                return names, sentence.columns[n_first : n_columns - layout.n_last]
            widths = f"{n_first + layout.n_last} or more"
        elif n_columns in layout.names:
            return layout.names[n_columns], []
        else:
            widths = " or ".join(map(str, layout.names))
        raise self.error(
            sentence.line,
            f"expected the {widths} columns of {self._layout}, found {n_columns}"
            + " between tabs" * bool(self._file.has_tabs),
        )

    def _tags(self, sentence, column):
        """IOBES tags of a column of brackets, as `(PER*`."""
        phrases = phrases_of_column(column, self._file, sentence, nested=True)
        return encode(phrases, len(column), "iobes")
