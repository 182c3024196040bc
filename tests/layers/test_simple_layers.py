"""Layers of few lines. Others are tested in networks."""

import numpy as np
import pytest

from senna_py.kernels.runtime.switch import fixed_kernels
from senna_py.layers.activations import Dropout
from senna_py.layers.blocks import embed
from senna_py.layers.distance import DistanceConvolution
from senna_py.layers.gated_convolution import GatedBlock
from senna_py.layers.gradients import Gradients, WeightedGradients
from senna_py.layers.highway import Highway, Plain
from senna_py.layers.int8 import Int8Weight
from senna_py.layers.layer_norm import LayerNorm
from senna_py.layers.linear import Linear, blas
from senna_py.layers.lookup import ByteRows, ChangedTable, Lookup, dense
from senna_py.layers.pairs import PairParts, PairScores, PairUnits
from senna_py.layers.protocol import Layer, initial_uniform, initial_weight
from senna_py.training.optimizers import Sgd
from tests.helpers.finite_differences import check_layer, whole_gradients
from tests.helpers.naive_int8 import rounded_columns, rounded_rows


def normal(*shape):
    return np.random.default_rng(shape).normal(size=shape)


@pytest.mark.parametrize(
    ("layer", "close"),
    [
        (Linear("linear", normal(4, 3), normal(3), blas), 1e-6),
        (Highway("highway", normal(4, 8), normal(8)), 1e-6),
        (Plain("plain", normal(4, 4), normal(4)), 1e-6),
        # It has constants of single precision.
        (
            LayerNorm("norm", normal(4), normal(4)),
            1e-5,
        ),
    ],
)
def test_gradients(layer, close):
    check_layer(layer, [normal(5, 4)], close=close)


def test_initial_weights():
    for limit, made in (
        (0.2, initial_uniform(np.random.default_rng(0), 0.2, 30, 40)),
        (0.5, initial_weight(np.random.default_rng(0), 12, 30, 40)),
    ):
        assert (made.dtype, made.shape) == (np.float32, (30, 40))
        assert (
            0.99 * limit < made.max() <= limit and -limit <= made.min() < -0.99 * limit
        )


def test_dropout():
    x = np.ones((100, 100), np.float32)
    out, factors = Dropout(np.random.default_rng(0), 0.25).forward(x)
    assert out is x and np.array_equal(out, factors)
    assert set(np.unique(out)) == {np.float32(0), np.float32(1 / 0.75)}
    assert 0.2 < (out == 0).mean() < 0.3
    d_x = Dropout(None, 0.25).backward(np.full_like(x, 3), factors)
    assert np.array_equal(d_x, 3 * factors)
    assert Dropout(None).forward(x) == (x, None)


def test_lookup():
    rng = np.random.default_rng(0)
    tables = [rng.normal(size=size).astype(np.float32) for size in ((4, 2), (3, 1))]
    layer = Lookup.numbered(tables)
    index = np.array([[1, 0], [3, 2], [1, 2]], np.int32)
    x, trace = layer.forward(index)
    tables = layer.parameters()
    for row, (i, j) in zip(x, index, strict=True):
        assert row.tolist() == [*tables["tables/0"][i], *tables["tables/1"][j]]
    for fixed in ((), ("tables/1",)):
        gradients = Gradients(fixed)
        layer.backward(np.arange(9, dtype=np.float32).reshape(3, 3), trace, gradients)
        found = whole_gradients(gradients, tables)
        assert found["tables/0"].tolist() == [[0, 0], [6, 8], [0, 0], [3, 4]]
        assert found["tables/1"].ravel().tolist() == (
            [0, 0, 0] if fixed else [2, 0, 13]
        )


def test_distances_that_no_sentence_has_are_left_out():
    table, weight = np.ones((5, 2), np.float32), np.ones((6, 3), np.float32)
    layer = DistanceConvolution("d", table, weight)
    assert [len(layer.forward(longest)[0]) for longest in (1, 2, 9)] == [3, 5, 7]


STARTS = np.array([0, 5, 5, 6, 13], np.int32)


@pytest.mark.parametrize(
    ("size", "dilation", "share"), [(1, 1, 0), (3, 2, 0.4), (5, 1, 0)]
)
def test_gradients_of_gated_blocks(size, dilation, share):
    class SameDropout(Dropout):
        def forward(self, x):
            return Dropout(np.random.default_rng(5), share).forward(x)

    rng = np.random.default_rng(2)
    gain, shift, bias = rng.normal(1, 0.3, 4), rng.normal(size=4), rng.normal(0, 0.5, 8)
    block = GatedBlock(
        "block1", gain, shift, rng.normal(0, 0.5, (4 * size, 8)), bias, dilation
    )
    check_layer(
        block, [rng.normal(size=(13, 4))], STARTS, SameDropout(None), close=1e-5
    )


@pytest.mark.parametrize("store", [ByteRows.of, lambda rows: rows.astype(np.float16)])
def test_a_changed_table_is_its_rows(store):
    rng = np.random.default_rng(0)
    base, changed = (store(rng.standard_normal((n, 3))) for n in (9, 2))
    table = ChangedTable(base, np.array([2, 7], np.int32), changed)
    expected = np.array(dense(base), np.float32)
    expected[[2, 7]] = dense(changed)
    assert (table.shape, len(table)) == ((9, 3), 9)
    assert np.array_equal(dense(table), expected)
    other = rng.standard_normal((4, 2)).astype(np.float32)
    index = np.stack([rng.integers(9, size=20), rng.integers(4, size=20)], 1).astype(
        np.int32
    )
    assert np.array_equal(
        embed([other, table], index[:, ::-1]),
        np.hstack([other[index[:, 1]], expected[index[:, 0]]]),
    )
    assert dense(other) is other


