import numpy as np

from senna_py.layers.lstm import LstmLayer, initial_lstm


def test_it_begins_with_small_numbers():
    layer = LstmLayer("lstm1", *initial_lstm(np.random.default_rng(0), 0.05, 30, 20))
    arrays = layer.parameters()
    assert {name: array.shape for name, array in arrays.items()} == {
        "lstm1_weight": (30, 80), "lstm1_recurrent": (20, 80), "lstm1_bias": (80,)
    }  # fmt: skip
    for name, array in arrays.items():
        assert array.dtype == np.float32, name
        assert 0.045 < np.abs(array).max() <= 0.05, name
