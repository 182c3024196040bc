"""Which words the max layer of a sentence network takes its units from."""

import numpy as np
import pytest

from tests.helpers.random_networks import sentence_network


def naive_counts(network, words, length, labelled, predicate):
    """Units of the max layer by the word that they come from, by the definition."""
    *verb, word = [layer.forward(length)[0] for layer in network._distances]
    m = len(word) // 2
    t = np.arange(length)
    values = words + word[np.clip(t - labelled, -m, m) + m]
    if verb:
        values = values + verb[0][np.clip(t - predicate, -m, m) + m]
    return np.bincount(values.argmax(axis=0), minlength=length)


@pytest.mark.parametrize("predicates", [True, False])
def test_units_are_counted_at_the_words_with_the_maxima(predicates):
    rng = np.random.default_rng(5)
    network = sentence_network(rng, 3, [9, 4], [5, 2], n_tags=3, predicates=predicates)
    features = rng.integers(0, 4, (11, 2)).astype(np.int32)
    starts = np.array([0, 7, 8, 11], np.int32)
    sentence, predicate = np.array([0, 0, 2], np.int32), np.array([1, 6, 9], np.int32)
    words = network.batch_states(features, starts)
    given = (sentence, predicate) if predicates else ()
    found = network.heard(features, starts, *given)
    if not predicates:
        sentence, predicate = np.arange(3), starts[:-1]
    assert len(found) == len(sentence)
    for counts, s, p in zip(found, sentence, predicate, strict=True):
        a, b = starts[s], starts[s + 1]
        expected = [naive_counts(network, words[a:b], b - a, w, p - a) for w in range(b - a)]
        np.testing.assert_array_equal(counts, expected)
        assert (counts.sum(axis=1) == len(network.conv_bias)).all()
