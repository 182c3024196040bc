"""The networks of taggers: one line each. Modules are imported when a model has such a network."""

from importlib import import_module

__all__ = ["NETWORKS", "approaches", "network_class"]

# Class by kind; a kind is also the name of its module in this package.
NETWORKS = {
    "window": "WindowNetwork",
    "sentence": "SentenceNetwork",
    "tree": "TreeNetwork",
    "dilated": "DilatedNetwork",
    "chart": "ChartNetwork",
    "ensemble": "EnsembleNetwork",
}


def network_class(kind):
    """Class of the networks of a kind."""
    return getattr(import_module(f"senna_py.networks.{kind}"), NETWORKS[kind])


def approaches():
    """Classes of the networks that senna-train can train, by kind: those with settings."""
    classes = {kind: network_class(kind) for kind in NETWORKS}
    return {kind: cls for kind, cls in classes.items() if cls.settings}
