"""The protocol of a kind of labels, and of what a network is to learn of them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from senna_py.errors import SennaError, UsageError
from senna_py.evaluation.evalb_parameters import EvalbParameters
from senna_py.labels.tasks import Task, find_task
from senna_py.networks.batch import WordBatch

Pairs = Iterable[tuple[Any, Any]]


class Block(NamedTuple):
    """What a file has of one sentence.

    file: has `error`; sentence: has `line_of` and `columns`; columns: lists of str by
    name, or of `brackets` a Tree; roles: the columns after those that have names; data:
    the config.DataSet;
    in_layout: whether the file has a layout; parsed: what was made of its cells, by
    function.
    """

    file: Any
    sentence: Any
    columns: dict
    roles: list
    data: Any
    in_layout: bool
    parsed: dict

    def error(self, token: int, problem: object) -> SennaError:
        """A SennaError that names file and line of a token."""
        return self.file.error(self.sentence.line_of(token), problem)

    def cell(self, token: int, text: str, parse: Callable[[str], Any]) -> Any:
        """Return `parse(text)`, made once for equal cells; a ValueError of it becomes
        an error.
        """
        known = self.parsed.setdefault(getattr(parse, "func", parse), {})
        if text not in known:
            try:
                known[text] = parse(text)
            except ValueError as error:
                raise self.error(token, error) from None
        return known[text]

    def column(self, name: str) -> list[str] | None:
        """The values of a column, or those that others tell; None if none do."""
        if name in self.columns:
            return self.columns[name]
        task = find_task(name)
        tells = task.derive is not None and {*task.gold} <= {*self.columns}
        return self.derived(task) if tells else None

    def derived(self, task: Task) -> list[str]:
        """Labels of a Task that other columns tell."""
        assert task.derive is not None, "these columns are its sources"
        try:
            return task.derive({name: self.columns[name] for name in task.gold})
        except ValueError as error:
            raise self.error(*error.args) from None


class Kind:
    """What a run has to know of the labels of a task; what these are is said by each
    kind.

    Of the kind: name; labels: what its networks label; only: the one task that may have
    it, or ""; approach: what its networks are if a run of one task does not say;
    hidden: units of a head over pairs of words on dilated blocks, 0 of one over words;
    iobes: whether tags are IOBES, of which some cannot follow each other; chooses:
    whether `criterion` and `constrained` are a choice; alone: sources of labels that no
    other column stands beside; options: those of `senna-eval model` that are for it
    only. task: the Task; keys: the labels that a network gives, once `find_keys` was
    asked for them.
    """

    name: ClassVar[str]
    labels: ClassVar[str]
    only: ClassVar[str] = ""
    approach: ClassVar[str] = "dilated"
    hidden: ClassVar[int] = 0
    iobes: ClassVar[bool] = False
    chooses: ClassVar[bool] = True
    alone: ClassVar[tuple[tuple[str, ...], ...]] = ()
    options: ClassVar[tuple[str, ...]] = ()

    def __init__(self, task: Task) -> None:
        self.task, self.keys = task, []  # type: Task, list[str]

    def sources(self, soft: bool = False) -> list[tuple[str, ...]]:
        """Sets of columns that tell the labels, any of which will do; soft: with
        probabilities.
        """
        raise NotImplementedError

    def read(self, block: Block) -> Any:
        """Labels of the sentence of a Block; raises SennaError naming file and line."""
        raise NotImplementedError

    def find_keys(self, labels: list[Any], min_count: int) -> None:
        """Take the labels of training sentences as keys.

        min_count: how often the type of a segment or constituent must occur; what is
        rarer is read as something else. Raises SennaError if there is nothing to learn.
        """
        raise NotImplementedError

    def take_keys(self, keys: list[str]) -> None:
        """Take the labels of another network as keys, however rare they are here."""
        self.keys = list(keys)

    def lacking(self, keys: list[str]) -> set[str]:
        """Names of those of the keys that are not among others, as users call them."""
        return {*self.keys} - {*keys}

    def unknown(self, labels: Any) -> list[tuple[str, int]]:
        """Names of labels of a sentence that are no keys, each with its token."""
        raise NotImplementedError

    def targets(self, labels: list[Any], weight: np.ndarray | None) -> "Targets":
        """What a network is to learn of some sentences; weight: float32[n_sentences],
        or None.
        """
        raise NotImplementedError

    def of_model(self) -> tuple[list[str], dict[str, list[str]]]:
        """Labels as a model stores them, and lists of their own by name."""
        return self.keys, {}

    @staticmethod
    def keys_of_model(labels: list[str]) -> list[str]:
        """The keys of which a model stores these labels."""
        return labels

    def decode(
        self, answer: Any, names: Sequence[str], starts: np.ndarray
    ) -> list[Any]:
        """Labels of sentences, at starts: int32[n + 1], of an answer; names: as of
        `of_model`.
        """
        raise NotImplementedError

    def completed(
        self, labels: list[Any], others: Mapping[str, list[Any]]
    ) -> list[Any]:
        """Found labels of sentences, with what they take of those of other tasks, by
        task.
        """
        return labels

    def renamed(self, labels: Any, names: Mapping[str, str]) -> Any:
        """Found labels of a sentence with other names."""
        raise NotImplementedError

    def strict(self, labels: Any) -> Any:
        """Found labels of a sentence without what is not well formed; raises
        UsageError.
        """
        raise UsageError(
            f"strict scoring is for segments, and the labels of {self.task.name} are {self.name}"
        )

    def score(self, pairs: Pairs, parameters: EvalbParameters | None = None) -> Any:
        """Scores of pairs of the gold and the found labels of a sentence; parameters:
        for trees.
        """
        raise NotImplementedError

    def has_none(self, labels: list[Any]) -> bool:
        """Whether there is nothing in the labels of some sentences, as in those that
        are all O.
        """
        return False

    def headline(self, scores: Any) -> tuple[float, str]:
        """The one figure by which runs are compared, in percent, and its name."""
        raise NotImplementedError


class Targets:
    """What a network is to learn of some sentences; its class is that of a kind.

    weight: float32[n], of the cost of each sentence or predicate, or None where all are
    1.
    """

    @property
    def is_soft(self) -> bool:
        """Whether costs need `shares`: there are soft labels, or weights."""
        raise NotImplementedError

    def has_rows(self) -> np.ndarray:
        """Whether each sentence has something to learn from: bool[n_sentences]."""
        raise NotImplementedError

    def arrays(self) -> list[np.ndarray]:
        """What is to be learned, as a list of arrays."""
        raise NotImplementedError

    def batch(
        self, which: np.ndarray, starts: np.ndarray
    ) -> "tuple[WordBatch, Targets]":
        """A WordBatch without features, and the targets, of some sentences.

        which: int64[n], ascending, their numbers; starts: int32[n + 1], of their words.
        """
        raise NotImplementedError
