"""Column files: one token per line, columns separated by white space or tabs, and empty
lines.
"""

import re
from itertools import chain, islice
from typing import NamedTuple

from senna_py.corpora.conllu import is_token_line, numbered_lines
from senna_py.corpora.escapes import unquote
from senna_py.errors import SennaError, counted
from senna_py.io.streaming import BY_MARK, Source

DOCUMENT_MARK = "-DOCSTART-"  # of a line between documents

_MARK = DOCUMENT_MARK.encode()
_HEADER = re.compile(rb"word(\t[a-z][\w.-]*)+\s*$|# .*\t", re.ASCII)
_MOST_COMMENTS = 1000  # before the first sentence, when CoNLL-U is looked for
_BLANK = re.compile(rb"[ \v\f\r]")  # between tabs
_NO_WORD = "an empty word: a missing value? (pandas takes the word NA for one)"


def expecting(items, name, expected="columns, found no token"):
    """Yield what a file has; raises SennaError, with the file's name, if that is
    nothing.
    """
    item = None
    for item in items:
        yield item
    if item is None:
        raise SennaError(f"{name}: expected {expected}")


class ColumnSentence(NamedTuple):
    """A sentence: the number of its first line, and its columns, each a list of one str
    a token.

    lines: the number of each token's line; None: they are consecutive.
    """

    line: int
    columns: list
    lines: list | None = None

    def line_of(self, token):
        """Number of the line of a token."""
        return self.token_lines[token]

    @property
    def token_lines(self):
        """Number of the line of each token: a sequence of int."""
        return self.lines or range(self.line, self.line + self.n_tokens)

    @property
    def n_tokens(self):
        """Number of tokens."""
        return len(self.columns[0])


