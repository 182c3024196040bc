"""Decode the tags of a batch from scores that arrive in blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.decoding.viterbi import LANES, viterbi
from senna_py.layers.blocks import aligned, whole_vectors, widen

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Ints = NDArray[np.int32]

_FEW_COLUMNS = 4  # up to this number, it is faster to process columns one by one


def steps_of(transition: Floats) -> tuple[NDArray, ...]:
    """Return transition scores in the layout of `kernels.decoding.viterbi.best_ways`.

    Destinations with the same scores from all sources form a group. If the scores only
    enforce IOBES, the I and E tags of each type form a group, and all other tags form
    another one.

    Args:
        transition: float32[n_tags, n_tags], from source to destination.
    """
    keys = [column.tobytes() for column in transition.T]
    number = {key: k for k, key in enumerate(dict.fromkeys(keys))}
    group = np.array([number[key] for key in keys])
    groups = np.stack([np.frombuffer(key, transition.dtype) for key in number], axis=1)
    others, n_tags = groups.min(axis=0), len(groups)
    # In these groups at most two sources differ from the lowest score. Only they and
    # the best of all sources matter.
    few = (groups != others).sum(axis=0) <= 2
    sources = np.argsort(-groups[:, few], axis=0, kind="stable")
    sources = sources[[0, min(1, n_tags - 1)]]
    transitions = np.take_along_axis(groups[:, few], sources, axis=0)
    columns, first = groups[:, ~few], whole_vectors(int(few.sum()))
    extremes = np.stack(
        [columns.max(axis=1, initial=-np.inf), columns.min(axis=1, initial=np.inf)]
    )
    place = np.where(few, np.cumsum(few) - 1, first + np.cumsum(~few) - 1)
    narrow = columns.T if len(columns.T) <= _FEW_COLUMNS else columns.T[:0]
    indices, runs = _runs_of(place[group], place.max())
    source_indices, source_runs = _runs_of(sources, n_tags - 1)
    return (
        indices,
        source_indices,
        widen(transitions, -np.inf),
        widen(others[few], -np.inf),
        widen(narrow, -np.inf),
        widen(columns),
        widen(extremes, -np.inf),
        widen(np.zeros(n_tags, np.float32), -np.inf),
        runs,
        source_runs,
    )


def _runs_of(
    index: NDArray[np.int64], largest: int
) -> tuple[NDArray[np.uint32], NDArray[np.int8]]:
    """Pad indices to whole vectors, and find those that are equal or consecutive.

    Args:
        index: int64[..., n].
        largest: The largest valid index.

    Returns:
        The indices, uint32[..., n rounded up], where consecutive ones go on in the
        padding; and int8[..., number of vectors], the difference of neighboring indices
        in each vector if it is always 0 or always 1, otherwise -1.
    """
    n, last = index.shape[-1], index[..., -1:]
    padding = np.arange(1, whole_vectors(n) - n + 1)
    padding = padding * (last - index[..., -2:-1] == 1) if n > 1 else 0 * padding
    padded = np.concatenate([index, np.minimum(last + padding, largest)], axis=-1)
    steps = np.diff(padded.reshape(*index.shape[:-1], -1, LANES))
    first = steps[..., 0]
    is_run = (steps == first[..., None]).all(axis=-1) & (first >= 0) & (first <= 1)
    return padded.astype(np.uint32), np.where(is_run, first, -1).astype(np.int8)


class Transitions:
    """The transition scores of a network, in the layout of the decoding kernels."""

    def __init__(self, network: Any) -> None:
        """Lay out the transition scores of a network.

        Args:
            network: The network, with `output_bias`, `initial`, `transition` and
                `final`. The last three are None in networks without transition scores.
                Otherwise, only `final` may be None.
        """
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
    """Decodes the tags of a batch from blocks of scores, which are added in order.

    With transition scores, the tags of a sequence are its best path. Otherwise, each
    row gets its best tag.

    Attributes:
        tags: int32[n_rows], the tags of all rows. Only the rows of the blocks that have
            been added are initialized.
    """

    def __init__(
        self,
        starts: Ints,
        transitions: Transitions,
        kept: list[Floats] | None = None,
        constraints: Any = None,
        row_classes: NDArray[np.int8] | None = None,
    ) -> None:
        """Prepare for a batch.

        Args:
            starts: int32[n_sequences + 1], where each sequence of the batch begins.
            transitions: The Transitions of the network.
            kept: A list to which the scores of each block, float32[n, n_tags], are
                appended, or None.
            constraints: The Constraints on the tags, or None. They are ignored without
                transition scores. With constraints, blocks must consist of whole
                sequences.
            row_classes: int8[n_rows], the RowClass of each row, on which constraints
                depend, or None for zeros.
        """
        self._constraints, self._row_classes = constraints, row_classes
        self.tags, self._kept = np.empty(starts[-1], np.int32), kept
        self._done, self._starts, self._transitions = 0, starts, transitions
        if transitions.initial is not None:
            longest = int(np.diff(starts).max(initial=0))
            self._score = aligned(longest, len(transitions.initial))

    def add(self, scores: Floats) -> None:
        """Decode the next rows.

        Args:
            scores: float32[n, n_tags or more], the scores of the rows. With transition
                scores, they have the columns that `widen` adds.
        """
        transitions = self._transitions
        tag_scores = scores[:, : transitions.n_tags]
        if self._kept is not None:
            self._kept.append(tag_scores.copy())
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

    def _mend(self, scores: Floats) -> None:
        """Replace the tag sequences of a block that violate a constraint."""
        rows = slice(self._done, self._done + len(scores))
        first, last = np.searchsorted(self._starts, (rows.start, rows.stop))
        begin = self._starts[first : last + 1] - rows.start
        classes = np.zeros(len(scores), np.int8)
        if self._row_classes is not None:
            classes = self._row_classes[rows]
        tags = self.tags[rows]
        self._constraints.mend(scores, begin, classes, self._transitions, tags)
