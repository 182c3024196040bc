"""The network and the features of a configuration that names none: good ones for its kind."""

from senna_py.labels.tasks import ROLES, TREES, find_task
from senna_py.tagging.settings import APPROACHES

__all__ = ["approaches_for", "fill_defaults"]

_FEATURES = {
    "caps": 5, "shape": 10,
    **{f"suffix.{n}": 10 for n in range(1, 6)},
    **{f"prefix.{n}": 10 for n in range(1, 5)},
}  # fmt: skip
_OF_LABELS = 20  # size of the vectors of what another network predicts
_FOR_ROLES = {"width": 192, "dilations": [1, 2, 4, 8, 1, 2], "hidden": 192}


def approaches_for(kind):
    """Names of the approaches whose networks can do a kind of task."""
    labels = kind if kind in ("roles", "trees") else "words"
    return [name for name, cls in APPROACHES.items() if labels in cls.tasks]


def fill_defaults(values):
    """The dict of a configuration with an approach and features where it names none.

    A table of one approach, such as `[network.window]`, names that. What is wrong is left alone.
    """
    task = values.get("labels_of") or values.get("task")
    kind = values.get("kind") or find_task(task if isinstance(task, str) else "").kind
    network, cascade = values.get("network", {}), values.get("cascade")
    if isinstance(network, dict):
        named = [name for name in approaches_for(kind) if name in network]
        usual = "chart" if kind == "trees" else "dilated"
        network = {"approach": named[0] if len(named) == 1 else usual, **network}
        own = network.get("dilated", {})
        if kind == "roles" and network["approach"] == "dilated" and isinstance(own, dict):
            network["dilated"] = {**_FOR_ROLES, **own}
    names = cascade if isinstance(cascade, dict) else ()
    labels = {name: _OF_LABELS for name in names if name not in (task, TREES, ROLES)}
    return {"features": _FEATURES | labels, **values, "network": network}
