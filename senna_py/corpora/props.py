"""Read props files: predicates and arguments, as in the CoNLL-2005 shared task."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NoReturn

from senna_py.corpora.conll import ColumnFile, ColumnSentence
from senna_py.corpora.escapes import split_roles
from senna_py.errors import counted
from senna_py.labels.tag_schemes import (
    Segment,
    is_chunk_tag,
    outermost,
    read_tag,
    segments,
)

Propositions = dict[int, list[Segment]]

_TAG = re.compile(r"((?:\([^()*\s]+)?)\*(\)?)")
# The brackets of CoNLL-2012: `(PERSON)` is a phrase of one token, `-` has no bracket.
_NESTED = re.compile(r"((?:\([^()*\s]+)*)[*-]?(\)*)")


def read_props(
    path: str | os.PathLike[str],
) -> Iterator[tuple[ColumnSentence, Callable[[], Propositions]]]:
    """Yield the sentences of a props file, and functions that return their phrases.

    The first column contains `-` for tokens that are not predicates. For each
    predicate, there is a column of brackets (`(A0*`, `*`, `*)`, `(A0*)`) or of tags
    such as `B-A0`. The output of `senna-tag --format conll --header -srl` is accepted,
    too: its header names the column of predicates and the column with the roles of all
    predicates.

    Each function takes no arguments and returns the phrases of each predicate,
    {predicate: [(label, begin, end), ...]}, in the order of the tokens. Callers can
    check the length of the sentence before they call it, because a truncated sentence
    also has too many columns.

    Raises:
        SennaError: If the file cannot be read or a line is malformed. The message names
            the file and the line. The functions raise it, too.
    """
    file = ColumnFile(path, same_in_all=False)
    names = file.names or ["predicate", "roles..."]
    if "predicate" not in names:
        raise file.error(
            1, f"expected a column named predicate, found {', '.join(names)}"
        )
    for sentence in file:
        yield sentence, partial(_propositions, file, sentence, names)


def _propositions(
    file: ColumnFile, sentence: ColumnSentence, names: list[str]
) -> Propositions:
    """Return the propositions of a sentence; `names` are the names of its columns."""
    index = names.index("predicate")
    predicates: list[int] = []
    has_marks = index < len(sentence.columns)
    if has_marks:
        marks = sentence.columns[index]
        predicates = [i for i, mark in enumerate(marks) if mark != "-"]
    roles = sentence.columns[index + 1 :]
    if "roles" in names:  # one column for all predicates, which others may follow
        column = names.index("roles")
        roles = split_roles(sentence.columns[column : column + 1], len(predicates))
    if not has_marks or len(roles) != len(predicates):
        raise file.error(
            sentence.line,
            f"expected {counted(index + 1 + len(predicates), 'column')} in a sentence of "
            f"{counted(len(predicates), 'predicate')}, found {len(sentence.columns)}",
        )
    return {
        predicate: phrases_of_column(column, file, sentence)
        for predicate, column in zip(predicates, roles, strict=True)
    }


def phrases_of_column(
    column: Sequence[str], file: Any, sentence: ColumnSentence, nested: bool = False
) -> list[Segment]:
    """Return the phrases (label, begin, end) of a column of brackets or tags.

    Args:
        column: The values of the column, one per token.
        file: The file of the column, whose method `error` returns errors.
        sentence: The sentence of the column.
        nested: Whether phrases may be nested, as in CoNLL-2012, where `(X)` is a phrase
            of one token. Only the outermost phrases are returned, or the phrases inside
            an outermost phrase whose end is missing.

    Raises:
        SennaError: If a value is malformed, or the brackets are not balanced. The
            message names the file and the line.
    """
    tags = [*map(read_tag, column)]
    if all(map(is_chunk_tag, tags)):
        return segments(tags)
    phrases: list[Segment] = []
    open_phrases: list[tuple[str, int]] = []  # labels and first tokens
    depth = 0  # the maximum number of phrases that were open at the same time

    def fail(token: int, problem: str) -> NoReturn:
        raise file.error(sentence.line_of(token), problem)

    for i, tag in enumerate(column):
        match = (_NESTED if nested else _TAG).fullmatch(tag)
        if match is None:
            fail(i, f"expected brackets such as (A0*, * or *), found {tag!r}")
        for label in match[1].split("(")[1:]:
            if open_phrases and not nested:
                fail(
                    i, f"expected the end of {open_phrases[-1][0]} first, found {tag!r}"
                )
            open_phrases.append((label, i))
            depth = max(depth, len(open_phrases))
        for _ in match[2]:
            if not open_phrases:
                fail(i, f"expected an open argument, found {tag!r}")
            label, begin = open_phrases.pop()
            phrases.append((label, begin, i + 1))
    if open_phrases and depth == 1:
        label, begin = open_phrases[0]
        fail(begin, f"expected {label} to end in its sentence, found no *)")
    # Of two phrases with the same tokens, the outer one was closed last.
    return outermost(reversed(phrases))
