"""Names of persons that a text has mentioned, which are found again by their words."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from senna_py.redaction.findings import Finding
from senna_py.redaction.persons import surname_of
from senna_py.redaction.type_names import PERSON

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_SHORTEST = 3  # Shorter names, such as *Li*, are also parts of other words and names.


class KnownNames:
    """Finds surnames and single names that a model missed after it has found them once.

    A line is searched for the names in it and in the lines before it. The pieces of a
    text may be passed one after another.
    """

    def __init__(self) -> None:
        self._names: set[str] = set()

    def with_missed(self, text: str, findings: Sequence[Finding]) -> list[Finding]:
        """Return the findings and the missed names, in text order.

        Args:
            text: A text that consists of whole lines.
            findings: The findings in it, in text order, without overlaps.
        """
        missed: list[Finding] = []
        row = start = 0
        for line in text.splitlines(keepends=True):
            first, end = row, start + len(line)
            while row < len(findings) and findings[row].start < end:
                self._learn(text, findings[row])
                row += 1
            if self._names:
                covering = findings[max(first - 1, 0) : row]
                missed += self._missed(text, start, end, covering)
            start = end
        return sorted([*findings, *missed])

    def _learn(self, text: str, finding: Finding) -> None:
        if finding.type == PERSON:
            name = surname_of(text[finding.start : finding.end])
            if len(name) >= _SHORTEST and name[0].isupper():
                self._names.add(name)

    def _missed(
        self, text: str, start: int, end: int, covering: Sequence[Finding]
    ) -> Iterator[Finding]:
        """Yield the known names in a range of a text that no finding covers."""
        starts = [finding.start for finding in covering]
        for match in _WORD.finditer(text, start, end):
            if match[0] not in self._names:
                continue
            row = bisect_right(starts, match.end() - 1) - 1
            if row < 0 or covering[row].end <= match.start():
                yield Finding(*match.span(), PERSON)
