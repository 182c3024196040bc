"""Props files of the CoNLL-2004 and CoNLL-2005 shared tasks: predicates and their
arguments.
"""

import re
from functools import partial

from senna_py.corpora.conll import ColumnFile
from senna_py.corpora.escapes import split_roles
from senna_py.errors import counted
from senna_py.labels.tag_schemes import is_chunk_tag, outermost, read_tag, segments

_TAG = re.compile(r"((?:\([^()*\s]+)?)\*(\)?)")
_NESTED = re.compile(
    r"((?:\([^()*\s]+)*)[*-]?(\)*)"
)  # also `(PERSON)`, and nothing as `-`


def read_props(path):
    """Yield the sentences of a props file: pairs of a ColumnSentence and what reads its
    phrases.

    The first column has `-` for a token that is no predicate, and each predicate has a
    column of brackets: `(A0*`, `*`, `*)`, `(A0*)`. What senna-tag writes with `--format
    conll --header -srl` is read, too: its header tells which column marks the
    predicates, and which has the roles of all. A column may have tags (`B-A0`) in place
    of brackets. The function, which takes nothing, gives the phrases of each predicate,
    {predicate: [(label, begin, end), ...]}; a predicate is a token, phrases are in
    order, end exclusive. It is apart because a sentence that is cut short has too many
    columns: who knows its length looks first. Both raise SennaError naming file and
    line.
    """
    file = ColumnFile(path, same_in_all=False)
    names = file.names or ["predicate", "roles..."]
    if "predicate" not in names:
        raise file.error(
            1, f"expected a column named predicate, found {', '.join(names)}"
        )
    for sentence in file:
        yield sentence, partial(_propositions, file, sentence, names)


def _propositions(file, sentence, names):
    """Propositions of a ColumnSentence, whose columns have `names`, `predicate` among
    them.
    """
    skipped = names.index("predicate")
    marks, roles = (
        sentence.columns[skipped : skipped + 1],
        sentence.columns[skipped + 1 :],
    )
    predicates = [i for i, mark in enumerate(marks[0]) if mark != "-"] if marks else []
    if "roles" in names:  # one column, and others may follow
        at = names.index("roles")
        roles = split_roles(sentence.columns[at : at + 1], len(predicates))
    if not marks or len(roles) != len(predicates):
        raise file.error(
            sentence.line,
            f"expected {counted(skipped + 1 + len(predicates), 'column')} in a sentence of "
            f"{counted(len(predicates), 'predicate')}, found {len(sentence.columns)}",
        )
    return {
        predicate: phrases_of_column(column, file, sentence)
        for predicate, column in zip(predicates, roles, strict=True)
    }


def phrases_of_column(column, file, sentence, nested=False):
    """Phrases of a column of brackets, or of tags, as (label, begin, end), which do not
    overlap.

    file, sentence: a ColumnFile and its ColumnSentence; nested: whether a phrase may
    stand in another, as in CoNLL-2012, where `(X)` is one of one token: then the outer
    one counts, unless only the inner one ends. Raises SennaError naming file and line.
    """
    tags = [*map(read_tag, column)]
    if all(map(is_chunk_tag, tags)):
        return segments(tags)
    found, left, depth = [], [], 0  # left: those that are open

    def fail(token, problem):
        raise file.error(sentence.line_of(token), problem)

    for i, tag in enumerate(column):
        match = (_NESTED if nested else _TAG).fullmatch(tag)
        if match is None:
            fail(i, f"expected brackets such as (A0*, * or *), found {tag!r}")
        for label in match[1].split("(")[1:]:
            if left and not nested:
                fail(i, f"expected the end of {left[-1][0]} first, found {tag!r}")
            left.append((label, i))
            depth = max(depth, len(left))
        for _ in match[2]:
            if not left:
                fail(i, f"expected an open argument, found {tag!r}")
            label, begin = left.pop()
            found.append((label, begin, i + 1))
    if left and depth == 1:
        fail(left[0][1], f"expected {left[0][0]} to end in its sentence, found no *)")
    return outermost(reversed(found))  # the outer one of two alike comes first
