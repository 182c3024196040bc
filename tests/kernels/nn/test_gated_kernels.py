from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.kernels.nn.convolution import add_to_tables, max_of_windows
from senna_py.kernels.nn.gated import add_gated_units
from senna_py.kernels.nn.int8 import pack, ways_here
from senna_py.kernels.nn.layer_norm import normalize_rows
from senna_py.kernels.runtime.switch import fixed_kernels
from senna_py.layers.int8 import ByteColumns
from tests.helpers.naive_int8 import rounded_columns, rounded_rows

pytestmark = pytest.mark.usefixtures("each_way")


def arrays(rng, lengths, size, dim):
    """The input, gain and shift of its norm, where sentences begin, weight and bias."""
    starts = np.append(0, np.cumsum(lengths)).astype(np.int32)
    shapes = (starts[-1], dim), dim, dim, (size * dim, 2 * dim), 2 * dim
    x, gain, shift, weight, bias = (
        rng.standard_normal(s).astype(np.float32) for s in shapes
    )
    weight /= np.float32(np.sqrt(size * dim))
    return x, (gain, shift), starts, weight, bias


def add_units(x, norm, starts, dilation, weight, bias, way=None):
    out, size = np.full_like(x, np.nan), len(weight) // x.shape[1]
    rounded = ByteColumns.of(weight)
    packed = pack(rounded.numbers, rounded.scales, bias, way, size)
    add_gated_units(x, *norm, starts, dilation, size, packed, out)
    return out


def naive(x, norm, starts, dilation, weight, bias):
    """The equation as it stands, of rounded windows and weights, a word at a time."""
    dim, out, normal = x.shape[1], [], np.empty_like(x)
    normalize_rows(x, *norm, normal)
    weight, half = rounded_columns(weight), len(weight) // dim // 2
    for a, b in pairwise(starts.tolist()):
        for t in range(a, b):
            window = [t + k * dilation for k in range(-half, half + 1)]
            rows = [normal[r] if a <= r < b else np.zeros(dim) for r in window]
            both = rounded_rows(np.concatenate(rows)[None])[0] @ weight + bias
            out.append(x[t] + both[:dim] / (1 + np.exp(-both[dim:])))
    return np.array(out).reshape(x.shape)


@given(
    st.lists(st.integers(0, 30), max_size=6),
    st.sampled_from([1, 3, 5]),
    st.integers(1, 9),
    st.sampled_from([3, 8, 16, 24, 64]),
    st.integers(0, 99),
)
def test_units_are_the_equation(lengths, size, dilation, dim, seed):
    x, norm, starts, weight, bias = arrays(
        np.random.default_rng(seed), lengths, size, dim
    )
    expected = naive(x, norm, starts, dilation, weight, bias)
    for way in ways_here():
        found = add_units(x, norm, starts, dilation, weight, bias, way)
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("gate", [-1e30, -300, -88, -20, 20, 88, 300, 1e30])
def test_gates_far_from_zero(gate):
    x, norm, starts, weight, bias = arrays(np.random.default_rng(0), [7], 3, 8)
    bias[8:] = gate
    found = add_units(x, norm, starts, 1, weight, bias)
    with np.errstate(over="ignore"):
        np.testing.assert_allclose(
            found, naive(x, norm, starts, 1, weight, bias), rtol=1e-5, atol=1e-6
        )


@pytest.mark.parametrize("dim", [16, 21, 64])
def test_a_row_has_the_same_bits_however_it_is_computed(dim):
    rng = np.random.default_rng(1)
    x, norm, starts, weight, bias = arrays(rng, [5, 1, 90, 0, 7, 250, 3], 3, dim)
    together = add_units(x, norm, starts, 4, weight, bias)
    for way in ways_here():
        assert np.array_equal(
            together, add_units(x, norm, starts, 4, weight, bias, way)
        )
        for a, b in pairwise(starts.tolist()):
            own = np.array([0, b - a], np.int32)
            alone = add_units(x[a:b], norm, own, 4, weight, bias, way)
            assert np.array_equal(together[a:b], alone)


def test_sizes_that_do_not_fit_are_refused():
    x, norm, starts, weight, bias = arrays(np.random.default_rng(2), [9], 3, 16)
    with fixed_kernels(plain=False), pytest.raises(ValueError, match="do not fit"):
        add_units(x, (norm[0][:-1], norm[1]), starts, 1, weight, bias)
    with fixed_kernels(plain=False), pytest.raises(ValueError, match="do not fit"):
        add_units(x, norm, starts, 1, weight[:, :-1].copy(), bias[:-1])


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
        sums = np.array(
            [sum(table[characters[i + o], o] for o in range(width)) for i in windows]
        )
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
