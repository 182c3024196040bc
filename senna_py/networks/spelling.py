"""Vectors of words computed from their characters (Kim et al. 2016, equations 5 to 8)."""

import re

import numpy as np

from senna_py.errors import SennaError
from senna_py.kernels.convolution import max_of_windows
from senna_py.networks.blocks import apply_linear

__all__ = ["N_SPECIAL", "Spelling"]

# Rows of the table of characters before those of the alphabet.
_PADDING, _START, _END, _UNKNOWN = range(4)
N_SPECIAL = 4
_MOST_LAYERS = 64  # and widths
_AT_ONCE = 512  # words
_ARRAY = re.compile(
    r"characters|character_vectors|filter_(weight|bias)\.[1-9][0-9]?"
    r"|(highway[1-9][0-9]?|plain|projection)_(weight|bias)"
)


class Spelling:
    """What a character-aware language model makes of words, projected to fewer numbers.

    A vector of a word is that of its characters alone: it does not depend on what is computed
    beside it. A character that the alphabet lacks is read as its small letter, or as the unknown
    one; an alphabet that lacks most capitals of its letters is one of lower-case text, and all
    words are read in lower case.
    """

    def __init__(self, arrays):
        """Take arrays by name, with l = N_SPECIAL rows for padding, start, end, unknown.

        characters: uint8, UTF-8, one a line; character_vectors: [l + n_characters, d];
        filter_weight.W: [W, d, f_W] and filter_bias.W: [f_W], for the widths W from 1 on;
        highwayK_weight: [n, 2 n], W_H beside W_T, and highwayK_bias: [2 n] for K from 1 on, or
        plain_weight: [n, n] and plain_bias: [n], or none, n being the filters of all widths;
        projection_weight: [n, dim]; projection_bias: [dim]. All but the first may be float16 or
        float32. Raises SennaError, without a file's name, if they do not fit together.
        """
        self.arrays, self._left = arrays, set(arrays)
        text = self._take("characters", np.uint8, 1).tobytes().decode("utf-8", "surrogateescape")
        characters = text.split("\n")[:-1]
        self._index = {c: N_SPECIAL + i for i, c in enumerate(characters)}
        if any(len(c) != 1 for c in characters) or len(self._index) != len(characters):
            raise SennaError("characters: expected different single characters")
        letters = [c for c in characters if c != c.upper()]
        self._lower = 2 * sum(c.upper() in self._index for c in letters) < len(letters)
        self._vectors = self._half("character_vectors", N_SPECIAL + len(characters), None)
        self._filters = self._read_filters(self._vectors.shape[1])
        n = sum(len(bias) for _, bias in self._filters)
        self._plain = "plain_weight" in arrays
        names = ["plain"] if self._plain else self._numbered("highway{}_weight", "highway{}")
        both = 1 if self._plain else 2
        self._layers = [self._layer(name, n, both * n) for name in names]
        self._projection = self._layer("projection", n, None)
        if self._left:
            raise SennaError(f"array {min(self._left)!r} belongs to nothing")

    @staticmethod
    def is_array(name):
        """Whether an array may have the name."""
        return _ARRAY.fullmatch(name) is not None

    @property
    def dim(self):
        """Length of the vectors."""
        return len(self._projection[1])

    @property
    def n_characters(self):
        """How many characters it knows."""
        return len(self._index)

    def _numbered(self, array, name):
        """Names for 1, 2, ... as long as there is an array of such a name."""
        found = []
        while array.format(len(found) + 1) in self.arrays and len(found) < _MOST_LAYERS:
            found.append(name.format(len(found) + 1))
        return found

    def _read_filters(self, dim):
        widths = range(1, 1 + len(self._numbered("filter_weight.{}", "{}")))
        if not widths:
            raise SennaError("array 'filter_weight.1' is missing")
        weights = [self._half(f"filter_weight.{w}", w, dim, None) for w in widths]
        return [
            (weight, self._half(f"filter_bias.{w}", weight.shape[2]))
            for w, weight in zip(widths, weights, strict=True)
        ]

    def _layer(self, name, n_in, n_out):
        weight = self._half(f"{name}_weight", n_in, n_out)
        return weight, self._half(f"{name}_bias", weight.shape[1])

    def _take(self, name, dtype, n_dimensions):
        array = self.arrays.get(name)
        if array is None:
            raise SennaError(f"array {name!r} is missing")
        self._left.discard(name)
        if not np.issubdtype(array.dtype, dtype) or array.ndim != n_dimensions:
            raise SennaError(f"array {name!r}: {array.dtype}{list(array.shape)}")
        return array

    def _half(self, name, *shape):
        """An array as float32; its shape is given but for what is None, which is not 0."""
        array = self._take(name, np.floating, len(shape))
        for found, size in zip(array.shape, shape, strict=True):
            if found == 0 or size not in (None, found):
                wanted = ", ".join("*" if size is None else str(size) for size in shape)
                raise SennaError(f"array {name!r}: shape {list(array.shape)}, expected [{wanted}]")
        if not np.isfinite(array).all():
            raise SennaError(f"array {name!r}: a number that is not finite")
        return np.ascontiguousarray(array, np.float32)

    def vectors(self, words):
        """Vectors of words, a list of str: float32[n, dim]."""
        out = np.empty((len(words), self.dim), np.float32)
        for begin in range(0, len(words), _AT_ONCE):
            some = words[begin : begin + _AT_ONCE]
            out[begin : begin + len(some)] = apply_linear(self.features(some), *self._projection)
        return out

    def features(self, words):
        """What the layers make of words, before the projection: float32[n, n_filters of all]."""
        y = self._convolve(*self._spell(words))
        for weight, bias in self._layers:
            made = apply_linear(y, weight, bias)
            if self._plain:
                y = np.maximum(made, 0)
                continue
            gate = np.tanh(made[:, y.shape[1] :] / 2) / 2 + np.float32(0.5)
            y = np.ascontiguousarray(y + gate * (np.maximum(made[:, : y.shape[1]], 0) - y))
        return y

    def _spell(self, words):
        """Characters of words, padded to the widest filter: int32[n], int64[n_words + 1]."""
        get, least, spelled = self._index.get, len(self._filters), []
        for word in words:
            text = word.lower() if self._lower else word
            inner = [get(c) or get(c.lower(), _UNKNOWN) for c in text]
            spelled.append([_START, *inner, _END, *[_PADDING] * (least - 2 - len(inner))])
        starts = np.cumsum([0, *map(len, spelled)])
        return np.array([c for word in spelled for c in word], np.int32), starts

    def _convolve(self, characters, starts):
        """Largest response of each filter in each word (equations 5 and 6)."""
        used, local = np.unique(characters, return_inverse=True)
        local, vectors, features = local.astype(np.int32), self._vectors[used], []
        for weight, bias in self._filters:
            none = np.zeros(len(bias), np.float32)
            places = [apply_linear(vectors, part, none) for part in weight]
            table = np.ascontiguousarray(np.stack(places, axis=1))
            out = np.empty((len(starts) - 1, len(bias)), np.float32)
            max_of_windows(table, local, starts, out, np.empty(out.shape, np.int32))
            features.append(np.tanh(out + bias))
        return np.concatenate(features, axis=1)
