"""The networks of taggers: one line each. Modules are imported when a model has such a
network.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from senna_py.networks.base import TaggerNetwork

# Class by kind; a kind is also the name of its module in this package.
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
    """Class of the networks of a kind."""
    return getattr(import_module(f"senna_py.networks.{kind}"), NETWORKS[kind])


def approaches() -> "dict[str, dict[str, type[TaggerNetwork]]]":
    """Networks that senna-train can train, by approach, a kind of trunk, and by what
    they label.
    """
    found: dict[str, dict[str, type[TaggerNetwork]]] = {}
    for kind in NETWORKS:
        cls = network_class(kind)
        for approach in (cls.approaches or (kind,)) if cls.settings else ():
            found.setdefault(approach, {}).update(dict.fromkeys(cls.tasks, cls))
    return found