class ColumnFile:
    """Iterates over the sentences of a file once.

    The first line with several columns tells whether tabs or white space separate them
    in this file. Between tabs, spaces around a value do not belong to it, and only the
    first column may have spaces inside. A line that begins with `# ` is a comment if it
    has another number of columns than the lines around it, and so is one that begins
    with `#` and has no tab where tabs separate columns. A header as `senna-tag --format
    conll --header` writes it, tabs between `word` and other names that begin in lower
    case, or after `# `, is read into `names`; without one, `names` is None. What that
    format quotes is unquoted, see `corpora.escapes`. Bytes outside UTF-8 become lone
    surrogates.
    """

    def __init__(
        self,
        path,
        at_least=1,
        same_in_all=True,
        comments=False,
        encoding=BY_MARK,
        first="",
        widths=(),
    ):
        """Open the file, or standard input for `-`; raises SennaError naming it.

        at_least: columns that the caller needs; same_in_all: whether all sentences must
        have as many columns as the first, else only the lines of each sentence must
        agree; comments: whether all lines that begin with # are left out; encoding: see
        Source; first: what the first column has, such as `word`, or None: it is not
        read, and may be empty; widths: numbers of columns of which one more is a tab at
        the end of the line. A file that looks like CoNLL-U, which is none of plain
        columns, is an error that says how to read it.
        """
        self.source = Source(path, encoding)
        self.name = self.source.name
        self.names = None
        self._at_least = at_least
        self._same_in_all = same_in_all
        self._first_column, self._widths = first, widths
        lines = numbered_lines(self.source)
        self._lines = (
            (line for line in lines if not line[1].startswith(b"#"))
            if comments
            else lines
        )
        self.has_tabs = None  # whether tabs separate columns, once it is known
        self._told_by = None  # line that told
        self._model = (
            None  # (line, columns) of the line that the others have to be like
        )
        self._like = None  # the last line before, or the first that cannot be a comment
        self._first = self._read_header()

    def __iter__(self):
        """Yield each ColumnSentence; raises SennaError naming the line that cannot be
        read.
        """
        with self.source:
            rows, numbers = [], []
            for number, line in self._without_comments(chain(self._first, self._lines)):
                fields = self._split(number, line)
                # An empty line may be missing where a document begins.
                if rows and (fields is None or _MARK in (rows[0][0], fields[0])):
                    yield _sentence(rows, numbers)
                    rows, numbers = [], []
                if fields is None:
                    continue
                if not rows and not self._same_in_all:
                    self._model = None
                self._check_width(number, len(fields))
                rows.append(fields)
                numbers.append(number)
            if rows:
                yield _sentence(rows, numbers)

    def error(self, line, problem):
        """SennaError about a line of this file."""
        return SennaError(f"{self.name}: line {line}: {problem}")

    def _without_comments(self, lines):
        """Yield numbered lines; those that begin with # are judged by the next that
        does not.
        """
        held = []
        for numbered in lines:
            line = numbered[1]
            if line.startswith(b"#") and len(held) < _MOST_COMMENTS:
                held.append(numbered)
                continue
            if line.strip():
                self._like = line
            if held:
                yield from filter(self._is_word, held)
                held = []
            yield numbered
        yield from filter(self._is_word, held)

    def _is_word(self, numbered):
        """Return whether a numbered line that begins with # is no comment."""
        line = numbered[1]
        may_be_comment = line[1:2] == b" " or (self.has_tabs and b"\t" not in line)
        same = self._like is None or self._width_of(line) == self._width_of(self._like)
        return same or not may_be_comment

    def _width_of(self, line):
        tabs = b"\t" in line if self.has_tabs is None else self.has_tabs
        return line.count(b"\t") + 1 if tabs else len(line.split())

    def _read_header(self):
        """Read a header's names, past comments; returns a list of the first line if it
        is none.
        """
        first = list(islice(self._lines, 1))
        if first and first[0][1].startswith(b"#"):
            for numbered in islice(self._lines, _MOST_COMMENTS):
                first.append(numbered)
                if numbered[1].strip() and not numbered[1].startswith(b"#"):
                    self._look_for_separator(*numbered)
                    self._like = numbered[1]
                    break
        if first and is_token_line(first[-1][1]):
            raise self.error(
                first[-1][0],
                "this looks like CoNLL-U, not like plain columns: senna-eval text scores such "
                "files, and what takes a layout reads them if they are called *.conllu, or by "
                'layout = "conllu" (on the command line, --layout conllu)',
            )
        if first and _HEADER.match(first[0][1]):
            names = first[0][1].removeprefix(b"# ").decode("utf-8", "surrogateescape")
            self.names = [name.strip() for name in names.split("\t")]
            return first[1:]
        return first

    def _split(self, number, line):
        """Fields of a line as bytes, or None if it is empty."""
        if self.has_tabs is None:
            self._look_for_separator(number, line)
        if not line.strip():
            return None
        if self.has_tabs:
            return self._between_tabs(number, line)
        if self.has_tabs is False and b"\t" in line:
            raise self.error(
                number,
                f"expected spaces between columns, as in line {self._told_by}, found a tab",
            )
        return line.split()

    def _between_tabs(self, number, line):
        fields = line.split(b"\t")
        if _BLANK.search(line):
            fields = [field.strip() for field in fields]
            if any(b" " in field for field in fields[1:]):
                spaced = next(field for field in fields[1:] if b" " in field)
                shown = repr(spaced.decode("utf-8", "surrogateescape"))
                raise self.error(
                    number,
                    f"{shown} has a space: labels have none (write {shown.replace(' ', '_')}), and "
                    "columns are separated by tabs or by white space, not by both",
                )
        if b'"""' in line:
            fields = [unquote(field) for field in fields]
        if (
            not fields[-1]
            and len(fields) not in self._widths
            and len(fields) - 1 in self._widths
        ):
            fields.pop()
        if b"" in (fields if self._first_column is not None else fields[1:]):
            place = fields.index(b"", self._first_column is None)
            problem = f"column {place + 1} is empty"
            if place + 1 == len(fields):
                problem += "; a line must not end with a tab"
            if place == 0 and self._first_column == "word":
                problem = _NO_WORD
            raise self.error(number, problem)
        return fields

    def _look_for_separator(self, number, line):
        if b"\t" in line.rstrip():
            self.has_tabs, self._told_by = True, number
        elif len(line.split()) > 1:
            self.has_tabs, self._told_by = False, number

    def _check_width(self, number, n_columns):
        if self._model is not None:
            if n_columns != self._model[1]:
                between = " between tabs" if self.has_tabs and n_columns == 1 else ""
                raise self.error(
                    number,
                    f"expected {counted(self._model[1], 'column')}{between}, "
                    f"as in line {self._model[0]}, found {n_columns}",
                )
        elif n_columns < self._at_least:
            raise self.error(
                number,
                f"expected at least {counted(self._at_least, 'column')}, found {n_columns}",
            )
        else:
            self._model = number, n_columns


def _sentence(rows, numbers):
    lines = None if numbers[-1] - numbers[0] + 1 == len(numbers) else numbers
    columns = [
        b"\n".join(column).decode("utf-8", "surrogateescape").split("\n")
        for column in zip(*rows, strict=True)
    ]
    return ColumnSentence(numbers[0], columns, lines)
