"""The layers that networks of several tasks share, below their heads: computed once for all.

A network is a trunk and a head (Collobert et al. 2011, section 5: what tasks learn together). The
trunk makes states of words; the head makes labels of them. Networks share a trunk if its arrays are
the same objects; heads may stand on lower blocks of it than others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np

from senna_py.layers.blocks import aligned
from senna_py.layers.passes import InferencePass, TrainingPass
from senna_py.networks.batch import WordBatch

__all__ = ["Trunk", "trunks_of"]


class Trunk:
    """The trunk of one or more networks.

    networks: by name; they have the same tables and padding, and each has the blocks of those that
    have fewer.
    """

    def __init__(self, networks: Mapping[str, Any]) -> None:
        """Hold networks that share a trunk, see `trunks_of`."""
        self.networks = networks
        self._name = max(networks, key=lambda name: networks[name].depth)
        self._deepest = networks[self._name]

    @property
    def row_bytes(self) -> int:
        """Bytes of the products that `cache` keeps of one word."""
        return self._deepest.row_bytes

    def cache(self, n_rows: int) -> Any:
        """A place to keep `n_rows` products of the first layer, for tagging."""
        return self._deepest.cache(n_rows)

    def states(
        self, batch: WordBatch, cache: Any = None, names: Iterable[str] | None = None
    ) -> dict[str, np.ndarray]:
        """States of all words of a WordBatch: float32[n_tokens, n] by the name of each network.

        cache: of `cache`, made since the arrays last changed, or None; names: of the networks that
        are asked for, None for all. The same arrays stand for networks whose states are the same.
        """
        asked = {name: self.networks[name] for name in names or self.networks}
        batch, found, done = WordBatch(batch.features, batch.starts), {}, 0
        layers = self._deepest.used_layers(cache)
        for piece in self._deepest.pieces(batch):
            run = _Walk(self._name, self._deepest, layers, InferencePass)
            for name, states in run.up(piece, asked).items():
                if name not in found:
                    found[name] = aligned(len(batch.features), states.shape[1])
                found[name][done : done + len(states)] = states
            done += len(piece.features)
        none = np.empty((0, 0), np.float32)
        return {name: found.get(name, none) for name in asked}

    def train(self, batch: WordBatch, dropouts: Any) -> tuple[Any, dict[str, np.ndarray]]:
        """A `_Walk` in training, on which `up` was called, and the states by name."""
        layers = self._deepest.layers()
        run = _Walk(self._name, self._deepest, layers, partial(TrainingPass, dropouts))
        return run, run.up(batch, self.networks)


class _Walk:
    """One way up a trunk, past the networks' depths, and back down in training."""

    def __init__(self, name, deepest, layers, new_pass):
        self._name, self._deepest, self._layers = name, deepest, layers
        self._new_pass = new_pass
        self._segments = []  # passes, with the networks that end above

    def up(self, batch, networks):
        """States by the name of each of some networks."""
        found, h, done = {}, None, 0
        for depth in sorted({network.depth for network in networks.values()}):
            run = self._new_pass()
            h, done = self._deepest.climb(run, self._layers, batch, h, done, depth), depth
            tops = {}
            for name, network in networks.items():
                if network.depth == depth:
                    tops.setdefault(network.top_key, []).append(name)
            self._segments.append((run, []))
            for names in tops.values():
                above, network = self._new_pass(), networks[names[0]]
                states = network.top(above, h)
                self._segments[-1][1].append((above, names))
                found |= dict.fromkeys(names, states)
        return {name: found[name] for name in networks}

    def down(self, d_states, sinks):
        """Give the gradients of all parameters of the trunk.

        d_states: d(cost)/d(states) by the name of each network, of those that have any; sinks: what
        takes the gradients of the arrays of each network, by its name.
        """
        d_h = None
        for run, tops in reversed(self._segments):
            for above, names in tops:
                given = [d_states[name] for name in names if name in d_states]
                if given:
                    d_top = above.backward(sum(given), sinks[names[0]])
                    d_h = d_top if d_h is None else d_h + d_top
            if d_h is not None:
                d_h = run.backward(d_h, sinks[self._name])


def trunks_of(
    networks: Mapping[str, Any], same_input: Callable[[str, str], bool] = lambda name, other: True
) -> list[Trunk]:
    """Trunks of networks by name, one for each group that shares one: a list of Trunk.

    same_input: whether the networks of two names have the same features.
    """
    groups: list[dict[str, Any]] = []
    for name, network in networks.items():
        for group in groups:
            first = next(iter(group))
            if network.shares_trunk(group[first]) and same_input(name, first):
                group[name] = network
                break
        else:
            groups.append({name: network})
    return [Trunk(group) for group in groups]
