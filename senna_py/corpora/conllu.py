"""CoNLL-U files, as Universal Dependencies writes them, read sentence by sentence.

Lines have ten columns between tabs. Comments begin with `#`, a range such as `3-4` is a
surface token of several syntactic words, and `5.1` is an empty node, which is no word
of the text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

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
KEYS = {
    "chk": "Chunk",
    "ner": "NER",
    "pt0": "Level0",
}  # in MISC; of other tasks, their names
MULTIWORDS = ("words", "tokens")  # what a token is where a range has several words
_NONE = "_"
_FORM, _MISC = 1, 9
_LISTS = {"feats": 5, "misc": _MISC}  # columns of KEY=VALUE
_LONGEST_LINE, _LONGEST_SENTENCE = 1 << 20, 1 << 18  # bytes, and lines
_LARGEST_SENTENCE = 1 << 24  # bytes of its lines and comments
_MOST_WORDS = 1000  # of a token: what compares them takes time by the square
_NUMBER = re.compile(r"[1-9][0-9]{0,17}")
_RANGE = re.compile(r"([1-9][0-9]{0,17})-([1-9][0-9]{0,17})")
_EMPTY_NODE = re.compile(r"[0-9]+\.[1-9][0-9]*")
_FIRST_ID = re.compile(rb"1|1-[2-9]|0\.1")
_HEAD = re.compile(rb"\d+|_")
_NAME = re.compile(r"\.conllu(\.gz|\.xz|\.bz2)?$", re.IGNORECASE)


def is_conllu(path):
    """Tell if a file has a name of CoNLL-U files: `*.conllu`, maybe compressed."""
    return _NAME.search(str(path)) is not None


def is_token_line(line):
    """Tell if bytes look like the first word of a sentence of CoNLL-U."""
    fields = line.rstrip(b"\r").split(b"\t")
    return (
        len(fields) == len(COLUMNS)
        and _FIRST_ID.fullmatch(fields[0]) is not None
        and _HEAD.fullmatch(fields[6]) is not None
    )


@dataclass
class ConlluSentence:
    """A sentence: its tokens in order, which are syntactic words or surface tokens.

    lines: the line of each token; forms: list of str; spaces: whether white space
    follows each;
    comments: the lines that begin with #, without that; rows: of each token, the
    columns of its words; kept: the lines of the file, str, from the end of the sentence
    before, ended by an empty one; begin: the number of the first of them. At the end,
    the last sentence gets what follows it.
    """

    lines: list
    forms: list
    spaces: list
    comments: list
    rows: list
    kept: list
    begin: int
    _ranges: list  # of each token: the row of its range, or None

    def column(self, name):
        """A column of COLUMNS, or a key of one such as `misc.NER`: a list of one str a
        token.

        What several words of a token say is joined by `+`; of a key, the range's own
        value counts, then that of the first word. What is not there is `_`.
        """
        base, _, key = name.partition(".")
        if key:
            place = _LISTS[base]
            owned = zip(self.rows, self._ranges, strict=True)
            return [
                _find(key, place, rows if own is None else [own, *rows])
                for rows, own in owned
            ]
        if name == "form":
            return self.forms
        place = COLUMNS.index(name)
        return [_joined([row[place] for row in rows]) for rows in self.rows]

    def comment(self, key):
        """Value of the comment `# key = value`, or None."""
        for comment in self.comments:
            name, equals, value = comment.partition("=")
            if equals and name.strip() == key:
                return value.strip()
        return None

    @property
    def begins_paragraph(self):
        """Whether a comment says that a paragraph or a document begins."""
        return any(re.match(r"new(par|doc)\b", comment) for comment in self.comments)


def _joined(values):
    return values[0] if len(values) == 1 or {*values} == {_NONE} else "+".join(values)


def _find(key, place, rows):
    for row in rows:
        for pair in row[place].split("|"):
            name, equals, value = pair.partition("=")
            if equals and name == key:
                return value
    return _NONE


def numbered_lines(source):
    """Yield a Source's lines and their numbers; raises SennaError for those of absurd
    length.
    """
    n_tokens = n_bytes = 0
    for number, line in enumerate(read_lines(source), 1):
        if number == 1:
            check_text(source.name, line)
        if line.strip():
            n_tokens, n_bytes = n_tokens + 1, n_bytes + len(line)
        else:
            n_tokens = n_bytes = 0
        if len(line) > _LONGEST_LINE:
            raise SennaError(
                f"{source.name}: line {number}: more than {_LONGEST_LINE:,} bytes"
            )
        if n_tokens > _LONGEST_SENTENCE:
            raise SennaError(
                f"{source.name}: line {number}: a sentence of more than "
                f"{_LONGEST_SENTENCE:,} lines; an empty line ends one"
            )
        if n_bytes > _LARGEST_SENTENCE:
            raise SennaError(
                f"{source.name}: line {number}: a sentence of more than {_LARGEST_SENTENCE:,} "
                "bytes, with its comments; an empty line ends one"
            )
        yield number, line


class ConlluFile:
    """Iterates over the sentences of a file once."""

    def __init__(self, path, multiwords="words", encoding=BY_MARK):
        """Open a file, `-`: standard input; encoding: see Source; raises SennaError
        naming it.
        """
        self.source = Source(path, encoding)
        self.name = self.source.name
        self._tokens = multiwords == "tokens"

    def error(self, line, problem):
        """SennaError about a line of this file."""
        return SennaError(f"{self.name}: line {line}: {problem}")

    def __iter__(self) -> Iterator[ConlluSentence]:
        """Yield each ConlluSentence; raises SennaError naming the line that cannot be
        read.
        """
        comments: list[str] = []
        rows: list[tuple[int, list[str]]] = []
        kept: list[str] = []
        last, number = None, 0
        with self.source:
            for number, line in numbered_lines(self.source):
                kept.append(line.decode("utf-8", "surrogateescape"))
                text = kept[-1].rstrip("\r")
                if not text.strip():
                    kept[-1] = kept[-1][
                        len(text) :
                    ]  # only white space, as of a spreadsheet
                    if rows:
                        last = self._sentence(comments, rows, kept, number)
                        yield last
                        comments, rows, kept = [], [], []
                elif text.startswith("#"):
                    comments.append(text[1:].strip())
                else:
                    rows.append((number, self._fields(number, text)))
        if rows:
            end = "\r" if kept[0].endswith("\r") else ""
            kept[-1:] = [kept[-1].rstrip("\r") + end, end]
            yield self._sentence(comments, rows, kept, number + 1)
        elif last is not None:
            last.kept += kept

    def _fields(self, number, text):
        fields = text.split("\t")
        if len(fields) != len(COLUMNS):
            raise self.error(
                number,
                f"expected the 10 columns of CoNLL-U between tabs, found {len(fields)}",
            )
        return fields

    def _sentence(self, comments, rows, kept, end):
        """Sentence of the rows among the lines `kept`, the last of which has the number
        `end`.
        """
        found = ConlluSentence([], [], [], comments, [], kept, end - len(kept) + 1, [])
        n_words, span, last = (
            0,
            None,
            0,
        )  # of a range: its row, and the word with which it ends
        for number, row in rows:
            name = row[0]
            if _EMPTY_NODE.fullmatch(name):
                continue
            if match := _RANGE.fullmatch(name):
                begin, end = map(int, match.groups())
                if begin != n_words + 1 or end <= begin or begin <= last:
                    raise self.error(number, f"a range {name} after word {n_words}")
                if end - begin >= _MOST_WORDS:
                    raise self.error(
                        number,
                        f"a token of {end - begin + 1:,} words; it may have {_MOST_WORDS:,}",
                    )
                if self._tokens:
                    self._add(found, number, row, [], row)
                span, last = row, end
                continue
            if not _NUMBER.fullmatch(name) or int(name) != n_words + 1:
                raise self.error(
                    number,
                    f"expected the ID {n_words + 1}, found {name!r}; an empty "
                    "line ends a sentence",
                )
            n_words += 1
            if self._tokens and n_words <= last:
                found.rows[-1].append(row)
                continue
            self._add(found, number, row, [row])
            if n_words <= last:
                found.spaces[-1] = n_words < last or _has_space(span)
        if n_words < last or not n_words:
            raise self.error(
                rows[-1][0],
                "expected the words of a range, found the end"
                if n_words
                else "expected a word, found none",
            )
        return found

    def _add(self, found, number, row, rows, own=None):
        if not row[_FORM].strip(" \v\f\r"):
            raise self.error(number, "the form is empty")
        found.lines.append(number)
        found.forms.append(row[_FORM])
        found.spaces.append(_has_space(row))
        found.rows.append(rows)
        found._ranges.append(own)


def _has_space(row):
    return "SpaceAfter=No" not in row[_MISC].split("|")
