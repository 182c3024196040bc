"""Vectors for unknown words while scoring (Bengio et al. 2003, section 5.1).

On its first occurrence a word gets the mean of all vectors, weighted by the
probabilities of their words in its place: C(j) = sum_i C(i) P(i | context). From then
on it stands in contexts with that vector. An energy network predicts words by their
vectors, so it adds the word to its vocabulary and normalizes again; a softmax over
output units predicts `<unk>`.
"""

import numpy as np

from senna_py.errors import UsageError
from senna_py.lm.language_model import NO_WORDS, LanguageModel, Scorer, last_words
from senna_py.lm.nplm.build import network_of
from senna_py.lm.nplm.model import NeuralModel, context_rows
from senna_py.lm.word_list import OpenWordList

_BATCH = 256
_NEW_WORDS = 4096  # scored at once


class OpenModel(LanguageModel):
    """A NeuralModel that learns vectors of unknown words as it scores."""

    kind = NeuralModel.kind
    order = None  # what was met long before matters

    def __init__(self, model):
        """Wrap a NeuralModel; raises UsageError for a model of another kind."""
        if model.kind != NeuralModel.kind:
            raise UsageError(
                f"vectors for unknown words need a model of `train nplm`, not the kind {model.kind}"
            )
        self.model = model
        self.word_list = OpenWordList(
            model.word_list, len(model.word_list) + 1
        )  # after padding

    def scorer(self):
        return _OpenScorer(self.model)


class _OpenScorer(Scorer):
    def __init__(self, model):
        self._model, self._before = model, NO_WORDS
        self._n_words = len(model.word_list)
        arrays = model.network.parameters()
        output = model.network.output if model.shape.output == "classes" else None
        self._network = network_of(model.shape, arrays, output and output.word_class)
        self._energy = model.shape.output == "energy"
        self._room = (
            self._network.vectors
        )  # grows twofold, so that adding words stays linear
        if self._energy:
            self._new_bias = np.median(self._network.output_bias)  # that of a rare word

    def take(self, ids):
        stream, start = np.concatenate([self._before, ids]), len(self._before)
        out = np.zeros(len(ids))
        begin = 0
        new, places = np.unique(ids, return_index=True)
        for place in sorted(
            places[new >= len(self._network.vectors)].tolist()
        ):  # without a vector
            self._score(stream, start, range(begin, place), out)
            self._add(stream, start + place)
            begin = place
        self._score(stream, start, range(begin, len(ids)), out)
        self._before = last_words(self._before, ids, self._model.order - 1)
        return out / np.log(10)

    def _context(self, stream, positions):
        model = self._model
        return context_rows(stream, positions, model.order, model.word_list)

    def _add(self, stream, position):
        p = self._network.probabilities(self._context(stream, [position]))
        vector = p @ self._network.vectors[: self._n_words]
        known, n = len(self._network.vectors), int(stream[position]) + 1
        if n > len(self._room):
            room = np.empty((2 * n, self._room.shape[1]), self._room.dtype)
            room[:known] = self._network.vectors
            self._room = room
        self._room[known:n] = vector
        self._network.vectors = self._room[:n]

    def _score(self, stream, start, places, out):
        for first in range(places.start, places.stop, _BATCH):
            part = np.arange(first, min(first + _BATCH, places.stop))
            part = part[stream[start + part] != self._model.word_list.begin]
            context, target = self._context(stream, start + part), stream[start + part]
            score = self._by_energy if self._energy else self._by_units
            if len(part):
                out[part] = self._model.unseen.smooth(*score(context, target))

    def _by_units(self, context, target):
        known = np.where(target < self._n_words, target, self._model.word_list.unknown)
        return self._network.log_probabilities(context, known), known

    def _by_energy(self, context, target):
        network, n_known = self._network, self._n_words
        log_p, log_z = network.log_probabilities(
            context, np.where(target < n_known, target, -1), True
        )
        own = network.vectors[n_known + 1 :]
        if not len(own):
            return log_p, target
        reached, larger, place = log_p + log_z, log_z, target - n_known - 1
        for first in range(0, len(own), _NEW_WORDS):
            part = own[first : first + _NEW_WORDS]
            new = network.scores_of(context, part, self._new_bias).astype(float)
            larger = np.logaddexp(larger, np.logaddexp.reduce(new, 1))
            rows = np.flatnonzero((place >= first) & (place < first + len(part)))
            reached[rows] = new[rows, place[rows] - first]
        return reached - larger, target
