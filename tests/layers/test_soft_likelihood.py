import numpy as np

from senna_py.kernels.runtime.jit import by_fallbacks
from senna_py.layers.gradients import Gradients
from senna_py.layers.likelihood import (
    IMPOSSIBLE,
    SoftSentenceLikelihood,
    SoftWordLikelihood,
)
from senna_py.tagging.inputs import constraints
from tests.helpers.finite_differences import slope_of

KEYS = ["O", "B-A", "I-A", "E-A", "S-A"]
STARTS = np.array([0, 0, 4, 5], np.int64)
WEIGHT = np.array([1, 0.5, 2], np.float32)


def targets(rng, n):
    shares = rng.random((n, len(KEYS)))
    return (shares / shares.sum(axis=1, keepdims=True)).astype(np.float32)


def possible(dtype):
    return [np.where(p, 0, IMPOSSIBLE).astype(dtype) for p in constraints(KEYS)]


@by_fallbacks()  # double precision is nowhere compiled
def test_gradients_by_finite_differences():
    rng = np.random.default_rng(1)
    scores, target = rng.normal(size=(5, 5)), targets(rng, 5)
    for layer in (SoftWordLikelihood(), SoftSentenceLikelihood(*possible(float))):
        for array in layer.parameters().values():
            array[array == 0] = rng.normal(size=(array == 0).sum())
        gradients = Gradients()
        found = layer.backward(layer.forward(scores, target, WEIGHT, STARTS)[1], gradients)

        def cost(layer=layer):
            return layer.forward(scores, target, WEIGHT, STARTS)[0]

        np.testing.assert_allclose(found, slope_of(cost, scores), atol=2e-6)
        for name, array in layer.parameters().items():
            expected = np.where(array > IMPOSSIBLE, slope_of(cost, array), 0)
            np.testing.assert_allclose(gradients.by_name[name], expected, atol=2e-6)


def test_what_is_impossible_costs_nothing():
    """Tags that cannot begin or end a sentence leave their shares to the others."""
    rng = np.random.default_rng(2)
    layer = SoftSentenceLikelihood(*possible(np.float32))
    cost, trace = layer.forward(rng.normal(size=(5, 5)).astype(np.float32), targets(rng, 5),
                                WEIGHT, STARTS)  # fmt: skip
    assert 0 < cost < 50
    gradients = Gradients()
    d_scores = layer.backward(trace, gradients)
    begins, follows, ends = constraints(KEYS)
    assert (d_scores[[0, 4]][:, ~begins] == 0).all() and (d_scores[[3, 4]][:, ~ends] == 0).all()
    assert not gradients.by_name["transition"][~follows].any()
