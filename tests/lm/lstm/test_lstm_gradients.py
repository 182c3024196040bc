import numpy as np
import pytest

from senna_py.layers.activations import Dropout
from senna_py.layers.gradients import Gradients
from tests.helpers.finite_differences import slopes_at, whole_gradients
from tests.helpers.small_lstms import SHAPES, small_network, small_text

# The softmax's exponential is a polynomial with constants of single precision.
OF_SOFTMAX = {"rtol": 1e-3, "atol": 1e-5}
RNG = np.random.default_rng

pytestmark = pytest.mark.usefixtures("fallbacks")


@pytest.mark.parametrize(
    ("name", "share"), [("char", 0), *((name, 0.4) for name in SHAPES)]
)
def test_the_whole_unrolled_network(name, share):
    network, (words, targets) = small_network(SHAPES[name]), small_text()
    state = RNG(3).normal(size=network.first_state(3).shape)

    def cost(gradients=None):
        dropout = Dropout(RNG(4), share)  # leaves out the same units each time
        found, trace = network.forward(words, targets, state.copy(), dropout)
        if gradients is not None:
            network.backward(trace, gradients)
        return -found.sum()

    gradients = Gradients()
    cost(gradients)
    found = whole_gradients(gradients, network.parameters())
    for key, array in network.parameters().items():
        # Which is no parameter.
        padding = array.shape[1] if key == "character_vectors" else 0
        places = padding + RNG(5).permutation(array.size - padding)[:6]
        expected = slopes_at(places, cost, array)
        assert np.abs(expected).max() > 1e-4, key
        places = np.unravel_index(places, array.shape)
        np.testing.assert_allclose(
            found[key][places], expected, **OF_SOFTMAX, err_msg=key
        )


class _Scale:
    """Stands for Dropout: multiplies what the layers give upwards by factors of their
    own.
    """

    def __init__(self, *factors):
        self.factors, self.seen = factors, []

    def forward(self, x):
        self.seen.append(x.copy())
        factor = self.factors[len(self.seen) - 1]
        x *= factor
        return x, np.full_like(x, factor)


def test_dropout_is_of_what_lstm_layers_give_upwards_only():
    network, (words, targets) = small_network(SHAPES["char"]), small_text()

    def step(*factors):
        state, scale = network.first_state(3), _Scale(*factors)
        found, _ = network.forward(words, targets, state, scale)
        return found, state, [x.shape for x in scale.seen]

    whole, state, _ = step(1, 1)
    above, state_above, shapes = step(1, 0)
    assert shapes == [(15, 3)] * 2  # not the inputs of the first layer
    # What goes to the next step is whole.
    np.testing.assert_array_equal(state_above, state)
    of_bias = network.output.log_probabilities(np.zeros((15, 3)), targets.reshape(-1))
    np.testing.assert_allclose(above, of_bias, atol=1e-6)
    between, state_between, _ = step(0, 1)
    np.testing.assert_array_equal(state_between[0], state[0])
    network.layers[1].weight[:] = 0
    np.testing.assert_allclose(between, step(1, 1)[0], atol=1e-6)
    assert np.abs(between - whole).max() > 1e-2


@pytest.mark.parametrize("name", SHAPES)
def test_a_step_says_what_scoring_says_and_carries_the_state(name):
    network, (words, targets) = small_network(SHAPES[name]), small_text()
    states = [network.first_state(3) for _ in range(3)]
    whole = network.log_probabilities(words, targets, states[0])
    parts = [
        network.log_probabilities(words[a:b], targets[a:b], states[1])
        for a, b in ((0, 2), (2, 5))
    ]
    step, _ = network.forward(words, targets, states[2], Dropout(None))
    np.testing.assert_allclose(np.concatenate(parts), whole, atol=1e-6)
    np.testing.assert_allclose(step, whole, atol=1e-6)
    for state in states[1:]:
        np.testing.assert_allclose(state, states[0], atol=1e-12)
