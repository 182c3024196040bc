"""Counts of each sentence of two systems, from their files and that of the gold standard."""

from collections.abc import Iterator
from itertools import zip_longest

from senna_py.corpora.conll import ColumnFile, expecting
from senna_py.errors import SennaError
from senna_py.evaluation.chunks import score_chunks
from senna_py.evaluation.counts import Counts
from senna_py.evaluation.evalb_parameters import COLLINS, EvalbParameters
from senna_py.evaluation.files import chunk_tags, read_roles, read_tree_pairs
from senna_py.evaluation.roles import score_roles
from senna_py.evaluation.tokens import score_tokens
from senna_py.evaluation.trees import VALID, score_trees

KINDS = ("chunk", "token", "srl", "tree")


def read_counts(
    kind: str, gold: str, a: str, b: str, parameters: EvalbParameters = COLLINS
) -> tuple[list[Counts], list[Counts]]:
    """Counts of each sentence for two systems, whose files have the sentences of the gold one.

    kind: one of KINDS, whose files are those of that command of senna-eval; of chunks and tokens,
    the last column of each file counts. Trees that cannot be compared, of either system, are left
    out of both; parameters: for them. Raises SennaError naming file and line, also if there is no
    sentence.
    """
    if kind == "tree":
        return _trees(gold, a, b, parameters)
    return _counts(kind, gold, a), _counts(kind, gold, b)


def _counts(kind: str, gold: str, path: str) -> list[Counts]:
    if kind == "srl":
        return [score_roles([pair], False).overall for pair in read_roles(gold, path)]
    score = score_chunks if kind == "chunk" else score_tokens
    return [score([pair]).overall for pair in _read_pairs(gold, path, kind == "chunk")]


def _read_pairs(gold_path: str, path: str, chunks: bool) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the last columns of two files, sentence by sentence."""
    files = ColumnFile(gold_path, first=None), ColumnFile(path, first=None)
    for gold, found in expecting(zip_longest(*files), files[0].name):
        if gold is None or found is None:
            there, short = (gold, files[1]) if found is None else (found, files[0])
            raise SennaError(f"{short.name}: expected a sentence as in line {there.line} of "
                             f"{files[found is not None].name}, found the end")  # fmt: skip
        tags = gold.columns[-1], found.columns[-1]
        if chunks:
            tags = chunk_tags(files[0], gold, tags[0]), chunk_tags(files[1], found, tags[1])
        if len(tags[0]) != len(tags[1]):
            raise files[1].error(
                found.line,
                f"expected a sentence of {len(tags[0])} tokens as in line {gold.line} of "
                f"{files[0].name}, found {len(tags[1])}",
            )
        yield tags


def _trees(
    gold: str, a: str, b: str, parameters: EvalbParameters
) -> tuple[list[Counts], list[Counts]]:
    scores = [score_trees(read_tree_pairs(gold, path), parameters).sentences for path in (a, b)]
    both = [
        pair
        for pair in zip(*scores, strict=True)
        if all(sentence.status == VALID for sentence in pair)
    ]
    if not both:
        raise SennaError(f"{gold}: no tree can be compared with those of both systems")
    return [pair[0].brackets for pair in both], [pair[1].brackets for pair in both]
