"""Checks that rules suit a model, and what they need of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from senna_py.errors import SennaError
from senna_py.rules.file import NEW_LABELS, WordRule

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from senna_py.rules.file import EntityRule, Rules

_MOST_SHOWN = 60  # The most labels that a message lists.


class KnownLabels(NamedTuple):
    """The tasks of a model with their labels.

    Attributes:
        of_words: The labels of the tasks that give each word a label; None if a task
            can have any label, such as lemmas.
        of_spans: The labels of the tasks that give spans without overlaps.
        tasks: All tasks of the model, which patterns may name.
    """

    of_words: Mapping[str, Collection[str] | None]
    of_spans: Mapping[str, Collection[str]]
    tasks: tuple[str, ...]


def check_rules(rules: Rules, known: KnownLabels) -> None:
    """Raise SennaError if rules name a task or a label that a model does not have.

    Labels in `new_labels` need not be in the model.
    """
    for task in rules.new_labels:
        if task not in known.of_words and task not in known.of_spans:
            place = f"{rules.name}: [{NEW_LABELS}]: {task}"
            raise SennaError(_no_task(place, {**known.of_words, **known.of_spans}))
    for rule in rules.words:
        for task, label in rule.labels.items():
            place = f"{rule.place}: {task}"
            if task not in known.of_words:
                raise SennaError(_no_task(place, known.of_words))
            _check_label(rules, place, task, label, known.of_words[task])
        _check_patterns(rule, known.tasks)
    for each in rules.entities:
        if each.task not in known.of_spans:
            raise SennaError(_no_task(f"{each.place}: task", known.of_spans, each.task))
        labels = known.of_spans[each.task]
        _check_label(rules, f"{each.place}: label", each.task, each.label, labels)
        _check_patterns(each, known.tasks)


def needed_tasks(
    rules: Iterable[Rules], tasks: Collection[str], known: Collection[str]
) -> list[str]:
    """Return the tasks whose layers the patterns of rules for some tasks need.

    Args:
        rules: The rules, which have been checked.
        tasks: The tasks.
        known: All tasks of the model.
    """
    asked = {*tasks}
    patterns: list[str] = []
    for each in rules:
        for words in each.words:
            patterns += words.patterns if asked & words.labels.keys() else ()
        for entities in each.entities:
            patterns += entities.patterns if entities.task in asked else ()
    if not patterns:
        return []
    from senna_py.rules.patterns import tasks_of_patterns  # noqa: PLC0415 - few have one

    return tasks_of_patterns(patterns, known)


def _no_task(place: str, known: Iterable[str], task: str = "") -> str:
    what = "task or key" if not task else f"task {task!r}"
    return f"{place}: the model has no such {what}; there are {', '.join(known)}"


def _check_label(
    rules: Rules, place: str, task: str, label: str, labels: Collection[str] | None
) -> None:
    """Raise SennaError for a label that is neither the model's nor a new one."""
    if labels is None or label in labels or label in rules.new_labels.get(task, ()):
        return
    shown = f" ({', '.join(labels)})" if len(labels) <= _MOST_SHOWN else ""
    raise SennaError(
        f"{place}: {label!r} is no label of {task}{shown}; if it is new, put "
        f"{task} = [{label!r}] below [{NEW_LABELS}]"
    )


def _check_patterns(rule: WordRule | EntityRule, tasks: tuple[str, ...]) -> None:
    """Raise SennaError for a malformed pattern, or one with an unknown task."""
    if not rule.patterns:
        return
    from senna_py.rules.patterns import check_pattern  # noqa: PLC0415 - few have one

    key = "pattern" if isinstance(rule, WordRule) else "patterns"
    for text in rule.patterns:
        check_pattern(text, f"{rule.place}: {key}", tasks)
