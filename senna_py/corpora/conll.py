"""Read column files, which have one token per line.

Columns are separated by tabs or white space, and an empty line ends a sentence.
"""

import os
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple, TypeVar

from senna_py.corpora.conllu import is_token_line, numbered_lines
from senna_py.corpora.escapes import unquote
from senna_py.errors import SennaError, counted
from senna_py.io.streaming import BY_MARK, Source

DOCUMENT_MARK = "-DOCSTART-"  # the first column of a line that begins a document

_MARK = DOCUMENT_MARK.encode()
_HEADER = re.compile(rb"word(\t[a-z][\w.-]*)+\s*$|# .*\t", re.ASCII)
_MOST_COMMENTS = 1000  # the maximum number of lines that are held as possible comments
_BLANK = re.compile(rb"[ \v\f\r]")  # white space that is not a tab or newline
_NO_WORD = "an empty word: a missing value? (pandas takes the word NA for one)"
_Item = TypeVar("_Item")
_NumberedLine = tuple[int, bytes]


def require_any(
    items: Iterable[_Item], name: object, expected: str = "columns, found no token"
) -> Iterator[_Item]:
    """Yield the items, and raise SennaError if there are none.

    Args:
        items: The items of a file.
        name: The name of the file, for the message.
        expected: What was expected, for the message.
    """
    item = None
    for item in items:
        yield item
    if item is None:
        raise SennaError(f"{name}: expected {expected}")


class ColumnSentence(NamedTuple):
    """A sentence of a column file.

    Attributes:
        line: The number of its first line.
        columns: The columns, each with one value per token.
        lines: The line number of each token, or None if they are consecutive.
        begins_document: Whether a comment of CoNLL-U begins a document here.
    """

    line: int
    columns: list[list[str]]
    lines: list[int] | None = None
    begins_document: bool = False

    def line_of(self, token: int) -> int:
        """Return the line number of a token."""
        return self.token_lines[token]

    @property
    def token_lines(self) -> Sequence[int]:
        """The line number of each token."""
        return self.lines or range(self.line, self.line + self.n_tokens)

    @property
    def n_tokens(self) -> int:
        """The number of tokens."""
        return len(self.columns[0])


