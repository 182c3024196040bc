"""Gold standard and predictions from files, sentence by sentence, or tree by tree."""

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from operator import itemgetter
from os import PathLike
from typing import Any

from senna_py.corpora.conll import ColumnFile, ColumnSentence, expecting
from senna_py.corpora.props import read_props
from senna_py.corpora.tree_files import (
    are_trees_by_lines,
    read_tree_lines,
    read_tree_records,
)
from senna_py.errors import SennaError, counted
from senna_py.evaluation.roles import Propositions
from senna_py.evaluation.trees import TreePair
from senna_py.labels.tag_schemes import first_misfit, is_chunk_tag, read_tag, recode

# What corpora call a scheme, and the encodings that a sentence of it may have.
SCHEMES = {
    "iob1": ("iob1",),
    "iob2": ("iob2",),
    "ioe": ("ioe1", "ioe2"),
    "iobes": ("iobes",),
}
_OTHER_TAGS = "; tags that are not of chunks are scored with -r"
_NO_PREDICTIONS = (
    ": a column of predictions seems to be missing; the last two columns are gold and "
    "predicted"
)
_OF_COMPARE = _OTHER_TAGS.replace("-r", "--kind token")


def read_tags(
    path: str | PathLike[str], chunks: bool = True, scheme: str | None = None
) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the last two columns of a column file, gold and predicted, as pairs of
    lists.

    chunks: the tags are of chunks: O, or B, I, E or S with a type. scheme: one of
    SCHEMES, of which the gold tags have to be; predicted ones need not be well formed.
    Raises SennaError naming file and line, also if there is no token.
    """
    file = ColumnFile(path, at_least=2, first=None)
    for sentence in expecting(file, file.name):
        gold, predicted = sentence.columns[-2:]
        if "" in gold:
            raise file.error(sentence.line_of(gold.index("")), "column 1 is empty")
        if chunks:
            are_words = len(sentence.columns) == 2 and all(
                is_chunk_tag(read_tag(tag)) for tag in predicted
            )
            advice = _NO_PREDICTIONS if are_words else _OTHER_TAGS
            gold, predicted = (
                chunk_tags(file, sentence, tags, advice) for tags in (gold, predicted)
            )
        encodings = SCHEMES[scheme] if scheme else ()
        misfits = [
            (i, e) for e in encodings if (i := first_misfit(gold, e)) is not None
        ]
        if scheme and len(misfits) == len(encodings):
            i, encoding = max(misfits, key=itemgetter(0))
            wanted = recode(gold, encoding)[i]
            problem = f"expected {wanted} in {scheme.upper()}, found {gold[i]}"
            raise file.error(sentence.line_of(i), problem)
        yield gold, predicted


def read_roles(
    gold_path: str | PathLike[str], predicted_path: str | PathLike[str]
) -> Iterator[tuple[Propositions, Propositions]]:
    """Yield the propositions of two props files as pairs; see
    `corpora.props.read_props`.

    Raises SennaError naming the file and line where one cannot be read or where the
    files do not have the same sentences, also if there is no token.
    """
    pairs = zip_longest(
        read_props(gold_path), read_props(predicted_path), fillvalue=(None, None)
    )
    for (gold, read_gold), (predicted, read_predicted) in expecting(pairs, gold_path):
        _check_pair(gold, predicted, gold_path, predicted_path)
        yield read_gold(), read_predicted()


def read_last_columns(
    gold_path: str, predicted_path: str, chunks: bool
) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the last columns of two files as pairs of lists; raises SennaError as
    `read_roles`.
    """
    files = ColumnFile(gold_path, first=None), ColumnFile(predicted_path, first=None)
    for gold, predicted in expecting(zip_longest(*files), files[0].name):
        _check_pair(gold, predicted, files[0].name, files[1].name)
        tags = [gold.columns[-1], predicted.columns[-1]]
        if chunks:
            columns = zip(files, (gold, predicted), tags, strict=True)
            tags = [chunk_tags(*each, _OF_COMPARE) for each in columns]
        yield tags[0], tags[1]


def _check_pair(gold: Any, predicted: Any, gold_name: Any, predicted_name: Any) -> None:
    """Raise SennaError unless two ColumnSentences, None where a file has ended, are as
    long.
    """
    if gold is None or predicted is None:
        there, name = (
            (gold, gold_name) if predicted is None else (predicted, predicted_name)
        )
        short = predicted_name if predicted is None else gold_name
        raise SennaError(
            f"{short}: expected a sentence as in line {there.line} of {name}, "
            "found the end"
        )
    if gold.n_tokens != predicted.n_tokens:
        raise SennaError(
            f"{predicted_name}: line {predicted.line}: expected a sentence of "
            f"{counted(gold.n_tokens, 'token')} as in line {gold.line} of {gold_name}, found "
            f"{predicted.n_tokens}"
        )


def read_tree_pairs(gold_path: str, predicted_path: str) -> Iterator[TreePair]:
    """Yield the trees of two files as pairs; of one that is malformed, the pair has the
    problem.

    See `corpora.tree_files.read_tree_records`; where an empty line stands for a tree,
    lines are pairs. Raises SennaError if one has none, or not as many.
    """
    by_lines = are_trees_by_lines(gold_path, predicted_path)
    read = read_tree_lines if by_lines else read_tree_records
    records = read(gold_path), read(predicted_path)
    gold_name, predicted_name = (
        "standard input" if path == "-" else path
        for path in (gold_path, predicted_path)
    )
    first_problem = None
    for gold, predicted in zip_longest(*records):
        if gold is None or predicted is None:
            there, short = (
                (gold, predicted_name) if predicted is None else (predicted, gold_name)
            )
            cause = (
                f"{first_problem}; then " if first_problem else ""
            )  # trees may be one for it
            raise SennaError(
                f"{cause}{short}: expected a tree as in line {there.line} of the other file, "
                "found the end"
            )
        if (
            by_lines
            and gold.tree is predicted.tree is gold.problem is predicted.problem is None
        ):
            continue
        problem = gold.problem or predicted.problem
        first_problem = first_problem or problem
        place = f"{predicted_name}: line {predicted.line}"
        yield TreePair(gold.tree, predicted.tree, problem, place)


def chunk_tags(
    file: Any,
    sentence: ColumnSentence,
    column: Iterable[str],
    advice: str = _OTHER_TAGS,
) -> list[str]:
    """A column of tags of chunks, see `tag_schemes.read_tag`; raises SennaError naming
    a line.

    file: a ColumnFile, or one of a layout; advice: what the error ends with.
    """
    tags = [*map(read_tag, column)]
    for i, tag in enumerate(tags):
        if not is_chunk_tag(tag):
            problem = f"expected O or a tag such as B-NP (B, I, E or S), found {tag!r}{advice}"
            raise file.error(sentence.line_of(i), problem)
    return tags
