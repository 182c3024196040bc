import numpy as np
import pytest

from senna_py.kernels.runtime.jit import by_fallbacks
from senna_py.layers.activations import Rectifier
from senna_py.layers.pairs import PairParts, PairUnits
from tests.helpers.finite_differences import check_layer
from tests.helpers.naive_int8 import rounded_columns, rounded_rows

PREDICATE = np.array([1, 4], np.int32)  # words


def make(rng, dtype=float):
    w, p, a, b = rng.normal(size=(4, 5, 3)).astype(dtype)
    bias, distances = rng.normal(size=3).astype(dtype), rng.normal(size=(7, 3)).astype(dtype)
    arrays = {"hidden_weight": w, "hidden_bias": bias, "predicate_weight": p, "word_factor": a,
              "predicate_factor": b}  # fmt: skip
    return Pairs(arrays, distances)


class Pairs:
    """Both layers, one after the other; words and predicates are rows of the same states."""

    def __init__(self, arrays, distances):
        self.parts, self.units = PairParts(arrays), PairUnits(distances)

    def parameters(self):
        return self.parts.parameters() | self.units.parameters()

    def forward(self, states, predicate, pairs):
        parts, of_parts = self.parts.forward(states, predicate)
        out, of_units = self.units.forward(parts, pairs)
        return out, (of_parts, of_units)

    def backward(self, d_out, trace, gradients):
        d_parts = self.units.backward(d_out, trace[1], gradients)
        return self.parts.backward(d_parts, trace[0], gradients)


def pairs(rng):
    """Words, predicates, and rows of distances."""
    return [rng.integers(n, size=12).astype(np.int32) for n in (6, 2, 7)]


@pytest.mark.parametrize("predicate", [PREDICATE, None])
def test_gradients(predicate):
    """Of some words as predicates, and of all."""
    rng = np.random.default_rng(1)
    layer = make(rng)
    given = pairs(rng)
    check_layer(layer, [rng.normal(size=(6, 5))], predicate, given)


@pytest.mark.parametrize("plain", [False, True])
def test_for_tagging_it_is_the_same_of_rounded_numbers_with_a_rectifier(plain):
    rng = np.random.default_rng(2)
    layer = make(rng, np.float32)
    given = pairs(rng)
    words = rng.normal(size=(6, 5)).astype(np.float32)
    weights = layer.parameters() | {
        name: rounded_columns(array)
        for name, array in layer.parameters().items()
        if array.shape == (5, 3)
    }
    distances = weights.pop("distances")
    expected, _ = Pairs(weights, distances).forward(rounded_rows(words), PREDICATE, given)
    assert (expected < 0).any()
    with by_fallbacks(plain):
        parts = layer.parts.outputs(words, PREDICATE)
        found = Rectifier().outputs(layer.units.outputs(parts, given))
    np.testing.assert_allclose(found, np.maximum(expected, 0), atol=1e-5)
