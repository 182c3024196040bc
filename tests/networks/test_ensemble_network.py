from itertools import pairwise

import numpy as np
import pytest

from senna_py.layers.activations import Dropout
from senna_py.layers.likelihood import IMPOSSIBLE, likelihood_of
from senna_py.networks.base import Context
from senna_py.networks.ensemble import EnsembleNetwork, averaged_scores
from senna_py.tagging.targets.words import TagTargets
from tests.helpers.random_networks import (
    batch_of,
    check_cost,
    dilated_network,
    forward,
    random_batch,
    sentence_network,
    tag,
    window_network,
)

N_TAGS = 4


def members(seed=0):
    """Networks of three approaches, of which one knows nothing of neighbouring tags."""
    rng = np.random.default_rng(seed)
    return [
        window_network(rng, n_tags=N_TAGS),
        dilated_network(rng, n_tags=N_TAGS, predicates=False),
        sentence_network(rng, n_tags=N_TAGS, predicates=False),
        window_network(rng, 5, (99, 5), (3, 2), n_tags=N_TAGS, sentence_level=False),
    ]


def ensemble(how="scores", networks=None):
    networks = networks or members()
    scores = [None] * 3 if how == "vote" else averaged_scores(networks)
    columns = (
        [[0, 1, 2]] * 3 + [[0, 2]]
        if len(networks) == 4
        else [[0, 1, 2]] * len(networks)
    )
    weight = np.tile(np.eye(N_TAGS, dtype=np.float32), (len(networks), 1))
    arrays = dict(zip(("initial", "transition", "final"), scores, strict=True))
    bias = np.zeros(N_TAGS, np.float32)
    return EnsembleNetwork(
        how, columns, networks, output_weight=weight, output_bias=bias, **arrays
    )


def batch(seed=1):
    return random_batch(np.random.default_rng(seed), [7, 1, 0, 12, 3])


def said(network, features, starts, what="decode"):
    """What each member says by itself."""
    found = []
    for member, columns in network.members():
        words = batch_of(np.ascontiguousarray(features[:, columns]), starts)
        one = getattr(member, what)(words)
        found.append(one.tags if what == "decode" else one)
    return found


def test_a_vote_is_the_majority_and_the_first_to_vote_wins_a_tie():
    network, (features, starts) = ensemble("vote"), batch()
    votes, ties = np.stack(said(network, features, starts)), 0
    for word, found in enumerate(tag(network, features, starts).tolist()):
        counts = np.bincount(votes[:, word], minlength=N_TAGS)
        best = np.flatnonzero(counts == counts.max())
        ties += len(best) > 1
        assert found == next(vote for vote in votes[:, word] if vote in best)
    assert ties


def test_scores_are_averaged_as_are_those_of_transitions():
    network, (features, starts) = ensemble(), batch()
    mean = np.mean(said(network, features, starts, "scores"), axis=0)
    np.testing.assert_allclose(
        network.scores(batch_of(features, starts)), mean, atol=1e-5
    )
    with_transitions = [member for member, _ in network.members()[:3]]
    np.testing.assert_allclose(
        network.transition,
        np.sum([m.transition for m in with_transitions], axis=0) / 4,
        atol=1e-6,
    )


def test_paths_have_the_mean_of_their_logarithmic_probabilities():
    networks = members()[:3]
    network, (features, starts) = ensemble("scores", networks), batch()
    rng = np.random.default_rng(0)

    def cost(net, gold):
        scores = net.scores(batch_of(features, starts))
        return likelihood_of(net).forward(scores, gold, starts.astype(np.int64))[0]

    golds = [rng.integers(N_TAGS, size=starts[-1]).astype(np.int32) for _ in range(3)]
    means = [np.mean([cost(member, gold) for member in networks]) for gold in golds]
    ours = [cost(network, gold) for gold in golds]
    np.testing.assert_allclose(np.diff(ours), np.diff(means), rtol=1e-4)


def test_what_one_member_forbids_is_forbidden():
    networks = members()[:2]
    networks[0].transition[1, 2] = IMPOSSIBLE
    networks[0].final = np.full(N_TAGS, IMPOSSIBLE, np.float32)
    _, transition, final = averaged_scores(networks)
    assert transition[1, 2] == IMPOSSIBLE and (final == IMPOSSIBLE).all()
    assert (transition <= IMPOSSIBLE).sum() == 1
    assert averaged_scores(members()[3:]) == [None] * 3


@pytest.mark.parametrize("how", ["vote", "scores"])
def test_two_of_the_same_are_as_one(how):
    one, (features, starts) = members()[1], batch()
    network = ensemble(how, [one, one])
    if how == "scores":
        np.testing.assert_allclose(
            network.posteriors(batch_of(features, starts)),
            one.posteriors(batch_of(features, starts)),
            atol=1e-5,
        )
    assert (
        tag(network, features, starts).tolist() == tag(one, features, starts).tolist()
    )


def test_posteriors_of_a_vote_are_the_members_mean():
    network, (features, starts) = ensemble("vote"), batch()
    found = network.posteriors(batch_of(features, starts))
    expected = np.mean(said(network, features, starts, "posteriors"), axis=0)
    np.testing.assert_allclose(found, expected, atol=1e-6)
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-5)


@pytest.mark.parametrize("how", ["vote", "scores"])
def test_how_words_are_batched_does_not_matter(how):
    network, (features, starts) = ensemble(how), batch()
    cache = network.cache(50)
    assert network.row_bytes == sum(member.row_bytes for member, _ in network.members())
    assert (
        network.context == Context.PAIRS
        and ensemble(how, members()[:1]).context == Context.WINDOW
    )
    for call in (lambda *given: network.decode(*given).tags, network.posteriors):
        whole = call(batch_of(features, starts))
        np.testing.assert_array_equal(call(batch_of(features, starts), cache), whole)
        for a, b in pairwise(starts):
            alone = call(batch_of(features[a:b], np.array([0, b - a], np.int32)))
            np.testing.assert_array_equal(alone, whole[a:b])


@pytest.mark.parametrize("sentence_level", [False, True])
def test_gradients_of_a_joined_ensemble(sentence_level):
    network, (features, starts) = ensemble("joined"), batch()
    rng = np.random.default_rng(5)
    network.output_weight = 0.1 * rng.standard_normal(network.output_weight.shape)
    network.output_weight = network.output_weight.astype(np.float32)
    if not sentence_level:
        network.initial = network.transition = None
    gold = rng.integers(N_TAGS, size=starts[-1]).astype(np.int32)
    words = batch_of(features, starts)
    check_cost(network, words, TagTargets(words.begin, gold), 0, rng)


def test_scores_in_training_are_those_of_tagging():
    network, (features, starts) = ensemble("joined"), batch()
    scores, _ = forward(network, features, starts, (Dropout(None), Dropout(None)))
    np.testing.assert_allclose(
        scores, network.scores(batch_of(features, starts)), atol=1e-4
    )
