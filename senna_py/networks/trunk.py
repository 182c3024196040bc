"""The layers that networks of several tasks share, below their heads: computed once for
all.

A network is a trunk and a head (Collobert et al. 2011, section 5: what tasks learn
together). The trunk makes states of words; the head makes labels of them. Networks
share the first layers of their trunks whose arrays are the same objects; heads may
stand on lower layers than others, and networks may go on with layers of their own.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from senna_py.layers.blocks import aligned
from senna_py.layers.passes import InferencePass, TrainingPass
from senna_py.networks.batch import WordBatch


@dataclass
class _Branch:
    """Layers that some networks have in common.

    lead: the network whose layers they are; depth: layers of it at the end of these;
    tops: names of the networks that end here, those with the same states together;
    branches: where others go on.
    """

    lead: str
    depth: int
    tops: Sequence[Sequence[str]]
    branches: "Sequence[_Branch]"


def _branch(networks, names, done=0):
    """The _Branch of networks whose first `done` layers are the same, the shallowest
    first.
    """
    lead = networks[names[-1]]
    depth = min(
        (lead.common_depth(networks[name]) for name in names[:-1]), default=lead.depth
    )
    tops, rest, branches = {}, [], []
    for name in names:
        if networks[name].depth > depth:
            rest.append(name)
        else:
            tops.setdefault(networks[name].top_key, []).append(name)
    while rest:
        last = networks[rest[-1]]
        ours = [name for name in rest if last.common_depth(networks[name]) > depth]
        branches.append(_branch(networks, ours, depth))
        rest = [name for name in rest if name not in ours]
    return _Branch(names[-1], depth, list(tops.values()), branches)


class Trunk:
    """The trunk of one or more networks.

    networks: by name; they have the same tables and padding, and the same first layer;
    deepest: the one with the most layers, whose `cache` serves all.
    """

    def __init__(self, networks: Mapping[str, Any]) -> None:
        self.networks = networks
        self.deepest = max(networks.values(), key=lambda network: network.depth)
        self._roots: dict[tuple[str, ...], _Branch] = {}

    def states(
        self, batch: WordBatch, cache: Any = None, names: Iterable[str] | None = None
    ) -> dict[str, np.ndarray]:
        """States of all words of a WordBatch: float32[n_tokens, n] by the name of each
        network.

        cache: of `deepest`, made since arrays last changed, or None; names: of the
        networks that are asked for, None for all. The same arrays stand for networks
        whose states are the same.
        """
        asked = tuple(names or self.networks)
        batch, done = WordBatch(batch.features, batch.starts), 0
        found: dict[str, np.ndarray] = {}
        for piece in self.deepest.pieces(batch):
            run = self._walk(
                asked, lambda network: network.used_layers(cache), InferencePass
            )
            same: dict[int, str] = {}
            for name, states in run.up(piece).items():
                if (first := same.setdefault(id(states), name)) == name:
                    if name not in found:
                        found[name] = aligned(len(batch.features), states.shape[1])
                    found[name][done : done + len(states)] = states
                found[name] = found[first]
            done += len(piece.features)
        none = np.empty((0, 0), np.float32)
        return {name: found.get(name, none) for name in asked}

    def train(
        self, batch: WordBatch, dropouts: Any
    ) -> tuple[Any, dict[str, np.ndarray]]:
        """A `_Walk` in training, on which `up` was called, and the states by name."""
        new_pass = partial(TrainingPass, dropouts)
        run = self._walk(
            tuple(self.networks), lambda network: network.layers(), new_pass
        )
        return run, run.up(batch)

    def _walk(self, names, layers_of, new_pass):
        if names not in self._roots:
            by_depth = sorted(names, key=lambda name: self.networks[name].depth)
            self._roots[names] = _branch(self.networks, by_depth)
        return _Walk(self.networks, self._roots[names], layers_of, new_pass)


class _Walk:
    """One way up a trunk, from branch to branch, and back down in training."""

    def __init__(self, networks, root, layers_of, new_pass):
        self._networks, self._root = networks, root
        self._layers_of, self._new_pass = layers_of, new_pass
        # by the id of a branch: that of its layers, and those of its tops
        self._passes = {}

    def up(self, batch, branch=None, h=None, done=0):
        """States by the name of each network; of a branch, from what `done` layers
        made: h.
        """
        branch = branch or self._root
        lead, run, found, tops = self._networks[branch.lead], self._new_pass(), {}, []
        h = lead.climb(run, self._layers_of(lead), batch, h, done, branch.depth)
        for names in branch.tops:
            tops.append(self._new_pass())
            found |= dict.fromkeys(names, self._networks[names[0]].top(tops[-1], h))
        self._passes[id(branch)] = run, tops
        for above in branch.branches:
            found |= self.up(batch, above, h, branch.depth)
        return found

    def down(self, d_states, sinks, branch=None):
        """Give the gradients of all parameters of the trunk; returns d(cost)/d(h) of a
        branch.

        d_states: d(cost)/d(states) by the name of each network, of those that have any;
        sinks: what takes the gradients of the arrays of each network, by its name.
        """
        branch = branch or self._root
        run, tops = self._passes[id(branch)]
        parts = [self.down(d_states, sinks, above) for above in branch.branches]
        parts = [d_h for d_h in parts if d_h is not None]
        for names, top in zip(branch.tops, tops, strict=True):
            given = [d_states[name] for name in names if name in d_states]
            if given:
                parts.append(top.backward(sum(given), sinks[names[0]]))
        return run.backward(sum(parts), sinks[branch.lead]) if parts else None


def trunks_of(
    networks: Mapping[str, Any],
    same_input: Callable[[str, str], bool] = lambda name, other: True,
) -> list[Trunk]:
    """Trunks of networks by name; same_input: whether those of two names have the same
    features.
    """
    groups: list[dict[str, Any]] = []
    for name, network in networks.items():
        for group in groups:
            first = next(iter(group))
            if network.common_depth(group[first]) and same_input(name, first):
                group[name] = network
                break
        else:
            groups.append({name: network})
    return [Trunk(group) for group in groups]
