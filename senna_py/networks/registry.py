"""The registry of the networks of taggers.

The module of a network is imported only if a model contains such a network.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from senna_py.networks.base import TaggerNetwork

# The class of each kind. A kind is also the name of the module in this package.
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
    """Return the class of a kind of network, after importing its module.

    Args:
        kind: A key of NETWORKS.
    """
    module = import_module(f"senna_py.networks.{kind}")
    network: type[TaggerNetwork] = getattr(module, NETWORKS[kind])
    return network


def approaches() -> "dict[str, dict[str, type[TaggerNetwork]]]":
    """Return the classes of the networks that senna-train can train.

    Returns:
        {approach: {task: class}}. An approach is the name of a kind of trunk in
        configurations, and a task is what the network labels: words, roles, trees or
        arcs.
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
