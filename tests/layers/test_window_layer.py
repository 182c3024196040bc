from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from senna_py.layers import window as products
from senna_py.layers.activations import HardTanh
from senna_py.layers.blocks import BLOCK, embed, wide_linear
from senna_py.layers.window import ProductCache, WindowLayer


def make(seed, sizes, window=3, n_out=21):
    rng = np.random.default_rng(seed)
    tables = [rng.standard_normal((n, 6)).astype(np.float32) for n in sizes]
    weight = rng.standard_normal((window * 6 * len(sizes), n_out)).astype(np.float32)
    bias = rng.standard_normal(n_out).astype(np.float32)
    n_rows = 6 * BLOCK
    # Some rows often, others once.
    index = np.stack([rng.geometric(3 / n, n_rows) % n for n in sizes], axis=1).astype(
        np.int32
    )
    first = np.flatnonzero(rng.random(n_rows - window + 1) < 0.9).astype(np.int32)
    return tables, weight, bias, index, first


def window_sums(tables, weight, bias, index, first):
    x = np.concatenate(
        [t[index[:, f]].astype(float) for f, t in enumerate(tables)], axis=1
    )
    window = len(weight) // x.shape[1]
    return np.stack([bias + x[f : f + window].ravel() @ weight for f in first])


@pytest.mark.parametrize("sizes", [(500,), (5,), (500, 5), (5, 300, 64, 65)])
def test_it_is_a_linear_layer_on_windows(sizes):
    tables, weight, bias, index, first = make(len(sizes), sizes)
    out = WindowLayer(tables, weight, bias)(index, first)
    assert np.allclose(out, window_sums(tables, weight, bias, index, first), atol=1e-3)


@pytest.mark.parametrize("sizes", [(500,), (5,), (500, 5), (5, 300, 64, 65)])
def test_the_same_bits_however_it_is_computed(sizes):
    tables, weight, bias, index, first = make(1, sizes)
    expected = WindowLayer(tables, weight, bias).on_rows(embed(tables, index), first)
    output_weight, output_bias = expected[:21, :4].copy(), bias[:4]
    output = wide_linear(output_weight, output_bias)
    for n_rows in (1, 8, 100, 5000):
        cache = ProductCache(tables, weight, n_rows)
        layer = WindowLayer(tables, weight, bias, cache)
        for _ in range(3):
            assert np.array_equal(layer(index, first), expected)
            scores = layer.scores(index, first, output)
            assert np.array_equal(scores, output(HardTanh().outputs(expected.copy())))
        for n in (1, 7, 40):
            for a in range(0, 120, n):
                rows = index[first[a] : first[a + n - 1] + 3]
                found = layer(rows, first[a : a + n] - first[a])
                assert np.array_equal(found, expected[a : a + n])


def test_threads_share_a_cache():
    tables, weight, bias, index, first = make(2, (500, 5))
    expected = WindowLayer(tables, weight, bias)(index, first)
    layer = WindowLayer(tables, weight, bias, ProductCache(tables, weight, 300))

    def work(a):
        windows = first[a : a + 50]
        rows = index[windows[0] : windows[-1] + 3]
        return np.array_equal(layer(rows, windows - windows[0]), expected[a : a + 50])

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, [*range(0, 1000, 10)] * 4))


def test_marks_of_rows_seen_once_are_cleared(monkeypatch):
    monkeypatch.setattr(products, "_MARKS", 64)
    tables, weight, bias, index, _ = make(3, (5000,))
    index[:, 0] = np.arange(len(index))  # nothing comes twice
    cache = ProductCache(tables, weight, 1000)
    layer = WindowLayer(tables, weight, bias, cache)
    for a in range(0, 1000, 8):
        layer(index[a : a + 10], np.arange(8, dtype=np.int32))
    (store,) = cache.stores
    assert len(store.view()[2]) < 300  # and not all, as if they had been seen before
