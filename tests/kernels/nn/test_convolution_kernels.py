import numpy as np
import pytest

from senna_py.kernels.nn.convolution import add_to_tables, max_of_windows

pytestmark = pytest.mark.usefixtures("each_way")

STARTS = np.array([0, 4, 7, 13], np.int64)


def example(width, n_filters=5, seed=0):
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(6, width, n_filters)).astype(np.float32)
    return table, rng.integers(0, 6, STARTS[-1]).astype(np.int32)


def run(table, characters):
    out = np.empty((len(STARTS) - 1, table.shape[2]), np.float32)
    place = np.empty(out.shape, np.int32)
    max_of_windows(table, characters, STARTS, out, place)
    return out, place


@pytest.mark.parametrize("width", [1, 2, 3])
def test_maxima_are_those_of_plain_numpy(width):
    table, characters = example(width)
    out, place = run(table, characters)
    for k in range(3):
        windows = range(STARTS[k], STARTS[k + 1] - width + 1)
        sums = np.array([sum(table[characters[i + o], o] for o in range(width)) for i in windows])
        np.testing.assert_allclose(out[k], sums.max(0), rtol=1e-5)
        np.testing.assert_array_equal(place[k], STARTS[k] + sums.argmax(0))


def test_no_number_leaves_the_places_within_the_word():
    table, characters = example(2)
    table[:] = np.nan
    assert (run(table, characters)[1] == STARTS[:-1, None]).all()


def test_gradient_goes_to_the_window_of_the_maximum():
    table, characters = example(3)
    _, place = run(table, characters)
    gradient = np.random.default_rng(1).normal(size=place.shape).astype(np.float32)
    d_table = np.ones_like(table)
    add_to_tables(gradient, place, characters, d_table)
    expected = np.ones_like(table)
    for (k, f), i in np.ndenumerate(place):
        for o in range(3):
            expected[characters[i + o], o, f] += gradient[k, f]
    np.testing.assert_allclose(d_table, expected, rtol=1e-5, atol=1e-5)
