"""Files of trees: bracketed text, or columns with parse bits."""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from senna_py.corpora.conll import ColumnFile, expecting
from senna_py.errors import SennaError
from senna_py.io.streaming import Source, read_lines
from senna_py.labels.brackets import Leaf, read_brackets
from senna_py.labels.parse_bits import is_parse_bit
from senna_py.labels.trees import Tree, build_tree, tree_of_bits

_COLUMNS = ["word", "pos", "tree"]  # where no header says otherwise
_LONGEST = (
    1 << 18
)  # bytes of a tree; what is made of it takes hundreds of times as many


class TreeRecord(NamedTuple):
    """A tree of a file, the number of its first line, and what is wrong with it.

    tree: None with a problem, and for an empty parse. problem: None, or one line naming
    its place.
    """

    line: int
    tree: Tree | None
    problem: str | None = None


def read_tree_records(path: str) -> Iterator[TreeRecord]:
    """Yield the trees of a file, malformed ones with their problem.

    path: of bracketed text, see `bracket_texts`, or of columns, `-` for standard input.
    A regular file whose first line has a parse bit is one of columns: word, part of
    speech and parse bit come first, or a header names them `word`, `pos` and `tree`, as
    senna-tag writes it. Raises SennaError if the file cannot be read or has no tree,
    and for columns that come from a pipe.
    """
    records = (
        _column_records(path) if _has_columns(path) else read_bracketed_trees(path)
    )
    name = "standard input" if path == "-" else path
    yield from expecting(records, name, "trees, found none")


def read_bracketed_trees(path: str) -> Iterator[TreeRecord]:
    """Yield a bracketed file's trees, malformed ones with their problem; raises
    SennaError.
    """
    with Source(path) as source:
        for line, text in bracket_texts(read_lines(source), source.name):
            try:
                yield TreeRecord(line, parse_tree(text))
            except ValueError as error:
                if source.size is None and _is_of_columns(text.partition("\n")[0]):
                    raise SennaError(
                        f"{source.name}: columns must come from a file"
                    ) from None
                at, problem = error.args
                yield TreeRecord(
                    line, None, f"{source.name}: line {line + at}: {problem}"
                )


def read_tree_lines(path: str) -> Iterator[TreeRecord]:
    """Yield a tree for each line of a file, as EVALB reads it: an empty line is an
    empty parse.
    """
    with Source(path) as source:
        for number, line in enumerate(read_lines(source), 1):
            _check_size(source.name, number, len(line))
            text = line.decode("utf-8", "surrogateescape")
            try:
                yield TreeRecord(number, parse_tree(text) if text.strip() else None)
            except ValueError as error:
                yield TreeRecord(
                    number, None, f"{source.name}: line {number}: {error.args[1]}"
                )


def are_trees_by_lines(*paths: str) -> bool:
    """Tell if files have as many lines, each empty or a tree, but not as many trees.

    What comes through a pipe cannot be read twice, and is none of these.
    """
    sizes = []
    for path in paths:
        if path == "-" or _has_columns(path):
            return False
        with Source(path) as source:
            if source.size is None:
                return False
            lines = [line.strip()[:1] for line in read_lines(source)]
        if any(line not in (b"", b"(") for line in lines):
            return False
        sizes.append((len(lines), len(lines) - lines.count(b"")))
    n_lines, n_trees = map(set, zip(*sizes, strict=True))
    return len(n_lines) == 1 < len(n_trees) and 0 not in n_trees


def bracket_texts(lines: Iterable[bytes], name: str) -> Iterator[tuple[int, str]]:
    """Yield the text of each tree of a file, from its lines, and the number of its
    first line.

    A tree ends where its brackets do, and in any case before a line that begins with
    `(`: further lines of a tree are indented. So one tree that is cut short does not
    take the next with it. Raises SennaError, with `name` and the line, for one that is
    longer than any sentence's.
    """
    parts: list[str] = []
    begin = n_open = size = 0
    for number, line in enumerate(lines, 1):
        if parts and (n_open <= 0 or line.startswith(b"(")):
            yield begin, "\n".join(parts)
            parts, n_open, size = [], 0, 0
        if not parts:
            if not line.strip():
                continue
            begin = number
        size += len(line)
        _check_size(name, number, size)
        parts.append(line.decode("utf-8", "surrogateescape"))
        n_open += line.count(b"(") - line.count(b")")
    if parts:
        yield begin, "\n".join(parts)


def _check_size(name: str, line: int, size: int) -> None:
    if size > _LONGEST:
        raise SennaError(f"{name}: line {line}: a tree of more than {_LONGEST:,} bytes")


def parse_tree(text: str) -> Tree | None:
    """The tree that a text has, or None for an empty parse: `(())`, `()` or `(TOP)`.

    Labels stay as they are, with traces and function tags, see
    `labels.trees.bare_tree`. In words, `-LRB-` is `(` and so on for the other brackets;
    `\\/` is `/` and `\\*` is `*`. Raises ValueError(line, problem), lines counted from
    0.
    """
    leaves, phrases = read_brackets(text)
    return build_tree(leaves, phrases) if leaves else None


def _has_columns(path: str) -> bool:
    """Tell if a file begins with columns; what comes through a pipe cannot be read
    twice.
    """
    if path == "-":
        return False
    with Source(path) as source:
        if source.size is None:
            return False
        lines = (line.decode("utf-8", "surrogateescape") for line in read_lines(source))
        return _is_of_columns(
            next((line for line in lines if line.strip()), "")[:_LONGEST]
        )


def _is_of_columns(line: str) -> bool:
    # The *) of a trace, (-NONE- *), looks like a parse bit, but a bracket and its tag
    # precede.
    fields = ["", *line.split()]
    bits = [
        bit
        for tag, bit in pairwise(fields)
        if bit.startswith("(") or tag == "(" or not tag.startswith("(")
    ]
    return line.startswith("# ") or any(map(is_parse_bit, bits))


def _column_records(path: str) -> Iterator[TreeRecord]:
    file = ColumnFile(path, same_in_all=False)
    names = file.names or _COLUMNS
    missing = [name for name in _COLUMNS if name not in names]
    if missing:
        raise file.error(
            1, f"expected a column named {missing[0]}, found {', '.join(names)}"
        )
    places = [names.index(name) for name in _COLUMNS]
    for sentence in file:
        if len(sentence.columns) <= max(places):
            raise file.error(
                sentence.line,
                f"expected at least {max(places) + 1} columns, "
                f"found {len(sentence.columns)}",
            )
        words, tags, bits = (sentence.columns[place] for place in places)
        try:
            leaves = list(map(Leaf, words, tags))
            yield TreeRecord(sentence.line, tree_of_bits(leaves, bits))
        except ValueError as error:
            token, problem = error.args
            problem = str(file.error(sentence.line_of(token), problem))
            yield TreeRecord(sentence.line, None, problem)
