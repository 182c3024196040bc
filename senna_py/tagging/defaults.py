"""The network and the features of a configuration that names none: good ones for its kinds."""

from senna_py.labels.tasks import ROLES, TREES, find_task, labels_of_kind
from senna_py.tagging.settings import APPROACHES

__all__ = ["HIDDEN", "approaches_for", "fill_defaults"]

_FEATURES = {
    "caps": 5, "shape": 10,
    **{f"suffix.{n}": 10 for n in range(1, 6)},
    **{f"prefix.{n}": 10 for n in range(1, 5)},
}  # fmt: skip
_OF_LABELS = 20  # size of the vectors of what another network predicts
_LARGE = {"width": 192, "dilations": [1, 2, 4, 8, 1, 2]}
HIDDEN = {"roles": 192, "trees": 224, "arcs": 256}  # units of a head on dilated blocks


def approaches_for(labels):
    """Names of the approaches whose networks can do all of some kinds of labels, a set."""
    return [name for name, heads in APPROACHES.items() if labels <= {*heads}]


def fill_defaults(values):
    """The dict of a configuration with an approach and features where it names none.

    A table of one approach, such as `[network.window]`, names that. What is wrong is left alone.
    """
    task, tasks = values.get("labels_of") or values.get("task"), values.get("tasks")
    names = [name for name in (tasks if isinstance(tasks, list) else [task])
             if isinstance(name, str)]  # fmt: skip
    kinds = [values.get("kind") or _kind_of(values, name) for name in names]
    labels = {*map(labels_of_kind, kinds)}
    network, cascade = values.get("network", {}), values.get("cascade")
    if isinstance(network, dict):
        named = [name for name in approaches_for(labels) if name in network]
        usual = "chart" if labels == {"trees"} and tasks is None else "dilated"
        network = {"approach": named[0] if len(named) == 1 else usual, **network}
        own = network.get("dilated", {})
        large = len(names) > 1 or labels != {"words"}
        if large and network["approach"] == "dilated" and isinstance(own, dict):
            hidden = {"hidden": HIDDEN["roles"]} if tasks is None else {}
            network["dilated"] = {**_LARGE, **hidden, **own}
    read = cascade if isinstance(cascade, dict) else ()
    features = {name: _OF_LABELS for name in read if name not in (*names, TREES, ROLES)}
    return {"features": _FEATURES | features, **values, "network": network}


def _kind_of(values, name):
    """Kind of a task, as its head says it, or else by its name."""
    heads = values.get("heads")
    head = heads.get(name) if isinstance(heads, dict) else None
    head = head if isinstance(head, dict) else {}
    said = head.get("kind"), head.get("labels_of")
    return said[0] or find_task(said[1] if isinstance(said[1], str) and said[1] else name).kind
