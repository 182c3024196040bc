"""The networks of taggers, one line each.

A module is imported when a model has such a network.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from senna_py.networks.base import TaggerNetwork

# Classes by kind, which is also the name of the module in this package.
NETWORKS = {
    "window": "WindowNetwork",
    "sentence": "SentenceNetwork",
    "tree": "TreeNetwork",
    "dilated": "DilatedNetwork",
    "chart": "ChartNetwork",
    "arcs": "ArcNetwork",
    "ensemble": "EnsembleNetwork",
}


def network_class(kind: str) -> "type[TaggerNetwork]":
    """Return the class of the networks of a kind."""
    module = import_module(f"senna_py.networks.{kind}")
    network: type[TaggerNetwork] = getattr(module, NETWORKS[kind])
    return network


def approaches() -> "dict[str, dict[str, type[TaggerNetwork]]]":
    """Return the networks that senna-train can train.

    They are by approach, a kind of trunk, and then by what they label.
    """
    by_approach: dict[str, dict[str, type[TaggerNetwork]]] = {}
    for kind in NETWORKS:
        network = network_class(kind)
        if network.settings is None:
            continue
        for approach in network.approaches or (kind,):
            tasks = by_approach.setdefault(approach, {})
            tasks.update(dict.fromkeys(network.tasks, network))
    return by_approach
