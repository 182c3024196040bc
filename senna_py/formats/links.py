"""Spans whose anchors are spans, such as coreferent mentions, as text: `same:4-5>1`.

The text has the label, the tokens of the span and, if it has an anchor, `>` and the
anchor's tokens. Tokens are counted from 1 within their sentence. If the anchor is in
another sentence, the distance in sentences precedes its tokens: `same:2>-1/4-5`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.answers.document import Sentence
    from senna_py.answers.layer import Layer
    from senna_py.labels.tasks import Task

_PLACE = r"([1-9]\d*)(?:-(\d+))?"
_LINK = re.compile(rf"(.*):{_PLACE}(?:>(?:(-?\d+)/)?{_PLACE})?", re.DOTALL)


class Link(NamedTuple):
    """A span and its anchor.

    Attributes:
        label: The label of the span.
        begin: The index of its first token in its sentence, from 0.
        end: The index after its last token.
        anchor: The distance to the anchor's sentence (0 for the same one) and the begin
            and the end of the anchor in that sentence; None without an anchor.
    """

    label: str
    begin: int
    end: int
    anchor: tuple[int, int, int] | None = None

    def __str__(self) -> str:
        text = f"{self.label}:{_place(self.begin, self.end)}"
        if self.anchor is None:
            return text
        distance, begin, end = self.anchor
        return f"{text}>{f'{distance}/' if distance else ''}{_place(begin, end)}"

    @classmethod
    def parse(cls, text: str) -> Link:
        """Parse the text that `str` returns.

        Raises:
            ValueError: If it is not the text of a link.
        """
        match = _LINK.fullmatch(text)
        link = None if match is None else cls._of_groups(*match.groups())
        if link is None or link.begin >= link.end:
            raise ValueError(f"expected a link such as same:4-5>1, found {text!r}")
        return link

    @classmethod
    def _of_groups(
        cls,
        label: str,
        first: str,
        last: str | None,
        distance: str | None,
        anchor_first: str | None,
        anchor_last: str | None,
    ) -> Link:
        begin, end = int(first) - 1, int(last or first)
        if anchor_first is None:
            return cls(label, begin, end)
        anchor = int(anchor_first) - 1, int(anchor_last or anchor_first)
        return cls(label, begin, end, (int(distance or 0), *anchor))


def _place(begin: int, end: int) -> str:
    return f"{begin + 1}" if begin + 1 == end else f"{begin + 1}-{end}"


def links_of(layer: Layer, starts: NDArray[np.int32]) -> list[list[Link]]:
    """Return the links of each sentence.

    Args:
        layer: The layer.
        starts: int32[n_sentences + 1], the first token of each sentence, and the end.
    """
    sentence = np.searchsorted(starts, layer.begin, side="right") - 1
    origin = starts[sentence]
    begins, ends = (layer.begin - origin).tolist(), (layer.end - origin).tolist()
    links: list[list[Link]] = [[] for _ in range(len(starts) - 1)]
    places = sentence.tolist()
    for row, (label, _, _, anchor, _) in enumerate(layer.rows()):
        other = None
        if anchor >= 0:
            distance = places[anchor] - places[row]
            other = distance, begins[anchor], ends[anchor]
        links[places[row]].append(Link(label, begins[row], ends[row], other))
    return links


def link_texts(layer: Layer, starts: NDArray[np.int32]) -> list[list[str]]:
    """Return the texts of the links that begin at each token; see `links_of`."""
    texts: list[list[str]] = [[] for _ in range(int(starts[-1]))]
    for first, links in zip(starts.tolist(), links_of(layer, starts), strict=False):
        for link in links:
            texts[first + link.begin].append(str(link))
    return texts


def sentence_links(sentence: Sentence, task: Task) -> list[Link]:
    """Return the links of a sentence, whose anchors may be anywhere in its document."""
    starts, here = sentence.document.sentence_starts.tolist(), sentence.number
    links = []
    for row in sentence.rows(task):
        other = None
        if row.anchor is not None:
            begin, end = (sentence.start + place for place in row.anchor)
            number = bisect_right(starts, begin) - 1
            other = number - here, begin - starts[number], end - starts[number]
        links.append(Link(row.label, row.start, row.end, other))
    return links
