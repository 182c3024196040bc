"""Input layers of an LSTM, which compute vectors of words.

The vectors are stored for each word, summed with vectors of morphemes, or computed from
characters.
"""

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
    """Return selected rows of an array with rows of different lengths (CSR).

    Args:
        values: any[n], the concatenated values of all rows.
        starts: int[n_rows + 1], the offset of each row in `values`.
        rows: int[k], the indices of the rows to select.

    Returns:
        The concatenated values of the selected rows, any[m], and the offset of each of
        these rows, int64[k + 1].
    """
    lengths = starts[rows + 1] - starts[rows]
    begins = np.concatenate([[0], np.cumsum(lengths)])
    shift = np.repeat(starts[rows] - begins[:-1], lengths)
    return values[np.arange(begins[-1]) + shift], begins


class WordInput(Layer):
    """An input layer that looks up word vectors.

    Attributes:
        vectors: float32[n_words, dim], the word vectors.
    """

    def __init__(self, vectors: Floats) -> None:
        self.vectors = vectors

    def parameters(self) -> dict[str, Floats]:
        return {"vectors": self.vectors}

    def forward(self, words: NDArray[np.int32]) -> tuple[Floats, Any]:
        """Return the vectors of words, float32[n, dim], and the trace.

        Args:
            words: int32[n], distinct words.
        """
        return self.vectors[words], words

    def backward(self, d_out: Floats, trace: Any, gradients: Gradients) -> None:
        gradients.distinct_rows("vectors", trace, d_out)


class MorphemeInput(WordInput):
    """An input layer that adds the vectors of a word and of its morphemes.

    See Kim et al. (2016), equation 11.

    Attributes:
        vectors: float32[n_words, dim], the word vectors.
        morpheme_vectors: float32[n_morphemes, dim], the morpheme vectors.
        morphemes: int32[n], the concatenated morphemes of all words.
        starts: int32[n_words + 1], the offset of each word's morphemes.
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
    """An input layer that applies a convolution to the characters of words.

    Attributes:
        alphabet: The alphabet of the characters.
        convolution: The convolution.
        layers: The highway or plain layers after the convolution, the lowest first.
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
        """Return the vectors of words, float32[n, dim], and the trace.

        Args:
            words: int32[n], distinct words.
        """
        return self._forward(*ragged(self._characters, self._starts, words))

    def _forward(
        self,
        characters: NDArray[np.int32],
        starts: NDArray[np.int64],
        after: bool = True,
    ) -> tuple[Floats, Any]:
        """Return the vectors of spelled words, float32[n, dim], and the trace.

        See `Alphabet.spell` and `represent` for the arguments.
        """
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
        """Return the vectors of words, which need not be in the vocabulary.

        Args:
            words: The words.
            after: Whether to return the vectors after the highway or plain layers,
                which are the input of the LSTM, or before them.

        Returns:
            The vectors: float32[n, dim].
        """
        return self._forward(*self.alphabet.spell(words, self._widest), after)[0]
