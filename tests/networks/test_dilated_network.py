import itertools
import json

import numpy as np
import pytest

from senna_py.errors import SennaError
from senna_py.layers.activations import Dropout
from senna_py.networks.dilated import DilatedNetwork
from tests.helpers.random_networks import (
    batch_of,
    dilated_network,
    forward,
    random_batch,
)

NONE = Dropout(None), Dropout(None)


def check_tagged(found, expected):
    """Tagging rounds the factors of all layers but the first to 8 bits; each layer is
    tested by itself.
    """
    np.testing.assert_allclose(
        found, expected, atol=0.03 * np.abs(expected).max(initial=0)
    )


def naive_states(network, rows):
    """States of the words of one sentence, in double precision; rows: int[n,
    n_features].
    """
    a = {name: array.astype(float) for name, array in network.arrays().items()}
    x = np.concatenate([t[rows[:, f]] for f, t in enumerate(network.tables)], axis=1)
    h = x.astype(float) @ a["input_weight"] + a["input_bias"]

    def norm(h, name):
        normal = (h - h.mean(1, keepdims=True)) / np.sqrt(
            h.var(1, keepdims=True) + 1e-5
        )
        return normal * a[f"{name}_gain"] + a[f"{name}_shift"]

    for k, dilation in enumerate(network.dilations, 1):
        y, n = norm(h, f"block{k}"), h.shape[1]
        half, made = len(a[f"block{k}_weight"]) // n // 2, np.empty_like(h)
        for t in range(len(h)):
            places = [t + j * dilation for j in range(-half, half + 1)]
            window = [y[p] if 0 <= p < len(y) else np.zeros(n) for p in places]
            both = np.concatenate(window) @ a[f"block{k}_weight"] + a[f"block{k}_bias"]
            made[t] = both[:n] / (1 + np.exp(-both[n:]))
        h = h + made
    return norm(h, "norm"), a


def naive_scores(network, rows, verb=None):
    """Scores of one sentence, for the predicate at `verb`, if it has any."""
    states, a = naive_states(network, rows)
    if network.hidden_weight is None:
        return states @ a["output_weight"] + a["output_bias"]
    z = states @ a["hidden_weight"] + a["hidden_bias"]
    if verb is not None:
        m = len(a["distances"]) // 2
        z += states[verb] @ a["predicate_weight"]
        z += a["distances"][np.clip(np.arange(len(rows)) - verb, -m, m) + m]
        z += (states @ a["word_factor"]) * (states[verb] @ a["predicate_factor"])
    return np.maximum(z, 0) @ a["output_weight"] + a["output_bias"]


@pytest.mark.parametrize("hidden", [True, False])
def test_scores_of_words(hidden):
    rng = np.random.default_rng(0)
    network = dilated_network(rng, predicates=False)
    if not hidden:
        network.hidden_weight = network.hidden_bias = None
        network.output_weight = rng.standard_normal((8, 4)).astype(np.float32)
    network.check()
    features, starts = random_batch(rng, [3, 1, 0, 14, 1024, 6])
    scores, _ = forward(network, features, starts, NONE)
    tagged = network.scores(batch_of(features, starts))
    for a, b in itertools.pairwise(starts):
        expected = naive_scores(network, features[a:b])
        np.testing.assert_allclose(scores[a:b], expected, atol=2e-4)
        if b > a:
            check_tagged(tagged[a:b], expected)


def test_scores_of_roles():
    rng = np.random.default_rng(1)
    network = dilated_network(rng)
    network.check()
    features, starts = random_batch(rng, [3, 1, 0, 6, 12, 5])
    words = batch_of(features, starts).of_predicates(
        np.flatnonzero(rng.random(starts[-1]) < 0.4)
    )
    sentence, predicate = words.sentence, words.predicate
    scores, _ = forward(network, features, starts, NONE, sentence, predicate)
    tagged, begin = network.scores(words), words.begin
    assert len(scores) == len(tagged) == begin[-1]
    for p, (s, v) in enumerate(zip(sentence, predicate, strict=True)):
        expected = naive_scores(
            network, features[starts[s] : starts[s + 1]], v - starts[s]
        )
        np.testing.assert_allclose(scores[begin[p] : begin[p + 1]], expected, atol=3e-4)
        check_tagged(tagged[begin[p] : begin[p + 1]], expected)


def test_sizes_are_those_of_the_header():
    network = dilated_network(np.random.default_rng(0))
    sizes = json.loads(json.dumps(network.sizes()))
    assert DilatedNetwork.read_sizes(sizes) == sizes == {"dilations": [1, 3]}
    made = DilatedNetwork(network.tables, network.padding, **sizes, **network.arrays())
    made.check()
    assert made.arrays().keys() == network.arrays().keys() and made.row_bytes == 4 * 8
    for wrong in (None, [], [0], [1.5], "1", [1] * 65, [2000], {"1": 1}):
        with pytest.raises(SennaError, match="dilations: expected"):
            DilatedNetwork.read_sizes({"dilations": wrong})
