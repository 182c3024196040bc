"""Read gold standards and predictions, sentence by sentence."""

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from operator import itemgetter
from os import PathLike
from typing import Any

from senna_py.corpora.conll import ColumnFile, ColumnSentence, require_any
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

# The encodings that each tag scheme allows.
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
_OTHER_TAGS_TO_COMPARE = _OTHER_TAGS.replace("-r", "--kind token")


def read_tags(
    path: str | PathLike[str], chunks: bool = True, scheme: str | None = None
) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the gold and the predicted tags of each sentence of a file.

    The tags are the last two columns.

    Args:
        path: A column file.
        chunks: Whether the tags are chunk tags: O, or B, I, E or S with a type.
        scheme: The scheme, a key of SCHEMES, that the gold tags must follow. Predicted
            tags need not be well formed.

    Raises:
        SennaError: If the file cannot be read, a line is malformed, a tag is not a
            chunk tag or does not follow the scheme, or there is no token. The message
            names the file and, if possible, the line.
    """
    file = ColumnFile(path, at_least=2, first=None)
    for sentence in require_any(file, file.name):
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
        if scheme:
            _check_scheme(file, sentence, gold, scheme)
        yield gold, predicted


def _check_scheme(
    file: ColumnFile, sentence: ColumnSentence, gold: list[str], scheme: str
) -> None:
    """Raise SennaError if the gold tags do not fit any of the encodings of a scheme."""
    misfits = []
    for encoding in SCHEMES[scheme]:
        if (i := first_misfit(gold, encoding)) is None:
            return
        misfits.append((i, encoding))
    i, encoding = max(misfits, key=itemgetter(0))
    wanted = recode(gold, encoding)[i]
    problem = f"expected {wanted} in {scheme.upper()}, found {gold[i]}"
    raise file.error(sentence.line_of(i), problem)


def read_roles(
    gold_path: str | PathLike[str], predicted_path: str | PathLike[str]
) -> Iterator[tuple[Propositions, Propositions]]:
    """Yield the gold and the predicted propositions of each sentence.

    Args:
        gold_path: The props file of the gold standard.
        predicted_path: The props file of predictions, with the same sentences.

    Raises:
        SennaError: If a file cannot be read, the files do not have the same sentences,
            or there is no token. The message names the file and the line.
    """
    pairs = zip_longest(read_props(gold_path), read_props(predicted_path))
    for gold, predicted in require_any(pairs, gold_path):
        sentences = gold and gold[0], predicted and predicted[0]
        _check_pair(*sentences, gold_path, predicted_path)
        yield gold[1](), predicted[1]()


def read_last_columns(
    gold_path: str, predicted_path: str, chunks: bool
) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the gold and the predicted tags of each sentence of two files.

    The tags are the last column of each file.

    Args:
        gold_path: The file of the gold standard.
        predicted_path: The file of predictions, with the same sentences.
        chunks: Whether the tags are chunk tags.

    Raises:
        SennaError: If a file cannot be read, the files do not have the same sentences,
            a tag is not a chunk tag, or there is no token. The message names the file
            and, if possible, the line.
    """
    files = ColumnFile(gold_path, first=None), ColumnFile(predicted_path, first=None)
    for gold, predicted in require_any(zip_longest(*files), files[0].name):
        _check_pair(gold, predicted, files[0].name, files[1].name)
        tags = [gold.columns[-1], predicted.columns[-1]]
        if chunks:
            columns = zip(files, (gold, predicted), tags, strict=True)
            tags = [chunk_tags(*each, _OTHER_TAGS_TO_COMPARE) for each in columns]
        yield tags[0], tags[1]


def _check_pair(gold: Any, predicted: Any, gold_name: Any, predicted_name: Any) -> None:
    """Raise SennaError if two sentences differ in length, or if one of them is missing.

    A sentence is None at the end of its file.
    """
    if predicted is None:
        raise SennaError(
            f"{predicted_name}: expected a sentence as in line {gold.line} of {gold_name}, "
            "found the end"
        )
    if gold is None:
        raise SennaError(
            f"{gold_name}: expected a sentence as in line {predicted.line} of "
            f"{predicted_name}, found the end"
        )
    if gold.n_tokens != predicted.n_tokens:
        raise SennaError(
            f"{predicted_name}: line {predicted.line}: expected a sentence of "
            f"{counted(gold.n_tokens, 'token')} as in line {gold.line} of {gold_name}, found "
            f"{predicted.n_tokens}"
        )


def read_tree_pairs(gold_path: str, predicted_path: str) -> Iterator[TreePair]:
    """Yield pairs of trees from two files; malformed trees are pairs with a `problem`.

    The files may have any format of `corpora.tree_files.read_tree_records`. If empty
    lines mean missing trees (`are_trees_by_lines`), the trees are paired by line.

    Args:
        gold_path: The file of the gold trees.
        predicted_path: The file of the predicted trees.

    Raises:
        SennaError: If a file cannot be read, has no tree, or has fewer trees than the
            other.
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
            record, short = gold, predicted_name
            if gold is None:
                record, short = predicted, gold_name
            # A malformed tree may be the cause, because two trees can be read as one.
            cause = f"{first_problem}; then " if first_problem else ""
            raise SennaError(
                f"{cause}{short}: expected a tree as in line {record.line} of the other file, "
                "found the end"
            )
        problem = gold.problem or predicted.problem
        if by_lines and gold.tree is predicted.tree is problem is None:
            continue
        first_problem = first_problem or problem
        place = f"{predicted_name}: line {predicted.line}"
        yield TreePair(gold.tree, predicted.tree, problem, place)


def chunk_tags(
    file: Any,
    sentence: ColumnSentence,
    column: Iterable[str],
    advice: str = _OTHER_TAGS,
) -> list[str]:
    """Return the chunk tags in a column, in the notation of `tag_schemes.ENCODINGS`.

    Args:
        file: The ColumnFile or LayoutFile that the sentence is from.
        sentence: The sentence.
        column: The cells of the column.
        advice: The end of the error message.

    Raises:
        SennaError: If a cell is not a chunk tag.
    """
    tags = [*map(read_tag, column)]
    for i, tag in enumerate(tags):
        if not is_chunk_tag(tag):
            problem = f"expected O or a tag such as B-NP (B, I, E or S), found {tag!r}{advice}"
            raise file.error(sentence.line_of(i), problem)
    return tags