def float32(numbers):
    """Rows of the type for which kernels are compiled."""
    return np.array(numbers, np.float32)


def test_norm_and_steps_of_gradients():
    gradients = Gradients()
    gradients.add("a", float32([3, 0]))
    gradients.rows("b", 3, np.array([2, 0, 2], np.int32), float32([[1], [0], [3]]))
    assert gradients.norm() == 5
    parameters = {"a": np.ones(2, np.float32), "b": np.ones((3, 1), np.float32)}
    Sgd(parameters, None).step(gradients, 0.5)
    assert parameters["a"].tolist() == [-0.5, 1] and parameters[
        "b"
    ].ravel().tolist() == [1, 1, -1]


def test_gradients_as_whole_arrays():
    rng = np.random.default_rng(0)
    left, right, more = (
        rng.normal(size=(5, 3)),
        rng.normal(size=(5, 2)),
        rng.normal(size=(3, 2)),
    )
    gradients = Gradients()
    gradients.product("matrix", left, right)
    gradients.add("matrix", more)
    gradients.distinct_rows("bias", np.array([2, 0], np.int32), np.array([1.0, 5.0]))
    index = np.array([1, 1, 0], np.int32)
    for n_rows in (2, 9, 2):  # scratch is kept, and grows
        gradients.rows(f"table {n_rows}", n_rows, index, np.ones((3, 2), np.float32))
    parameters = {"matrix": more, "bias": np.zeros(3), "other": np.zeros(1)}
    parameters |= {"table 2": np.zeros((2, 2)), "table 9": np.zeros((9, 2))}
    found = whole_gradients(gradients, parameters)
    np.testing.assert_allclose(found["matrix"], left.T @ right + more)
    assert found["bias"].tolist() == [5, 0, 1] and found["other"].tolist() == [0]
    assert found["table 9"][:3].tolist() == [[1, 1], [2, 2], [0, 0]]
    assert found["table 2"].tolist() == [[2, 2], [4, 4]]


@pytest.mark.parametrize("weight", [1.0, 0.5])
def test_of_one_of_several_costs(weight):
    gradients = Gradients()
    gradients.add("one", np.ones(2))
    sink = WeightedGradients(gradients, weight, {"a": "one", "b": "b", "c": "task/c"})
    sink.add("a", np.full(2, 2.0))
    sink.product("b", np.ones((1, 2)), np.ones((1, 3)))
    sink.rows("c", 3, np.array([2], np.int32), float32([[4]]))
    parameters = {"one": np.zeros(2), "b": np.zeros((2, 3)), "task/c": np.zeros((3, 1))}
    found = whole_gradients(gradients, parameters)
    assert (
        found["one"].tolist() == [1 + 2 * weight] * 2 and found["b"].sum() == 6 * weight
    )
    assert found["task/c"].ravel().tolist() == [0, 0, 4 * weight]


PREDICATE = np.array([1, 4], np.int32)  # words


def make(rng, dtype=float):
    w, p, a, b = rng.normal(size=(4, 5, 3)).astype(dtype)
    bias, distances = (
        rng.normal(size=3).astype(dtype),
        rng.normal(size=(7, 3)).astype(dtype),
    )
    arrays = {
        "hidden_weight": w,
        "hidden_bias": bias,
        "predicate_weight": p,
        "word_factor": a,
        "predicate_factor": b,
    }
    return Pairs(arrays, distances)


class Pairs:
    """Both layers, one after the other; words and predicates are rows of the same
    states.
    """

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
def test_gradients_of_pairs(predicate):
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
    expected, _ = Pairs(weights, distances).forward(
        rounded_rows(words), PREDICATE, given
    )
    assert (expected < 0).any()
    weight, bias = np.float32(rng.normal(size=(3, 2))), np.float32(rng.normal(size=2))
    output = Linear("output", weight, bias, blas, Int8Weight)
    with fixed_kernels(plain):
        parts = layer.parts.outputs(words, PREDICATE)
        found = PairScores(distances, output).outputs(parts, given)
    units = rounded_rows(np.maximum(expected, 0))
    np.testing.assert_allclose(found, units @ rounded_columns(weight) + bias, atol=1e-4)


def test_gradients_of_the_scores_of_pairs():
    rng = np.random.default_rng(3)
    layer = PairScores(
        rng.normal(size=(7, 3)),
        Linear("output", rng.normal(size=(3, 2)), rng.normal(size=2), blas),
    )

    class OfParts(Layer):
        """The layer of the two parts apart."""

        def parameters(self):
            return layer.parameters()

        def forward(self, first, second, *given):
            return layer.forward([first, second], *given)

        def backward(self, *given):
            return tuple(layer.backward(*given))

    parts = [rng.normal(size=(n, 6)) for n in (6, 2)]
    check_layer(OfParts(), parts, pairs(rng), Dropout(None))
