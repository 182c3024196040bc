"""Vectors for unknown words while scoring (Bengio et al. 2003, section 5.1).

When an unknown word j first occurs, its vector is set to the expectation of the vector
of a word in this context: C(j) = sum_i C(i) P(i | context). From then on, this vector
represents the word in contexts. An energy network predicts words by their vectors, so
the word is also added to its vocabulary, which changes the normalizers. A network with
a softmax layer predicts `<unk>` instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.errors import UsageError
from senna_py.lm.language_model import NO_WORDS, LanguageModel, Scorer, last_words
from senna_py.lm.nplm.build import network_of
from senna_py.lm.nplm.energy import EnergyNetwork
from senna_py.lm.nplm.model import NeuralModel, context_rows
from senna_py.lm.word_list import OpenWordList

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_BATCH = 256  # the number of words that are scored at a time
_NEW_WORDS = 4096  # the number of new words whose energies are computed at a time


class OpenModel(LanguageModel):
    """A neural model that assigns vectors to unknown words while it scores a text."""

    kind = NeuralModel.kind
    order = None  # unlimited context, because earlier unknown words have vectors

    def __init__(self, model: LanguageModel) -> None:
        """Wrap a neural model, which is not changed.

        Raises:
            UsageError: If the model is not a NeuralModel.
        """
        if not isinstance(model, NeuralModel):
            raise UsageError(
                "vectors for unknown words need a model of `train nplm`, not the kind "
                f"{model.kind}"
            )
        self.model = model
        # len(model.word_list) is the index of padding.
        self.word_list = OpenWordList(model.word_list, len(model.word_list) + 1)

    def scorer(self) -> Scorer:
        return _OpenScorer(self.model)


class _OpenScorer(Scorer):
    def __init__(self, model: NeuralModel) -> None:
        self._model: NeuralModel = model
        self._before = NO_WORDS
        self._n_words = len(model.word_list)
        arrays = model.network.parameters()
        word_class = None
        if model.shape.output == "classes":
            word_class = model.network.output.word_class
        self._network = network_of(model.shape, arrays, word_class)
        # The array grows by doubling, so that adding n words takes O(n) time.
        self._room = self._network.vectors
        self._new_bias = 0.0
        if isinstance(self._network, EnergyNetwork):  # treat a new word as a rare word
            self._new_bias = float(np.median(self._network.output_bias))

    def take(self, ids: NDArray[np.int32]) -> NDArray[np.float64]:
        stream, start = np.concatenate([self._before, ids]), len(self._before)
        out = np.zeros(len(ids))
        begin = 0
        different, firsts = np.unique(ids, return_index=True)
        is_new = different >= len(self._network.vectors)
        for place in sorted(firsts[is_new].tolist()):
            self._score(stream, start, range(begin, place), out)
            self._add(stream, start + place)
            begin = place
        self._score(stream, start, range(begin, len(ids)), out)
        self._before = last_words(self._before, ids, self._model.order - 1)
        return out / np.log(10)

    def _context(
        self, stream: NDArray[np.int32], positions: Sequence[int] | NDArray[np.int64]
    ) -> NDArray[np.int32]:
        model = self._model
        return context_rows(stream, positions, model.order, model.word_list)

    def _add(self, stream: NDArray[np.int32], position: int) -> None:
        """Add the word at a position, with the expected vector of a word there."""
        p = self._network.probabilities(self._context(stream, [position]))
        vector = p @ self._network.vectors[: self._n_words]
        known, n = len(self._network.vectors), int(stream[position]) + 1
        if n > len(self._room):
            room = np.empty((2 * n, self._room.shape[1]), self._room.dtype)
            room[:known] = self._network.vectors
            self._room = room
        self._room[known:n] = vector
        self._network.vectors = self._room[:n]

    def _score(
        self, stream: NDArray[np.int32], start: int, places: range, out: NDArray[Any]
    ) -> None:
        """Write log P of the words at stream[start + places] to out[places]."""
        for first in range(places.start, places.stop, _BATCH):
            part = np.arange(first, min(first + _BATCH, places.stop))
            part = part[stream[start + part] != self._model.word_list.begin]
            if not len(part):
                continue
            context, target = self._context(stream, start + part), stream[start + part]
            if isinstance(self._network, EnergyNetwork):
                log_p = self._by_energy(self._network, context, target)
            else:
                unknown = self._model.word_list.unknown
                target = np.where(target < self._n_words, target, np.int32(unknown))
                log_p = self._network.log_probabilities(context, target)
            out[part] = self._model.unseen.smooth(log_p, target)

    def _by_energy(
        self,
        network: EnergyNetwork,
        context: NDArray[np.int32],
        target: NDArray[np.int32],
    ) -> NDArray[np.float64]:
        """Return log P of the targets: float64[n].

        Probabilities are normalized over the vocabulary and all new words.
        """
        n_known = self._n_words
        known = np.where(target < n_known, target, np.int32(-1))
        _, _, log_p, log_z = network.normalized(context, known)
        new_vectors = network.vectors[n_known + 1 :]
        if not len(new_vectors):
            return log_p
        reached, larger, place = log_p + log_z, log_z, target - n_known - 1
        for first in range(0, len(new_vectors), _NEW_WORDS):
            part = new_vectors[first : first + _NEW_WORDS]
            new = network.scores_of(context, part, self._new_bias).astype(float)
            larger = np.logaddexp(larger, np.logaddexp.reduce(new, 1))
            rows = np.flatnonzero((place >= first) & (place < first + len(part)))
            reached[rows] = new[rows, place[rows] - first]
        return reached - larger
