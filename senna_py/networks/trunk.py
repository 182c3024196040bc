"""Trunks that networks of several tasks share, and that are computed only once.

A network consists of a trunk, which computes the states of words, and a head, which
labels words from these states (multi-task learning: Collobert et al. 2011, section 5).
Networks share the layers at the bottom of their trunks whose arrays are the same
objects. Above these, a network may have its head or further layers of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache as cache_results
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.layers.blocks import aligned
from senna_py.layers.int8 import RoundedRows
from senna_py.layers.passes import InferencePass, TrainingPass
from senna_py.networks.batch import WordBatch

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from senna_py.layers.gradients import Gradients
    from senna_py.layers.passes import Dropouts
    from senna_py.networks.base import Layers, TaggerNetwork

    States = dict[str, Any]


@dataclass
class _Branch:
    """A sequence of layers that some networks have in common.

    Attributes:
        lead: The name of a network with these layers, which applies them for all.
        depth: The number of layers from the bottom of the trunk to the end of the
            branch.
        ends: The names of the networks whose trunks end here, in groups of networks
            with the same states.
        branches: The branches that follow, for the other networks.
    """

    lead: str
    depth: int
    ends: Sequence[Sequence[str]]
    branches: Sequence[_Branch]


def _branch(
    networks: Mapping[str, TaggerNetwork], names: Sequence[str], depth: int = 0
) -> _Branch:
    """Return the tree of branches of networks that share their first `depth` layers.

    Args:
        networks: All networks by name.
        names: The names of the networks of the tree, in ascending order of depth.
        depth: The number of layers below the branch.
    """
    lead = networks[names[-1]]
    in_common = (lead.common_depth(networks[name]) for name in names[:-1])
    depth = min(in_common, default=lead.depth)
    ends: dict[tuple[int, ...], list[str]] = {}
    rest, branches = [], []
    for name in names:
        if networks[name].depth > depth:
            rest.append(name)
        else:
            ends.setdefault(networks[name].norm_key, []).append(name)
    while rest:
        last = networks[rest[-1]]
        chosen = [name for name in rest if last.common_depth(networks[name]) > depth]
        branches.append(_branch(networks, chosen, depth))
        rest = [name for name in rest if name not in chosen]
    return _Branch(names[-1], depth, [*ends.values()], branches)


class Trunk:
    """The trunk of one or more networks.

    Attributes:
        networks: The networks by name. They share their tables, their padding and at
            least the first layer.
        deepest: The network with the most layers, whose `cache` is used for all.
    """

    def __init__(self, networks: Mapping[str, TaggerNetwork]) -> None:
        self.networks = networks
        self.deepest = max(networks.values(), key=lambda network: network.depth)

    @cached_property
    def _root(self) -> _Branch:
        by_depth = sorted(self.networks, key=lambda name: self.networks[name].depth)
        return _branch(self.networks, by_depth)

    def states(
        self, batch: WordBatch, cache: Any = None, rounded: bool = False
    ) -> States:
        """Return the states of all words of a batch, at inference.

        Args:
            batch: The words.
            cache: The result of `deepest.cache` for the current arrays, or None.
            rounded: Whether to return RoundedRows, which take less memory and time.

        Returns:
            The states, float32[n_tokens, n] unless `rounded`, by the name of the
            network. Networks with the same states get the same object.
        """
        batch, done = WordBatch(batch.features, batch.starts), 0
        layers_of = cache_results(lambda network: network.inference_layers(cache))
        of_all: States = {}
        for part in self.deepest.split(batch):
            passes = _Passes(self.networks, self._root, layers_of, InferencePass)
            first_names: dict[int, str] = {}
            for name, states in passes.forward(part).items():
                if (first := first_names.setdefault(id(states), name)) == name:
                    if name not in of_all:
                        make = RoundedRows.empty if rounded else aligned
                        of_all[name] = make(len(batch.features), states.shape[1])
                    if rounded:
                        of_all[name].round(done, states)
                    else:
                        of_all[name][done : done + len(states)] = states
                of_all[name] = of_all[first]
            done += len(part.features)
        none = np.empty((0, 0), np.float32)
        return {name: of_all.get(name, none) for name in self.networks}

    def shared_states(self, batch: WordBatch, cache: Any = None) -> States:
        """Return `states` if several networks share the trunk, otherwise an empty dict.

        They are rounded if the networks take them so. See `states` for the arguments.
        """
        if len(self.networks) == 1:
            return {}
        return self.states(batch, cache, rounded=self.deepest.rounds_states)

    def forward(self, batch: WordBatch, dropouts: Dropouts) -> tuple[_Passes, States]:
        """Return the passes for backpropagation, and the states by name, in training.

        Args:
            batch: The words.
            dropouts: See TrainingPass.
        """
        passes = _Passes(
            self.networks,
            self._root,
            lambda network: network.layers(),
            partial(TrainingPass, dropouts),
        )
        return passes, passes.forward(batch)


class _Passes:
    """Forward and backward passes through the branches of a trunk."""

    def __init__(
        self,
        networks: Mapping[str, TaggerNetwork],
        root: _Branch,
        layers_of: Callable[[TaggerNetwork], Layers],
        new_pass: Callable[[], Any],
    ) -> None:
        self._networks, self._root = networks, root
        self._layers_of, self._new_pass = layers_of, new_pass
        # By the id of a branch, the pass through its layers, and the passes through the
        # `normalize` of each of its ends.
        self._of_branches: dict[int, tuple[Any, list[Any]]] = {}

    def forward(
        self,
        batch: WordBatch,
        branch: _Branch | None = None,
        hidden: Any = None,
        depth: int = 0,
    ) -> States:
        """Return the states, float32[n_tokens, n], by the name of each network.

        Args:
            batch: The words.
            branch: The branch to compute, or None for the root.
            hidden: The output of the layer below the branch, or None for the root.
            depth: The number of layers below the branch.
        """
        branch = branch or self._root
        lead, forward_pass = self._networks[branch.lead], self._new_pass()
        layers = self._layers_of(lead)
        hidden = lead.encode(forward_pass, layers, batch, hidden, depth, branch.depth)
        states: States = {}
        ends = []
        for names in branch.ends:
            ends.append(self._new_pass())
            normal = self._networks[names[0]].normalize(ends[-1], hidden)
            states |= dict.fromkeys(names, normal)
        self._of_branches[id(branch)] = forward_pass, ends
        for above in branch.branches:
            states |= self.forward(batch, above, hidden, branch.depth)
        return states

    def backward(
        self,
        d_states: States,
        sinks: Mapping[str, Gradients],
        branch: _Branch | None = None,
    ) -> Any:
        """Collect the gradients of all parameters of the trunk.

        Args:
            d_states: d(cost)/d(states) by the name of each network that has a cost.
            sinks: The Gradients that collect the gradients of the arrays of each
                network, by its name.
            branch: The branch to go back through, or None for the root.

        Returns:
            d(cost)/d(input of the branch), or None if no network above has a cost.
        """
        branch = branch or self._root
        forward_pass, ends = self._of_branches[id(branch)]
        parts = [self.backward(d_states, sinks, above) for above in branch.branches]
        parts = [d_hidden for d_hidden in parts if d_hidden is not None]
        for names, end in zip(branch.ends, ends, strict=True):
            d_ends = [d_states[name] for name in names if name in d_states]
            if d_ends:
                parts.append(end.backward(sum(d_ends), sinks[names[0]]))
        if not parts:
            return None
        return forward_pass.backward(sum(parts), sinks[branch.lead])


def trunks_of(
    networks: Mapping[str, TaggerNetwork],
    same_input: Callable[[str, str], bool] = lambda name, other: True,
) -> list[Trunk]:
    """Group networks into trunks.

    Args:
        networks: The networks by name.
        same_input: A function that returns whether the networks with two names have the
            same features. Networks with different features do not share a trunk.
    """
    groups: list[dict[str, TaggerNetwork]] = []
    for name, network in networks.items():
        for group in groups:
            first = next(iter(group))
            if network.common_depth(group[first]) and same_input(name, first):
                group[name] = network
                break
        else:
            groups.append({name: network})
    return [Trunk(group) for group in groups]
