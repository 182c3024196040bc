"""The neural probabilistic language model after training, and its file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.numbers import float_of
from senna_py.kernels.lm.nplm import contexts
from senna_py.lm.language_model import NO_WORDS, LanguageModel, shape_of_metadata
from senna_py.lm.nplm.build import network_of
from senna_py.lm.nplm.settings import NplmShape

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from senna_py.lm.arrays import Arrays
    from senna_py.lm.nplm.energy import EnergyNetwork
    from senna_py.lm.nplm.network import NplmNetwork
    from senna_py.lm.word_list import WordList

_ROUNDS = 50  # the number of EM iterations
_LEAST = np.finfo(float).tiny  # avoids division by 0 if exp(log P) underflows


class Unseen:
    """Smooths the probabilities of unseen words, which are not in the training text.

    Unseen words are part of the vocabulary but never the target, so training drives
    their probabilities toward zero. The model is therefore a mixture: (1 - share) times
    the network, plus share times the uniform distribution over the unseen words. The
    interpolated trigram model of Bengio et al. (2003, section 4.1) also has a uniform
    part.
    """

    def __init__(self, words: NDArray[np.int32], share: float, n_words: int) -> None:
        """Create the mixture for a list of unseen words.

        Args:
            words: int32[n], the indices of the unseen words.
            share: The total probability of the uniform part. It is set to 0 if there
                are no unseen words.
            n_words: The size of the vocabulary.
        """
        self.words = words
        self.share = share if len(words) else 0.0
        self._is_unseen = np.zeros(n_words, bool)
        self._is_unseen[words] = True

    def __str__(self) -> str:
        return f"{len(self.words):,}, with {100 * self.share:.3f}% of the probability"

    def smooth(
        self, log_p: NDArray[np.float64], target: NDArray[np.integer]
    ) -> NDArray[np.float64]:
        """Return log P of targets according to the mixture: float64[n].

        Args:
            log_p: float64[n], log P of the targets according to the network.
            target: int[n], the targets. Indices beyond the vocabulary do not belong to
                unseen words.
        """
        if not self.share:
            return log_p
        out = log_p + np.log1p(-self.share)
        unseen = self._is_unseen[np.minimum(target, len(self._is_unseen) - 1)]
        unseen &= target < len(self._is_unseen)
        out[unseen] = np.logaddexp(out[unseen], np.log(self.share / len(self.words)))
        return out

    def learn(self, log_p: NDArray[np.float64], target: NDArray[np.integer]) -> None:
        """Set the share by EM, to maximize the likelihood of a text.

        Args:
            log_p: float64[n], log P of the words of the text according to the network.
            target: int[n], the words of the text.
        """
        if not len(self.words):
            return
        uniform = self._is_unseen[target] / len(self.words)
        network, share = np.exp(log_p), self.share or 0.01
        for _ in range(_ROUNDS):
            of_uniform = share * uniform
            total = of_uniform + (1 - share) * network
            share = float(np.mean(of_uniform / np.maximum(total, _LEAST)))
        self.share = share


_BATCH = 256  # the number of contexts whose scores fit into the processor's cache
_NAMES = {
    "softmax": "softmax over all words",
    "classes": "softmax over classes, then words",
    "energy": "energy of the word in its context",
}


def context_rows(
    stream: NDArray[np.int32],
    positions: Sequence[int] | NDArray[np.int64],
    order: int,
    word_list: WordList,
) -> NDArray[np.int32]:
    """Return the context words of each position, the nearest first.

    Positions before `<s>` or before the beginning of the text are padded with
    len(word_list), the index of the last row of the vectors.

    Args:
        stream: int32[n_stream], the text.
        positions: int64[n], positions in the text.
        order: The order of the model.
        word_list: The words of the text.

    Returns:
        The context words: int32[n, order - 1].
    """
    out = np.empty((len(positions), order - 1), np.int32)
    positions = np.asarray(positions, np.int64)
    contexts(
        stream, positions, np.int64(word_list.begin), np.int64(len(word_list)), out
    )
    return out


class NeuralModel(LanguageModel):
    """The neural probabilistic language model (Bengio et al. 2003).

    Attributes:
        shape: The shape of the network.
        network: The network.
        unseen: The smoothing of words that are not in the training text.
        word_list: The words.
        info: Facts about the training as JSON values.
    """

    kind, title = "nplm", "neural probabilistic language model"

    def __init__(
        self,
        shape: NplmShape,
        network: NplmNetwork | EnergyNetwork,
        unseen: Unseen,
        word_list: WordList,
        info: dict[str, Any],
    ) -> None:
        self.shape = shape
        self.network = network
        self.unseen = unseen
        self.word_list = word_list
        self.info = info
        self.order: int = shape.order

    def log10_probabilities(
        self, ids: NDArray[np.int32], before: NDArray[np.int32] = NO_WORDS
    ) -> NDArray[np.float64]:
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

    def probabilities(self, before: ArrayLike) -> NDArray[np.floating]:
        stream = np.asarray(before, np.int32)
        context = context_rows(stream, [len(stream)], self.order, self.word_list)
        p = self.network.probabilities(context)[0] * np.float32(1 - self.unseen.share)
        p[self.unseen.words] += self.unseen.share / max(len(self.unseen.words), 1)
        return p

    def facts(self) -> list[tuple[str, str]]:
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

    def tensors(self) -> dict[str, NDArray[Any]]:
        arrays: dict[str, NDArray[Any]] = {"unseen": self.unseen.words}
        if self.shape.output == "classes":
            arrays["word_class"] = self.network.output.word_class
        return arrays

    def about(self) -> dict[str, str]:
        shape = {key: str(value) for key, value in vars(self.shape).items()}
        return shape | {"unseen_share": repr(float(self.unseen.share))}


def read_neural(
    word_list: WordList, fields: Mapping[str, str], arrays: Arrays, info: dict[str, Any]
) -> NeuralModel:
    """Create a neural model from the contents of its file.

    Args:
        word_list: The vocabulary.
        fields: The metadata of the file.
        arrays: The arrays of the file.
        info: Facts about the training as JSON values.

    Raises:
        KeyError: If a field or an array is missing.
        SennaError: If a field or an array is not valid.
    """
    shape = shape_of_metadata(NplmShape, fields)
    n_words = len(word_list)
    word_class, n_classes = None, 0
    if shape.output == "classes":
        word_class = arrays.take("word_class", np.int32, (n_words,))
        present = np.unique(word_class)
        n_classes = len(present)
        if not np.array_equal(present, np.arange(n_classes)):
            raise SennaError("word_class: a class without words")
    layers = arrays.take_floats(shape.arrays(n_words, n_classes))
    words = arrays.take("unseen", np.int32, (None,))
    unseen = _unseen(fields["unseen_share"], words, n_words)
    network = network_of(shape, layers, word_class)
    return NeuralModel(shape, network, unseen, word_list, info)


def _unseen(share: str, words: NDArray[np.int32], n_words: int) -> Unseen:
    try:
        value = float_of(share)
    except ValueError:
        value = np.nan
    if not 0 <= value < 1:
        raise SennaError(f"unseen_share {share!r}: expected a number from 0 to below 1")
    if ((words < 0) | (words >= n_words)).any() or len(np.unique(words)) < len(words):
        raise SennaError("unseen: expected indices of different words")
    return Unseen(words, value, n_words)
