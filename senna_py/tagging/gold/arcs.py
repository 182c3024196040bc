"""Gold dependencies: the head of each word, and its relation to the head."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from senna_py.answers.layer import ROOT, Layer
from senna_py.io.numbers import int_up_to
from senna_py.labels.dependencies import depths
from senna_py.labels.tasks import Task
from senna_py.tagging.gold.base import Block, Gold, GoldReader

_HEADS, _RELATIONS, _SHARE = ("head", "heads"), ("relation", "deprel"), "share"


class Dependencies(NamedTuple):
    """The dependencies of a sentence.

    Attributes:
        heads: The head of each word, as a word index in the sentence; -1 for the root.
        relations: The relation of each word to its head.
        shares: The probability of the head and the relation of each word, or None if
            all are certain.
    """

    heads: list[int]
    relations: list[str]
    shares: list[float] | None = None


class ArcReader(GoldReader):
    """Reads dependencies from a column of heads and a column of relations."""

    def sources(self, task: Task, soft: bool = False) -> list[tuple[str, ...]]:
        share = (_SHARE,) if soft else ()
        return [(head, relation, *share) for head in _HEADS for relation in _RELATIONS]

    def read(self, block: Block, task: Task) -> Dependencies:
        heads, relations = (
            next(block.columns[name] for name in names if name in block.columns)
            for names in (_HEADS, _RELATIONS)
        )
        shares = None
        # The most probable heads may not form a tree.
        if block.data.is_soft(task.name):
            numbers = [
                _head(block, i, cell, len(heads)) for i, cell in enumerate(heads)
            ]
            cells = enumerate(block.columns[_SHARE])
            shares = [block.cell(i, cell, _share) for i, cell in cells]
        else:
            numbers, relations = _tree(block, heads, relations)
        names = block.data.labels
        return Dependencies(
            numbers, [names.get(name, name) for name in relations], shares
        )

    def gold(
        self,
        task: Task,
        sentences: Sequence[Dependencies],
        labeled: NDArray[np.int64],
        starts: NDArray[np.int64],
    ) -> Gold:
        numbers: dict[str, int] = {}
        label = np.fromiter(
            (
                numbers.setdefault(relation, len(numbers))
                for each in sentences
                for relation in each.relations
            ),
            np.int32,
        )
        anchor = np.fromiter(
            (
                head if head < 0 else start + head
                for each, start in zip(sentences, starts.tolist(), strict=False)
                for head in each.heads
            ),
            np.int32,
        )
        score = None
        if any(each.shares for each in sentences):
            shares = [each.shares or np.ones(len(each.heads)) for each in sentences]
            score = np.concatenate(shares).astype(np.float32)
        layer = Layer(task, tuple(numbers), label, anchor=anchor, score=score)
        return Gold(layer, labeled, starts)


def _head(block: Block, token: int, cell: str, n_words: int) -> int:
    """Return the index of the word that a cell names, or ROOT for the cell 0.

    Raises SennaError if the cell is not a number up to `n_words`.
    """
    head = int_up_to(cell, n_words)
    if head is None:
        raise block.error(
            token, f"expected a head from 0, the root, to {n_words}, found {cell!r}"
        )
    return head - 1


def _share(cell: str) -> float:
    share = float(cell)
    if not 0 <= share <= 1:
        raise ValueError(f"expected a share from 0 to 1, found {cell!r}")
    return share


def _tree(
    block: Block, heads: list[str], relations: list[str]
) -> tuple[list[int], list[str]]:
    """Return the head and the relation of each token, after checking for a tree.

    A token may consist of several words, whose heads are joined as in `3+5`. Its head
    and relation are then taken from the word that is closest to the root. Raises
    SennaError if the heads do not form a tree, or a cell is malformed.
    """
    cells = [cell.split("+") for cell in heads]
    owner = [token for token, words in enumerate(cells) for _ in words]
    flat = [
        _head(block, token, cell, len(owner))
        for token, words in enumerate(cells)
        for cell in words
    ]
    depth = _depths(block, owner, flat)
    numbers: list[int] = []
    names: list[str] = []
    word = 0
    for token, words in enumerate(cells):
        here = range(word, word + len(words))
        word = min(here, key=depth.__getitem__)
        parts = relations[token].split("+") if len(words) > 1 else [relations[token]]
        if len(parts) not in (1, len(words)):
            raise block.error(
                token, f"{len(words)} heads, but the relations {relations[token]}"
            )
        numbers.append(owner[flat[word]] if flat[word] >= 0 else ROOT)
        names.append(parts[(word - here.start) % len(parts)])
        word = here.stop
    return numbers, names


def _depths(block: Block, owner: list[int], heads: list[int]) -> list[int]:
    """Return the depth of each word in a tree with a single root.

    Raises SennaError if the heads do not form such a tree.
    """
    roots = [word for word, head in enumerate(heads) if head < 0]
    if not roots:
        raise block.error(0, "a sentence without a root: no word has the head 0")
    if len(roots) > 1:
        raise block.error(owner[roots[1]], "a second root (head 0); a sentence has one")
    depth = depths(heads)
    reached = [each for each in depth if each is not None]
    if len(reached) < len(depth):
        raise block.error(owner[depth.index(None)], "the heads form a circle")
    return reached
