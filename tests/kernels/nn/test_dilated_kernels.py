import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.kernels.nn.dilated import add_dilated_windows, dilated_windows

pytestmark = pytest.mark.usefixtures("each_way")

SENTENCES = st.lists(st.integers(0, 6), max_size=5)


def batch(lengths, seed, dim=3):
    rng = np.random.default_rng(seed)
    starts = np.append(0, np.cumsum(lengths)).astype(np.int32)
    return rng, rng.standard_normal((starts[-1], dim)).astype(np.float32), starts


@given(SENTENCES, st.sampled_from([1, 3, 5]), st.integers(1, 4), st.integers(0, 99))
def test_windows_end_with_the_sentence(lengths, size, dilation, seed):
    _, x, starts = batch(lengths, seed)
    out = np.full((len(x), size * 3), np.nan, np.float32)
    dilated_windows(x, starts, size, dilation, out)
    expected = []
    for a, b in itertools.pairwise(starts):
        for t in range(a, b):
            rows = [t + k * dilation for k in range(-(size // 2), size // 2 + 1)]
            zero = np.zeros(3, np.float32)
            expected.append(np.concatenate([x[r] if a <= r < b else zero for r in rows]))
    np.testing.assert_array_equal(out, np.array(expected).reshape(out.shape))


@given(SENTENCES, st.sampled_from([1, 3, 5]), st.integers(1, 4), st.integers(0, 99))
def test_the_backward_pass_is_the_transpose(lengths, size, dilation, seed):
    rng, x, starts = batch(lengths, seed)
    windows = np.empty((len(x), size * 3), np.float32)
    dilated_windows(x, starts, size, dilation, windows)
    d_windows = rng.standard_normal(windows.shape).astype(np.float32)
    d_x = np.zeros_like(x)
    add_dilated_windows(d_windows, starts, size, dilation, d_x)
    assert (d_x * x).sum() == pytest.approx((d_windows * windows).sum(), abs=1e-4)
