"""A parse tree as SVG, with the root at the top and all leaves on one line.

Coordinates are integers in small units and attributes have no quotes, to keep pages
small.
"""

from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from senna_py.display.escapes import escape, meaning, width
from senna_py.labels.brackets import Leaf, Phrase

PIXELS = 6  # The size of a unit in pixels. All other sizes are in units.
COLUMN, GAP = 1.25, 3  # The width of a column of text, and the gap between leaves.
_LEVEL, LINE = 6, 3  # The height of a level of phrases, and of a line of text.
# The maximum distance of a label from the first leaf of its phrase, so that the root of
# a wide tree is visible without scrolling.
_FARTHEST = 45
# A line begins _ABOVE below the baseline of a label, and ends _BELOW above that of
# another.
_ABOVE, _BELOW = 1, 2


class _Node(NamedTuple):
    """A phrase with its coordinates, and the coordinates of its children and leaves."""

    label: str
    x: int
    y: int
    children: list[tuple[int, int]]


def tree_svg(
    leaves: Sequence[Leaf],
    phrases: Sequence[Phrase],
    right_to_left: bool = False,
    tags: bool = True,
) -> str:
    """Return the SVG of a tree.

    Args:
        leaves: The leaves, at least one.
        phrases: The phrases, in preorder.
        right_to_left: Whether the first token is at the right.
        tags: Whether to show the tags of the leaves.
    """
    bounds = _bounds(leaves, phrases, tags)
    total = round(bounds[-1])
    places = [round((a + b) / 2) for a, b in pairwise(bounds)]
    if right_to_left:
        places = [total - place for place in places]
    nodes, bottom = _nodes(phrases, places)
    path = "".join(map(_lines, nodes))
    labels = "".join(
        f"<text x={x} y={y}>{label_html(label)}</text>" for label, x, y, _ in nodes
    )
    height = bottom + (LINE if tags else 0) + 1
    lines = []
    if tags:
        lines.append(
            line_of_text("t", bottom, places, [label_html(leaf.tag) for leaf in leaves])
        )
    lines.append(
        line_of_text("w", height - 1, places, [escape(leaf.word) for leaf in leaves])
    )
    return (
        f"<svg viewBox=0,0,{total},{height} width={total * PIXELS} "
        f"aria-label=tree><path d={path} />{labels}{''.join(lines)}</svg>"
    )


def label_html(label: str) -> str:
    """Return a label as HTML, with its explanation, if known, as a tooltip."""
    known = meaning(label)
    return (f"<title>{known}</title>" if known else "") + escape(label)


def _bounds(
    leaves: Sequence[Leaf], phrases: Sequence[Phrase], tags: bool
) -> list[float]:
    """Return the left edge of each leaf's column, and the right edge of the last.

    Columns are widened for the labels of short phrases.
    """
    columns = [max(width(leaf.word), width(leaf.tag) if tags else 0) for leaf in leaves]
    for label, begin, end in phrases:
        lacks = width(label) - sum(columns[begin:end]) if end - begin < 4 else 0
        columns[end - 1] += max(lacks, 0)
    return [0.0, *accumulate(column * COLUMN + GAP for column in columns)]


def _nodes(phrases: Sequence[Phrase], places: Sequence[int]) -> tuple[list[_Node], int]:
    """Return the phrases with coordinates, and the vertical position of the leaves."""
    nodes: list[_Node] = []
    holding: list[int] = []  # The indices of the phrases that contain the next one.
    # The index of the smallest phrase of each leaf, the last one that contains it.
    holder = [0] * len(places)
    for i, (label, begin, end) in enumerate(phrases):
        while holding and phrases[holding[-1]].end <= begin:
            holding.pop()
        half = (places[end - 1] - places[begin]) // 2
        x = places[begin] + max(-_FARTHEST, min(half, _FARTHEST))
        y = len(holding) * _LEVEL + LINE
        if holding:
            nodes[holding[-1]].children.append((x, y))
        nodes.append(_Node(label, x, y, []))
        holding.append(i)
        holder[begin:end] = [i] * (end - begin)
    bottom = max(node.y for node in nodes) + _LEVEL
    for place, i in zip(places, holder, strict=True):
        nodes[i].children.append((place, bottom))
    return nodes, bottom


def _lines(node: _Node) -> str:
    """Return the SVG path of a phrase: a bar below its label, and a line to each child.

    No line crosses the bar.
    """
    _, _, y, children = node
    bar = y + _ABOVE
    first, *others = sorted((x, below - _BELOW) for x, below in children)
    if not others:
        return f"M{first[0]},{bar}V{first[1]}"
    middle = "".join(f"M{x},{bar}v{below - bar}" for x, below in others[:-1])
    return f"M{first[0]},{first[1]}V{bar}H{others[-1][0]}V{others[-1][1]}{middle}"


def line_of_text(
    css_class: str, y: int, places: Sequence[float], texts: Iterable[str]
) -> str:
    """Return the SVG of a line of texts, in an element at the vertical position `y`.

    The texts only need a horizontal position.
    """
    shown = "".join(
        f"<text x={x}>{text}</text>" for x, text in zip(places, texts, strict=True)
    )
    return f"<svg class={css_class} y={y}>{shown}</svg>"
