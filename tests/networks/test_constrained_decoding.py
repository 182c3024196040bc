"""Networks as training makes them never give an impossible sequence of IOBES tags."""

import itertools
from types import SimpleNamespace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from senna_py.labels.tag_schemes import first_misfit
from senna_py.layers.likelihood import IMPOSSIBLE
from senna_py.tagging.build import constrain, new_networks
from senna_py.tagging.inputs import constraints
from tests.helpers.random_networks import random_batch, tag, window_network
from tests.helpers.small_corpora import settings

TYPES = ("NP", "VP", "B-X")  # the last one on purpose


def all_keys(types):
    return ["O", *(f"{prefix}-{kind}" for kind in types for prefix in "BIES")]


@given(st.sets(st.sampled_from(all_keys(TYPES)[1:])), st.lists(st.integers(1, 9)), st.integers(0))
def test_window_network(kept, lengths, seed):
    keys = ["O", *sorted(kept)]
    rng = np.random.default_rng(seed)
    network = window_network(rng, n_tags=len(keys))
    network.output_weight *= 100
    constrain(network, keys)
    features, starts = random_batch(rng, lengths)
    tags = tag(network, features, starts)
    for a, b in itertools.pairwise(starts):
        names = [keys[i] for i in tags[a:b]]
        assert first_misfit(names, "iobes") is None, names


@given(st.lists(st.sampled_from(all_keys(TYPES)), min_size=1, max_size=5))
def test_constraints_are_those_of_the_scheme(tags):
    keys = all_keys(TYPES)
    begins, follows, ends = constraints(keys)
    index = [keys.index(tag) for tag in tags]
    allowed = (
        begins[index[0]] and ends[index[-1]]
        and all(follows[i, j] for i, j in itertools.pairwise(index))
    )  # fmt: skip
    assert allowed == (first_misfit(tags, "iobes") is None)


def new(keys, **changes):
    vectors, padding = np.zeros((3, 2), np.float32), np.zeros(1, np.int32)
    features = SimpleNamespace(names=("word",), vocabularies={}, padding=lambda: padding)
    config = settings(**changes)
    ((task, kind),) = (kinds := config.new_kinds()).items()
    kind.take_keys(keys)
    return new_networks(config, vectors, features, kinds, {})[task]


def test_segments_and_roles_are_constrained():
    keys = all_keys(["NP"])
    for task in ("chk", "srl"):
        network = new(keys, task=task, features={})
        assert (network.initial == IMPOSSIBLE).tolist() == [False, False, True, True, False]
        assert (network.final == IMPOSSIBLE).tolist() == [False, True, True, False, False]
        assert network.transition[0, 2] == network.transition[1, 0] == IMPOSSIBLE
        assert network.transition[1, 2] == 0


def test_tags_and_free_networks_are_not():
    for keys, changes in (
        (["B-", "I-TO", "NN"], {"task": "pos"}),
        (all_keys(["NP"]), {"network": {"constrained": False}}),
    ):
        network = new(keys, **changes)
        assert not network.initial.any()
        assert not network.transition.any()
        assert network.final is None
    assert new(all_keys(["NP"]), network={"criterion": "word"}).initial is None
