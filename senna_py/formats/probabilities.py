"""The format `probabilities`: likely labels of words, as soft labels for training."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.formats.base import Printer
from senna_py.formats.links import links_of
from senna_py.labels.tasks import Structure

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.answers.annotations import Annotations
    from senna_py.answers.layer import Layer
    from senna_py.corpora.places import BatchPlace
    from senna_py.tagger import Tagger
    from senna_py.text.tokens import Tokens

    Ints = NDArray[np.integer[Any]]
    Floats = NDArray[np.floating[Any]]

_UNITS = 10_000  # Probabilities have four decimals.
_NUMBERS = [f"{k / _UNITS:.4f}".rstrip("0").rstrip(".") for k in range(_UNITS + 1)]
_NONE = "-"  # The value of a token that is no predicate, or does not begin a span.


class ProbabilityPrinter(Printer):
    """Prints a line per token, `Rome⇥NNP:0.93,NN:0.07`.

    An empty line follows each sentence. The most probable label of a word comes first.
    Improbable labels are left out, and the probabilities of the others are normalized
    and rounded to four decimals. For roles, a column marks predicates, and there is a
    column for each predicate. For trees and links, the cell of a token lists the spans
    that begin there, such as `NP/2:0.97`. Their probabilities are not normalized; the
    remainder to 1 is the probability that there is no such span. For dependencies, the
    cell contains the token's head, its relation and the probability of both.
    """

    def __init__(self, tagger: Tagger, least: float = 0.0) -> None:
        """Set the minimum probability.

        Args:
            tagger: A tagger with one task.
            least: The minimum probability of the likeliest label of each word or span
                of a sentence. Other sentences are left out.
        """
        super().__init__(tagger)
        (self._task,) = self.uncertain = tagger.tasks
        self._least = least

    def format(self, annotations: Annotations, place: BatchPlace) -> bytes:
        """Return the lines of the sentences that reach the minimum probability."""
        tokens, layer = annotations.tokens, annotations.layers[self._task]
        if not len(tokens):
            return b""
        words = [*tokens.texts()]
        cells, certainty = _cells(layer, tokens, words)
        lines = [
            b"%b\t%b\n" % (word, cell.encode("utf-8", "surrogateescape"))
            for word, cell in zip(words, cells, strict=True)
        ]
        of_sentences = np.minimum.reduceat(certainty, tokens.starts[:-1])
        starts, out = tokens.starts.tolist(), []
        for number in np.flatnonzero(of_sentences >= self._least).tolist():
            out += [*lines[starts[number] : starts[number + 1]], b"\n"]
        return b"".join(out)


def _cells(
    layer: Layer, tokens: Tokens, words: Sequence[bytes]
) -> tuple[list[str], Floats]:
    """Return the text after each token, and the certainty of its labels.

    The certainty is the probability of the likeliest label or, for several labels, the
    smallest of these: float[n_tokens].
    """
    match layer.shape.structure:
        case Structure.FRAMES:
            return _of_anchors(layer, tokens, words)
        case Structure.HEADS:
            return _of_heads(layer, tokens)
        case Structure.TREE | Structure.LINKS:
            return _of_spans(layer, tokens)
    return _of_groups(layer, layer.begin, len(words))


def _of_groups(layer: Layer, group: Ints, n_groups: int) -> tuple[list[str], Floats]:
    """Return the labels of each group of rows, and the largest probability in each.

    Args:
        layer: The layer. Each row is a possible label of a token.
        group: int[n_rows], the group of each row, in ascending order. A group is a
            token, or a pair of a predicate and a token.
        n_groups: The number of groups.
    """
    score = layer.score
    assert score is not None, "labels that are likely"
    table = np.zeros((n_groups, len(layer.names)), score.dtype)
    table[group, layer.label] = score
    share = score / table.sum(axis=1)[group]
    cells = _texts(group, layer.label, layer.texts(), share, n_groups)
    return cells, table.max(axis=1)


def _texts(
    group: Ints, label: Ints, names: Sequence[str], share: Floats, n_groups: int
) -> list[str]:
    """Return the labels of each group with probabilities, the most probable first.

    Labels with the same rounded probability are sorted by their index.
    """
    units = np.rint(_UNITS * share).astype(int)
    order, numbers = np.lexsort((label, -units, group)).tolist(), units.tolist()
    texts = [f"{names[k]}:{_NUMBERS[numbers[k]]}" for k in order]
    ends = np.cumsum(np.bincount(group, minlength=n_groups)).tolist()
    return [",".join(texts[a:b]) for a, b in zip([0, *ends], ends, strict=False)]


def _of_anchors(
    layer: Layer, tokens: Tokens, words: Sequence[bytes]
) -> tuple[list[str], Floats]:
    """Return the text after each token, and the certainty of each token.

    The text consists of the predicate mark and the labels for each predicate. The
    certainty is the smallest one over the predicates of the sentence: float[n_tokens].
    """
    anchors, anchor, starts = layer.anchors, layer.anchor, tokens.starts
    assert anchors is not None and anchor is not None, "spans hang on tokens"
    sentence = np.searchsorted(starts, anchors, side="right") - 1
    first, lengths = starts[:-1][sentence], np.diff(starts)[sentence]
    ends = np.cumsum(lengths)
    row = np.searchsorted(anchors, anchor)
    n_groups = int(lengths.sum())
    group = (ends - lengths - first)[row] + layer.begin
    cells, largest = _of_groups(layer, group, n_groups)
    columns = [[_NONE] for _ in words]
    for token in anchors.tolist():
        columns[token] = [words[token].decode("utf-8", "surrogateescape")]
    certainty = np.ones(len(words), largest.dtype)
    bounds = zip(first.tolist(), (ends - lengths).tolist(), ends.tolist(), strict=True)
    for token, begin, end in bounds:
        for k, cell in enumerate(cells[begin:end], token):
            columns[k].append(cell)
        of_sentence = certainty[token : token + end - begin]
        np.minimum(of_sentence, largest[begin:end], out=of_sentence)
    return ["\t".join(column) for column in columns], certainty


def _of_heads(layer: Layer, tokens: Tokens) -> tuple[list[str], Floats]:
    """Return each token's head, relation and probability, and the certainty."""
    anchor, score, starts = layer.anchor, layer.score, tokens.starts
    assert anchor is not None, "each token hangs on one or on nothing"
    assert score is not None, "arcs that are likely"
    first = np.repeat(starts[:-1], np.diff(starts))
    number = np.where(anchor < 0, 0, anchor - first + 1).tolist()
    units = np.rint(_UNITS * score).astype(int).tolist()
    rows = zip(number, layer.texts(), units, strict=True)
    cells = [f"{head}\t{label}\t{_NUMBERS[n]}" for head, label, n in rows]
    return cells, score


def _of_spans(layer: Layer, tokens: Tokens) -> tuple[list[str], Floats]:
    """Return the spans that begin at each token, and the certainty of each token.

    The certainty of a span is the probability of its likeliest label or, if that is
    larger, the probability that there is no such span. The certainty of a token is the
    smallest certainty of these spans, or 1 if there are none.
    """
    score, n_tokens = layer.score, len(tokens)
    score = np.ones(len(layer)) if score is None else score
    if layer.shape.hangs_on:
        names = [*map(str, links_of(layer, tokens.starts))]
    else:
        lengths = (layer.end - layer.begin).tolist()
        pairs = zip(layer.texts(), lengths, strict=True)
        names = [f"{label}/{length}" for label, length in pairs]
    cells = _texts(layer.begin, layer.label, names, score, n_tokens)
    _, first, span = np.unique(
        np.stack([layer.begin, layer.end]),
        axis=1,
        return_index=True,
        return_inverse=True,
    )
    certain = 1 - np.bincount(span.ravel(), score, len(first))
    np.maximum.at(certain, span.ravel(), score)
    certainty = np.ones(n_tokens, np.float32)
    np.minimum.at(certainty, layer.begin[first], certain)
    return [cell or _NONE for cell in cells], certainty
