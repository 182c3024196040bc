"""Read columns by name from files with a named layout."""

import os
from collections.abc import Iterator, Mapping, Sequence

from senna_py.corpora.conll import ColumnFile, ColumnSentence
from senna_py.corpora.conllu import ConlluFile
from senna_py.corpora.layouts import (
    COLUMN_LAYOUTS,
    CONLLU,
    ColumnLayout,
    column_name,
    source_of,
    source_problem,
)
from senna_py.corpora.props import phrases_of_column
from senna_py.errors import SennaError
from senna_py.io.streaming import BY_MARK
from senna_py.labels.tag_schemes import encode


class LayoutFile:
    """An iterable over the sentences of a file with a layout; it can be used once."""

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
            columns: The columns of the resulting sentences, as `NAME` or `NAME=SOURCE`.
                A column `-` consists of dashes.
            multiwords: How to treat multiword tokens; see `ConlluFile`.
            encoding: The encoding; see `Source`.

        Raises:
            SennaError: If the file cannot be read, or the layout lacks a column.
        """
        if problem := source_problem(layout, columns):
            raise SennaError(f"{path}: {problem}")
        self._layout = layout
        self._sources = [source_of(layout, column) for column in columns]
        self._names = [*map(column_name, columns)]
        if layout == CONLLU:
            self._file: ConlluFile | ColumnFile = ConlluFile(path, multiwords, encoding)
        else:
            names = COLUMN_LAYOUTS[layout].names
            self._file = ColumnFile(
                path,
                same_in_all=False,
                comments=COLUMN_LAYOUTS[layout].comments,
                encoding=encoding,
                first=next(iter(names.values()))[0],
                widths=() if COLUMN_LAYOUTS[layout].has_roles else names,
            )
        self.name, self.error = self._file.name, self._file.error
        self.source = self._file.source

    def __iter__(self) -> Iterator[ColumnSentence]:
        """Yield the sentences, with the requested columns.

        Raises:
            SennaError: If the file cannot be read, a line is malformed, or no word of a
                CoNLL-U file has a requested key. The message names the line, except for
                a key.
        """
        if isinstance(self._file, ConlluFile):
            yield from self._conllu_sentences(self._file)
            return
        for sentence in self._file:
            columns = self._columns(self._file, sentence)
            yield ColumnSentence(sentence.line, columns, sentence.lines)

    def _conllu_sentences(self, file: ConlluFile) -> Iterator[ColumnSentence]:
        """Yield the sentences of a CoNLL-U file.

        Raises SennaError at the end if a requested key has no value in the file.
        """
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
            yield ColumnSentence(
                sentence.lines[0], columns, sentence.lines, sentence.begins_document
            )
        if missing and not is_empty:
            source = min(missing)
            column, _, key = source.partition(".")
            name = self._names[self._sources.index(source)]
            raise SennaError(
                f"{self.name}: no word has {key} in its column {column.upper()}; columns can "
                f"say where it is instead, as in form,{name}={column}.KEY"
            )

    def _columns(self, file: ColumnFile, sentence: ColumnSentence) -> list[list[str]]:
        """Return the requested columns of a sentence; columns of roles come last."""
        layout = COLUMN_LAYOUTS[self._layout]
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
        self, file: ColumnFile, layout: ColumnLayout, sentence: ColumnSentence
    ) -> tuple[list[str], list[list[str]]]:
        """Return the names of the leading columns, and the columns of roles."""
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
    """Return the IOBES tags for a column of brackets, such as `(PER*`."""
    phrases = phrases_of_column(column, file, sentence, nested=True)
    return encode(phrases, len(column), "iobes")
