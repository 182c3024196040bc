"""Read CoNLL-U, the format of Universal Dependencies, sentence by sentence.

Lines have ten columns, separated by tabs. Comments begin with `#`. A line whose ID is a
range such as `3-4` is a surface token that consists of several syntactic words. A line
with an ID such as `5.1` is an empty node, which is not a word of the text.
"""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import AnyStr, BinaryIO, NamedTuple

from senna_py.errors import SennaError
from senna_py.io.streaming import BY_MARK, Source, check_text, read_lines

COLUMNS = (
    "id",
    "form",
    "lemma",
    "upos",
    "xpos",
    "feats",
    "head",
    "deprel",
    "deps",
    "misc",
)
# The keys of tasks in the column MISC. The key of any other task is its name.
KEYS = {"chk": "Chunk", "ner": "NER", "pt0": "Level0"}
# The units that become tokens: the words of multiword tokens, or the tokens themselves.
MULTIWORDS = ("words", "tokens")
Row = list[str]  # the columns of a line
_NONE = "_"
_FORM, _MISC = 1, 9
_LISTS = {"feats": 5, "misc": _MISC}  # columns that are lists of KEY=VALUE
_LONGEST_LINE = 1 << 20  # in bytes
_MOST_LINES = 1 << 18  # the maximum number of lines of a sentence
_LARGEST_SENTENCE = 1 << 24  # in bytes, with its comments
# The maximum number of words in a range, because evaluation takes quadratic time.
_MOST_WORDS = 1000
_NUMBER = re.compile(r"[1-9][0-9]{0,17}")
_RANGE = re.compile(r"([1-9][0-9]{0,17})-([1-9][0-9]{0,17})")
_EMPTY_NODE = re.compile(r"[0-9]+\.[1-9][0-9]*")
_FIRST_ID = re.compile(rb"1|1-[2-9]|0\.1")
_HEAD = re.compile(rb"\d+|_")
_FILE_NAME = re.compile(r"\.conllu(\.gz|\.xz|\.bz2)?$", re.IGNORECASE)
_PARAGRAPH = re.compile(r"new(par|doc)\b")  # comments that begin a paragraph
_DOCUMENT = re.compile(r"newdoc\b")


def is_conllu(path: str | os.PathLike[str]) -> bool:
    """Return whether a file name ends with `.conllu`, in upper or lower case.

    A suffix of compressed files (.gz, .xz or .bz2) may follow.
    """
    return _FILE_NAME.search(str(path)) is not None


def is_token_line(line: bytes) -> bool:
    """Return whether a line looks like the first line of a sentence in CoNLL-U."""
    fields = line.rstrip(b"\r").split(b"\t")
    return (
        len(fields) == len(COLUMNS)
        and _FIRST_ID.fullmatch(fields[0]) is not None
        and _HEAD.fullmatch(fields[6]) is not None
    )


class WordRange(NamedTuple):
    """A surface token that consists of several words.

    Attributes:
        first: The index of its first word in the sentence.
        end: The index after its last word.
        row: The columns of the line of the surface token.
    """

    first: int
    end: int
    row: Row


@dataclass
class ConlluSentence:
    """A sentence of a CoNLL-U file, whose tokens are syntactic words or surface tokens.

    Attributes:
        lines: The line number of each token.
        forms: The form of each token.
        spaces: Whether white space follows each token.
        comments: The comments, without `#` and surrounding white space.
        rows: The columns of the words of each token.
        file_lines: The lines of the file from the end of the previous sentence up to
            the empty line after this one. The last sentence also has all lines after
            it, up to the end of the file.
        first_line: The line number of the first of `file_lines`.
        ranges: The columns of each token's range, or None.
        word_ranges: The ranges, if the tokens are syntactic words.
    """

    lines: list[int]
    forms: list[str]
    spaces: list[bool]
    comments: list[str]
    rows: list[list[Row]]
    file_lines: list[str]
    first_line: int
    ranges: list[Row | None]
    word_ranges: list[WordRange] = field(default_factory=list)

    def column(self, name: str) -> list[str]:
        """Return the values of a column, one per token.

        Missing values are `_`. If a token has several words, their values are joined by
        `+`. For a key, the result is the value of the token's range or, if it has none,
        the value of the first word that has one.

        Args:
            name: A name in COLUMNS, or a key in the column FEATS or MISC, such as
                `misc.NER`.
        """
        column, _, key = name.partition(".")
        if key:
            index = _LISTS[column]
            return [
                _find_value(key, index, rows if row is None else [row, *rows])
                for rows, row in zip(self.rows, self.ranges, strict=True)
            ]
        if name == "form":
            return self.forms
        index = COLUMNS.index(name)
        return [join_values([row[index] for row in rows]) for rows in self.rows]

    def file_bytes(self) -> bytes:
        """Return `file_lines` as the bytes of the file."""
        text = "".join(f"{line}\n" for line in self.file_lines)
        return text.encode("utf-8", "surrogateescape")

    def comment(self, key: str) -> str | None:
        """Return the value of the comment `# key = value`, or None."""
        for comment in self.comments:
            name, equals, value = comment.partition("=")
            if equals and name.strip() == key:
                return value.strip()
        return None

    @property
    def begins_paragraph(self) -> bool:
        """Whether a comment marks the beginning of a paragraph or a document."""
        return any(map(_PARAGRAPH.match, self.comments))

    @property
    def begins_document(self) -> bool:
        """Whether a comment marks the beginning of a document."""
        return any(map(_DOCUMENT.match, self.comments))


