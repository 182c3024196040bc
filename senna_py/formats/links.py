"""Spans whose anchors are spans, such as coreferent mentions, as text: `same:4-5>1`.

The text has the label, the tokens of the span and, if it has an anchor, `>` and the
anchor's tokens. Tokens are counted from 1 within their sentence. If the anchor is in
another sentence, the distance in sentences precedes its tokens: `same:2>-1/4-5`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.answers.layer import ROOT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.answers.layer import Layer

_PLACE = r"([1-9]\d*)(?:-(\d+))?"
_LINK = re.compile(rf"(.*):{_PLACE}(?:>(?:(-?\d+)/)?{_PLACE})?", re.DOTALL)


class Link(NamedTuple):
    """A span and its anchor.

    Attributes:
        label: The label of the span.
        begin: The index of its first token in its sentence, from 0.
        end: The index after its last token.
        anchor: The distance to the anchor's sentence (0 for the same sentence), the
            index of the anchor's first token in that sentence, and the index after its
            last token; None without an anchor.
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
        """Create a link from its text, as `str` returns it.

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


def links_of(
    layer: Layer, starts: NDArray[np.int32], number: int | None = None
) -> list[Link]:
    """Return the spans of a layer as links.

    Args:
        layer: The layer. Its anchors may be in any sentence.
        starts: int32[n_sentences + 1], the first token of each sentence, and the number
            of tokens.
        number: The sentence whose links are returned, or None for all sentences.
    """
    rows = slice(0, len(layer))
    if number is not None:  # Spans are grouped by sentence.
        rows = slice(*np.searchsorted(layer.begin, starts[number : number + 2]))
    labels = [layer.names[label] for label in layer.label[rows].tolist()]
    anchors = [ROOT] * len(labels)
    if layer.anchor is not None:
        anchors = layer.anchor[rows].tolist()
    here = _places(layer, starts, rows)
    # The index ROOT selects the last span, whose place is not used.
    there = _places(layer, starts, anchors)
    links = []
    for label, anchor, (sentence, begin, end), (other, first, last) in zip(
        labels, anchors, here, there, strict=True
    ):
        above = None if anchor == ROOT else (other - sentence, first, last)
        links.append(Link(label, begin, end, above))
    return links


def _places(
    layer: Layer, starts: NDArray[np.int32], rows: slice | list[int]
) -> list[tuple[int, int, int]]:
    """Return the sentence of each span, and the span's begin and end in it."""
    begin, end = layer.begin[rows], layer.end[rows]
    sentence = np.searchsorted(starts, begin, side="right") - 1
    origin = starts[sentence]
    return [
        *zip(
            sentence.tolist(),
            (begin - origin).tolist(),
            (end - origin).tolist(),
            strict=True,
        )
    ]


def link_texts(layer: Layer, starts: NDArray[np.int32]) -> list[list[str]]:
    """Return the texts of the links that begin at each token; see `links_of`."""
    texts: list[list[str]] = [[] for _ in range(int(starts[-1]))]
    for begin, link in zip(layer.begin.tolist(), links_of(layer, starts), strict=True):
        texts[begin].append(str(link))
    return texts