class ColumnFile:
    """An iterable over the sentences of a column file, which can be used once.

    The first line with several columns determines whether columns are separated by tabs
    or white space. If they are separated by tabs, spaces around a value are dropped,
    and only values of the first column may contain spaces.

    A line that begins with `# ` is a comment if its number of columns differs from that
    of the lines around it. If columns are separated by tabs, a line that begins with
    `#` and has no tab is treated in the same way. The file may begin with a header, as
    `senna-tag --format conll --header` writes it: `word` and other names that begin
    with a lowercase letter, separated by tabs; or a line that begins with `# ` and has
    tabs. Quoted values are unquoted (`corpora.escapes`). Invalid UTF-8 becomes
    surrogate escapes.

    Attributes:
        source: The input.
        name: The name of the input, for messages.
        names: The names of the columns in the header, or None if there is none.
        has_tabs: Whether tabs separate columns; None until this is known.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        at_least: int = 1,
        same_in_all: bool = True,
        comments: bool = False,
        encoding: str | None = BY_MARK,
        first: str | None = "",
        widths: Collection[int] = (),
    ) -> None:
        """Open a file and read its header.

        Args:
            path: The file; `-` is standard input.
            at_least: The minimum number of columns.
            same_in_all: Whether all sentences must have the same number of columns.
                Otherwise, only the lines of each sentence must agree.
            comments: Whether all lines that begin with # are comments.
            encoding: The encoding; see `Source`.
            first: The contents of the first column, such as `word`. None means that it
                is not used, so that its values may be empty.
            widths: The numbers of columns that lines may have. A tab at the end of such
                a line is ignored.

        Raises:
            SennaError: If the file cannot be read, or looks like CoNLL-U.
        """
        self.source = Source(path, encoding)
        self.name = self.source.name
        self.names: list[str] | None = None
        self.has_tabs: bool | None = None
        self._at_least = at_least
        self._same_in_all = same_in_all
        self._first_column, self._widths = first, widths
        self._lines = numbered_lines(self.source)
        if comments:
            lines = self._lines
            self._lines = (line for line in lines if not line[1].startswith(b"#"))
        self._separator_line = 0  # the number of the line that determined `has_tabs`
        # The line number and the number of columns with which other lines must agree.
        self._model: tuple[int, int] | None = None
        # A line near a possible comment, which is itself certainly not a comment.
        self._neighbor: bytes | None = None
        self._first_lines = self._read_header()

    def __iter__(self) -> Iterator[ColumnSentence]:
        """Yield the sentences.

        Raises:
            SennaError: If the file cannot be read or a line is malformed. The message
                names the line.
        """
        rows: list[list[bytes]] = []
        numbers: list[int] = []
        with self.source:
            lines = chain(self._first_lines, self._lines)
            for number, line in self._without_comments(lines):
                fields = self._split(number, line)
                # There may be no empty line before or after DOCUMENT_MARK.
                if rows and (fields is None or _MARK in (rows[0][0], fields[0])):
                    yield _make_sentence(rows, numbers)
                    rows, numbers = [], []
                if fields is None:
                    continue
                if not rows and not self._same_in_all:
                    self._model = None
                self._check_width(number, len(fields))
                rows.append(fields)
                numbers.append(number)
            if rows:
                yield _make_sentence(rows, numbers)

    def error(self, line: int, problem: str) -> SennaError:
        """Return a SennaError for a problem in a line of this file."""
        return SennaError(f"{self.name}: line {line}: {problem}")

    def _without_comments(
        self, lines: Iterable[_NumberedLine]
    ) -> Iterator[_NumberedLine]:
        """Yield the lines that are not comments.

        Lines that begin with # are held until the next other line, because its number
        of columns determines whether they are comments.
        """
        held: list[_NumberedLine] = []
        for numbered in lines:
            line = numbered[1]
            if line.startswith(b"#") and len(held) < _MOST_COMMENTS:
                held.append(numbered)
                continue
            if line.strip():
                self._neighbor = line
            if held:
                yield from filter(self._is_token, held)
                held = []
            yield numbered
        yield from filter(self._is_token, held)

    def _is_token(self, numbered: _NumberedLine) -> bool:
        """Return whether a line that begins with # is a token instead of a comment."""
        line = numbered[1]
        if line[1:2] != b" " and not (self.has_tabs and b"\t" not in line):
            return True
        return self._neighbor is None or self._width(line) == self._width(
            self._neighbor
        )

    def _width(self, line: bytes) -> int:
        has_tabs = b"\t" in line if self.has_tabs is None else self.has_tabs
        return line.count(b"\t") + 1 if has_tabs else len(line.split())

    def _read_header(self) -> list[_NumberedLine]:
        """Read the header, if there is one; return other lines that were read."""
        first = list(islice(self._lines, 1))
        if first and first[0][1].startswith(b"#"):
            for numbered in islice(self._lines, _MOST_COMMENTS):
                first.append(numbered)
                if numbered[1].strip() and not numbered[1].startswith(b"#"):
                    self._detect_separator(*numbered)
                    self._neighbor = numbered[1]
                    break
        if first and is_token_line(first[-1][1]):
            raise self.error(
                first[-1][0],
                "this looks like CoNLL-U, not like plain columns: senna-eval text scores such "
                "files; commands that take a layout read them if they are called *.conllu, or "
                'with layout = "conllu" (on the command line, --layout conllu)',
            )
        if first and _HEADER.match(first[0][1]):
            names = first[0][1].removeprefix(b"# ").decode("utf-8", "surrogateescape")
            self.names = [name.strip() for name in names.split("\t")]
            return first[1:]
        return first

    def _split(self, number: int, line: bytes) -> list[bytes] | None:
        """Split a line into its columns; return None for an empty line."""
        if self.has_tabs is None:
            self._detect_separator(number, line)
        if not line.strip():
            return None
        if self.has_tabs:
            return self._split_at_tabs(number, line)
        if self.has_tabs is False and b"\t" in line:
            raise self.error(
                number,
                "expected spaces between columns, as in line "
                f"{self._separator_line}, found a tab",
            )
        return line.split()

    def _split_at_tabs(self, number: int, line: bytes) -> list[bytes]:
        fields = line.split(b"\t")
        if _BLANK.search(line):
            fields = [field.strip() for field in fields]
            spaced = next((field for field in fields[1:] if b" " in field), None)
            if spaced is not None:
                shown = repr(spaced.decode("utf-8", "surrogateescape"))
                raise self.error(
                    number,
                    f"{shown} has a space: labels have none (write {shown.replace(' ', '_')}), and "
                    "columns are separated by tabs or by white space, not by both",
                )
        if b'"""' in line:
            fields = [unquote(field) for field in fields]
        n_fields = len(fields)
        if (
            not fields[-1]
            and n_fields not in self._widths
            and n_fields - 1 in self._widths
        ):
            fields.pop()
        begin = 1 if self._first_column is None else 0
        if b"" in fields[begin:]:
            index = fields.index(b"", begin)
            problem = f"column {index + 1} is empty"
            if index + 1 == len(fields):
                problem += "; a line must not end with a tab"
            if index == 0 and self._first_column == "word":
                problem = _NO_WORD
            raise self.error(number, problem)
        return fields

    def _detect_separator(self, number: int, line: bytes) -> None:
        if b"\t" in line.rstrip():
            self.has_tabs, self._separator_line = True, number
        elif len(line.split()) > 1:
            self.has_tabs, self._separator_line = False, number

    def _check_width(self, number: int, n_columns: int) -> None:
        if self._model is None:
            if n_columns < self._at_least:
                needed = counted(self._at_least, "column")
                raise self.error(
                    number, f"expected at least {needed}, found {n_columns}"
                )
            self._model = number, n_columns
        elif n_columns != self._model[1]:
            between = " between tabs" if self.has_tabs and n_columns == 1 else ""
            raise self.error(
                number,
                f"expected {counted(self._model[1], 'column')}{between}, "
                f"as in line {self._model[0]}, found {n_columns}",
            )


def _make_sentence(rows: list[list[bytes]], numbers: list[int]) -> ColumnSentence:
    """Return the sentence that consists of certain lines.

    Args:
        rows: The columns of each line.
        numbers: The line numbers.
    """
    are_consecutive = numbers[-1] - numbers[0] + 1 == len(numbers)
    columns = [
        b"\n".join(column).decode("utf-8", "surrogateescape").split("\n")
        for column in zip(*rows, strict=True)
    ]
    return ColumnSentence(numbers[0], columns, None if are_consecutive else numbers)
