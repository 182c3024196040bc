"""IOBES tags of sequences, as networks predict them, and their conversion to spans."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.labels.tag_schemes import convert

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    Ints = NDArray[np.int32]
    Floats = NDArray[np.floating[Any]]

OUTSIDE, BEGIN, INSIDE, END, SINGLE = range(5)
_PREFIXES = {"B": BEGIN, "I": INSIDE, "E": END, "S": SINGLE}


class TagSet(NamedTuple):
    """A set of IOBES tags, split into prefixes and types.

    Attributes:
        types: The labels of spans, in the order of their first tags.
        type_of: int32[n_tags], the index of each tag's type, or -1 outside of spans.
        prefix: int8[n_tags], one of OUTSIDE, BEGIN, INSIDE, END and SINGLE.
    """

    types: tuple[str, ...]
    type_of: Ints
    prefix: NDArray[np.int8]


@dataclass
class PathScores:
    """The probabilities of the tags of decoded paths.

    Attributes:
        tag: float[n_rows], the marginal probability of each tag.
        next: float[n_rows], the probability of each tag given the tag before it. It is
            meaningless for the first tag of a sequence, and empty if unknown.
    """

    tag: Floats
    next: Floats

    def take(self, begin: int, end: int) -> PathScores:
        """Return a copy of the scores of the rows `begin:end`."""
        return PathScores(self.tag[begin:end].copy(), self.next[begin:end].copy())

    def of_segment(self, begin: int, end: int) -> float:
        """Return the joint probability of the tags of the rows `begin:end`."""
        return float(
            self.tag[begin] * self.next[begin + 1 : end].prod(dtype=np.float64)
        )


@lru_cache(maxsize=64)
def tag_set(names: tuple[str, ...]) -> TagSet:
    """Split IOBES tags into prefixes and types; any other tag counts as outside."""
    numbers: dict[str, int] = {}
    types = np.full(len(names), -1, np.int32)
    prefixes = np.zeros(len(names), np.int8)
    for tag, name in enumerate(names):
        prefix, _, label = name.partition("-")
        if label and prefix in _PREFIXES:
            types[tag] = numbers.setdefault(label, len(numbers))
            prefixes[tag] = _PREFIXES[prefix]
    return TagSet(tuple(numbers), types, prefixes)


class TagSpans(NamedTuple):
    """The spans of tagged sequences.

    Attributes:
        label: int32[n_spans], the index of each span's type.
        begin: int32[n_spans], the first token of each span.
        end: int32[n_spans], the index after the last token of each span.
        sequence: int32[n_spans], the index of each span's sequence.
        score: float[n_spans], the probability of each span, or None without scores.
    """

    label: Ints
    begin: Ints
    end: Ints
    sequence: Ints
    score: NDArray[np.float32] | None


class Tags(NamedTuple):
    """The tags of sequences of tokens. There is a row for each token of each sequence.

    Sequences are sentences, or copies of the sentence for each of its predicates.

    Attributes:
        names: The names of the tags.
        tag: int32[n_rows], the tag of each row, as an index of `names`. The rows of a
            sequence are contiguous.
        begin: int64[n_sequences + 1], the first row of each sequence, and the number of
            rows.
        first: int32[n_sequences], the token of each sequence's first row.
        scores: The probabilities of the tags; None unless requested.
    """

    names: tuple[str, ...]
    tag: Ints
    begin: NDArray[np.int64]
    first: Ints
    scores: PathScores | None = None

    @classmethod
    def from_spans(
        cls, types: Sequence[str], spans: TagSpans, first: Ints, lengths: Ints
    ) -> Tags:
        """Return the IOBES tags that represent spans, which must not overlap.

        Args:
            types: The labels of spans, by index.
            spans: The spans, in any order.
            first: int32[n_sequences], the first token of each sequence.
            lengths: int[n_sequences], the number of tokens of each sequence.
        """
        names = ("O", *(f"{mark}-{label}" for label in types for mark in "BIES"))
        bounds = np.append(0, np.cumsum(lengths, dtype=np.int64))
        tag = np.zeros(bounds[-1], np.int32)
        size = spans.end - spans.begin
        row = bounds[spans.sequence] + spans.begin - first[spans.sequence]
        outside = 4 * spans.label  # One less than the index of the span's B tag.
        inside = np.repeat(row - np.cumsum(size) + size, size) + np.arange(size.sum())
        tag[inside] = np.repeat(outside, size) + INSIDE
        tag[row] = outside + np.where(size == 1, SINGLE, BEGIN)
        is_long = size > 1
        tag[(row + size - 1)[is_long]] = outside[is_long] + END
        return cls(names, tag, bounds, np.asarray(first, np.int32))

    def spans(self) -> TagSpans:
        """Return the spans; invalid tags are handled as by `tag_schemes.segments`."""
        _, type_of, prefix = tag_set(self.names)
        label, mark = type_of[self.tag], prefix[self.tag]
        n_rows = len(label)
        starts = np.zeros(n_rows + 1, bool)
        starts[self.begin] = True
        is_inside = label >= 0
        opens = starts[:-1].copy()
        opens[1:] |= (
            (label[1:] != label[:-1]) | (mark[:-1] == END) | (mark[:-1] == SINGLE)
        )
        opens = is_inside & (opens | (mark == BEGIN) | (mark == SINGLE))
        closes = np.ones(n_rows, bool)
        closes[:-1] = starts[1:-1] | ~is_inside[1:] | opens[1:]
        closes &= is_inside
        first, last = np.flatnonzero(opens), np.flatnonzero(closes) + 1
        sequence = np.searchsorted(self.begin, first, side="right") - 1
        to_token = self.first[sequence] - self.begin[:-1][sequence]
        return TagSpans(
            label[first],
            (first + to_token).astype(np.int32),
            (last + to_token).astype(np.int32),
            sequence.astype(np.int32),
            self._scores_of(first, last),
        )

    def _scores_of(
        self, first: NDArray[np.int64], last: NDArray[np.int64]
    ) -> NDArray[np.float32] | None:
        if self.scores is None:
            return None
        bounds = zip(first.tolist(), last.tolist(), strict=True)
        scores = [self.scores.of_segment(begin, end) for begin, end in bounds]
        return np.array(scores, np.float64)

    @classmethod
    def joined(cls, parts: Sequence[tuple[Any, Any]]) -> Tags:
        """Concatenate the tags of consecutive pieces of a batch.

        The dtype of the result's `tag` is int16 to save memory, because a token has a
        row for each of up to 1,024 predicates.

        Args:
            parts: The Tags of each piece, and the index of its first token.
        """
        tags = [each for each, _ in parts]
        scores = None
        if tags[0].scores is not None:
            columns = zip(
                *((each.scores.tag, each.scores.next) for each in tags), strict=True
            )
            scores = PathScores(*map(np.concatenate, columns))
        lengths = np.concatenate([np.diff(each.begin) for each in tags])
        return cls(
            tags[0].names,
            np.concatenate(
                [each.tag for each in tags], dtype=np.int16, casting="same_kind"
            ),
            np.append(0, np.cumsum(lengths)),
            np.concatenate([each.first + at for each, at in parts]),
            scores,
        )

    def decided(self, tag: Ints, rows: NDArray[np.bool_]) -> Tags:
        """Return these sequences with new tags, and probability 1 for some rows.

        Args:
            tag: int32[n_rows], the new tags.
            rows: bool[n_rows], whether the probability of each row becomes 1.
        """
        scores = self.scores
        if scores is not None:
            one = np.float32(1)
            certain = (np.where(rows, one, each) for each in (scores.tag, scores.next))
            scores = PathScores(*certain)
        return self._replace(tag=tag, scores=scores)

    def texts(self, scheme: str = "iobes") -> list[str]:
        """Return the tags of all rows as text, in one of `tag_schemes.SCHEMES`."""
        names: Sequence[str] = self.names
        if scheme != "iobes":
            names = [convert(name, scheme) for name in names]
        return list(map(names.__getitem__, self.tag.tolist()))

    def sequences(self, begin: int, end: int, first_token: int) -> Tags:
        """Copy the sequences `begin:end`, with tokens relative to `first_token`."""
        rows = slice(int(self.begin[begin]), int(self.begin[end]))
        scores = self.scores
        return Tags(
            self.names,
            self.tag[rows].copy(),
            self.begin[begin : end + 1] - rows.start,
            self.first[begin:end] - np.int32(first_token),
            None if scores is None else scores.take(rows.start, rows.stop),
        )
