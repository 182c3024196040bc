"""All rules of a tagger: those that its caller passed, and those of its model."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from senna_py.rules.applied import RuleSet
from senna_py.rules.checks import check_rules, needed_tasks
from senna_py.rules.file import Rules, read_rules
from senna_py.text.exceptions import TokenExceptions

if TYPE_CHECKING:
    from collections.abc import Collection

    from senna_py.rules.checks import KnownLabels
    from senna_py.text.tokenizer import Tokenizer


class TaggerRules:
    """The rules of a tagger, which have been checked.

    Attributes:
        passed: The rules that the caller passed.
    """

    def __init__(
        self, passed: tuple[Rules, ...], stored: Rules | None, known: KnownLabels
    ) -> None:
        """Check rules.

        Args:
            passed: The rules that the caller passed, which count before `stored`.
            stored: The rules of the model, or None.
            known: The tasks and labels of the model.

        Raises:
            SennaError: If rules name a task or a label that the model does not have.
        """
        self.passed, self._known = passed, known
        self._rules = passed if stored is None else (*passed, stored)
        for rules in self._rules:
            check_rules(rules, known)

    def needs(self, tasks: Collection[str]) -> list[str]:
        """Return the tasks that patterns need, given the requested tasks."""
        return needed_tasks(self._rules, tasks, self._known.tasks)

    def exceptions(self) -> TokenExceptions | None:
        """Return the exceptions of tokens, or None if there are none."""
        exceptions = [each for rules in self._rules for each in rules.tokens]
        return TokenExceptions(exceptions) if exceptions else None

    def rule_set(self, tasks: Iterable[str], tokenizer: Tokenizer) -> RuleSet:
        """Return the rules for the layers of some tasks; see RuleSet."""
        return RuleSet(self._rules, tasks, tokenizer)


def rules_of_argument(rules: object) -> tuple[Rules, ...]:
    """Return the rules that a caller passed.

    Args:
        rules: A file, or Rules, or several of them; or None.

    Raises:
        SennaError: If a file cannot be read, or is malformed.
        TypeError: If it is something else.
    """
    if rules is None:
        return ()
    if isinstance(rules, str | os.PathLike | Rules) or not isinstance(rules, Iterable):
        rules = [rules]
    read = []
    for each in rules:
        if not isinstance(each, str | os.PathLike | Rules):
            raise TypeError(f"rules: expected a file, not {type(each).__name__}")
        read.append(each if isinstance(each, Rules) else read_rules(each))
    return tuple(read)
