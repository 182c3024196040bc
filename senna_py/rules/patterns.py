"""The patterns of rules: their check, the layers that they need, and their matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.errors import SennaError
from senna_py.rules.phrases import Place
from senna_py.search.pattern import Pattern
from senna_py.search.table import Column, Table

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from senna_py.answers.layer import Layer
    from senna_py.text.tokens import Tokens

# The captures whose tokens a rule is about, if a pattern has one of them.
_CAPTURES = "entity", "word"


def check_pattern(text: str, place: str, tasks: tuple[str, ...]) -> None:
    """Raise SennaError for a malformed pattern, or one with an unknown task.

    Args:
        text: The pattern.
        place: The file, the table and the key, for the message.
        tasks: The tasks of the model.
    """
    try:
        Pattern(text).check_tasks(tasks, "the model has no")
    except SennaError as error:
        raise SennaError(f"{place}: {text!r}: {error}") from None


def tasks_of_patterns(texts: Iterable[str], known: Collection[str]) -> list[str]:
    """Return the tasks whose layers patterns need.

    Args:
        texts: The patterns.
        known: The tasks of the model.
    """
    return [task for text in texts for task in Pattern(text).tasks(known)]


class PatternFinder:
    """Finds the matches of the patterns of rules. Threads may share it."""

    def __init__(self, patterns: Iterable[tuple[str, int]]) -> None:
        """Compile patterns, each with the index of its rule."""
        self._patterns = [(Pattern(text), rule) for text, rule in patterns]

    def find(self, tokens: Tokens, layers: Mapping[str, Layer]) -> Iterator[Place]:
        """Yield the matches in a batch.

        Args:
            tokens: The tokens, whose forms are all in their text.
            layers: The layers by task.
        """
        if not self._patterns:
            return
        forms = (text.decode("utf-8", "surrogateescape") for text in tokens.texts())
        table = Table(tokens.starts, Column.of_texts(forms), layers)
        for pattern, rule in self._patterns:
            for begin, end, captures in pattern.find(table).places():
                chosen = [captures[name] for name in _CAPTURES if name in captures]
                yield Place(*(chosen or [(begin, end)])[0], rule)
