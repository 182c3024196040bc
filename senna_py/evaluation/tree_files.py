"""Gold and predicted trees out of files, pair by pair."""

from collections.abc import Iterator
from itertools import zip_longest

from senna_py.corpora.tree_files import read_tree_records
from senna_py.errors import SennaError
from senna_py.evaluation.trees import TreePair


def read_tree_pairs(gold_path: str, predicted_path: str) -> Iterator[TreePair]:
    """Yield the trees of two files as pairs; of one that is malformed, the pair has the problem.

    See `corpora.tree_files.read_tree_records`. Raises SennaError if the files cannot be read, have
    no tree, or do not have as many.
    """
    records = read_tree_records(gold_path), read_tree_records(predicted_path)
    gold_name, predicted_name = (
        "standard input" if path == "-" else path for path in (gold_path, predicted_path)
    )
    first_problem = None
    for gold, predicted in zip_longest(*records):
        if gold is None or predicted is None:
            there, short = (gold, predicted_name) if predicted is None else (predicted, gold_name)
            cause = f"{first_problem}; then " if first_problem else ""  # trees may be one for it
            raise SennaError(
                f"{cause}{short}: expected a tree as in line {there.line} of the other file, "
                "found the end"
            )
        problem = gold.problem or predicted.problem
        first_problem = first_problem or problem
        place = f"{predicted_name}: line {predicted.line}"
        yield TreePair(gold.tree, predicted.tree, problem, place)
