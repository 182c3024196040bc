import numpy as np
import pytest

from senna_py.kernels.runtime.jit import by_fallbacks
from senna_py.layers.gradients import Gradients
from senna_py.layers.likelihood import (
    IMPOSSIBLE,
    SentenceLikelihood,
    SoftSentenceLikelihood,
    SoftWordLikelihood,
)
from senna_py.tagging.inputs import constraints
from tests.helpers.finite_differences import slope_of

KEYS = ["O", "B-A", "I-A", "E-A", "S-A"]
GOLD = np.array([0, 1, 2, 3, 4], np.int32)
STARTS = np.array([0, 0, 4, 5], np.int64)
OF_SENTENCES = [SentenceLikelihood, SoftSentenceLikelihood]
WEIGHT = np.array([1, 0.5, 2], np.float32)


def targets(rng, n):
    shares = rng.random((n, len(KEYS)))
    return (shares / shares.sum(axis=1, keepdims=True)).astype(np.float32)


def possible(dtype):
    return [np.where(p, 0, IMPOSSIBLE).astype(dtype) for p in constraints(KEYS)]


def labels_for(layer, rng):
    """What `forward` of a layer takes besides the scores of five words."""
    return (
        (GOLD, STARTS) if type(layer) is SentenceLikelihood else (targets(rng, 5), WEIGHT, STARTS)
    )


@by_fallbacks()  # double precision is nowhere compiled
@pytest.mark.parametrize("kind", [SentenceLikelihood, SoftSentenceLikelihood, SoftWordLikelihood])
def test_gradients_by_finite_differences(kind):
    rng = np.random.default_rng(1)
    layer = kind(*possible(float)) if kind in OF_SENTENCES else kind()
    scores, given = rng.normal(size=(5, 5)), labels_for(layer, rng)
    for array in layer.parameters().values():
        array[array == 0] = rng.normal(size=(array == 0).sum())
    gradients = Gradients()
    found = layer.backward(layer.forward(scores, *given)[1], gradients)

    def cost():
        return layer.forward(scores, *given)[0]

    np.testing.assert_allclose(found, slope_of(cost, scores), atol=2e-6)
    for name, array in layer.parameters().items():
        expected = np.where(array > IMPOSSIBLE, slope_of(cost, array), 0)
        np.testing.assert_allclose(gradients.by_name[name], expected, atol=2e-6)


@pytest.mark.parametrize("kind", OF_SENTENCES)
def test_what_is_impossible_costs_nothing(kind):
    """Tags that cannot begin or end a sentence leave their shares to the others."""
    rng, layer = np.random.default_rng(2), kind(*possible(np.float32))
    scores = rng.normal(size=(5, 5)).astype(np.float32)
    cost, trace = layer.forward(scores, *labels_for(layer, rng))
    assert 0 < cost < 50
    gradients = Gradients()
    d_scores = layer.backward(trace, gradients)
    begins, follows, ends = constraints(KEYS)
    assert (d_scores[[0, 4]][:, ~begins] == 0).all() and (d_scores[[3, 4]][:, ~ends] == 0).all()
    assert not gradients.by_name["transition"][~follows].any()
