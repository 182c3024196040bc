"""Inputs of an LSTM in place of words: their vectors, with those of morphemes, or
characters.
"""

import numpy as np

from senna_py.kernels.nn.lookup import add_to_rows
from senna_py.layers.protocol import Layer


def ragged(values, starts, rows):
    """The given rows of CSR data: their values one after the other, and where each
    begins.

    values: any[n]; starts: int[n_rows + 1]; rows: int[k]. Returns any[m] and int64[k +
    1].
    """
    lengths = starts[rows + 1] - starts[rows]
    begins = np.concatenate([[0], np.cumsum(lengths)])
    shift = np.repeat(starts[rows] - begins[:-1], lengths)
    return values[np.arange(begins[-1]) + shift], begins


class WordInput(Layer):
    """Word vectors: float32[n_words, dim]."""

    def __init__(self, vectors):
        self.vectors = vectors

    def parameters(self):
        return {"vectors": self.vectors}

    def forward(self, words):
        """Inputs of different words: int32[n]; float32[n, dim], and the trace."""
        return self.vectors[words], words

    def backward(self, d_out, words, gradients):
        gradients.distinct_rows("vectors", words, d_out)


class MorphemeInput(WordInput):
    """The vector of a word, and those of its morphemes, added up (equation 11).

    morpheme_vectors: float32[n_morphemes, dim]; morphemes: int32[n]; starts:
    int32[n_words + 1], where those of each word begin in it.
    """

    def __init__(self, vectors, morpheme_vectors, morphemes, starts):
        super().__init__(vectors)
        self.morpheme_vectors, self.morphemes, self.starts = (
            morpheme_vectors,
            morphemes,
            starts,
        )

    def parameters(self):
        return super().parameters() | {"morpheme_vectors": self.morpheme_vectors}

    def forward(self, words):
        out = self.vectors[words]
        morphemes, starts = ragged(self.morphemes, self.starts, words)
        owner = np.repeat(np.arange(len(words), dtype=np.int32), np.diff(starts))
        add_to_rows(self.morpheme_vectors[morphemes], owner, out)
        return out, (words, morphemes, owner)

    def backward(self, d_out, kept, gradients):
        words, morphemes, owner = kept
        super().backward(d_out, words, gradients)
        n_morphemes = len(self.morpheme_vectors)
        gradients.rows("morpheme_vectors", n_morphemes, morphemes, d_out[owner])


class CharacterInput(Layer):
    """What a convolution over the characters of words makes, and layers on top of it.

    alphabet: Alphabet; words: list of str, by index; convolution: a Convolution;
    layers: a list of Highway or Plain, the lowest first.
    """

    def __init__(self, alphabet, words, convolution, layers):
        self.alphabet, self.convolution, self.layers = alphabet, convolution, layers
        self._widest = max(map(len, convolution.weights))
        self._characters, self._starts = alphabet.spell(words, self._widest)

    def parameters(self):
        found = self.convolution.parameters()
        for layer in self.layers:
            found |= layer.parameters()
        return found

    def forward(self, words):
        """Inputs of different words of the list: int32[n]; float32[n, dim], and the
        trace.
        """
        return self._forward(*ragged(self._characters, self._starts, words))

    def _forward(self, characters, starts, after=True):
        y, features = self.convolution.forward(characters, starts)
        traces = []
        for layer in self.layers if after else ():
            y, trace = layer.forward(y)
            traces.append(trace)
        return y, (features, traces)

    def backward(self, d_out, trace, gradients):
        features, traces = trace
        for layer, kept in zip(reversed(self.layers), reversed(traces), strict=True):
            d_out = layer.backward(d_out, kept, gradients)
        self.convolution.backward(d_out, features, gradients)

    def represent(self, words, after=True):
        """Inputs of any words, list of str, after highway layers or before: float32[n,
        dim].
        """
        return self._forward(*self.alphabet.spell(words, self._widest), after)[0]