def places_in_form(
    words: Sequence[AnyStr], form: AnyStr
) -> list[tuple[int, int]] | None:
    """Return where the words of a surface token are in its form, or None.

    They must follow each other, with only white space between them.
    """
    places, end = [], 0
    for word in words:
        begin = end if form.startswith(word, end) else form.find(word, end)
        if begin < 0 or form[end:begin].strip():
            return None
        end = begin + len(word)
        places.append((begin, end))
    return places if end == len(form) and places[0][0] == 0 else None


def join_values(values: list[str]) -> str:
    """Return the values of words joined by `+`, or `_` if all of them are missing."""
    if len(values) == 1 or {*values} == {_NONE}:
        return values[0]
    return "+".join(values)


def _find_value(key: str, index: int, rows: list[Row]) -> str:
    """Return the first value of a key in column `index` of the rows, or `_`."""
    for row in rows:
        for pair in row[index].split("|"):
            name, equals, value = pair.partition("=")
            if equals and name == key:
                return value
    return _NONE


def numbered_lines(source: Source) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a column file with their line numbers, from 1.

    Raises:
        SennaError: If the file cannot be read or is binary, or a line or sentence is
            too long.
    """
    n_lines = n_bytes = 0
    for number, line in enumerate(read_lines(source), 1):
        if number == 1:
            check_text(source.name, line)
        if line.strip():
            n_lines, n_bytes = n_lines + 1, n_bytes + len(line)
        else:
            n_lines = n_bytes = 0
        problem = ""
        if len(line) > _LONGEST_LINE:
            problem = f"more than {_LONGEST_LINE:,} bytes"
        elif n_lines > _MOST_LINES:
            problem = (
                f"a sentence of more than {_MOST_LINES:,} lines; an empty line ends one"
            )
        elif n_bytes > _LARGEST_SENTENCE:
            problem = (
                f"a sentence of more than {_LARGEST_SENTENCE:,} bytes, with its comments; "
                "an empty line ends one"
            )
        if problem:
            raise SennaError(f"{source.name}: line {number}: {problem}")
        yield number, line


class ConlluFile:
    """An iterable over the sentences of a CoNLL-U file, which can be used once."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        multiwords: str = "words",
        encoding: str | None = BY_MARK,
        raw: BinaryIO | None = None,
    ) -> None:
        """Open a file; raise SennaError if that fails.

        Args:
            path: The file, or `-` for standard input.
            multiwords: One of MULTIWORDS: whether each word of a range is a token
                (`words`), or the range is one token (`tokens`).
            encoding: The encoding; see `Source`.
            raw: An open binary file to read instead of opening `path`, which then only
                serves as a name in messages.
        """
        self.source = Source(path, encoding, raw)
        self.name = self.source.name
        self._joins_words = multiwords == "tokens"

    def error(self, line: int, problem: str) -> SennaError:
        """Return a SennaError for a problem in a line of this file."""
        return SennaError(f"{self.name}: line {line}: {problem}")

    def __iter__(self) -> Iterator[ConlluSentence]:
        """Yield the sentences.

        Raises:
            SennaError: If the file cannot be read or a line is malformed. The message
                names the line.
        """
        comments: list[str] = []
        rows: list[tuple[int, Row]] = []
        lines: list[str] = []
        last, number = None, 0
        with self.source:
            for number, line in numbered_lines(self.source):
                lines.append(line.decode("utf-8", "surrogateescape"))
                text = lines[-1].rstrip("\r")
                if not text.strip():
                    # A spreadsheet may have written white space into an empty line.
                    lines[-1] = lines[-1][len(text) :]
                    if rows:
                        last = self._sentence(comments, rows, lines, number)
                        yield last
                        comments, rows, lines = [], [], []
                elif text.startswith("#"):
                    comments.append(text[1:].strip())
                else:
                    rows.append((number, self._fields(number, text)))
        if rows:
            end = "\r" if lines[0].endswith("\r") else ""
            lines[-1:] = [lines[-1].rstrip("\r") + end, end]
            yield self._sentence(comments, rows, lines, number + 1)
        elif last is not None:
            last.file_lines += lines

    def _fields(self, number: int, text: str) -> Row:
        fields = text.split("\t")
        if len(fields) != len(COLUMNS):
            raise self.error(
                number,
                f"expected the 10 columns of CoNLL-U between tabs, found {len(fields)}",
            )
        return fields

    def _sentence(
        self,
        comments: list[str],
        rows: list[tuple[int, Row]],
        lines: list[str],
        last_line: int,
    ) -> ConlluSentence:
        """Check the IDs and ranges in the rows of a sentence, and return the sentence.

        Args:
            comments: The comments of the sentence.
            rows: The line number and the columns of each row.
            lines: The lines of the sentence in the file; see ConlluSentence.
            last_line: The line number of the last of `lines`.

        Raises:
            SennaError: If an ID or a range is malformed, a range has no form, or there
                is no word.
        """
        sentence = ConlluSentence(
            [], [], [], comments, [], lines, last_line - len(lines) + 1, []
        )
        n_words = 0
        # The columns of the latest range, the number of its last word, and its line.
        range_row: Row | None = None
        range_end = range_line = 0
        for at, (number, row) in enumerate(rows, 1):
            name = row[0]
            if _EMPTY_NODE.fullmatch(name):
                continue
            if match := _RANGE.fullmatch(name):
                begin, end = map(int, match.groups())
                if begin != n_words + 1 or end <= begin or begin <= range_end:
                    raise self.error(number, f"a range {name} after word {n_words}")
                following = rows[at : at + _MOST_WORDS]
                self._check_range(number, row, end - begin + 1, following)
                range_row, range_end, range_line = row, end, number
                if self._joins_words:
                    self._add(sentence, number, row, [], row)
                else:
                    sentence.word_ranges.append(WordRange(begin - 1, end, row))
                continue
            if not _NUMBER.fullmatch(name) or int(name) != n_words + 1:
                raise self.error(
                    number,
                    f"expected the ID {n_words + 1}, found {name!r}; an empty "
                    "line ends a sentence",
                )
            n_words += 1
            if self._joins_words and n_words <= range_end:
                sentence.rows[-1].append(row)
                continue
            self._add(sentence, number, row, [row])
            if range_row is not None and n_words <= range_end:
                sentence.spaces[-1] = n_words < range_end or _has_space(range_row)
        if not n_words:
            raise self.error(rows[-1][0], "expected a word, found none")
        if range_row is not None and n_words < range_end:
            raise self.error(
                range_line, f"range {range_row[0]} ends after the last word, {n_words}"
            )
        return sentence

    def _add(
        self,
        sentence: ConlluSentence,
        number: int,
        row: Row,
        rows: list[Row],
        range_row: Row | None = None,
    ) -> None:
        """Add a token to a sentence.

        Args:
            sentence: The sentence.
            number: The line number of the token.
            row: The columns of the token's line.
            rows: The columns of the token's words.
            range_row: The columns of the token's range, or None.

        Raises:
            SennaError: If the form is empty.
        """
        self._check_form(number, row)
        sentence.lines.append(number)
        sentence.forms.append(row[_FORM])
        sentence.spaces.append(_has_space(row))
        sentence.rows.append(rows)
        sentence.ranges.append(range_row)

    def _check_range(
        self, number: int, row: Row, n_words: int, following: list[tuple[int, Row]]
    ) -> None:
        """Check the length and the form of a range.

        Args:
            number: The line number of the range.
            row: The columns of the range.
            n_words: The number of words in the range.
            following: The line numbers and the columns of the rows after the range.

        Raises:
            SennaError: If there are too many words, or the form is missing.
        """
        if n_words > _MOST_WORDS:
            raise self.error(
                number, f"a token of {n_words:,} words; it may have {_MOST_WORDS:,}"
            )
        self._check_form(number, row)
        if row[_FORM] != _NONE:
            return
        # An underscore in the text is a form, too, but then it occurs in a word.
        words = (word for _, word in following if word[0].isdigit())
        if not any(_NONE in word[_FORM] for word in islice(words, n_words)):
            raise self.error(number, "a range without a form")

    def _check_form(self, number: int, row: Row) -> None:
        if not row[_FORM].strip(" \v\f\r"):
            raise self.error(number, "the form is empty")


def _has_space(row: Row) -> bool:
    return "SpaceAfter=No" not in row[_MISC].split("|")
