"""Merges words that are not in the text, for formats with one line per token."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.answers.layer import ROOT, Layer
from senna_py.labels.tasks import Structure

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from senna_py.answers.annotations import Annotations
    from senna_py.answers.layer import Row

_NONE = "_"


class _Merger(NamedTuple):
    """Merges words into tokens, and converts layers from words to tokens.

    Attributes:
        first: int64[n_tokens], the first word of each token.
        owner: The index of each word's token.
        begins: Whether each word is the first of its token.
    """

    first: NDArray[np.int64]
    owner: list[int]
    begins: list[bool]

    def _several(self) -> Iterator[tuple[int, range]]:
        """Yield each token that has several words, and its words."""
        end = np.append(self.first[1:], len(self.owner))
        tokens = np.flatnonzero(end - self.first > 1)
        places = self.first[tokens].tolist(), end[tokens].tolist()
        for token, first, stop in zip(tokens.tolist(), *places, strict=True):
            yield token, range(first, stop)

    def layer(self, layer: Layer) -> Layer:
        """Return a layer of words as a layer of tokens."""
        match layer.shape.structure:
            case Structure.TAGS:
                return self._tags(layer)
            case Structure.HEADS:
                return self._heads(layer)
            case Structure.FRAMES:
                return self._frames(layer)
            case Structure.SPANS:
                return Layer.of_rows(layer.task, self._flat([*layer.rows()]))
        return self._spans(layer)

    def _tags(self, layer: Layer) -> Layer:
        """Return a layer in which the labels of a token's words are joined by `+`."""
        joined: dict[str, int] = {}
        label = layer.label[self.first]
        for token, words in self._several():
            names = [layer.names[k] for k in layer.label[words].tolist()]
            name = _NONE if {*names} == {_NONE} else "+".join(names)
            label[token] = joined.setdefault(name, len(layer.names) + len(joined))
        score = layer.score
        if score is not None and len(self.first):
            score = np.minimum.reduceat(score, self.first)
        return Layer(layer.task, (*layer.names, *joined), label, score=score)

    def _heads(self, layer: Layer) -> Layer:
        """Return a layer in which each token has the head of its topmost word.

        The topmost word of a token is the one that is closest to the root.
        """
        assert layer.anchor is not None, "each word hangs on one or on nothing"
        heads = layer.anchor.tolist()

        def depth(word: int) -> int:
            steps = 0
            while (word := heads[word]) != ROOT:
                steps += 1
            return steps

        tops = self.first.copy()
        for token, words in self._several():
            tops[token] = min(words, key=depth)
        anchor = layer.anchor[tops]
        owner = np.array(self.owner, np.int32)
        return Layer(
            layer.task,
            layer.names,
            layer.label[tops],
            anchor=np.where(anchor < 0, ROOT, owner[anchor]).astype(np.int32),
            score=None if layer.score is None else layer.score[tops],
        )

    def _frames(self, layer: Layer) -> Layer:
        """Return a layer of frames, with only the first anchor in each token."""
        assert layer.anchors is not None, "spans hang on tokens"
        anchors: dict[int, int] = {}
        for anchor in layer.anchors.tolist():
            anchors.setdefault(self.owner[anchor], anchor)
        by_anchor: dict[int, list[Row]] = {anchor: [] for anchor in anchors.values()}
        for row in layer.rows():
            if row[3] in by_anchor:
                by_anchor[row[3]].append(row)
        rows = [row for each in by_anchor.values() for row in self._flat(each)]
        return Layer.of_rows(layer.task, rows, np.array([*anchors], np.int32))

    def _flat(self, rows: Sequence[Row]) -> list[Row]:
        """Return spans of tokens without overlap.

        If several spans would have a token, it belongs to the first of them.
        """
        out: list[Row] = []
        stop = 0
        for label, begin, end, anchor, score in rows:
            first, last = self._place(begin, end)
            first = max(first, stop)
            if first < last:
                token = self.owner[anchor] if anchor >= 0 else ROOT
                out.append((label, first, last, token, score))
                stop = last
        return out

    def _spans(self, layer: Layer) -> Layer:
        """Return a layer of constituents or links, whose spans may overlap."""
        rows = [
            (label, *self._place(begin, end), anchor, score)
            for label, begin, end, anchor, score in layer.rows()
        ]
        return Layer.of_rows(layer.task, rows)

    def _place(self, begin: int, end: int) -> tuple[int, int]:
        """Return the range of tokens whose first words are in a range of words.

        If there is no such token, the result is the token of these words.
        """
        last = self.owner[end - 1] + 1
        first = self.owner[begin] + (not self.begins[begin])
        return min(first, last - 1), last


def merge_words(annotations: Annotations) -> Annotations:
    """Return annotations in which words that are not in the text are merged.

    The words of a multiword token become one token if their forms are not in the text.
    Their tags are joined by `+`. The head of the token is the head of its topmost word.
    A span contains the tokens whose first words it contains.
    """
    tokens = annotations.tokens
    if tokens.spelling is None:
        return annotations
    merged = tokens.tokens_in_text()
    begins = tokens.is_in_text
    owner = np.cumsum(begins) - 1
    merger = _Merger(np.flatnonzero(begins), owner.tolist(), begins.tolist())
    names = (*annotations.tasks, *annotations.needed)
    layers = {name: merger.layer(annotations.layers[name]) for name in names}
    return replace(annotations, tokens=merged, layers=layers)
