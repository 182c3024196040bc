import numpy as np
import pytest

from senna_py.kernels.lm.nplm import Layers, train_examples
from senna_py.training.optimizers import Sgd
from tests.helpers import small_networks
from tests.helpers.finite_differences import slope_of

# float32 constants of the exponential and the hyperbolic tangent leave about this much.
CLOSE = {"rtol": 2e-3, "atol": 2e-5}

pytestmark = pytest.mark.usefixtures("fallbacks")


@pytest.mark.parametrize("name", small_networks.SHAPES)
def test_gradients_are_those_of_finite_differences(name):
    network = small_networks.small_network(small_networks.SHAPES[name])
    context, target = small_networks.small_batch(small_networks.SHAPES[name])
    gradients = small_networks.gradients_of(network, context, target)
    assert set(gradients) == set(
        small_networks.SHAPES[name].arrays(small_networks.N_WORDS, 4)
    )
    for key, array in network.parameters().items():
        expected = slope_of(
            lambda: -network.log_probabilities(context, target).sum(), array, 1e-4
        )
        assert array.size == 0 or np.abs(expected).max() > 1e-3
        np.testing.assert_allclose(gradients[key], expected, **CLOSE, err_msg=key)


@pytest.mark.parametrize("name", small_networks.SHAPES)
def test_a_step_says_what_the_targets_had_before_it(name):
    network = small_networks.small_network(small_networks.SHAPES[name])
    context, target = small_networks.small_batch(small_networks.SHAPES[name])
    before = network.log_probabilities(context, target)
    found = small_networks.learn(
        network, Sgd(network.parameters(), None), 0.05, context, target
    )
    np.testing.assert_allclose(found, before, atol=1e-6)
    assert network.log_probabilities(context, target).sum() > before.sum()


def naive_scores(network, context):
    """Equation (1) as it stands, for one context."""
    x = np.concatenate([network.vectors[w] for w in context])
    a = np.tanh(network.hidden_bias + network.hidden_weight.T @ x)
    weight, bias = network.output.weight, network.output.bias
    n_direct = len(x) if network.direct else 0
    return bias + weight[:, :n_direct] @ x[:n_direct] + weight[:, n_direct:] @ a


@pytest.mark.parametrize("name", ["direct", "hidden only", "direct only"])
def test_softmax_of_equation_1(name):
    network = small_networks.small_network(small_networks.SHAPES[name])
    context, _ = small_networks.small_batch(small_networks.SHAPES[name])
    for row, p in zip(context, network.probabilities(context), strict=True):
        y = naive_scores(network, row)
        np.testing.assert_allclose(p, np.exp(y) / np.exp(y).sum(), rtol=1e-5)


def test_energy_of_section_5_1():
    network = small_networks.small_network(small_networks.SHAPES["energy"])
    context, _ = small_networks.small_batch(small_networks.SHAPES["energy"])
    weight = np.concatenate([network.target_weight, network.hidden_weight])
    for row, p in zip(context, network.probabilities(context), strict=True):
        scores = []
        for word in range(small_networks.N_WORDS):
            x = np.concatenate([network.vectors[w] for w in (word, *row)])
            hidden = np.tanh(network.hidden_bias + weight.T @ x)
            scores.append(network.energy_weight[0] @ hidden + network.output_bias[word])
        np.testing.assert_allclose(p, np.exp(scores) / np.exp(scores).sum(), rtol=1e-5)


@pytest.mark.parametrize("name", ["direct", "hidden only", "direct only"])
@pytest.mark.parametrize(("n", "decay"), [(7, 0.0), (1, 0.3)])
def test_examples_one_by_one_are_minibatches_of_one(name, n, decay):
    shape = small_networks.SHAPES[name]
    one, other = (small_networks.small_network(shape) for _ in range(2))
    context, target = (part[:n] for part in small_networks.small_batch(shape))
    optimizer = Sgd(other.parameters(), None, decay)
    rates = 0.1 / (1 + 0.02 * np.arange(n))
    log_p = []
    for i in range(n):
        part = slice(i, i + 1)
        log_p.extend(
            small_networks.learn(
                other, optimizer, rates[i], context[part], target[part]
            )
        )
    p = one.parameters()
    found = train_examples(
        Layers(*(p[field] for field in Layers._fields)),
        one.direct,
        context,
        target.astype(np.int64),
        rates.astype(np.float32),
        np.float32(decay),
    )
    assert found == pytest.approx(sum(log_p), rel=1e-5)
    for key, array in other.parameters().items():
        if key == "vectors" and decay:  # they decay apart
            continue
        np.testing.assert_allclose(p[key], array, rtol=1e-5, atol=1e-6, err_msg=key)
