"""Decoding of the tags of a batch (Viterbi), block by block of its scores."""

import numpy as np

from senna_py.kernels.decoding.viterbi import viterbi
from senna_py.layers.blocks import aligned, whole_vectors, widen

_IMPOSSIBLE = np.float32(-1e30)  # a score
_FEW_COLUMNS = 4  # which it pays to go through one by one


def steps_of(transition):
    """Transitions as `kernels.decoding.viterbi.best_ways` has them: a tuple of arrays.

    transition: float32[n_tags, n_tags], from source to destination. Where IOBES is
    enforced, and nothing learned, groups are one for I and E of each type, and one for
    all others.
    """
    keys = [column.tobytes() for column in transition.T]
    number = {key: k for k, key in enumerate(dict.fromkeys(keys))}
    group = np.array([number[key] for key in keys])
    groups = np.stack([np.frombuffer(key, transition.dtype) for key in number], axis=1)
    others, n_tags = groups.min(axis=0), len(groups)
    few = (groups != others).sum(
        axis=0
    ) <= 2  # of these two sources and the best of all matter
    sources = np.argsort(-groups[:, few], axis=0)[[0, min(1, n_tags - 1)]]
    transitions = np.take_along_axis(groups[:, few], sources, axis=0)
    columns, first = groups[:, ~few], whole_vectors(np.count_nonzero(few))
    extremes = np.stack(
        [columns.max(axis=1, initial=-np.inf), columns.min(axis=1, initial=np.inf)]
    )
    place = np.where(few, np.cumsum(few) - 1, first + np.cumsum(~few) - 1)
    return (
        widen(place[group]).astype(np.uint32),
        widen(sources).astype(np.uint32),
        widen(transitions, -np.inf),
        widen(others[few], -np.inf),
        widen(
            columns.T[: len(columns.T) if len(columns.T) <= _FEW_COLUMNS else 0],
            -np.inf,
        ),
        widen(columns),
        widen(extremes, -np.inf),
        widen(np.zeros(n_tags, np.float32), -np.inf),
    )


class Transitions:
    """The sentence-level scores of a network, laid out for decoding."""

    def __init__(self, network):
        """network: `initial`, `transition` and `final` are arrays or None."""
        self.n_tags, self.initial = len(network.output_bias), None
        if network.initial is not None:
            self.initial, self.steps = (
                widen(network.initial),
                steps_of(network.transition),
            )
            self.incoming = widen(network.transition.T, -np.inf)
            final = (
                np.zeros_like(network.initial)
                if network.final is None
                else network.final
            )
            self.final = widen(final, -np.inf)


class Decoder:
    """Turns blocks of tag scores, given in order, into the tags of a batch."""

    def __init__(
        self,
        starts,
        transitions,
        kept=None,
        constraints=None,
        kinds=None,
        permitted=None,
    ):
        """starts: int32[n_sequences + 1], of the batch; transitions: the network's.

        kept: a list that receives the scores, float32[n, n_tags], of each block, or
        None;
        constraints: Constraints on the tags, or None: with some, blocks are of whole
        sequences;
        kinds: int8[n_rows], what these ask of rows, or None for zeros; permitted: see
        WordBatch.
        """
        self._permitted = permitted
        self._constraints, self._kinds = constraints, kinds
        self.tags, self._kept = np.empty(starts[-1], np.int32), kept
        self._done, self._starts, self._transitions = 0, starts, transitions
        if transitions.initial is not None:
            longest = int(np.diff(starts).max(initial=0))
            self._score = aligned(longest, len(transitions.initial))

    def add(self, scores):
        """Decode the next rows from their scores: float32[n, n_tags], widened."""
        t = self._transitions
        if self._kept is not None:
            self._kept.append(scores[:, : t.n_tags].copy())
        own = scores[:, : t.n_tags]
        if self._permitted is not None:
            self._forbid(own)
        if t.initial is None:
            self.tags[self._done : self._done + len(scores)] = own.argmax(axis=1)
        else:
            viterbi(
                scores,
                self._done,
                self._starts,
                t.initial,
                t.steps,
                t.incoming,
                t.final,
                self._score,
                self.tags,
            )
            if self._constraints is not None:
                self._mend(scores)
        self._done += len(scores)

    def _forbid(self, scores):
        """Leave no chance to tags that rows of a block may not have, in place."""
        table, classes = self._permitted
        own = classes[self._done : self._done + len(scores)]
        wrong = np.flatnonzero(~table[own, scores.argmax(axis=1)])
        if self._transitions.initial is not None:
            wrong = np.arange(len(scores))
        scores[wrong] = np.where(table[own[wrong]], scores[wrong], _IMPOSSIBLE)

    def _mend(self, scores):
        """Find other tags for those sequences of a block that break a constraint."""
        rows = slice(self._done, self._done + len(scores))
        first, last = np.searchsorted(self._starts, (rows.start, rows.stop))
        begin = self._starts[first : last + 1] - rows.start
        kinds = (
            np.zeros(len(scores), np.int8) if self._kinds is None else self._kinds[rows]
        )
        self._constraints.mend(scores, begin, kinds, self._transitions, self.tags[rows])
