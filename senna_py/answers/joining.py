"""Joins the layers of sentences and batches that were cut for the networks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.answers.layer import ROOT, Layer
from senna_py.answers.tags import Tags
from senna_py.labels.tasks import Structure
from senna_py.labels.trees import SENTENCE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.text.tokens import Tokens

    Ints = NDArray[np.integer[Any]]

_SIDE_BY_SIDE = "parataxis"  # The relation between the pieces of a sentence.


def concatenate(layers: Sequence[Layer], n_tokens: Sequence[int]) -> Layer:
    """Concatenate the layers of consecutive pieces of a batch.

    Args:
        layers: The layer of each piece. Either all of them or none store spans, and
            either all of them or none have tags.
        n_tokens: The number of tokens of each piece.
    """
    first, offsets = layers[0], np.cumsum([0, *n_tokens], dtype=np.int32)[:-1].tolist()
    parts: list[tuple[Any, Any]] = [*zip(layers, map(np.int32, offsets), strict=True)]
    anchors = None
    if first.anchors is not None:
        anchors = np.concatenate([part.anchors + at for part, at in parts])
    tags = None
    if first.tags is not None:
        tags = Tags.joined([(part.tags, at) for part, at in parts])
        if not first.has_stored_spans:
            return Layer.from_tags(first.task, tags, anchors)
    anchor = score = None
    if first.anchor is not None:
        counts = n_tokens
        if first.shape.hangs_on == "span":  # An anchor is then a row of its layer.
            counts = [*map(len, layers)]
        origins = np.cumsum([0, *counts], dtype=np.int32)[:-1].tolist()
        moved = [
            np.where(part.anchor < 0, ROOT, part.anchor + origin)
            for (part, _), origin in zip(parts, origins, strict=True)
        ]
        anchor = np.concatenate(moved).astype(np.int32)
    if first.score is not None:
        score = np.concatenate([part.score for part, _ in parts])
    return Layer(
        first.task,
        first.names,
        np.concatenate([part.label for part, _ in parts]),
        np.concatenate([part.begin + at for part, at in parts]),
        np.concatenate([part.end + at for part, at in parts]),
        anchor=anchor,
        score=score,
        anchors=anchors,
        tags=tags,
    )


def join_parts(layer: Layer, tokens: Tokens) -> Layer:
    """Return a layer in which sentences that were cut for the networks are joined.

    A common root is added above the constituent trees of the pieces. In dependency
    trees, the roots of later pieces are attached to the root of the first piece. A span
    may continue from one piece into the next.
    """
    counts = np.diff(tokens.first_parts, append=tokens.n_sentences)
    if (counts <= 1).all():
        return layer
    first = np.cumsum(counts) - counts  # The first piece of each sentence.
    match layer.shape.structure:
        case Structure.TREE:
            return _with_roots(layer, tokens, first[counts > 1], counts[counts > 1])
        case Structure.HEADS:
            return _with_one_root(layer, tokens, first[counts > 1], counts[counts > 1])
        case Structure.SPANS if layer.tags is not None:
            # Decoding the tags of whole sentences joins spans across pieces.
            begin = np.append(tokens.starts[first], tokens.starts[-1])
            tags = layer.tags._replace(
                begin=begin.astype(np.int64), first=begin[:-1].astype(np.int32)
            )
            return Layer.from_tags(layer.task, tags)
    return layer


def _with_roots(layer: Layer, tokens: Tokens, first: Ints, counts: Ints) -> Layer:
    begin = tokens.starts[first].astype(np.int32)
    end = tokens.starts[first + counts].astype(np.int32)
    at = np.searchsorted(layer.begin, begin)
    root = np.full(len(at), layer.names.index(SENTENCE), np.int32)
    return Layer(
        layer.task,
        layer.names,
        np.insert(layer.label, at, root),
        np.insert(layer.begin, at, begin),
        np.insert(layer.end, at, end),
    )


def _with_one_root(layer: Layer, tokens: Tokens, first: Ints, counts: Ints) -> Layer:
    names = layer.names
    if _SIDE_BY_SIDE not in names:
        names = (*names, _SIDE_BY_SIDE)
    assert layer.anchor is not None, "each token hangs on its head"
    anchor, label = layer.anchor.copy(), layer.label.copy()
    for sentence, n_parts in zip(first.tolist(), counts.tolist(), strict=True):
        tokens_of = slice(tokens.starts[sentence], tokens.starts[sentence + n_parts])
        roots = np.flatnonzero(anchor[tokens_of] == ROOT) + tokens_of.start
        anchor[roots[1:]] = roots[0]
        label[roots[1:]] = names.index(_SIDE_BY_SIDE)
    return Layer(layer.task, names, label, anchor=anchor, score=layer.score)
