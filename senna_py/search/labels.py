"""Finds labels in a pattern that nothing can have, such as misspelled ones."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from senna_py.labels.feats import Feats
from senna_py.labels.tasks import LEMMA
from senna_py.search.errors import PatternError
from senna_py.search.table import WORD, attribute_named

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from senna_py.search.pattern import Pattern
    from senna_py.search.syntax import Use

_MOST_SHOWN = 20  # The most labels of which a message lists all.
_MOST_KEPT = 10_000  # The most labels of a task that are kept for a message.


class LabelCheck:
    """Compares the labels in a pattern with those that there are.

    Words and lemmas are not checked, because they can be anything.
    """

    def __init__(self, pattern: Pattern, known: Collection[str]) -> None:
        """Find the labels in a pattern; `known` has the tasks that there are."""
        self._pattern, self._known = pattern, known
        self._names: dict[str, dict[str, None]] = {}  # The labels of each task.
        self._open = [
            use
            for use in pattern.uses()
            if attribute_named(use.name, known).task not in (WORD, LEMMA)
            and (use.value is not None or attribute_named(use.name, known).feature)
        ]

    @property
    def is_done(self) -> bool:
        """Whether there are labels for everything in the pattern."""
        return not self._open

    def add(self, task: str, names: Collection[str]) -> None:
        """Add labels of a task."""
        uses = [
            use
            for use in self._open
            if attribute_named(use.name, self._known).task == task
        ]
        if not uses:
            return
        kept = self._names.setdefault(task, {})
        kept.update(dict.fromkeys(islice(names, max(_MOST_KEPT - len(kept), 0))))
        self._open = [
            use
            for use in self._open
            if use not in uses or not self._is_possible(use, names)
        ]

    def _labels(self, use: Use, names: Iterable[str]) -> list[str]:
        """Return the labels, or the values of a feature, in the names of labels."""
        feature = attribute_named(use.name, self._known).feature
        if not feature:
            return [*names]
        values = (Feats(name).get(feature) for name in names)
        return [*dict.fromkeys(value for value in values if value)]

    def _is_possible(self, use: Use, names: Iterable[str]) -> bool:
        labels = self._labels(use, names)
        if use.value is None:
            return bool(labels)
        # A feature without a value is an empty text.
        return any(map(use.value.accepts, ["", *labels]))

    def problems(self, where: str = "") -> list[str]:
        """Return a line for each label that nothing has, if its task has any labels.

        Args:
            where: Where the labels are from, such as ` in the files`.
        """
        problems = []
        for use in self._open:
            names = self._names.get(attribute_named(use.name, self._known).task)
            if names:
                problems.append(self._problem(use, names, where))
        return problems

    def _problem(self, use: Use, names: Iterable[str], where: str) -> str:
        task, feature = attribute_named(use.name, self._known)
        labels = self._labels(use, names)
        if feature and not labels:
            sets = [Feats(name).to_dict() for name in names]
            labels = [*dict.fromkeys(name for features in sets for name in features)]
            problem = f"no word{where} has the feature {feature}"
            wanted = feature
        else:
            what = f"value of {feature}" if feature else f"label of {task}"
            wanted = use.value.text if use.value else ""
            problem = f'no {what}{where} matches "{wanted}"'
        problem += f"; there are {_shown(wanted, labels)}"
        return str(PatternError(self._pattern.text, use.at, problem))


def _shown(wanted: str, labels: list[str]) -> str:
    """Return labels for a message: all if they are few, or else similar ones."""
    if len(labels) <= _MOST_SHOWN:
        return ", ".join(labels) or "none"
    from difflib import get_close_matches  # noqa: PLC0415 - few patterns need it

    similar = get_close_matches(wanted, labels)
    chosen = similar or labels[:_MOST_SHOWN]
    return f"{', '.join(chosen)} and others"
