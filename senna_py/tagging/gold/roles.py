"""Gold semantic roles: a sequence of tags for each predicate."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from senna_py.answers.layer import Layer
from senna_py.answers.tags import Tags
from senna_py.corpora.escapes import split_roles
from senna_py.errors import counted
from senna_py.labels.tasks import Task
from senna_py.tagging.gold.base import Block, Gold
from senna_py.tagging.gold.words import SegmentReader, number_tags

# The tags of all words (a list or SoftTags), by the token index of the predicate.
RolesOfSentence = dict[int, list[str]]


class RoleReader(SegmentReader):
    """Reads the arguments of predicates: a column of segments for each predicate."""

    def sources(self, task: Task, soft: bool = False) -> list[tuple[str, ...]]:
        return [task.gold]

    def read(self, block: Block, task: Task) -> RolesOfSentence:  # type: ignore[override]
        marks = block.columns["predicate"]
        predicates = [token for token, mark in enumerate(marks) if mark != "-"]
        roles = split_roles(block.roles, len(predicates))
        if len(roles) != len(predicates):
            n_columns = len(block.sentence.columns)
            n_expected = n_columns - len(block.roles) + len(predicates)
            raise block.file.error(
                block.sentence.line,
                f"expected {counted(n_expected, 'column')} in a sentence of "
                f"{counted(len(predicates), 'predicate')}, found {n_columns}",
            )
        return {
            predicate: self.read_cells(block, task, cells)
            for predicate, cells in zip(predicates, roles, strict=True)
        }

    def gold(  # type: ignore[override]
        self,
        task: Task,
        sentences: Sequence[RolesOfSentence],
        labeled: NDArray[np.int64],
        starts: NDArray[np.int64],
    ) -> Gold:
        sequences = [tags for roles in sentences for tags in roles.values()]
        names, tag, soft = number_tags(sequences)
        counts = [*map(len, sentences)]
        first = np.repeat(starts[:-1], counts)
        within = [predicate for roles in sentences for predicate in roles]
        begin = np.append(0, np.cumsum([*map(len, sequences)], dtype=np.int64))
        tags = Tags(names, tag, begin, first.astype(np.int32))
        anchors = (first + np.array(within, np.int64)).astype(np.int32)
        return Gold(Layer.from_tags(task, tags, anchors), labeled, starts, soft)
