import numpy as np
import pytest

from senna_py.kernels.runtime.jit import plain_way
from senna_py.layers.activations import Rectifier
from senna_py.layers.pairs import PATH_TABLES, PairParts, PairUnits
from tests.helpers.finite_differences import check_layer
from tests.helpers.naive_bfloat16 import rounded

TABLES = ("distances", *PATH_TABLES)
PREDICATE = np.array([1, 4], np.int32)  # words


@pytest.fixture(params=[False, True], ids=["distances", "paths"])
def has_paths(request):
    return request.param


def make(rng, has_paths, dtype=float):
    w, p, a, b = rng.normal(size=(4, 5, 3)).astype(dtype)
    bias, distances = rng.normal(size=3).astype(dtype), rng.normal(size=(7, 3)).astype(dtype)
    arrays = {"hidden_weight": w, "hidden_bias": bias, "predicate_weight": p, "word_factor": a,
              "predicate_factor": b}  # fmt: skip
    tables = {"distances": distances}
    if has_paths:
        tables |= {name: rng.normal(size=(n, 3)).astype(dtype)
                   for name, n in zip(PATH_TABLES, (4, 4, 2), strict=True)}  # fmt: skip
    return Pairs(arrays, tables)


class Pairs:
    """Both layers, one after the other; words and predicates are rows of the same states."""

    def __init__(self, arrays, tables):
        self.parts, self.units = PairParts(arrays), PairUnits(tables)
        self.table_rows = self.units.table_rows

    def parameters(self):
        return self.parts.parameters() | self.units.parameters()

    def forward(self, states, predicate, pairs):
        parts, of_parts = self.parts.forward(states, predicate)
        out, of_units = self.units.forward(parts, pairs)
        return out, (of_parts, of_units)

    def backward(self, d_out, trace, gradients):
        d_parts = self.units.backward(d_out, trace[1], gradients)
        return self.parts.backward(d_parts, trace[0], gradients)


def pairs(rng, layer):
    """Words, predicates, and the rows of each table."""
    sizes = [len(layer.parameters()[name]) for name in TABLES if name in layer.parameters()]
    rows = [rng.integers(n, size=12).astype(np.int32) for n in sizes]
    return *(rng.integers(n, size=12).astype(np.int32) for n in (6, 2)), rows


def test_it_is_the_equation(has_paths):
    rng = np.random.default_rng(0)
    layer = make(rng, has_paths)
    i, j, rows = pairs(rng, layer)
    words = rng.normal(size=(6, 5))
    predicates = words[PREDICATE]
    out, _ = layer.forward(words, PREDICATE, (i, j, layer.table_rows(rows)))
    a = layer.parameters()
    for t, row in enumerate(out):
        u, v = words[i[t]], predicates[j[t]]
        expected = u @ a["hidden_weight"] + v @ a["predicate_weight"] + a["hidden_bias"]
        expected += (u @ a["word_factor"]) * (v @ a["predicate_factor"])
        expected += sum(a[name][k[t]] for name, k in zip(TABLES, rows, strict=False))
        np.testing.assert_allclose(row, expected, rtol=1e-9)


def test_gradients(has_paths):
    rng = np.random.default_rng(1)
    layer = make(rng, has_paths)
    i, j, rows = pairs(rng, layer)
    given = i, j, layer.table_rows(rows)
    check_layer(layer, [rng.normal(size=(6, 5))], PREDICATE, given)


def test_gradients_where_all_words_are_predicates(has_paths):
    rng = np.random.default_rng(1)
    layer = make(rng, has_paths)
    i, j, rows = pairs(rng, layer)
    check_layer(layer, [rng.normal(size=(6, 5))], None, (i, j, layer.table_rows(rows)))


@pytest.mark.parametrize("plain", [False, True])
def test_for_tagging_it_is_the_same_of_rounded_numbers_with_a_rectifier(plain, has_paths):
    rng = np.random.default_rng(2)
    layer = make(rng, has_paths, np.float32)
    i, j, rows = pairs(rng, layer)
    given = i, j, layer.table_rows(rows)
    words = rng.normal(size=(6, 5)).astype(np.float32)
    weights = layer.parameters() | {
        name: rounded(array) for name, array in layer.parameters().items() if array.shape == (5, 3)
    }
    tables = {name: weights.pop(name) for name in TABLES if name in weights}
    expected, _ = Pairs(weights, tables).forward(rounded(words), PREDICATE, given)
    assert (expected < 0).any()
    with plain_way(plain):
        parts = layer.parts.outputs(words, PREDICATE)
        found = Rectifier().outputs(layer.units.outputs(parts, given))
    np.testing.assert_allclose(found, np.maximum(expected, 0), atol=1e-5)
