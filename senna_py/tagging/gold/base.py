"""Gold labels of a task, and the base class of their readers."""

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
    """One sentence of a file, with its columns.

    Attributes:
        file: The file, whose `error` returns an error that names a line. None for
            bracketed trees.
        sentence: The sentence as it was read from the file, with `line_of` and
            `columns`.
        columns: The cells of each named column, by name. The value of `brackets` is a
            Tree.
        roles: The unnamed columns after the named ones, with the roles of predicates.
        data: The DataSet of the file.
        in_layout: Whether the file has a layout, such as CoNLL-U.
        parsed: A cache of parsed cells: {parser: {text: value}}.
        begins_document: Whether the file marks the sentence as the first of a document.
    """

    file: Any
    sentence: Any
    columns: dict[str, Any]
    roles: list[list[str]]
    data: DataSet
    in_layout: bool
    parsed: dict[Any, dict[str, Any]]
    begins_document: bool = False

    def error(self, token: int, problem: object) -> SennaError:
        """Return an error that names the file and the line of a token."""
        return self.file.error(self.sentence.line_of(token), problem)

    def cell(self, token: int, text: str, parse: Callable[[str], Any]) -> Any:
        """Return `parse(text)`; the result is cached for the whole file.

        Args:
            token: The index of the token, for the error message.
            text: The text of the cell.
            parse: The parser. All partial objects of a function share one cache.

        Raises:
            SennaError: If `parse` raises ValueError. The message names the line.
        """
        values = self.parsed.setdefault(getattr(parse, "func", parse), {})
        if text not in values:
            try:
                values[text] = parse(text)
            except ValueError as error:
                raise self.error(token, error) from None
        return values[text]

    def column(self, name: str) -> list[str] | None:
        """Return the labels in a column, or labels derived from other columns.

        The result is None if there are neither.
        """
        if name in self.columns:
            return self.columns[name]
        task = find_task(name)
        if task.derive is None or not {*task.gold} <= {*self.columns}:
            return None
        return self.derived(task)

    def derived(self, task: Task) -> list[str]:
        """Return the labels of a task, derived from its source columns.

        Raises:
            SennaError: If the columns contradict each other. The message names the
                line.
        """
        assert task.derive is not None, "these columns are its sources"
        try:
            return task.derive({name: self.columns[name] for name in task.gold})
        except ValueError as error:
            raise self.error(*error.args) from None


@dataclass
class Gold:
    """The gold labels of a task, for all sentences that have labels.

    Token indices are relative to the concatenation of the labeled sentences.

    Attributes:
        layer: The labels. If they are soft tags, the layer has the most probable one
            for each token.
        labeled: int64[n], the indices of the labeled sentences among all sentences, in
            ascending order.
        starts: int64[n + 1], the first token of each labeled sentence, and the number
            of tokens.
        soft: The probabilities of tags, or None if all tags are certain. Tags are
            indices of `layer.tags.names` or, if the layer has no tags, `layer.names`.
        tagged_words: For trees, the words and their parts of speech; otherwise empty.
    """

    layer: Layer
    labeled: NDArray[np.int64]
    starts: NDArray[np.int64]
    soft: SoftLabels | None = None
    tagged_words: tuple[Sequence[str], Sequence[str]] = ((), ())

    @cached_property
    def trees(self) -> list[Tree]:
        """The tree of each labeled sentence, built once.

        The list is empty for soft labels, and for tasks without trees.
        """
        words, tags = self.tagged_words
        if not words:
            return []
        leaves = [*map(Leaf, words, tags)]
        return [*trees_of_sentences(self.layer, self.starts, leaves)]

    @property
    def n_tokens(self) -> int:
        """The number of tokens in labeled sentences."""
        return int(self.starts[-1])

    @property
    def is_empty(self) -> bool:
        """Whether there is no labeled sentence or, for roles, no predicate at all."""
        anchors = self.layer.anchors
        return not len(self.labeled) or (anchors is not None and not len(anchors))

    def tags(self) -> dict[int, list[str]]:
        """Return the tags of each labeled sentence, by the index of the sentence."""
        tags = self.layer.tag_texts(self.n_tokens)
        bounds = pairwise(self.starts.tolist())
        return {
            number: tags[begin:end]
            for number, (begin, end) in zip(self.labeled.tolist(), bounds, strict=True)
        }

    def tags_by_anchor(self) -> dict[int, dict[int, list[str]]]:
        """Return the tags for each anchor (predicate) of each labeled sentence.

        The result is {index of the sentence: {token index of the anchor: a tag for each
        word}}. The value for a sentence without anchors is empty.
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
        """Return the sentence index of a token, and its index within the sentence."""
        row = int(np.searchsorted(self.starts, token, side="right")) - 1
        return int(self.labeled[row]), token - int(self.starts[row])


class GoldReader:
    """Reads the gold labels of tasks of one shape.

    Attributes:
        alone: Sets of columns that contain the labels, and cannot be combined with
            other label columns in a file.
    """

    alone: ClassVar[tuple[tuple[str, ...], ...]] = ()

    def sources(self, task: Task, soft: bool = False) -> list[tuple[str, ...]]:
        """Return the alternative sets of columns from which the labels can be read.

        Args:
            task: The task.
            soft: Whether the columns must contain probabilities.
        """
        raise NotImplementedError

    def read(self, block: Block, task: Task) -> Any:
        """Read the labels of one sentence, in a form that `gold` accepts.

        Raises:
            SennaError: If the labels are invalid. The message names the file and the
                line.
        """
        raise NotImplementedError

    def gold(
        self,
        task: Task,
        sentences: Sequence[Any],
        labeled: NDArray[np.int64],
        starts: NDArray[np.int64],
    ) -> Gold:
        """Combine the labels of sentences into a Gold.

        Args:
            task: The task.
            sentences: The result of `read` for each labeled sentence.
            labeled: See Gold.
            starts: See Gold.
        """
        raise NotImplementedError
