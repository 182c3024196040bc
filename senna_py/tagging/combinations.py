"""Collects the combinations of labels of words in training data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.labels.tag_combinations import TagCombinations
from senna_py.labels.tasks import FEATS, POS, UPOS, XPOS

if TYPE_CHECKING:
    from collections.abc import Collection

    from senna_py.tagging.sentences import Sentences

_TAGS = XPOS, POS  # the tasks for language-specific tags; only the first one is used


def learn_combinations(
    tasks: Collection[str], train: Sentences
) -> TagCombinations | None:
    """Return the combinations of tag, universal part of speech and features of words.

    Args:
        tasks: The tasks of a run.
        train: The sentences to learn from.

    Returns:
        The combinations, in the order of tag, part of speech and features. None if
        there are fewer than two of these tasks, if no sentence has labels of all of
        them, or if labels are soft, because soft labels may be inconsistent.
    """
    tags = [name for name in _TAGS if name in tasks][:1]
    together = [*tags, *(name for name in (UPOS, FEATS) if name in tasks)]
    if len(together) < 2 or any(train.gold[name].soft is not None for name in together):
        return None
    labels = {name: train.gold[name].tags() for name in together}
    combinations = TagCombinations.learned(together, labels)
    return combinations if combinations.rows else None
