"""Output units of one level and of two."""

import numpy as np
import pytest

from senna_py.layers.class_softmax import ClassSoftmax, initial_class_softmax
from senna_py.layers.softmax import Softmax, initial_softmax

WORD_CLASS = np.array([1, 0, 1, 2, 2, 1, 0], np.int32)
FREQUENCY = np.array([3.5, 0.5, 10.5, 1.5, 7.5, 2.5, 0.5])
# A new layer of 7 words and 40 features.
KINDS = {
    "softmax": lambda *args: Softmax(*initial_softmax(*args[:2], 7, 40, *args[2:])),
    "classes": lambda *args: ClassSoftmax(
        WORD_CLASS, *initial_class_softmax(*args[:2], WORD_CLASS, 40, *args[2:])
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_it_begins_with_small_numbers(kind):
    layer = KINDS[kind](np.random.default_rng(0), 0.05)
    arrays = layer.parameters()
    shapes = {"output_weight": (7, 40), "output_bias": (7,)}
    if kind == "classes":
        shapes |= {"class_weight": (3, 40), "class_bias": (3,)}
    assert {name: array.shape for name, array in arrays.items()} == shapes
    for name, array in arrays.items():
        assert array.dtype == np.float32, name
        assert array.all() and np.abs(array).max() <= 0.05, name


@pytest.mark.parametrize("kind", KINDS)
def test_biases_give_words_their_frequencies(kind):
    layer = KINDS[kind](np.random.default_rng(0), 0.01, FREQUENCY)
    sums = {"output_bias": 3 if kind == "classes" else 1, "class_bias": 1}  # of probabilities
    for name, array in layer.parameters().items():
        assert array.dtype == np.float32, name
        if name in sums:
            assert np.exp(array).sum() == pytest.approx(sums[name], rel=1e-5)
        else:
            assert 0.009 < np.abs(array).max() <= 0.01, name
    p = layer.probabilities(np.zeros((1, 40), np.float32))
    np.testing.assert_allclose(p[0], FREQUENCY / FREQUENCY.sum(), rtol=1e-5)
