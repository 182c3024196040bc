"""A dependency tree as SVG: arcs above the words, from each head to its dependents.

Coordinates are in the units of the module `tree`. As there, attributes have no quotes.
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.display.escapes import escape, width
from senna_py.display.tree import COLUMN, GAP, LINE, PIXELS, label_html, line_of_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from senna_py.labels.dependencies import Arc

_LEVEL, _CORNER = 3, 1.4  # The distance between levels, and the radius of corners.
_LABEL, _ROOM = 1.1, 5  # The width of a character of a relation, and of its margins.
_LEG = 0.9  # The distance between arcs that leave a word on the same side.
_ARROW = "m-.6-1l.6,1,.6-1"
_AHEAD = 60  # The width that is visible before the root of a wide sentence.
_NEAR = 4  # Only arcs over fewer words than this widen the columns for their label.


class _Drawn(NamedTuple):
    """An arc between two words.

    Attributes:
        first: The index of the left word.
        last: The index of the right word.
        level: The height of the arc, from 1.
        rightward: Whether the head is the left word.
        relation: The relation.
    """

    first: int
    last: int
    level: int
    rightward: bool
    relation: str


def arcs_svg(
    words: Sequence[str],
    arcs: Sequence[Arc],
    tags: Sequence[str] = (),
    right_to_left: bool = False,
) -> str:
    """Return the SVG of a dependency tree.

    A wide picture is followed by an empty element at a position just before the root,
    to which browsers scroll.

    Args:
        words: The words, at least one.
        arcs: The dependency of each word; heads are indices of `words`.
        tags: The tags to show below the words, or none.
        right_to_left: Whether the first word is at the right.
    """
    drawn, heights = _levels(arcs)
    bounds = _bounds(words, tags, drawn)
    total, bottom = round(bounds[-1]), (max([0, *heights]) + 1) * _LEVEL + LINE
    places = [(a + b) / 2 for a, b in pairwise(bounds)]
    sight = (
        places[next((i for i, arc in enumerate(arcs) if arc.head is None), 0)] - _AHEAD
    ) * PIXELS
    mark = f"<i style=margin-inline-start:{sight:.0f}px></i>" if sight > 0 else ""
    ends = _ends(drawn, bounds, places)
    if right_to_left:
        places = [total - x for x in places]
        ends = [(total - start, total - end) for start, end in ends]
    parts = [
        _arc(arc.relation, bottom - arc.level * _LEVEL, bottom, *pair)
        for arc, pair in zip(drawn, ends, strict=True)
    ]
    for i, arc in enumerate(arcs):
        if arc.head is None:
            level = 1 + max([0, *heights[max(i - 1, 0) : i + 1]])
            parts.append(
                _root(arc.relation, bottom - level * _LEVEL, bottom, places[i])
            )
    places = [round(x, 1) for x in places]
    lines = [line_of_text("w", bottom + LINE, places, map(escape, words))]
    if tags:
        lines.append(
            line_of_text("t", bottom + 2 * LINE, places, map(label_html, tags))
        )
    height = bottom + LINE * (2 if tags else 1) + 1
    return (
        f"<svg viewBox=0,0,{total},{height} width={total * PIXELS} "
        f"aria-label=dependencies>{''.join(parts)}{''.join(lines)}</svg>{mark}"
    )


def _levels(arcs: Sequence[Arc]) -> tuple[list[_Drawn], list[int]]:
    """Return the arcs with their levels, and the highest level over each gap.

    Gaps are between adjacent words. Shorter arcs come first. Arcs over the same gap
    have different levels, and the shorter one has the lower level.
    """
    drawn, heights = [], np.zeros(max(len(arcs) - 1, 0), np.int32)
    pairs = [
        (min(i, arc.head), max(i, arc.head), arc.head < i, arc.relation)
        for i, arc in enumerate(arcs)
        if arc.head is not None
    ]
    for first, last, rightward, relation in sorted(
        pairs, key=lambda pair: pair[1] - pair[0]
    ):
        level = int(heights[first:last].max()) + 1
        heights[first:last] = level
        drawn.append(_Drawn(first, last, level, rightward, relation))
    return drawn, heights.tolist()


def _bounds(
    words: Sequence[str], tags: Sequence[str], drawn: Sequence[_Drawn]
) -> list[float]:
    """Return the left edge of each word's column, and the right edge of the last."""
    columns = [width(word) * COLUMN + GAP for word in words]
    for i, tag in enumerate(tags):
        columns[i] = max(columns[i], width(tag) * COLUMN + GAP)
    for first, last, _, _, relation in drawn:
        if last - first < _NEAR:
            middle = (columns[first] + columns[last]) / 2 + sum(
                columns[first + 1 : last]
            )
            lacks = max(width(relation) * _LABEL + _ROOM - middle, 0)
            columns[first] += lacks
            columns[last] += lacks
    return [0.0, *accumulate(columns)]


def _ends(
    drawn: Sequence[_Drawn], bounds: Sequence[float], places: Sequence[float]
) -> list[tuple[float, float]]:
    """Return the horizontal start and end of each arc.

    An arc starts next to the center of its head and ends at the center of the
    dependent. On each side of a head, longer arcs start nearer to the center, so that
    none cross.
    """
    sides: dict[tuple[int, bool], list[int]] = {}
    for number, arc in enumerate(drawn):
        head = arc.first if arc.rightward else arc.last
        sides.setdefault((head, arc.rightward), []).append(number)
    ends = [(0.0, 0.0)] * len(drawn)
    for (head, rightward), numbers in sides.items():
        leg = min(_LEG, (bounds[head + 1] - bounds[head]) / 2 / (len(numbers) + 1))
        for k, number in enumerate(reversed(numbers), 1):  # The longest one first.
            dependent = drawn[number].last if rightward else drawn[number].first
            ends[number] = (
                places[head] + k * (leg if rightward else -leg),
                places[dependent],
            )
    return ends


def _arc(relation: str, top: float, bottom: float, start: float, end: float) -> str:
    """Return the SVG of an arc, with an arrow at the dependent and its relation."""
    down = min(_CORNER, abs(end - start) / 2)
    bend = down if end > start else -down
    path = (
        f"M{start:.4g},{bottom - 2}V{top + down:.4g}q0,{-down:.3g},{bend:.3g},{-down:.3g}"
        f"H{end - bend:.4g}q{bend:.3g},0,{bend:.3g},{down:.3g}V{bottom - 1}{_ARROW}"
    )
    at = f"x={(start + end) / 2:.4g} y={top + 0.6:.4g}"
    return f"<g><path d={path} /><text {at}>{label_html(relation)}</text></g>"


def _root(relation: str, top: float, bottom: float, x: float) -> str:
    path = f"M{x:.4g},{top + 0.5:.4g}V{bottom - 1}{_ARROW}"
    return f"<g class=o><path d={path} /><text x={x:.4g} y={top}>{label_html(relation)}</text></g>"
