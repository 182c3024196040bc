"""Vectors of words computed from their characters (Kim et al. 2016, equations 5 to 8)."""

import re

import numpy as np

from senna_py.errors import SennaError
from senna_py.layers.blocks import apply_linear
from senna_py.layers.character_stack import CharacterStack
from senna_py.text.alphabet import FoldingAlphabet

__all__ = ["Spelling"]

_MOST_LAYERS = 64  # and widths
_AT_ONCE = 512  # words
_ARRAY = re.compile(
    r"characters|character_vectors|filter_(weight|bias)\.[1-9][0-9]?"
    r"|(highway[1-9][0-9]?|plain|projection)_(weight|bias)"
)


class Spelling:
    """What a character-aware language model makes of words, projected to fewer numbers.

    A vector of a word is that of its characters alone: it does not depend on what is computed
    beside it. Words are read by a FoldingAlphabet.
    """

    def __init__(self, arrays):
        """Take arrays by name, with l = FoldingAlphabet.n_special rows before those of characters.

        characters: uint8, UTF-8, one a line; character_vectors: [l + n_characters, d];
        filter_weight.W: [W, d, f_W] and filter_bias.W: [f_W], for the widths W from 1 on;
        highwayK_weight: [n, 2 n], W_H beside W_T, and highwayK_bias: [2 n] for K from 1 on, or
        plain_weight: [n, n] and plain_bias: [n], or none, n being the filters of all widths;
        projection_weight: [n, dim]; projection_bias: [dim]. All but the first may be float16 or
        float32. Raises SennaError, without a file's name, if they do not fit together.
        """
        self.arrays, self._left = arrays, set(arrays)
        self._alphabet = FoldingAlphabet.from_array(self._take("characters", np.uint8, 1))
        self._stack, n = self._take_stack()
        self._projection = [*self._take_layer("projection", n, None).values()]
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
        return len(self._alphabet.characters)

    def _numbered(self, array, name):
        """Names for 1, 2, ... as long as there is an array of such a name."""
        found = []
        while array.format(len(found) + 1) in self.arrays and len(found) < _MOST_LAYERS:
            found.append(name.format(len(found) + 1))
        return found

    def _take_stack(self):
        """The CharacterStack, and the filters of all widths."""
        vectors = self._half("character_vectors", len(self._alphabet), None)
        arrays = {"character_vectors": vectors}
        widths = range(1, 1 + len(self._numbered("filter_weight.{}", "{}")))
        if not widths:
            raise SennaError("array 'filter_weight.1' is missing")
        for w in widths:
            weight = arrays[f"filter_weight.{w}"] = self._half(
                f"filter_weight.{w}", w, vectors.shape[1], None
            )
            arrays[f"filter_bias.{w}"] = self._half(f"filter_bias.{w}", weight.shape[2])
        n = sum(len(arrays[f"filter_bias.{w}"]) for w in widths)
        if "plain_weight" in self.arrays:
            names, width = ["plain"], n
        else:
            names, width = self._numbered("highway{}_weight", "highway{}"), 2 * n
        for name in names:
            arrays |= self._take_layer(name, n, width)
        products = _product, apply_linear
        return CharacterStack.of_arrays(arrays, widths, names, products), n

    def _take_layer(self, name, n_in, n_out):
        weight = self._half(f"{name}_weight", n_in, n_out)
        bias = self._half(f"{name}_bias", weight.shape[1])
        return {f"{name}_weight": weight, f"{name}_bias": bias}

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
        return self._stack.forward(*self._alphabet.spell(words, self._stack.widest))[0]


def _product(vectors, weight):
    """Product of a Convolution, each row of which is the same whatever is computed beside it."""
    none = np.zeros(weight.shape[2], np.float32)
    return np.stack([apply_linear(vectors, part, none) for part in weight])
