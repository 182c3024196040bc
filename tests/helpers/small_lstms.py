"""Small networks of every kind in double precision, and gradients by finite
differences.
"""

import numpy as np

from senna_py.lm.lstm.lexicon import Alphabet, Lexicon, Morphemes
from senna_py.lm.lstm.network import network_of
from senna_py.lm.lstm.settings import LstmShape

WORDS = ["<unk>", "<s>", "</s>", "a", "cat", "cats", "häte", "lookinglike", "at"]
CLUSTER = np.array([0, 2, 1, 1, 0, 2, 2, 0, 1], np.int32)
MORPHEMES = Morphemes(
    ["cat", "s", "look"],
    np.array([0, 0, 1, 2, 1, 1], np.int32),
    np.array([0, 0, 0, 0, 0, 1, 3, 3, 6, 6], np.int32),
)
CHAR = {
    "input": "char",
    "char_dim": 2,
    "widths": 4,
    "filters": 1,
    "most_filters": 3,
    "hidden": 3,
}
SHAPES = {
    "char": LstmShape(**CHAR),
    "char, no highway": LstmShape(**CHAR | {"highway": 0}),
    "char, two highway layers": LstmShape(**CHAR | {"highway": 2}),
    "char, plain layer": LstmShape(**CHAR | {"plain": True}),
    "char, clusters": LstmShape(**CHAR | {"output": "clusters"}),
    "word": LstmShape(input="word", dim=4, hidden=3),
    "morph": LstmShape(input="morph", dim=4, hidden=3),
    "three layers": LstmShape(input="word", dim=4, hidden=3, layers=3),
}


def parts_of(shape):
    return Lexicon(
        WORDS,
        Alphabet.of_words(WORDS) if shape.input == "char" else None,
        MORPHEMES if shape.input == "morph" else None,
        CLUSTER if shape.output == "clusters" else None,
    )


def small_network(shape, dtype=np.float64):
    """A network of WORDS whose weights are large enough to matter."""
    rng, parts = np.random.default_rng(0), parts_of(shape)
    sizes = shape.arrays(parts.sizes())
    arrays = {
        name: rng.normal(0, 0.8, size).astype(dtype) for name, size in sizes.items()
    }
    if shape.input == "char":
        arrays["character_vectors"][0] = 0
    return network_of(shape, parts, arrays)


def small_text(n_steps=5, batch=3, seed=1):
    """Words and the words after them, with repetitions: int32[n_steps, batch] both."""
    rng = np.random.default_rng(seed)
    return rng.integers(0, len(WORDS), (2, n_steps, batch)).astype(np.int32)
