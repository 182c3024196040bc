"""The network and the features of a configuration that names none: good ones for its kinds."""

from collections.abc import Mapping
from typing import Any

from senna_py.labels.tasks import find_task
from senna_py.tagging.kinds import TABLE
from senna_py.tagging.settings import APPROACHES

_FEATURES = {
    "caps": 5, "shape": 10,
    **{f"suffix.{n}": 10 for n in range(1, 6)},
    **{f"prefix.{n}": 10 for n in range(1, 5)},
}  # fmt: skip
_OF_LABELS = 20  # size of the vectors of what another network predicts
_LARGE = {"width": 192, "dilations": [1, 2, 4, 8, 1, 2]}


def approaches_for(labels: set[str]) -> list[str]:
    """Names of the approaches whose networks can do all of some kinds of labels, a set."""
    return [name for name, heads in APPROACHES.items() if labels <= {*heads}]


def fill_defaults(values: Mapping[str, Any]) -> dict[str, Any]:
    """The dict of a configuration with an approach and features where it names none.

    A table of one approach, such as `[network.window]`, names that. What is wrong is left alone.
    """
    task, tasks = values.get("task"), values.get("tasks")
    names = [name for name in (tasks if isinstance(tasks, list) else [task])
             if isinstance(name, str)]  # fmt: skip
    kinds = [_kind_of(values, name) for name in names]
    network, cascade = values.get("network", {}), values.get("cascade")
    if isinstance(network, dict):
        named = [each for each in approaches_for({k.labels for k in kinds}) if each in network]
        usual = kinds[0].approach if kinds and tasks is None else "dilated"
        network = {"approach": named[0] if len(named) == 1 else usual, **network}
        own, hidden = network.get("dilated", {}), max((kind.hidden for kind in kinds), default=0)
        large = len(names) > 1 or hidden
        if large and network["approach"] == "dilated" and isinstance(own, dict):
            network["dilated"] = {**_LARGE, **({"hidden": hidden} if tasks is None else {}), **own}
    read = cascade if isinstance(cascade, dict) else ()
    features = {name: _OF_LABELS for name in read if name not in names}
    return {"features": _FEATURES | features, **values, "network": network}


def _kind_of(values, name):
    """Kind of a task, as its head says it, or else by its name; tags for what is no kind."""
    heads = values.get("heads")
    head = heads.get(name) if isinstance(heads, dict) else None
    said = values.get("kind") or (isinstance(head, dict) and head.get("kind"))
    said = said or find_task(name).kind
    return TABLE[said if isinstance(said, str) and said in TABLE else "tags"]
