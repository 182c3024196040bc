import numpy as np
import pytest

from senna_py.kernels.runtime.jit import by_fallbacks
from senna_py.layers.activations import Dropout
from senna_py.layers.gated_convolution import GatedBlock, GatedConvolution
from tests.helpers.finite_differences import check_layer

STARTS = np.array([0, 5, 5, 6, 13], np.int32)


def arrays(rng, size, dim, n):
    return rng.normal(0, 0.5, (size * dim, 2 * n)), rng.normal(0, 0.5, 2 * n)


def naive(x, weight, bias, size, dilation):
    """The equation as it stands, a word at a time, for one sentence."""
    n, out = weight.shape[1] // 2, []
    for t in range(len(x)):
        window = [t + k * dilation for k in range(-(size // 2), size // 2 + 1)]
        rows = [x[r] if 0 <= r < len(x) else np.zeros(x.shape[1]) for r in window]
        both = np.concatenate(rows) @ weight + bias
        out.append(both[:n] / (1 + np.exp(-both[n:])))
    return np.array(out)


# Double precision is nowhere compiled: NumPy and Python run the kernels for it.


@by_fallbacks()
@pytest.mark.parametrize(("size", "dilation"), [(1, 1), (3, 1), (3, 4), (5, 2)])
def test_it_is_the_equation(size, dilation):
    rng = np.random.default_rng(0)
    weight, bias = arrays(rng, size, 4, 3)
    x = rng.normal(size=(13, 4))
    out, _ = GatedConvolution("c", weight, bias, dilation).forward(x, STARTS)
    expected = [naive(x[a:b], weight, bias, size, dilation) for a, b in ((0, 5), (5, 6), (6, 13))]
    np.testing.assert_allclose(out, np.concatenate(expected), rtol=1e-6)


@by_fallbacks()
@pytest.mark.parametrize(("size", "dilation"), [(1, 1), (3, 2), (5, 1)])
def test_gradients_of_the_convolution(size, dilation):
    rng = np.random.default_rng(1)
    layer = GatedConvolution("c", *arrays(rng, size, 4, 3), dilation)
    check_layer(layer, [rng.normal(size=(13, 4))], STARTS)


@by_fallbacks()
@pytest.mark.parametrize("share", [0, 0.4])
def test_gradients_of_a_block(share):
    class SameDropout(Dropout):
        def forward(self, x):
            return Dropout(np.random.default_rng(5), share).forward(x)

    rng = np.random.default_rng(2)
    gain, shift = rng.normal(1, 0.3, 4), rng.normal(size=4)
    block = GatedBlock("block1", gain, shift, *arrays(rng, 3, 4, 4), 2)
    check_layer(block, [rng.normal(size=(13, 4))], STARTS, SameDropout(None), close=1e-5)


@pytest.mark.parametrize("plain", [False, True])
def test_a_block_for_tagging_gives_the_same_in_8_bits(plain):
    rng = np.random.default_rng(3)
    made = rng.normal(1, 0.3, 8), rng.normal(size=8), *arrays(rng, 3, 8, 8)
    block = GatedBlock("b", *(array.astype(np.float32) for array in made), 2)
    x = rng.normal(size=(13, 8)).astype(np.float32)
    expected, _ = block.forward(x, STARTS)
    with by_fallbacks(plain):
        found = block.outputs(x, STARTS)
    np.testing.assert_allclose(found, expected, atol=0.15)
    assert not np.array_equal(found, expected)
