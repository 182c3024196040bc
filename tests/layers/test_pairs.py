import numpy as np
import pytest

from senna_py.kernels.runtime.jit import plain_way
from senna_py.layers.pairs import OF_PATHS, PairLayer
from tests.helpers.finite_differences import check_layer
from tests.helpers.naive_bfloat16 import rounded

TABLES = ("distances", *OF_PATHS)


@pytest.fixture(params=[False, True], ids=["distances", "paths"])
def has_paths(request):
    return request.param


def make(rng, has_paths, dtype=float):
    w, p, a, b = rng.normal(size=(4, 5, 3)).astype(dtype)
    bias, distances = rng.normal(size=3).astype(dtype), rng.normal(size=(7, 3)).astype(dtype)
    paths = [rng.normal(size=(n, 3)).astype(dtype) for n in (4, 4, 2)] if has_paths else ()
    return PairLayer(w, bias, p, a, b, distances, paths)


def pairs(rng, layer):
    """Words, predicates, and the rows of each table."""
    sizes = [len(layer.parameters()[name]) for name in TABLES if name in layer.parameters()]
    rows = [rng.integers(n, size=12).astype(np.int32) for n in sizes]
    return *(rng.integers(n, size=12).astype(np.int32) for n in (6, 2)), rows


def test_it_is_the_equation(has_paths):
    rng = np.random.default_rng(0)
    layer = make(rng, has_paths)
    i, j, rows = pairs(rng, layer)
    words, predicates = rng.normal(size=(6, 5)), rng.normal(size=(2, 5))
    out, _ = layer.forward(words, predicates, (i, j, layer.table_rows(rows)))
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
    check_layer(layer, [rng.normal(size=(6, 5)), rng.normal(size=(2, 5))], given)


@pytest.mark.parametrize("plain", [False, True])
def test_for_tagging_it_is_the_same_of_rounded_numbers_with_a_rectifier(plain, has_paths):
    rng = np.random.default_rng(2)
    layer = make(rng, has_paths, np.float32)
    i, j, rows = pairs(rng, layer)
    given = i, j, layer.table_rows(rows)
    words, predicates = (rng.normal(size=(n, 5)).astype(np.float32) for n in (6, 2))
    weights = layer.parameters() | {
        name: rounded(array) for name, array in layer.parameters().items() if array.shape == (5, 3)
    }
    order = "hidden_weight", "hidden_bias", "predicate_weight", "word_factor", "predicate_factor"
    paths = [weights[name] for name in OF_PATHS if name in weights]
    exact = PairLayer(*(weights[name] for name in (*order, "distances")), paths)
    expected, _ = exact.forward(rounded(words), rounded(predicates), given)
    assert (expected < 0).any()
    with plain_way(plain):
        packed = layer.packed()
        found = packed.join(packed.parts(words, predicates), given)
    np.testing.assert_allclose(found, np.maximum(expected, 0), atol=1e-5)
