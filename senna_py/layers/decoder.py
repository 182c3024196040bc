"""Decoding of the tags of a batch (Viterbi), block by block of its scores."""

import numpy as np

from senna_py.kernels.decoding.viterbi import viterbi
from senna_py.layers.blocks import aligned, whole_vectors, widen

__all__ = ["Decoder", "Transitions", "extremes_of", "within_segments"]

_FORBIDDEN = -1000.0  # transitions below are of no sequence that is valid


def within_segments(transition):
    """Tags that one or two others lead to, as `kernels.decoding.viterbi.largest_within` has them.

    transition: float32[n_sources, n_destinations]; what is less than -1000 leads nowhere. Where
    IOBES is enforced, these are the tags I and E of each type, which follow its B and its I.
    """
    leads = transition > _FORBIDDEN
    counts = leads.sum(axis=0)
    tags = np.flatnonzero((counts == 1) | (counts == 2))
    order = np.argsort(~leads[:, tags], axis=0, kind="stable")  # those that lead there come first
    sources = order[[0, min(1, len(order) - 1)]]
    sources[1] = np.where(counts[tags] == 2, sources[1], sources[0])
    others = np.where(leads[:, tags], -np.inf, transition[:, tags]).max(axis=0)
    zeros = widen(np.zeros(len(transition), np.float32), -np.inf)
    return tags, sources, transition[sources, tags], others.astype(np.float32), zeros


def extremes_of(transition):
    """Largest and smallest transition of each source, as `likely_sources` has them.

    transition: float32[n_sources, n_destinations]. Where some are forbidden, destinations that few
    sources lead to, those within a segment, are a group of their own: what is least among their
    transitions says nothing about the others. Returns float32[2, n_groups, width].
    """
    few = 1 / 4  # B and I of one type, among two or more; what begins a segment follows half of all
    from_few = (transition > _FORBIDDEN).mean(axis=0) < few
    groups = [transition[:, group] for group in (~from_few, from_few) if group.any()]
    width = whole_vectors(len(transition))
    extremes = np.full((2, len(groups), width), -np.inf, np.float32)
    for k, group in enumerate(groups):
        extremes[:, k, : len(transition)] = group.max(axis=1), group.min(axis=1)
    return extremes


class Transitions:
    """The sentence-level scores of a network, laid out for decoding."""

    def __init__(self, network):
        """network: `initial`, `transition` and `final` are arrays or None."""
        self.n_tags, self.initial = len(network.output_bias), None
        if network.initial is not None:
            self.initial, self.transition = widen(network.initial), widen(network.transition)
            self.within = within_segments(network.transition)
            asked = np.ones(self.n_tags, bool)
            asked[self.within[0]] = False
            self.extremes = extremes_of(network.transition[:, asked])
            self.incoming = widen(network.transition.T, -np.inf)
            final = np.zeros_like(network.initial) if network.final is None else network.final
            self.final = widen(final, -np.inf)


class Decoder:
    """Turns blocks of tag scores, given in order, into the tags of a batch."""

    def __init__(self, starts, transitions, kept=None, constraints=None, kinds=None):
        """starts: int32[n_sequences + 1], of the batch; transitions: the network's.

        kept: a list that receives the scores, float32[n, n_tags], of each block, or None;
        constraints: Constraints on the tags, or None: with some, blocks are of whole sequences;
        kinds: int8[n_rows], what these ask of rows, or None for zeros.
        """
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
        if t.initial is None:
            best = scores[:, : t.n_tags].argmax(axis=1)
            self.tags[self._done : self._done + len(scores)] = best
        else:
            viterbi(
                scores, self._done, self._starts, t.initial, t.transition, t.extremes, t.within,
                t.incoming, t.final, self._score, self.tags,
            )  # fmt: skip
            if self._constraints is not None:
                self._mend(scores)
        self._done += len(scores)

    def _mend(self, scores):
        """Find other tags for those sequences of a block that break a constraint."""
        rows = slice(self._done, self._done + len(scores))
        first, last = np.searchsorted(self._starts, (rows.start, rows.stop))
        begin = self._starts[first : last + 1] - rows.start
        kinds = np.zeros(len(scores), np.int8) if self._kinds is None else self._kinds[rows]
        self._constraints.mend(scores, begin, kinds, self._transitions, self.tags[rows])
