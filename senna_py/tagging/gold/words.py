"""Gold labels of words: tags, and segments such as chunks and names."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from senna_py.answers.layer import Layer
from senna_py.answers.tags import Tags
from senna_py.evaluation.files import chunk_tags
from senna_py.labels import tag_schemes
from senna_py.labels.tasks import TABLE, Task
from senna_py.tagging.gold.base import Block, Gold, GoldReader
from senna_py.tagging.soft_labels import SoftLabels, SoftTags, parse_shares


class TagReader(GoldReader):
    """Reads a tag for each word: `read` returns a list of str, or SoftTags."""

    def sources(self, task: Task, soft: bool = False) -> list[tuple[str, ...]]:
        if task.gold and not soft:
            return [(task.name,), task.gold]
        return [(task.name,)]

    def read(self, block: Block, task: Task) -> list[str]:
        cells = block.columns.get(task.name)
        if cells is None:
            return block.derived(task)
        return self.read_cells(block, task, cells)

    def read_cells(self, block: Block, task: Task, cells: list[str]) -> list[str]:
        """Return the tags in the cells of a sentence: SoftTags if the data are soft."""
        if not block.data.is_soft(task.name):
            return self.read_tags(block, task, cells)
        parse = partial(self._parse_shares, names=block.data.labels)
        return SoftTags([block.cell(i, cell, parse) for i, cell in enumerate(cells)])

    def read_tags(self, block: Block, task: Task, cells: list[str]) -> list[str]:
        """Return the tags in the cells of a sentence, with renamed labels."""
        return [self.rename(cell, block.data.labels) for cell in cells]

    def _parse_shares(
        self, cell: str, names: Mapping[str, str]
    ) -> tuple[tuple[str, float], ...]:
        shares = parse_shares(cell)
        self.check_soft(label for label, _ in shares)
        renamed: dict[str, float] = defaultdict(float)
        for label, share in shares:  # The shares of labels with the same name add up.
            renamed[self.rename(label, names)] += share
        return tuple(renamed.items())

    def check_soft(self, labels: Iterable[str]) -> None:
        """Raise ValueError if a soft label is invalid; in this class, all are valid."""

    def rename(self, tag: str, names: Mapping[str, str]) -> str:
        """Replace the label of a tag by its new name in `names`, if there is one."""
        return names.get(tag, tag)

    def gold(
        self,
        task: Task,
        sentences: Sequence[list[str]],
        labeled: NDArray[np.int64],
        starts: NDArray[np.int64],
    ) -> Gold:
        names, tag, soft = number_tags(sentences)
        return Gold(Layer(task, names, tag), labeled, starts, soft)


class SegmentReader(TagReader):
    """Reads segments of words from tags of any scheme, as IOBES tags."""

    def read_tags(self, block: Block, task: Task, cells: list[str]) -> list[str]:
        if block.in_layout:
            cells = ["O" if cell == "_" else cell for cell in cells]
        advice = ""
        if task.name not in TABLE:
            advice = '; tags of single words need kind = "tags"'
        tags = chunk_tags(block.file, block.sentence, cells, advice)
        scheme = block.data.scheme
        wrong = None if scheme == "any" else tag_schemes.first_misfit(tags, scheme)
        if wrong is not None:
            expected = tag_schemes.recode(tags, scheme)[wrong]
            raise block.error(
                wrong, f"expected {expected} in {scheme.upper()}, found {tags[wrong]}"
            )
        # After renaming, neighbors may have the same label, so recode to IOBES first.
        tags = tag_schemes.recode(tags, "iobes")
        return super().read_tags(block, task, tags) if block.data.labels else tags

    def check_soft(self, labels: Iterable[str]) -> None:
        for tag in labels:
            if not tag_schemes.is_chunk_tag(tag):
                raise ValueError(
                    f"expected probabilities of IOBES tags such as B-NP, found {tag!r}"
                )

    def rename(self, tag: str, names: Mapping[str, str]) -> str:
        """Rename the type of a tag; the tag becomes O if its type is renamed to O."""
        prefix, dash, label = tag.partition("-")
        label = names.get(label, label)
        return "O" if not dash or label == "O" else f"{prefix}-{label}"

    def gold(
        self,
        task: Task,
        sentences: Sequence[list[str]],
        labeled: NDArray[np.int64],
        starts: NDArray[np.int64],
    ) -> Gold:
        names, tag, soft = number_tags(sentences)
        tags = Tags(names, tag, starts, starts[:-1].astype(np.int32))
        return Gold(Layer.from_tags(task, tags), labeled, starts, soft)


def number_tags(
    sequences: Sequence[list[str]],
) -> tuple[tuple[str, ...], NDArray[np.int32], SoftLabels | None]:
    """Number the tags of sequences in order of their first occurrence.

    Returns:
        The names of the tags, the tag number of each row (int32[n_rows], sequences
        concatenated), and the soft labels, which are None if no sequence is SoftTags.
    """
    numbers: dict[str, int] = {}
    numbered = (
        numbers.setdefault(tag, len(numbers)) for tags in sequences for tag in tags
    )
    rows = np.fromiter(numbered, np.int32, sum(map(len, sequences)))
    soft = None
    soft_tags = [tags for tags in sequences if isinstance(tags, SoftTags)]
    if soft_tags:
        for tags in soft_tags:
            for shares in tags.shares:
                for tag, _ in shares:
                    numbers.setdefault(tag, len(numbers))
        soft = SoftLabels.make(sequences, numbers)
    return tuple(numbers), rows, soft
