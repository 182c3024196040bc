"""The stack, and the convolution at its bottom."""

import numpy as np
import pytest

from senna_py.layers.character_stack import initial_stack


@pytest.mark.parametrize("between", [[], ["plain"], ["highway1", "highway2"]])
def test_it_begins_with_small_numbers(between):
    arrays = initial_stack(np.random.default_rng(0), 0.05, 9, 20, [30, 40], between)
    both = 1 if between == ["plain"] else 2
    shapes = {
        "character_vectors": (9, 20),
        "filter_weight.1": (1, 20, 30), "filter_bias.1": (30,),
        "filter_weight.2": (2, 20, 40), "filter_bias.2": (40,),
    }  # fmt: skip
    for name in between:
        shapes |= {f"{name}_weight": (70, both * 70), f"{name}_bias": (both * 70,)}
    assert {name: array.shape for name, array in arrays.items()} == shapes
    for name, array in arrays.items():
        assert array.dtype == np.float32, name
        values = array[:70] if name.startswith("highway") and array.ndim == 1 else array
        assert 0.04 < np.abs(values).max() <= 0.05, name
    assert not arrays["character_vectors"][0].any()  # padding
    assert arrays["character_vectors"][1:].all()
    assert all((arrays[f"{name}_bias"][70:] < -1.94).all() for name in between)
