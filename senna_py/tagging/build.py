"""New networks of taggers."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from senna_py.errors import SettingError
from senna_py.layers.likelihood import IMPOSSIBLE
from senna_py.layers.protocol import initial_uniform
from senna_py.networks.base import TaggerNetwork
from senna_py.networks.initialization import new_network
from senna_py.tagging.config import Config
from senna_py.tagging.features import Features
from senna_py.tagging.initial import InitialNetwork
from senna_py.tagging.inputs import constraints
from senna_py.tagging.kinds.base import Kind


def new_networks(
    config: Config,
    vectors: np.ndarray,
    features: Features,
    kinds: Mapping[str, Kind],
    initial: Mapping[str, InitialNetwork],
) -> dict[str, TaggerNetwork]:
    """The networks of a Config as they begin, by task; they share tables and trunk.

    vectors: float32[n_words, dim], copied; kinds: of labels, with keys, by task;
    initial: what each task begins with. Raises SettingError for tasks that cannot learn
    together.
    """
    seed, found = config.training.seed, {}
    for number, (name, plan) in enumerate(config.plans.items()):
        rng = np.random.default_rng([seed, 0, *[number] * (number > 0)])
        tables = [np.array(vectors, np.float32)]
        for feature in features.names[1:]:
            n_keys, dim = len(features.vocabularies[feature]), config.features[feature]
            tables.append(initial_uniform(rng, 0.5, n_keys, dim))
        found[name] = new_network(
            plan.network,
            plan.sizes,
            tables,
            features.padding(),
            {"tags": len(kinds[name].keys)},
            rng,
            kinds[name].labels,
            plan.criterion == "sentence",
        )
        if name in initial:
            initial[name].begin(found[name], features.names, kinds[name].keys)
        if plan.constrained and plan.criterion == "sentence" and kinds[name].iobes:
            constrain(found[name], kinds[name].keys)
    if len(found) > 1 and not all(network.has_trunk for network in found.values()):
        raise SettingError(
            "network: without hidden units, tasks have no layers in common"
        )
    deepest = max(found, key=lambda name: (found[name].depth, name in initial))
    return {
        name: network
        if name == deepest
        else network.share(found[deepest], _depth_in_common(initial, name, deepest))
        for name, network in found.items()
    }


def _depth_in_common(initial, *names):
    """Layers that two networks share in the model that both begin with; None for all,
    or none.
    """
    one, other = (
        initial[name].part.network if name in initial else None for name in names
    )
    depth = one.common_depth(other) if one and other else 0
    return depth if 0 < depth < one.depth else None


def constrain(network: Any, keys: Sequence[str]) -> None:
    """Make impossible IOBES sequences improbable beyond any score; see
    `inputs.constraints`.
    """
    begins, follows, ends = constraints(keys)
    network.initial[~begins] = IMPOSSIBLE
    network.transition[~follows] = IMPOSSIBLE
    network.final = np.where(ends, np.float32(0), np.float32(IMPOSSIBLE))
