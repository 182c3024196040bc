"""Viterbi decoding of the tags of a batch, one block of scores after another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.decoding.viterbi import viterbi
from senna_py.layers.blocks import aligned, whole_vectors, widen

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Ints = NDArray[np.int32]

_IMPOSSIBLE = np.float32(-1e30)  # the score of a tag that a row may not have
_FEW_COLUMNS = 4  # up to which it is faster to process columns one by one


def steps_of(transition: Floats) -> tuple[NDArray, ...]:
    """Lay transitions out for `kernels.decoding.viterbi.best_ways`.

    Destinations with equal scores form a group. Where IOBES is enforced and nothing is
    learned, there is one group for I and E of each type, and one for all other tags.

    Args:
        transition: float32[n_tags, n_tags], from source to destination.
    """
    keys = [column.tobytes() for column in transition.T]
    number = {key: k for k, key in enumerate(dict.fromkeys(keys))}
    group = np.array([number[key] for key in keys])
    groups = np.stack([np.frombuffer(key, transition.dtype) for key in number], axis=1)
    others, n_tags = groups.min(axis=0), len(groups)
    # For these groups only two sources and the best of all sources matter.
    few = (groups != others).sum(axis=0) <= 2
    sources = np.argsort(-groups[:, few], axis=0)[[0, min(1, n_tags - 1)]]
    transitions = np.take_along_axis(groups[:, few], sources, axis=0)
    columns, first = groups[:, ~few], whole_vectors(int(few.sum()))
    extremes = np.stack(
        [columns.max(axis=1, initial=-np.inf), columns.min(axis=1, initial=np.inf)]
    )
    place = np.where(few, np.cumsum(few) - 1, first + np.cumsum(~few) - 1)
    narrow = columns.T if len(columns.T) <= _FEW_COLUMNS else columns.T[:0]
    return (
        widen(place[group]).astype(np.uint32),
        widen(sources).astype(np.uint32),
        widen(transitions, -np.inf),
        widen(others[few], -np.inf),
        widen(narrow, -np.inf),
        widen(columns),
        widen(extremes, -np.inf),
        widen(np.zeros(n_tags, np.float32), -np.inf),
    )


class Transitions:
    """The sentence-level scores of a network, laid out for decoding."""

    def __init__(self, network: Any) -> None:
        """Lay out `initial`, `transition` and `final` of a network: arrays or None."""
        self.n_tags, self.initial = len(network.output_bias), None
        if network.initial is not None:
            self.initial = widen(network.initial)
            self.steps = steps_of(network.transition)
            self.incoming = widen(network.transition.T, -np.inf)
            final = network.final
            if final is None:
                final = np.zeros_like(network.initial)
            self.final = widen(final, -np.inf)


class Decoder:
    """Turns blocks of tag scores, which are added in order, into the tags of a batch.

    Attributes:
        tags: int32[n_rows], the tags of all rows; the blocks added so far are filled
            in.
    """

    def __init__(
        self,
        starts: Ints,
        transitions: Transitions,
        kept: list[Floats] | None = None,
        constraints: Any = None,
        row_classes: NDArray[np.int8] | None = None,
        permitted: Any = None,
    ) -> None:
        """Prepare for a batch.

        Args:
            starts: int32[n_sequences + 1], where the sequences of the batch begin.
            transitions: The Transitions of the network.
            kept: A list that receives the scores of each block, float32[n, n_tags], or
                None.
            constraints: Constraints on the tags, or None. With constraints, blocks
                consist of whole sequences.
            row_classes: int8[n_rows], the RowClass of each row, on which constraints
                depend, or None for zeros.
            permitted: The tags that each row may have; see WordBatch.
        """
        self._permitted = permitted
        self._constraints, self._row_classes = constraints, row_classes
        self.tags, self._kept = np.empty(starts[-1], np.int32), kept
        self._done, self._starts, self._transitions = 0, starts, transitions
        if transitions.initial is not None:
            longest = int(np.diff(starts).max(initial=0))
            self._score = aligned(longest, len(transitions.initial))

    def add(self, scores: Floats) -> None:
        """Decode the next rows from their scores: float32[n, n_tags], widened."""
        transitions = self._transitions
        tag_scores = scores[:, : transitions.n_tags]
        if self._kept is not None:
            self._kept.append(tag_scores.copy())
        if self._permitted is not None:
            self._forbid(tag_scores)
        if transitions.initial is None:
            best = tag_scores.argmax(axis=1)
            self.tags[self._done : self._done + len(scores)] = best
        else:
            viterbi(
                scores,
                self._done,
                self._starts,
                transitions.initial,
                transitions.steps,
                transitions.incoming,
                transitions.final,
                self._score,
                self.tags,
            )
            if self._constraints is not None:
                self._mend(scores)
        self._done += len(scores)

    def _forbid(self, scores: Floats) -> None:
        """Make the tags impossible that the rows of a block may not have, in place."""
        table, classes = self._permitted
        row_class = classes[self._done : self._done + len(scores)]
        if self._transitions.initial is not None:
            rows = np.arange(len(scores))
        else:
            rows = np.flatnonzero(~table[row_class, scores.argmax(axis=1)])
        scores[rows] = np.where(table[row_class[rows]], scores[rows], _IMPOSSIBLE)

    def _mend(self, scores: Floats) -> None:
        """Replace the tags of those sequences of a block that break a constraint."""
        rows = slice(self._done, self._done + len(scores))
        first, last = np.searchsorted(self._starts, (rows.start, rows.stop))
        begin = self._starts[first : last + 1] - rows.start
        classes = np.zeros(len(scores), np.int8)
        if self._row_classes is not None:
            classes = self._row_classes[rows]
        tags = self.tags[rows]
        self._constraints.mend(scores, begin, classes, self._transitions, tags)
