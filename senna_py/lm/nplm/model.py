"""The trained network as a language model, the words that training lacks, and the file
of both.
"""

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.numbers import float_of
from senna_py.kernels.lm.nplm import contexts
from senna_py.lm.language_model import NO_WORDS, LanguageModel, shape_of_metadata
from senna_py.lm.nplm.build import network_of
from senna_py.lm.nplm.settings import NplmShape

_ROUNDS = 50  # of EM, for one weight
_LEAST = np.finfo(float).tiny  # the exponential of a log P below -745 is 0


class Unseen:
    """The probability of words in the vocabulary that the training text lacks.

    They are never the target, so training drives their probabilities towards zero. The
    model is therefore a mixture: (1 - share) times the network, and share times the
    uniform distribution over these words, as the interpolated trigram is partly uniform
    (Bengio et al. 2003, 4.1).
    """

    def __init__(self, words, share, n_words):
        """Words: int32[n], their indices; share: of all n; n_words: size of the
        vocabulary.
        """
        self.words, self.share = words, share if len(words) else 0.0
        self._is_unseen = np.zeros(n_words, bool)
        self._is_unseen[words] = True

    def __str__(self):
        return f"{len(self.words):,}, with {100 * self.share:.3f}% of the probability"

    def smooth(self, log_p, target):
        """log P of targets by the model, given that by the network: float64[n]; target:
        int[n].
        """
        if not self.share:
            return log_p
        out = log_p + np.log1p(-self.share)
        unseen = self._is_unseen[np.minimum(target, len(self._is_unseen) - 1)]
        unseen &= target < len(self._is_unseen)
        out[unseen] = np.logaddexp(out[unseen], np.log(self.share / len(self.words)))
        return out

    def learn(self, log_p, target):
        """Set the share to what EM finds best for a text: log_p: float64[n], of the
        network.
        """
        if not len(self.words):
            return
        own = self._is_unseen[target] / len(self.words)
        network, share = np.exp(log_p), self.share or 0.01
        for _ in range(_ROUNDS):
            by_share = share * own
            total = by_share + (1 - share) * network
            share = float(np.mean(by_share / np.maximum(total, _LEAST)))
        self.share = share


_BATCH = 256  # contexts at a time: their scores stay near the processor
_NAMES = {
    "softmax": "softmax over all words",
    "classes": "softmax over classes, then words",
    "energy": "energy of the word in its context",
}


def context_rows(stream, positions, order, word_list):
    """The order - 1 words before each position, the nearest first: int32[n, order - 1].

    Before the beginning stands len(word_list), the last row of the vectors.
    """
    out = np.empty((len(positions), order - 1), np.int32)
    positions = np.asarray(positions, np.int64)
    contexts(
        stream, positions, np.int64(word_list.begin), np.int64(len(word_list)), out
    )
    return out


class NeuralModel(LanguageModel):
    """The neural probabilistic language model (Bengio et al. 2003).

    shape: NplmShape; network: NplmNetwork or EnergyNetwork; unseen: Unseen; word_list:
    WordList;
    info: a dict of how it was made.
    """

    kind, title = "nplm", "neural probabilistic language model"

    def __init__(self, shape, network, unseen, word_list, info):
        self.shape, self.network, self.unseen = shape, network, unseen
        self.word_list, self.info, self.order = word_list, info, shape.order

    def log10_probabilities(self, ids, before=NO_WORDS):
        stream, out = np.concatenate([before, ids]), np.zeros(len(ids))
        predicted = np.flatnonzero(ids != self.word_list.begin)
        for first in range(0, len(predicted), _BATCH):
            places = predicted[first : first + _BATCH]
            context = context_rows(
                stream, places + len(before), self.order, self.word_list
            )
            log_p = self.network.log_probabilities(context, ids[places])
            out[places] = self.unseen.smooth(log_p, ids[places])
        return out / np.log(10)

    def probabilities(self, before):
        stream = np.asarray(before, np.int32)
        context = context_rows(stream, [len(stream)], self.order, self.word_list)
        p = self.network.probabilities(context)[0] * np.float32(1 - self.unseen.share)
        p[self.unseen.words] += self.unseen.share / max(len(self.unseen.words), 1)
        return p

    def facts(self):
        shape = self.shape
        n = sum(array.size for array in self.network.parameters().values())
        return [
            ("vectors", f"{shape.dim} dimensions"),
            ("hidden units", str(shape.hidden)),
            ("direct connections", "yes" if shape.direct else "no"),
            ("output", _NAMES[shape.output]),
            ("parameters", f"{n:,}"),
            ("unseen words", str(self.unseen)),
        ]

    def tensors(self):
        is_two_level = self.shape.output == "classes"
        classes = {"word_class": self.network.output.word_class} if is_two_level else {}
        return {"unseen": self.unseen.words} | classes

    def about(self):
        found = {key: str(value) for key, value in vars(self.shape).items()}
        return found | {"unseen_share": repr(float(self.unseen.share))}


def read_neural(word_list, found, arrays, info):
    """NeuralModel of a file; see `model_files.open_model`."""
    shape, n_words = shape_of_metadata(NplmShape, found), len(word_list)
    word_class, n_classes = None, 0
    if shape.output == "classes":
        word_class = arrays.take("word_class", np.int32, (n_words,))
        present = np.unique(word_class)
        n_classes = len(present)
        if not np.array_equal(present, np.arange(n_classes)):
            raise SennaError("word_class: a class without words")
    layers = arrays.take_floats(shape.arrays(n_words, n_classes))
    words = arrays.take("unseen", np.int32, (None,))
    unseen = _unseen(found["unseen_share"], words, n_words)
    return NeuralModel(
        shape, network_of(shape, layers, word_class), unseen, word_list, info
    )


def _unseen(share, words, n_words):
    try:
        value = float_of(share)
    except ValueError:
        value = np.nan
    if not 0 <= value < 1:
        raise SennaError(f"unseen_share {share!r}: expected a number from 0 to below 1")
    if ((words < 0) | (words >= n_words)).any() or len(np.unique(words)) < len(words):
        raise SennaError("unseen: expected indices of different words")
    return Unseen(words, value, n_words)
