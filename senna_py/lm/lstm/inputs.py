"""Inputs of an LSTM: word vectors, with or without morphemes, or characters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.kernels.nn.lookup import add_to_rows
from senna_py.layers.protocol import Layer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from senna_py.layers.character_convolution import Convolution
    from senna_py.layers.gradients import Gradients
    from senna_py.layers.highway import Highway, Plain
    from senna_py.lm.lstm.lexicon import Alphabet

    Floats = NDArray[np.floating]


def ragged(
    values: NDArray[Any], starts: NDArray[np.integer], rows: NDArray[np.integer]
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return rows of CSR data: their values, and where each row begins.

    Args:
        values: any[n], the values of all rows.
        starts: int[n_rows + 1], where each row begins.
        rows: int[k], the rows.

    Returns:
        any[m] and int64[k + 1].
    """
    lengths = starts[rows + 1] - starts[rows]
    begins = np.concatenate([[0], np.cumsum(lengths)])
    shift = np.repeat(starts[rows] - begins[:-1], lengths)
    return values[np.arange(begins[-1]) + shift], begins


class WordInput(Layer):
    """Word vectors: float32[n_words, dim]."""

    def __init__(self, vectors: Floats) -> None:
        self.vectors = vectors

    def parameters(self) -> dict[str, Floats]:
        return {"vectors": self.vectors}

    def forward(self, words: NDArray[np.int32]) -> tuple[Floats, Any]:
        """Return the inputs of different words, float32[n, dim], and the trace."""
        return self.vectors[words], words

    def backward(self, d_out: Floats, trace: Any, gradients: Gradients) -> None:
        gradients.distinct_rows("vectors", trace, d_out)


class MorphemeInput(WordInput):
    """The vector of a word plus those of its morphemes (equation 11).

    Attributes:
        vectors: float32[n_words, dim].
        morpheme_vectors: float32[n_morphemes, dim].
        morphemes: int32[n], the morphemes of all words.
        starts: int32[n_words + 1], where the morphemes of each word begin.
    """

    def __init__(
        self,
        vectors: Floats,
        morpheme_vectors: Floats,
        morphemes: NDArray[np.int32],
        starts: NDArray[np.integer],
    ) -> None:
        super().__init__(vectors)
        self.morpheme_vectors = morpheme_vectors
        self.morphemes = morphemes
        self.starts = starts

    def parameters(self) -> dict[str, Floats]:
        return super().parameters() | {"morpheme_vectors": self.morpheme_vectors}

    def forward(self, words: NDArray[np.int32]) -> tuple[Floats, Any]:
        out = self.vectors[words]
        morphemes, starts = ragged(self.morphemes, self.starts, words)
        owner = np.repeat(np.arange(len(words), dtype=np.int32), np.diff(starts))
        add_to_rows(self.morpheme_vectors[morphemes], owner, out)
        return out, (words, morphemes, owner)

    def backward(self, d_out: Floats, trace: Any, gradients: Gradients) -> None:
        words, morphemes, owner = trace
        super().backward(d_out, words, gradients)
        n_morphemes = len(self.morpheme_vectors)
        gradients.rows("morpheme_vectors", n_morphemes, morphemes, d_out[owner])


class CharacterInput(Layer):
    """A convolution over the characters of words, and layers on top of it.

    Attributes:
        alphabet: The characters.
        convolution: The convolution.
        layers: The layers, the lowest first.
    """

    def __init__(
        self,
        alphabet: Alphabet,
        words: Sequence[str],
        convolution: Convolution,
        layers: Sequence[Highway | Plain],
    ) -> None:
        self.alphabet = alphabet
        self.convolution = convolution
        self.layers = layers
        self._widest = max(map(len, convolution.weights))
        self._characters, self._starts = alphabet.spell(words, self._widest)

    def parameters(self) -> dict[str, Floats]:
        parameters = self.convolution.parameters()
        for layer in self.layers:
            parameters |= layer.parameters()
        return parameters

    def forward(self, words: NDArray[np.int32]) -> tuple[Floats, Any]:
        """Return the inputs of different words, float32[n, dim], and the trace."""
        return self._forward(*ragged(self._characters, self._starts, words))

    def _forward(
        self,
        characters: NDArray[np.int32],
        starts: NDArray[np.int64],
        after: bool = True,
    ) -> tuple[Floats, Any]:
        """Return inputs, after highway layers or before, and the trace."""
        y, features = self.convolution.forward(characters, starts)
        traces = []
        for layer in self.layers if after else ():
            y, trace = layer.forward(y)
            traces.append(trace)
        return y, (features, traces)

    def backward(self, d_out: Floats, trace: Any, gradients: Gradients) -> None:
        features, traces = trace
        pairs = zip(reversed(self.layers), reversed(traces), strict=True)
        for layer, trace_of_layer in pairs:
            d_out = layer.backward(d_out, trace_of_layer, gradients)
        self.convolution.backward(d_out, features, gradients)

    def represent(self, words: Sequence[str], after: bool = True) -> Floats:
        """Return the inputs of any words, which need not be known: float32[n, dim].

        `after` says whether they are the outputs of highway layers or their inputs.
        """
        return self._forward(*self.alphabet.spell(words, self._widest), after)[0]
