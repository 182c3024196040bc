"""What all taggers share: layers on blocks of rows, and decoding block by block."""

import math

import numpy as np

from senna_py.kernels.decoding.viterbi import viterbi
from senna_py.kernels.nn.linear import LANES, convolve, linear, linear_of_rows, panels_of
from senna_py.kernels.nn.lookup import lookup, pad_sentences

__all__ = [
    "BLOCK", "Decoder", "PackedLinear", "Transitions", "aligned", "apply_convolution",
    "apply_linear", "embed", "extremes_of", "pad", "sentence_blocks", "whole_vectors",
    "wide_linear", "widen", "within_segments",
]  # fmt: skip

# Rows computed at once: few enough for their hidden layer to stay in a core's cache, and for
# memory not to grow with the length of a sentence.
BLOCK = 256
_FORBIDDEN = -1000.0  # transitions below are of no sequence that is valid


def embed(tables, index):
    """Concatenated lookup-table rows: float32[n, sum of dims] for index: int32[n, n_features]."""
    dtype = getattr(tables[0], "dtype", np.float32)
    out = np.empty((len(index), sum(table.shape[1] for table in tables)), dtype)
    column = 0
    for f, table in enumerate(tables):
        if isinstance(table, np.ndarray):
            lookup(table, index[:, f], out, column)
        else:
            table.lookup(index[:, f], out, column)
        column += table.shape[1]
    return out


def pad(features, starts, window, padding):
    """Features with half a window of padding around each sentence, and where windows begin.

    features: int32[n_tokens, n_features]; starts: int32[n_sentences + 1]; padding:
    int32[n_features]. Returns int32[n_rows, n_features] and int32[n_tokens], the first row of each
    token's window.
    """
    half = window // 2
    n_rows = len(features) + 2 * half * (len(starts) - 1)
    padded = np.empty((n_rows, features.shape[1]), np.int32)
    first = np.empty(len(features), np.int32)
    pad_sentences(features, starts, half, padding, padded, first)
    return padded, first


def sentence_blocks(starts, n_words):
    """Yield first and last, exclusive, of as many sentences as have n_words, but always one."""
    first = 0
    while first < len(starts) - 1:
        last = int(np.searchsorted(starts, starts[first] + n_words, side="right")) - 1
        last = max(first + 1, last)
        yield first, last
        first = last


def apply_linear(x, weight, bias):
    """Linear layer: float32[n, n_out] from x: float32[n, n_in]."""
    out = aligned(len(x), len(bias))
    linear(x, weight, bias, out)
    return out


class PackedLinear:
    """The linear layer of `apply_linear` with its weights packed once, for many blocks of rows."""

    def __init__(self, weight, bias):
        """weight: float32[n_in, n_out]; bias: float32[n_out]."""
        self.arrays = weight, panels_of(weight), bias  # as kernels take them

    def __call__(self, x):
        """Outputs float32[n, n_out] of x: float32[n, n_in]."""
        out = aligned(len(x), len(self.arrays[2]))
        linear_of_rows(x, np.arange(len(x)), *self.arrays, out)
        return out


def apply_convolution(x, first, weight, bias=None):
    """Linear layer on the windows of rows of x that begin at rows `first`: float32[n, n_out]."""
    out = np.empty((len(first), weight.shape[1]), np.float32)
    bias = np.zeros(weight.shape[1], np.float32) if bias is None else bias
    convolve(x, first, weight, bias, out)
    return out


def aligned(*shape):
    """Uninitialised float32 array that begins where vectors do: reading across costs twice."""
    n = math.prod(shape)
    raw = np.empty(n + LANES, np.float32)
    first = -raw.__array_interface__["data"][0] // raw.itemsize % LANES
    return raw[first : first + n].reshape(shape)


def whole_vectors(n):
    """n columns, up to a whole number of vectors."""
    return -(-n // LANES) * LANES


def widen(array):
    """The array with columns of zeros up to a whole number of vectors, aligned.

    Rows of scores that are not as wide cost a kernel more than the columns too many.
    """
    n = array.shape[-1]
    out = aligned(*array.shape[:-1], whole_vectors(n))
    out[..., :n], out[..., n:] = array, 0
    return out


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
    zeros = np.full(whole_vectors(len(transition)), -np.inf, np.float32)
    zeros[: len(transition)] = 0
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


def wide_linear(weight, bias):
    """PackedLinear that gives scores as wide as kernels want them, see `widen`."""
    return PackedLinear(widen(weight), widen(bias))


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
            self.incoming = np.ascontiguousarray(network.transition.T)
            final = network.final
            self.final = np.zeros_like(network.initial) if final is None else final


class Decoder:
    """Turns blocks of tag scores, given in order, into the tags of a batch."""

    def __init__(self, starts, transitions, kept=None):
        """starts: int32[n_sequences + 1], of the batch; transitions: the network's.

        kept: a list that receives the scores, float32[n, n_tags], of each block, or None.
        """
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
        self._done += len(scores)
