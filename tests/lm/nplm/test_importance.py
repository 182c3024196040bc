"""Importance sampling of energy networks: gradients, the estimate, and what is
drawn.
"""

import numpy as np
import pytest

from senna_py.layers.activations import Dropout
from senna_py.layers.gradients import Gradients
from senna_py.lm.nplm.energy import ImportanceSampling
from tests.helpers.finite_differences import slope_of, whole_gradients
from tests.helpers.small_networks import N_WORDS, SHAPES, small_batch, small_network

COUNTS = np.array([40, 0, 7, 1, 1, 12, 3, 30, 2, 5, 9])
WORDS = np.array([0, 7, 0, 3, 1, 5, 10, 7])  # some of them twice, some of them targets
ENERGY = ["energy", "energy, own weights"]


@pytest.mark.usefixtures("fallbacks")
@pytest.mark.parametrize("name", ENERGY)
def test_gradients_are_those_of_finite_differences(name):
    network = small_network(SHAPES[name])
    context, target = small_batch(SHAPES[name])
    assert set(target) & set(WORDS) and set(target) - set(WORDS)
    sampling = ImportanceSampling(network, COUNTS, len(WORDS))

    def cost():
        return -sampling.forward(context, target, Dropout(None), WORDS)[0].sum()

    gradients = Gradients()
    trace = sampling.forward(context, target, Dropout(None), WORDS)[1]
    sampling.backward(trace, gradients)
    found = whole_gradients(gradients, network.parameters())
    for key, array in network.parameters().items():
        expected = slope_of(cost, array, 1e-4)
        assert np.abs(expected).max() > 1e-3
        np.testing.assert_allclose(
            found[key], expected, rtol=2e-3, atol=2e-5, err_msg=key
        )


@pytest.mark.parametrize("name", ENERGY)
def test_the_estimate_of_the_normaliser_has_no_bias(name):
    network = small_network(SHAPES[name])
    context, target = small_batch(SHAPES[name])
    sampling = ImportanceSampling(network, COUNTS, 40_000)
    words = sampling.draw(np.random.default_rng(1))
    found = sampling.forward(context, target, Dropout(None), words)[0]
    # The share of the target in Z, which is exact, and that of the others, of which
    # this is a mean.
    np.testing.assert_allclose(
        found, network.log_probabilities(context, target), atol=0.03
    )


def test_words_are_drawn_by_their_frequency_and_all_of_them_are():
    sampling = ImportanceSampling(small_network(SHAPES["energy"]), COUNTS, 100_000)
    words = sampling.draw(np.random.default_rng(1))
    share = np.bincount(words, minlength=N_WORDS) / len(words)
    expected = 0.9 * COUNTS / COUNTS.sum() + 0.1 / N_WORDS
    np.testing.assert_allclose(share, expected, atol=0.01)
