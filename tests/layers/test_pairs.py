import numpy as np
import pytest
from finite_differences import check_layer
from naive_bfloat16 import rounded

from senna_py.kernels.cold_start.jit import plain_way
from senna_py.layers.linear import blas
from senna_py.layers.pairs import PairLayer


def make(rng, dtype=float):
    w, p, a, b = rng.normal(size=(4, 5, 3)).astype(dtype)
    bias, distances = rng.normal(size=3).astype(dtype), rng.normal(size=(7, 3)).astype(dtype)
    return PairLayer(w, bias, p, a, b, distances, product=blas)


def pairs(rng):
    return tuple(rng.integers(n, size=12).astype(np.int32) for n in (6, 2, 7))


def test_it_is_the_equation():
    rng = np.random.default_rng(0)
    layer, given = make(rng), pairs(rng)
    words, predicates = rng.normal(size=(6, 5)), rng.normal(size=(2, 5))
    out, _ = layer.forward(words, predicates, given)
    a = layer.parameters()
    for row, i, j, k in zip(out, *given, strict=True):
        u, v = words[i], predicates[j]
        expected = u @ a["hidden_weight"] + v @ a["predicate_weight"] + a["distances"][k]
        expected += (u @ a["word_factor"]) * (v @ a["predicate_factor"]) + a["hidden_bias"]
        np.testing.assert_allclose(row, expected, rtol=1e-9)


def test_gradients():
    rng = np.random.default_rng(1)
    check_layer(make(rng), [rng.normal(size=(6, 5)), rng.normal(size=(2, 5))], pairs(rng))


@pytest.mark.parametrize("plain", [False, True])
def test_for_tagging_it_is_the_same_of_rounded_numbers_with_a_rectifier(plain):
    rng = np.random.default_rng(2)
    layer, given = make(rng, np.float32), pairs(rng)
    words, predicates = (rng.normal(size=(n, 5)).astype(np.float32) for n in (6, 2))
    weights = layer.parameters() | {
        name: rounded(array) for name, array in layer.parameters().items() if array.shape == (5, 3)
    }
    order = "hidden_weight", "hidden_bias", "predicate_weight", "word_factor", "predicate_factor"
    exact = PairLayer(*(weights[name] for name in (*order, "distances")), product=blas)
    expected, _ = exact.forward(rounded(words), rounded(predicates), given)
    assert (expected < 0).any()
    with plain_way(plain):
        packed = layer.packed()
        found = packed.join(packed.parts(words, predicates), given)
    np.testing.assert_allclose(found, np.maximum(expected, 0), atol=1e-5)
