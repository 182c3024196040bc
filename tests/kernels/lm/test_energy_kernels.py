import numpy as np
import pytest

from senna_py.kernels.lm.energy import energy_gradients, energy_scores


@pytest.fixture(params=[3, 700])
def arrays(request):
    rng = np.random.default_rng(0)
    n, hidden, n_words = 2, 4, request.param
    shift = rng.normal(0, 3, (n, hidden)).astype(np.float32)
    word_part = rng.normal(0, 3, (hidden, n_words)).astype(np.float32)
    weight = rng.normal(size=(hidden, n_words)).astype(np.float32)
    return shift, word_part, weight, rng.normal(size=n_words).astype(np.float32)


def test_scores_are_those_of_plain_numpy(arrays):
    shift, word_part, weight, bias = arrays
    scores = np.empty((2, len(bias)), np.float32)
    energy_scores(*arrays, scores)
    units = np.tanh(shift[:, :, None].astype(float) + word_part)
    np.testing.assert_allclose(scores, bias + (units * weight).sum(1), atol=5e-6)


def test_gradients_are_added_as_in_plain_numpy(arrays):
    shift, word_part, weight, bias = arrays
    slopes = np.random.default_rng(1).normal(size=(2, len(bias))).astype(np.float32)
    found = [np.ones_like(array) for array in (shift, word_part, weight)]
    energy_gradients(shift, word_part, weight, slopes, *found)
    units = np.tanh(shift[:, :, None].astype(float) + word_part)
    through = slopes[:, None] * weight * (1 - units**2)
    expected = through.sum(2), through.sum(0), (slopes[:, None] * units).sum(0)
    for array, sums in zip(found, expected, strict=True):
        np.testing.assert_allclose(array, 1 + sums, rtol=1e-4, atol=1e-4)
