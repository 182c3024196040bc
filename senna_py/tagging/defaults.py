"""Fills in the settings that a configuration leaves out.

The tables of the file and of `--set` come first. Settings that they leave out come from
the network that `network.init` names, if there is one, and then from defaults that
depend on the tasks. `complete` merges these layers. It does not check types: this
happens when the tables become a `Config`.
"""

from collections.abc import Mapping
from typing import Any

from senna_py.errors import SettingError
from senna_py.io.files import AnyPath
from senna_py.labels.tasks import SHAPES, TABLE, TOKENS, find_task
from senna_py.models.native import FILE_NAME, NativeModel
from senna_py.models.shipped import find_native
from senna_py.tagging.settings import SETTINGS, approaches_for
from senna_py.tagging.targets import LEARNERS

Table = dict[str, Any]

_FEATURES = {
    "caps": 5,
    "shape": 10,
    **{f"suffix.{n}": 10 for n in range(1, 6)},
    **{f"prefix.{n}": 10 for n in range(1, 5)},
}
# The defaults of the learned tokenizer.
UNIT_FEATURES = {
    "form": 16,
    "gap": 4,
    "shape": 8,
    "suffix.2": 8,
    "suffix.3": 8,
    "prefix.2": 8,
}
_UNIT_TRAINING = {"batch": 4, "dropout": 0.1, "embedding_dropout": 0.1}
_UNIT_SIZES = {"width": 64, "dilations": [1, 2, 4]}
_LABEL_SIZE = 20  # The size of the vectors of labels that another network predicts.
_LARGE = {"width": 192, "dilations": [1, 2, 4, 8, 1, 2]}
# Settings of a trained network that a configuration may override.
_FREE = ("criterion", "constrained")


def complete(values: Mapping[str, Any], directory: AnyPath | None = None) -> Table:
    """Return the tables of a configuration with inherited settings and defaults.

    Args:
        values: The tables of the file and of `--set`.
        directory: The directory of the run, to which `network.init` may be relative.
            If it is None, no settings are inherited from `network.init`.

    Raises:
        SettingError: If the network that `network.init` names is missing or cannot be
            trained further, or the configuration contradicts its settings.
    """
    init = _table(values, "network").get("init")
    if directory is not None and init and isinstance(init, str) and _tasks(values):
        model, name = find_network(init, _tasks(values), directory)
        inherited = _settings_of_network(model, name, values)
        _refuse_other_settings(values, inherited, f"network {name} of {model.path}")
        values = _upon(values, inherited)
    return _upon(values, _defaults(values))


def _upon(values: Mapping[str, Any], base: Mapping[str, Any]) -> Table:
    """Merge tables recursively; settings in `values` take precedence."""
    joined = {**base, **values}
    for name in base.keys() & values.keys():
        if isinstance(base[name], dict) and isinstance(values[name], dict):
            joined[name] = _upon(values[name], base[name])
    return joined


def _table(values: Mapping[str, Any], name: str) -> Table:
    table = values.get(name)
    return table if isinstance(table, dict) else {}


def _tasks(values: Mapping[str, Any]) -> list[str]:
    names = values.get("tasks") or [values.get("task")]
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return []
    return names


def _defaults(values: Mapping[str, Any]) -> Table:
    """Return the default approach, sizes and features for the tasks of a run.

    If the configuration has the table of exactly one approach, such as
    `[network.window]`, this approach is the default.
    """
    tasks, network = _tasks(values), _table(values, "network")
    learners = [LEARNERS[SHAPES[_shape_name(values, task)].head] for task in tasks]
    several = values.get("tasks") is not None
    approaches = approaches_for({learner.head for learner in learners})
    with_tables = [name for name in approaches if name in network]
    approach = learners[0].approach if learners and not several else "dilated"
    if len(with_tables) == 1:
        (approach,) = with_tables
    defaults: Table = {"network": {"approach": approach}}
    hidden = max((learner.hidden for learner in learners), default=0)
    if network.get("approach", approach) == "dilated" and (hidden or len(tasks) > 1):
        sizes = _LARGE if several else {**_LARGE, "hidden": hidden}
        defaults["network"]["dilated"] = sizes
    if tasks == [TOKENS]:
        defaults["network"]["dilated"] = _UNIT_SIZES
        defaults["training"] = _UNIT_TRAINING
        if "features" not in values:
            defaults["features"] = UNIT_FEATURES
    elif "features" not in values:
        predicted = [name for name in _table(values, "cascade") if name not in tasks]
        defaults["features"] = _FEATURES | dict.fromkeys(predicted, _LABEL_SIZE)
    return defaults


def _shape_name(values: Mapping[str, Any], task: str) -> str:
    head = _table(_table(values, "heads"), task)
    name = values.get("kind") or head.get("kind") or find_task(task).shape.name
    return name if isinstance(name, str) and name in SHAPES else "tags"


