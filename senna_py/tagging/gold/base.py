"""Gold labels, and the protocol of their readers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from senna_py.answers.layer import Layer
from senna_py.errors import SennaError
from senna_py.evaluation.layers import trees_of_sentences
from senna_py.labels.tasks import Task, find_task
from senna_py.labels.trees import Leaf, Tree
from senna_py.tagging.soft_labels import SoftLabels

if TYPE_CHECKING:
    from senna_py.tagging.settings import DataSet


class Block(NamedTuple):
    """What a file says of one sentence.

    Attributes:
        file: The file; its `error` makes errors that name a line.
        sentence: The sentence of the file, with `line_of` and `columns`.
        columns: The cells of each column by its name; of `brackets`, a Tree.
        roles: The columns after those that have names.
        data: The DataSet of the file.
        in_layout: Whether the file has a layout.
        parsed: Values of cells by the function that made them.
    """

    file: Any
    sentence: Any
    columns: dict[str, Any]
    roles: list[list[str]]
    data: DataSet
    in_layout: bool
    parsed: dict[Any, dict[str, Any]]

    def error(self, token: int, problem: object) -> SennaError:
        """Return an error that names the file and the line of a token."""
        return self.file.error(self.sentence.line_of(token), problem)

    def cell(self, token: int, text: str, parse: Callable[[str], Any]) -> Any:
        """Return `parse(text)`, which is made once for equal cells.

        Raises:
            SennaError: `parse` raises ValueError. The message names the line.
        """
        values = self.parsed.setdefault(getattr(parse, "func", parse), {})
        if text not in values:
            try:
                values[text] = parse(text)
            except ValueError as error:
                raise self.error(token, error) from None
        return values[text]

    def column(self, name: str) -> list[str] | None:
        """Return the cells of a column, or what other columns say of it, or None."""
        if name in self.columns:
            return self.columns[name]
        task = find_task(name)
        if task.derive is None or not {*task.gold} <= {*self.columns}:
            return None
        return self.derived(task)

    def derived(self, task: Task) -> list[str]:
        """Return the labels of a task that other columns say."""
        assert task.derive is not None, "these columns are its sources"
        try:
            return task.derive({name: self.columns[name] for name in task.gold})
        except ValueError as error:
            raise self.error(*error.args) from None


@dataclass
class Gold:
    """The gold labels of a task.

    Its tokens are those of the sentences that have labels, side by side.

    Attributes:
        layer: The labels; of soft ones, the likeliest of each token.
        labeled: int64[n], ascending, the numbers of the sentences that have labels.
        starts: int64[n + 1], the first token of each of these, and the end.
        soft: The probabilities of labels, numbers of the layer's names or, if it is
            made from tags, of the names of these. None if all labels are certain.
        tagged_words: The words and their parts of speech, of trees.
    """

    layer: Layer
    labeled: NDArray[np.int64]
    starts: NDArray[np.int64]
    soft: SoftLabels | None = None
    tagged_words: tuple[Sequence[str], Sequence[str]] = ((), ())

    @cached_property
    def trees(self) -> list[Tree]:
        """The tree of each labeled sentence; empty if there are no certain trees."""
        words, tags = self.tagged_words
        if not words:
            return []
        leaves = [*map(Leaf, words, tags)]
        return trees_of_sentences(self.layer, self.starts, leaves)

    @property
    def n_tokens(self) -> int:
        """How many tokens have labels."""
        return int(self.starts[-1])

    @property
    def is_empty(self) -> bool:
        """Whether no sentence has labels, or anything that spans may hang on."""
        anchors = self.layer.anchors
        return not len(self.labeled) or (anchors is not None and not len(anchors))

    def tags(self) -> dict[int, list[str]]:
        """Return the tags of each sentence that has labels, by its number."""
        tags = self.layer.tag_texts(self.n_tokens)
        bounds = pairwise(self.starts.tolist())
        return {
            number: tags[begin:end]
            for number, (begin, end) in zip(self.labeled.tolist(), bounds, strict=True)
        }

    def tags_by_anchor(self) -> dict[int, dict[int, list[str]]]:
        """Return the tags beside what spans hang on in each sentence, by its number.

        They are {token of the sentence: tags of its words}.
        """
        tags, anchors = self.layer.tags, self.layer.anchors
        assert tags is not None and anchors is not None, "spans hang on tokens"
        texts = tags.texts()
        by_sentence: dict[int, dict[int, list[str]]] = {
            number: {} for number in self.labeled.tolist()
        }
        bounds = pairwise(tags.begin.tolist())
        for anchor, (begin, end) in zip(anchors.tolist(), bounds, strict=True):
            number, within = self.place(anchor)
            by_sentence[number][within] = texts[begin:end]
        return by_sentence

    def place(self, token: int) -> tuple[int, int]:
        """Return the number of a token's sentence, and its own number within that."""
        row = int(np.searchsorted(self.starts, token, side="right")) - 1
        return int(self.labeled[row]), token - int(self.starts[row])


class GoldReader:
    """Reads the gold labels of tasks of one shape.

    Attributes:
        alone: Sources of labels beside which no other column stands.
    """

    alone: ClassVar[tuple[tuple[str, ...], ...]] = ()

    def sources(self, task: Task, soft: bool = False) -> list[tuple[str, ...]]:
        """Return sets of columns, each of which says the labels; soft: as probabilities."""
        raise NotImplementedError

    def read(self, block: Block, task: Task) -> Any:
        """Return the labels of a sentence, as `gold` takes them.

        Raises:
            SennaError: They cannot be read. The message names the file and the line.
        """
        raise NotImplementedError

    def gold(
        self,
        task: Task,
        sentences: Sequence[Any],
        labeled: NDArray[np.int64],
        starts: NDArray[np.int64],
    ) -> Gold:
        """Return the Gold of the labels of sentences; labeled, starts: see Gold."""
        raise NotImplementedError
