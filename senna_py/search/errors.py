"""The error for a pattern that is wrong, or does not suit what is searched."""

from __future__ import annotations

from senna_py.errors import UsageError, one_line

_WIDTH = 60  # The number of characters shown before the place of an error.


class PatternError(UsageError):
    """An error in a pattern, with its place.

    Attributes:
        pattern: The text of the pattern.
        at: The index of the character at which the problem is.
    """

    def __init__(self, pattern: str, at: int, problem: str) -> None:
        before = pattern[:at].rsplit("\n", 1)[-1]
        line = pattern.count("\n", 0, at) + 1
        place = f"column {len(before) + 1}"
        if "\n" in pattern:
            place = f"line {line}, {place}"
        super().__init__(f"the pattern, {place}: {problem}")
        self.pattern, self.at = pattern, at

    @property
    def pointer(self) -> tuple[str, str]:
        """The line of the pattern, and a line with a caret below the place."""
        begin = self.pattern.rfind("\n", 0, self.at) + 1
        end = self.pattern.find("\n", self.at)
        line = self.pattern[begin : None if end < 0 else end]
        before = one_line(line[: self.at - begin][-_WIDTH:])
        shown = before + one_line(line[self.at - begin :][:_WIDTH])
        return shown, " " * len(before) + "^"
