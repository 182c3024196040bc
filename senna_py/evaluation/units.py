"""Score learned tokenizers: their tokens, sentences and multiword tokens.

A token, sentence or multiword token (a range in CoNLL-U) is correct if the gold
standard has one with the same units.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.evaluation.counts import Counts
from senna_py.text.units import LabelMeanings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.answers.layer import Layer
    from senna_py.evaluation.layers import LayerPair


@dataclass(frozen=True)
class UnitScores:
    """Scores of a learned tokenizer.

    Attributes:
        counts: The counts of `tokens`, `sentences` and `ranges`, which are multiword
            tokens.
    """

    counts: dict[str, Counts]

    @property
    def headline(self) -> float:
        """The mean F1 in percent, over the counts with gold items."""
        scores = [counts.f1 for counts in self.counts.values() if counts.gold]
        return sum(scores) / max(len(scores), 1)


class _Spans(NamedTuple):
    """The spans of units that a layer of unit labels defines.

    Each array is int64[n, 2], the first and the last unit of each span. There is one
    array for each key of `UnitScores.counts`.
    """

    tokens: NDArray[np.int64]
    sentences: NDArray[np.int64]
    ranges: NDArray[np.int64]


def score_units(pairs: Iterable[LayerPair]) -> UnitScores:
    """Score layers of unit labels by their tokens, sentences and multiword tokens."""
    counts = dict.fromkeys(_Spans._fields, Counts())
    for pair in pairs:
        spans = zip(
            _spans(pair.gold, pair.starts),
            _spans(pair.predicted, pair.starts),
            strict=True,
        )
        for name, (gold, predicted) in zip(_Spans._fields, spans, strict=True):
            both = {*map(tuple, gold.tolist())} & {*map(tuple, predicted.tolist())}
            counts[name] += Counts(len(gold), len(predicted), len(both))
    return UnitScores(counts)


def _spans(layer: Layer, starts: NDArray[np.int64]) -> _Spans:
    labels, meanings = layer.label, LabelMeanings.of([*layer.names])
    lasts = starts[1:][np.diff(starts) > 0] - 1
    ends_token = meanings.ends_token[labels]
    ends_sentence = meanings.ends_sentence[labels]
    ends_token[lasts] = ends_sentence[lasts] = True
    tokens = _between(ends_token)
    is_range = meanings.is_multiword[labels[tokens[:, 1]]]
    return _Spans(tokens, _between(ends_sentence), tokens[is_range])


def _between(is_last: NDArray[np.bool_]) -> NDArray[np.int64]:
    last = np.flatnonzero(is_last)
    return np.stack([np.append(0, last[:-1] + 1)[: len(last)], last], axis=1)
