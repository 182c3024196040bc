"""Findings: ranges of characters to be redacted, each with a type."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_INNER = re.compile(r"\w(?:.*\w)?", re.DOTALL)


class Finding(NamedTuple):
    """A range of characters of a text that is to be redacted.

    Attributes:
        start: The offset of the first character.
        end: The offset after the last character.
        type: The type; see `redaction.type_names`.
    """

    start: int
    end: int
    type: str


def without_overlaps(text: str, findings: Iterable[Finding]) -> list[Finding]:
    """Return findings without overlaps, in text order.

    What several findings cover belongs to the first of them. Of the others, only the
    rest remains, unless it has neither letters nor digits. Thus everything that a
    finding covers is redacted.

    Args:
        text: The text.
        findings: The findings; the first ones take precedence.
    """
    chosen: list[Finding] = []  # Sorted by place.
    for finding in findings:
        for start, end in _uncovered(finding, chosen):
            inner = _INNER.search(text, start, end)
            if inner is None:
                continue
            piece = finding
            if (start, end) != finding[:2]:
                piece = Finding(inner.start(), inner.end(), finding.type)
            chosen.insert(bisect_left(chosen, piece), piece)
    return chosen


def _uncovered(finding: Finding, chosen: list[Finding]) -> Iterator[tuple[int, int]]:
    """Yield the ranges of a finding that the chosen findings do not cover."""
    at = finding.start
    row = bisect_left(chosen, (at,))
    if row and chosen[row - 1].end > at:
        row -= 1
    covering = []
    while row < len(chosen) and chosen[row].start < finding.end:
        covering.append(chosen[row])
        row += 1
    for other in covering:
        if at < other.start:
            yield at, other.start
        at = max(at, other.end)
    if at < finding.end:
        yield at, finding.end
