"""Labels of words: tags, and segments such as chunks and names."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from senna_py.evaluation.chunks import score_chunks
from senna_py.evaluation.evalb_parameters import EvalbParameters
from senna_py.evaluation.files import chunk_tags
from senna_py.evaluation.tokens import score_tokens
from senna_py.labels import tag_schemes
from senna_py.labels.tasks import TABLE
from senna_py.networks.batch import WordBatch, ranges
from senna_py.tagging.kinds.base import Block, Kind, Pairs, Targets
from senna_py.tagging.soft_labels import SoftLabels, SoftTags, parse_shares


class Tags(Kind):
    """A tag for each word, of any form: a list of str for a sentence, or SoftTags."""

    name, labels = "tags", "words"

    # Out of files.

    def sources(self, soft: bool = False) -> list[tuple[str, ...]]:
        gold = self.task.gold
        return [(self.task.name,), gold] if gold and not soft else [(self.task.name,)]

    def read(self, block: Block) -> Any:
        cells = block.columns.get(self.task.name)
        if cells is None:
            return block.derived(self.task)
        if block.data.is_soft(self.task.name):
            return self.read_soft(block, cells)
        return self.read_hard(block, cells)

    def read_hard(self, block: Block, cells: list[str]) -> list[str]:
        """Labels of the cells of a column."""
        return [*map(self.rename(block.data.labels), cells)]

    def read_soft(self, block: Block, cells: list[str]) -> SoftTags:
        """SoftTags of the cells of a column."""
        parse = partial(self._shares, rename=self.rename(block.data.labels))
        return SoftTags([block.cell(i, cell, parse) for i, cell in enumerate(cells)])

    def _shares(self, cell, rename):
        shares = parse_shares(cell)
        self.check_soft(label for label, _ in shares)
        found = defaultdict(float)
        for label, share in shares:  # those that get the same name are added up
            found[rename(label)] += share
        return tuple(found.items())

    def check_soft(self, labels: Iterable[str]) -> None:
        """Raise ValueError for a label that cannot be."""

    def rename(self, names: Mapping[str, str]) -> Callable[[str], str]:
        """A function that gives a label another name, by `names`."""
        return lambda label: names.get(label, label)

    # What is learned.

    def sequences(self, labels: Iterable[Any]) -> Iterable[list[str]]:
        """All sequences of tags of the labels of some sentences."""
        return labels

    def _seen(self, labels):
        """All labels of words, and those with a probability for a word."""
        found = set()
        for tags in self.sequences(labels):
            found.update(tags)
            if isinstance(tags, SoftTags):
                found.update(label for shares in tags.shares for label, _ in shares)
        return found

    def find_keys(self, labels: list[Any], min_count: int) -> None:
        self.keys = sorted(self._seen(labels))

    def unknown(self, labels: Any) -> list[tuple[str, int]]:
        known = frozenset(self.keys)
        return [
            (self._named(tag, known), i)
            for tags in self.sequences([labels])
            for i, tag in enumerate(tags)
            if tag not in known
        ]

    def _named(self, label, known):
        return label

    def targets(self, labels: list[Any], weight: np.ndarray | None) -> Targets:
        index = {key: i for i, key in enumerate(self.keys)}
        return TagTargets(*tag_arrays(labels, index), weight)

    # What is found.

    def decode(
        self, answer: Any, names: Sequence[str], starts: np.ndarray
    ) -> list[Any]:
        tags = [names[i] for i in answer.labels.tolist()]
        return [tags[a:b] for a, b in pairwise(answer.begin.tolist())]

    def renamed(self, labels: Any, names: Mapping[str, str]) -> Any:
        return [*map(self.rename(names), labels)]

    def score(self, pairs: Pairs, parameters: EvalbParameters | None = None) -> Any:
        return score_tokens(pairs)

    def headline(self, scores: Any) -> tuple[float, str]:
        label = self.task.headline
        if label and label in scores.labels:
            return scores.labels[label].f1, "F1"
        return scores.accuracy, "accuracy"


class Segments(Tags):
    """Segments of words, as IOBES tags; those of rare types are read as O."""

    name, iobes = "segments", True

    def read_hard(self, block: Block, cells: list[str]) -> list[str]:
        cells = ["O" if cell == "_" and block.in_layout else cell for cell in cells]
        advice = (
            '; tags of single words need kind = "tags"'
            if self.task.name not in TABLE
            else ""
        )
        tags = chunk_tags(block.file, block.sentence, cells, advice)
        scheme = block.data.scheme
        wrong = None if scheme == "any" else tag_schemes.first_misfit(tags, scheme)
        if wrong is not None:
            expected = tag_schemes.recode(tags, scheme)[wrong]
            raise block.error(
                wrong, f"expected {expected} in {scheme.upper()}, found {tags[wrong]}"
            )
        tags = tag_schemes.recode(
            tags, "iobes"
        )  # first: neighbors may get the same name
        return (
            [*map(self.rename(block.data.labels), tags)] if block.data.labels else tags
        )

    def has_none(self, labels: list[Any]) -> bool:
        return self._seen(each for each in labels if each is not None) <= {"O"}

    def check_soft(self, labels: Iterable[str]) -> None:
        for tag in labels:
            if not tag_schemes.is_chunk_tag(tag):
                raise ValueError(
                    f"expected probabilities of IOBES tags such as B-NP, found {tag!r}"
                )

    def rename(self, names: Mapping[str, str]) -> Callable[[str], str]:
        """As of Tags; what gets the name O is no segment any more."""

        def renamed(tag):
            prefix, dash, kind = tag.partition("-")
            kind = names.get(kind, kind)
            return "O" if not dash or kind == "O" else f"{prefix}-{kind}"

        return renamed

    def find_keys(self, labels: list[Any], min_count: int) -> None:
        seen = self._seen(labels)
        counts = Counter(
            tag[2:]
            for tags in self.sequences(labels)
            for tag in tags
            if tag[:2] in ("B-", "S-")
        )
        self.keys = [
            "O",
            *sorted(t for t in seen if t != "O" and counts[t[2:]] >= min_count),
        ]

    def lacking(self, keys: list[str]) -> set[str]:
        return {self._named(key, keys) for key in super().lacking(keys)}

    def _named(self, label, known):
        """The label, or its type if that is new, too."""
        return label if any(label[2:] == key[2:] for key in known) else label[2:]

    def renamed(self, labels: Any, names: Mapping[str, str]) -> Any:
        return super().renamed(tag_schemes.recode(labels, "iobes"), names)

    def strict(self, labels: Any) -> Any:
        kept = tag_schemes.strict_segments(labels, "iobes")
        return tag_schemes.encode(kept, len(labels), "iobes")

    def score(self, pairs: Pairs, parameters: EvalbParameters | None = None) -> Any:
        return score_chunks(pairs)

    def headline(self, scores: Any) -> tuple[float, str]:
        return scores.overall.f1, "F1"


def tag_arrays(
    sequences: Iterable[list[str]], index: Mapping[str, int]
) -> tuple[np.ndarray, np.ndarray, SoftLabels | None]:
    """Rows of each sequence of tags, their labels, and SoftLabels, or None where none
    is soft.

    index: of each label; others are read as the first. Returns int64[n_sequences + 1],
    int32[n_rows], SoftLabels.
    """
    sequences = list(sequences)
    row_starts = np.append(0, np.cumsum([*map(len, sequences)], dtype=np.int64))
    gold = np.array([index.get(tag, 0) for tags in sequences for tag in tags], np.int32)
    is_soft = any(isinstance(tags, SoftTags) for tags in sequences)
    return row_starts, gold, SoftLabels.make(sequences, index) if is_soft else None


@dataclass
class TagTargets(Targets):
    """Labels that a network for words is to give, of all sentences or of a batch.

    row_starts: int64[n_sequences + 1], the rows of each sequence of tags; gold:
    int32[n_rows];
    soft: SoftLabels, of which `gold` has the best ones, or None; weight:
    float32[n_sequences], by which the cost of each is multiplied, or None where all are
    1.
    """

    row_starts: np.ndarray
    gold: np.ndarray
    soft: SoftLabels | None = None
    weight: np.ndarray | None = None

    @property
    def is_soft(self) -> bool:
        return self.soft is not None or self.weight is not None

    def shares(self, n_labels: int) -> tuple[np.ndarray, np.ndarray]:
        """Probabilities, float32[n_rows, n_labels], and weights,
        float32[n_sequences].
        """
        weight = self.weight
        if weight is None:
            weight = np.ones(len(self.row_starts) - 1, np.float32)
        if self.soft is not None:
            return self.soft.dense(n_labels), weight
        return np.eye(n_labels, dtype=np.float32)[self.gold], weight

    def has_rows(self) -> np.ndarray:
        return np.diff(self.row_starts) > 0

    def arrays(self) -> list[np.ndarray]:
        soft = self.soft and (self.soft.begin, self.soft.label, self.soft.share)
        return [self.row_starts, self.gold, *(soft or ())]

    def batch(self, which: np.ndarray, starts: np.ndarray) -> tuple[WordBatch, Targets]:
        return WordBatch(None, starts), self._take(which)

    def _take(self, which):
        begin, end = self.row_starts[which], self.row_starts[which + 1]
        rows = ranges(begin, end)
        return TagTargets(
            np.append(0, np.cumsum(end - begin)),
            self.gold[rows],
            self.soft and self.soft.take(rows),
            None if self.weight is None else self.weight[which],
        )