def find_network(
    init: str, tasks: list[str], directory: AnyPath
) -> tuple[NativeModel, str]:
    """Return the model that `network.init` names, and the name of a network in it.

    Args:
        init: The value of the setting, `MODEL` or `MODEL:NETWORK`. The default network
            is that of the first of `tasks` that the model has.
        tasks: The names of the tasks of the run.
        directory: The directory to which a path in `init` may be relative.

    Raises:
        SettingError: If there is no native model, or it has no such network.
    """
    text, colon, name = init.rpartition(":")
    path = find_native(directory, init)
    if path is not None or not colon:
        text, name = init, ""
    path = path or find_native(directory, text)
    if path is None:
        raise SettingError(f"network.init: {text}: no native model there")
    model = NativeModel(path)
    name = name or next((task for task in tasks if task in model.networks), tasks[0])
    if name not in model.networks:
        known = ", ".join(model.networks)
        raise SettingError(
            f"network.init: {model.path}: it has no {name} network; there are {known}: "
            f"name one, as in {text}:{model.networks[0]}"
        )
    return model, name


def _settings_of_network(
    model: NativeModel, name: str, values: Mapping[str, Any]
) -> Table:
    """Return the settings of a trained network, converted to the tasks of a new run.

    Raises:
        SettingError: If the network cannot be trained further.
    """
    info = model.part_info(name)
    config = info.get("config")
    network = _table(config, "network") if isinstance(config, dict) else {}
    if network.get("approach") not in SETTINGS:
        raise SettingError(
            f"network.init: {model.path}: its network {name} was not made by "
            "senna-train, or is an ensemble: it cannot be trained further"
        )
    assert isinstance(config, dict), "it has an approach"
    approach, tasks = network["approach"], _tasks(values)
    shared = {key: network[key] for key in ("approach", *_FREE) if key in network}
    inherited: Table = {
        "network": {**shared, approach: _table(network, approach)},
        "features": dict(_table(config, "features")),
        "cascade": _cascade(model, name, values),
    }
    heads = _table(config, "heads")
    if "tasks" in values:
        inherited["heads"] = {task: heads[task] for task in tasks if task in heads}
    elif "kind" in info and tasks[0] not in TABLE:
        inherited["kind"] = info["kind"]
    if "tasks" in config and "tasks" not in values:
        inherited["network"] = _network_of_one(
            inherited["network"], _table(heads, name), model.labelled(name)
        )
    return inherited


def _network_of_one(network: Table, head: Table, head_name: str) -> Table:
    """Convert the network settings of a multi-task run to a run of one of its tasks.

    Args:
        network: The `[network]` table of the run of several tasks.
        head: The `[heads.TASK]` table of the task.
        head_name: The type of its head, a key of LEARNERS.
    """
    approach = network["approach"]
    sizes = dict(network[approach])
    if after := head.get("after"):
        sizes["dilations"] = sizes["dilations"][:after]
        if isinstance(sizes["kernel"], list):
            sizes["kernel"] = sizes["kernel"][:after]
    if "dilations" in sizes and (hidden := LEARNERS[head_name].hidden):
        sizes["hidden"] = hidden
    for key in ("hidden", "reach"):
        if head.get(key) is not None:
            sizes[key] = head[key]
    of_head = {key: head[key] for key in _FREE if head.get(key) not in (None, "")}
    return {**network, **of_head, approach: sizes}


def _cascade(model: NativeModel, name: str, values: Mapping[str, Any]) -> Table:
    """Return a cascade for features of a network that are not columns of the data."""
    cascade: Table = {}
    sets = [
        each
        for part in ("train", "dev")
        if isinstance(values.get(part), list)
        for each in values[part]
    ]
    path = model.path.parent if model.path.name == FILE_NAME else model.path
    for need in model.reads(name):
        sources = {need, *find_task(need).gold}
        in_columns = all(
            isinstance(each, dict) and sources & {*each.get("columns", ())}
            for each in sets
        )
        if need != name and need in model.networks and not in_columns:
            cascade[need] = str(path.absolute())
    return cascade


def _refuse_other_settings(
    values: Mapping[str, Any], inherited: Table, network: str
) -> None:
    """Raise SettingError unless features and sizes are those of a trained network."""
    features = values.get("features", inherited["features"])
    if features != inherited["features"]:
        raise other_features(features, inherited["features"], network)
    approach = inherited["network"]["approach"]
    network_table = _table(values, "network")
    for place, table, its in (
        ("", network_table, inherited["network"]),
        (
            f"{approach}.",
            _table(network_table, approach),
            inherited["network"][approach],
        ),
    ):
        for key, value in its.items():
            chosen = table.get(key, value)
            if chosen != value and key not in (*_FREE, approach):
                raise SettingError(
                    f"network.{place}{key}: {chosen}, but {network} has {value}"
                )


def other_features(
    features: Any, expected: Mapping[str, int], network: str
) -> SettingError:
    """Return the error for features that differ from those of a trained network."""
    return SettingError(
        f"features: {_listed(features)}, but {network} has {_listed(expected)}"
    )


def _listed(features: Any) -> str:
    if not isinstance(features, Mapping):
        return repr(features)
    return ", ".join(f"{name} {size}" for name, size in features.items()) or "none"
