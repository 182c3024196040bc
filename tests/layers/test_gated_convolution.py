import numpy as np
import pytest

from senna_py.kernels.runtime.jit import by_fallbacks
from senna_py.layers.activations import Dropout
from senna_py.layers.gated_convolution import GatedBlock
from tests.helpers.finite_differences import check_layer

STARTS = np.array([0, 5, 5, 6, 13], np.int32)


@by_fallbacks()  # double precision is nowhere compiled
@pytest.mark.parametrize(("size", "dilation", "share"), [(1, 1, 0), (3, 2, 0.4), (5, 1, 0)])
def test_gradients(size, dilation, share):
    class SameDropout(Dropout):
        def forward(self, x):
            return Dropout(np.random.default_rng(5), share).forward(x)

    rng = np.random.default_rng(2)
    gain, shift, bias = rng.normal(1, 0.3, 4), rng.normal(size=4), rng.normal(0, 0.5, 8)
    block = GatedBlock("block1", gain, shift, rng.normal(0, 0.5, (4 * size, 8)), bias, dilation)
    check_layer(block, [rng.normal(size=(13, 4))], STARTS, SameDropout(None), close=1e-5)
