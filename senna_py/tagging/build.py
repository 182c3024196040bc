"""Makes and initializes the networks of a training run."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from senna_py.errors import SettingError
from senna_py.layers.likelihood import IMPOSSIBLE
from senna_py.layers.protocol import initial_uniform
from senna_py.networks.base import TaggerNetwork
from senna_py.networks.initialization import new_network
from senna_py.tagging.config import Config
from senna_py.tagging.features import Features
from senna_py.tagging.initial import InitialNetwork
from senna_py.tagging.inputs import constraints
from senna_py.tagging.targets.base import Learner


def new_networks(
    config: Config,
    vectors: NDArray[np.float32],
    features: Features,
    learners: Mapping[str, Learner],
    initial: Mapping[str, InitialNetwork],
) -> dict[str, TaggerNetwork]:
    """Create the networks of a run, which share their lookup tables and their trunk.

    Args:
        config: The configuration of the run.
        vectors: float32[n_words, dim], the initial word vectors, which are copied.
        features: The features of the run.
        learners: The learner of each task, with keys.
        initial: The trained networks to start from, by task; see `read_initial`.

    Returns:
        The network of each task.

    Raises:
        SettingError: If there are several tasks, but the network of one has no trunk.
        SennaError: If an array of an initial network is missing or has another shape.
    """
    networks: dict[str, TaggerNetwork] = {}
    for number, (name, plan) in enumerate(config.plans.items()):
        seed = [config.training.seed, 0]
        rng = np.random.default_rng([*seed, number] if number else seed)
        tables = []
        for feature in features.names:
            if feature not in features.vocabularies:  # the words
                tables.append(np.array(vectors, np.float32))
                continue
            n_keys = len(features.vocabularies[feature])
            tables.append(initial_uniform(rng, 0.5, n_keys, config.features[feature]))
        keys = learners[name].keys
        network = new_network(
            plan.network,
            plan.sizes,
            tables,
            features.padding(),
            {"tags": len(keys)},
            rng,
            plan.task.shape.head,
            plan.criterion == "sentence",
        )
        if name in initial:
            initial[name].begin(network, features.names, keys)
        is_constrained = plan.constrained and plan.criterion == "sentence"
        if is_constrained and plan.task.shape.iobes:
            constrain(network, keys)
        networks[name] = network
    if len(networks) > 1 and not all(each.has_trunk for each in networks.values()):
        raise SettingError(
            "network: without hidden units, tasks have no layers in common"
        )
    deepest = max(networks, key=lambda name: (networks[name].depth, name in initial))
    shared = {}
    for name, network in networks.items():
        if name == deepest:
            shared[name] = network
        else:
            depth = _common_depth(initial, name, deepest)
            shared[name] = network.share(networks[deepest], depth)
    return shared


def _common_depth(
    initial: Mapping[str, InitialNetwork], name: str, other: str
) -> int | None:
    """Return the number of layers that two networks share in their initial model.

    The result is None if they share all layers or none, or if one of the networks does
    not start from a trained network.
    """
    if name not in initial or other not in initial:
        return None
    network = initial[name].part.network
    depth = network.common_depth(initial[other].part.network)
    return depth if 0 < depth < network.depth else None


def constrain(network: Any, keys: Sequence[str]) -> None:
    """Set the scores of a network that allow invalid IOBES sequences to IMPOSSIBLE.

    The initial and the transition scores are changed in place. `final` is replaced by
    scores of 0 for the tags that can end a sequence, and IMPOSSIBLE for others.

    Args:
        network: A network with transition scores.
        keys: The names of its tags; see `constraints`.
    """
    begins, follows, ends = constraints(keys)
    network.initial[~begins] = IMPOSSIBLE
    network.transition[~follows] = IMPOSSIBLE
    network.final = np.where(ends, np.float32(0), np.float32(IMPOSSIBLE))
