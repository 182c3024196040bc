import itertools

import numpy as np
import pytest

from senna_py.layers.gradients import Gradients
from senna_py.layers.likelihood import IMPOSSIBLE, SentenceLikelihood
from senna_py.tagging.inputs import constraints


def test_the_likelihood_is_among_what_can_be_decoded():
    """Against all sequences of tags that IOBES allows, one by one."""
    keys, gold = ["O", "B-A", "I-A", "E-A", "S-A"], np.array([0, 1, 3, 4], np.int32)
    begins, follows, ends = constraints(keys)
    rng = np.random.default_rng(0)
    scores = rng.standard_normal((4, 5)).astype(np.float32)
    row_starts = np.array([0, 0, 3, 4], np.int64)
    possible = (np.where(p, 0, IMPOSSIBLE).astype(np.float32) for p in (begins, follows, ends))
    layer, gradients = SentenceLikelihood(*possible), Gradients()
    cost, trace = layer.forward(scores, gold, row_starts)
    d_scores = layer.backward(trace, gradients)
    assert not gradients.by_name["initial"][~begins].any()
    assert not gradients.by_name["transition"][~follows].any()
    total, expected = 0.0, np.zeros((4, 5))
    for first in itertools.product(range(5), repeat=3):
        if not (begins[first[0]] and ends[first[-1]] and all(map(follows.item, first, first[1:]))):
            continue
        weight = np.exp(scores[range(3), first].sum(dtype=float))
        total += weight
        expected[range(3), first] += weight
    expected[:3] /= total
    alone = np.exp(scores[3, [0, 4]].astype(float))
    expected[3, [0, 4]] = alone / alone.sum()
    expected[range(4), gold] -= 1
    wanted = np.log(total) + np.log(alone.sum()) - scores[range(4), gold].sum(dtype=float)
    assert cost == pytest.approx(wanted, rel=1e-5)
    np.testing.assert_allclose(d_scores, expected, atol=1e-5)
