"""Spellings out of character-aware language models: what `spelling.NAME` of a run computes."""

import numpy as np

from senna_py.errors import SennaError
from senna_py.lm.lstm.alphabet import MarkedAlphabet
from senna_py.lm.lstm.word_vectors import Speller, open_lstm, principal_axes
from senna_py.networks.character_network import Spelling
from senna_py.text.alphabet import Alphabet

__all__ = ["read_spelling"]

_SAMPLE = 20_000  # words whose variance is looked at


def read_spelling(path, dim, words, vectors):
    """Spelling of a language model of `senna-lm train char`: its file, or the run's directory.

    dim: length of its vectors, which are the first principal components of what the model gives to
    its LSTM, over words: list of str, the dictionary; all are scaled by one factor, so that their
    variance is that of vectors: float32[n_words, d], the words'. Numbers are those that a model's
    file keeps, float16. Raises SennaError naming what cannot be read or is too short.
    """
    model = open_lstm(path, characters=True)
    shape = model.shape
    if dim > shape.n_features:
        raise SennaError(
            f"{path}: {dim} numbers asked for, it represents words by {shape.n_features}"
        )
    parameters = model.network.inputs.parameters()
    table = parameters["character_vectors"]
    without_marks = table[: Alphabet.n_special], table[MarkedAlphabet.n_special :]
    arrays = parameters | {
        "character_vectors": np.concatenate(without_marks),
        "characters": model.parts.alphabet.to_array(),
    }
    sample = words[:: max(len(words) // _SAMPLE, 1)]
    projection = principal_components(Speller(model, path).vectors(sample), dim, vectors.std())
    arrays |= dict(zip(("projection_weight", "projection_bias"), projection, strict=True))
    with np.errstate(over="ignore"):
        half = {k: a if a.dtype == np.uint8 else a.astype("<f2") for k, a in arrays.items()}
    try:
        return Spelling(half)
    except SennaError as error:
        raise SennaError(f"{path}: {error}") from None


def principal_components(x, dim, deviation):
    """Weight float32[d, dim] and bias float32[dim] of the projection on the axes of most variance.

    x: float32[n, d]; deviation: the standard deviation of all that comes out for x.
    """
    mean, axes = principal_axes(x, dim)
    strongest = axes[np.abs(axes).argmax(axis=0), np.arange(dim)]
    axes = axes * np.sign(strongest)  # which way an axis points is nobody's choice
    found = ((x - mean) @ axes).std()
    weight = axes * (deviation / found if found > 0 else 1)
    return weight.astype(np.float32), (-mean @ weight).astype(np.float32)
