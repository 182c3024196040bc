"""Read files of trees: bracketed text, or columns with parse bits."""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from senna_py.corpora.conll import ColumnFile, require_any
from senna_py.errors import SennaError
from senna_py.io.streaming import Source, read_lines
from senna_py.labels.brackets import Leaf, read_brackets
from senna_py.labels.parse_bits import is_parse_bit
from senna_py.labels.trees import Tree, build_tree, tree_of_bits

_COLUMNS = ["word", "pos", "tree"]  # the columns of a file without a header
# The maximum size of a tree in bytes. Processing needs hundreds of times this memory.
_LONGEST = 1 << 18


class TreeRecord(NamedTuple):
    """A tree in a file.

    Attributes:
        line: The line number at which the tree begins.
        tree: The tree, or None if the parse is empty or malformed.
        problem: If the tree is malformed, a message that states the place and the
            problem; otherwise None.
    """

    line: int
    tree: Tree | None
    problem: str | None = None


def read_tree_records(path: str) -> Iterator[TreeRecord]:
    """Yield a record for each tree of a file, even if it is malformed.

    A regular file whose first line contains a parse bit consists of columns. The first
    three columns are the word, the part of speech and the parse bit, unless a header,
    as senna-tag writes it, names the columns `word`, `pos` and `tree`. Any other file
    is bracketed text; see `bracket_texts`.

    Args:
        path: The file; `-` is standard input.

    Raises:
        SennaError: If the file cannot be read or has no tree, or if columns are read
            from a pipe.
    """
    read = _column_records if _has_columns(path) else read_bracketed_trees
    name = "standard input" if path == "-" else path
    yield from require_any(read(path), name, "trees, found none")


def read_bracketed_trees(path: str) -> Iterator[TreeRecord]:
    """Yield the trees of bracketed text, including malformed ones.

    Raises:
        SennaError: If the file cannot be read, if a tree is too large, or if columns
            are read from a pipe.
    """
    with Source(path) as source:
        for line, text in bracket_texts(read_lines(source), source.name):
            try:
                yield TreeRecord(line, parse_tree(text))
            except ValueError as error:
                if source.size is None and _is_column_line(text.partition("\n")[0]):
                    raise SennaError(
                        f"{source.name}: columns must come from a file"
                    ) from None
                n_lines, problem = error.args
                place = f"{source.name}: line {line + n_lines}"
                yield TreeRecord(line, None, f"{place}: {problem}")


def read_tree_lines(path: str) -> Iterator[TreeRecord]:
    """Yield the tree on each line of a file, including malformed ones.

    As in EVALB, an empty line is an empty parse.

    Raises:
        SennaError: If the file cannot be read, or a line is too long.
    """
    with Source(path) as source:
        for number, line in enumerate(read_lines(source), 1):
            _check_size(source.name, number, len(line))
            text = line.decode("utf-8", "surrogateescape")
            try:
                yield TreeRecord(number, parse_tree(text) if text.strip() else None)
            except ValueError as error:
                problem = f"{source.name}: line {number}: {error.args[1]}"
                yield TreeRecord(number, None, problem)


def are_trees_by_lines(*paths: str) -> bool:
    """Return whether each line of the files is a tree, or empty if there is no tree.

    This is assumed if the files have the same number of lines but different numbers of
    trees, and each line is empty or begins like a tree. The answer is False if one of
    the inputs consists of columns, or is a pipe, which cannot be read twice.

    Raises:
        SennaError: If a file cannot be read.
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
    """Yield the first line number and the text of each tree in bracketed text.

    A tree ends when its brackets are balanced. It also ends before a line that begins
    with `(`, because its other lines are indented. Thus, a truncated tree does not
    include the next one.

    Args:
        lines: The lines of a file.
        name: The name of the file, for messages.

    Raises:
        SennaError: If a tree is too large.
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
    """Parse a bracketed tree; return None for an empty parse: `(())`, `()` or `(TOP)`.

    Function tags and traces are kept; `labels.trees.bare_tree` removes them. The
    escapes of the Penn Treebank in words are replaced: `-LRB-` by `(`, and likewise for
    the other brackets, `\\/` by `/`, and `\\*` by `*`.

    Raises:
        ValueError: If the text is not a tree. The arguments of the exception are the
            index of the line in the text, from 0, and the problem.
    """
    leaves, phrases = read_brackets(text)
    return build_tree(leaves, phrases) if leaves else None


def _has_columns(path: str) -> bool:
    """Return whether a file begins with columns.

    The answer is False for pipes, which can be read only once.
    """
    if path == "-":
        return False
    with Source(path) as source:
        if source.size is None:
            return False
        lines = (line.decode("utf-8", "surrogateescape") for line in read_lines(source))
        first = next((line for line in lines if line.strip()), "")
        return _is_column_line(first[:_LONGEST])


def _is_column_line(line: str) -> bool:
    # The `*)` of a trace `(-NONE- *)` looks like a parse bit, but a bracket with a tag
    # precedes it.
    fields = ["", *line.split()]
    bits = [
        bit
        for tag, bit in pairwise(fields)
        if bit.startswith("(") or tag == "(" or not tag.startswith("(")
    ]
    return line.startswith("# ") or any(map(is_parse_bit, bits))


def _column_records(path: str) -> Iterator[TreeRecord]:
    """Yield a record for each sentence of a column file, even for malformed trees."""
    file = ColumnFile(path, same_in_all=False)
    names = file.names or _COLUMNS
    missing = [name for name in _COLUMNS if name not in names]
    if missing:
        raise file.error(
            1, f"expected a column named {missing[0]}, found {', '.join(names)}"
        )
    indices = [names.index(name) for name in _COLUMNS]
    for sentence in file:
        if len(sentence.columns) <= max(indices):
            raise file.error(
                sentence.line,
                f"expected at least {max(indices) + 1} columns, "
                f"found {len(sentence.columns)}",
            )
        words, tags, bits = (sentence.columns[index] for index in indices)
        try:
            leaves = list(map(Leaf, words, tags))
            yield TreeRecord(sentence.line, tree_of_bits(leaves, bits))
        except ValueError as error:
            token, problem = error.args
            problem = str(file.error(sentence.line_of(token), problem))
            yield TreeRecord(sentence.line, None, problem)
