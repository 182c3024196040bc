"""The configuration of several tasks that are trained together: a TOML file that names theirs."""

import dataclasses
import json
import math
from dataclasses import dataclass
from pathlib import Path

from senna_py.errors import SennaError
from senna_py.features.registry import networks_read
from senna_py.io.toml import read_toml
from senna_py.labels.tasks import TREES
from senna_py.tagging.config import Config, override
from senna_py.tagging.settings import APPROACHES

__all__ = ["JointConfig", "is_joint", "read_joint_config"]

_OF_A_TASK = ("task", "kind", "labels_of", "train", "dev")
# What must be the same, since it makes the layers that are shared, or the course of the run.
_COMMON = ("features", "cascade", "jackknife", "folds", "fold_epochs")
_COMMON_TRAINING = (
    "optimizer", "rate", "final_rate", "epochs", "patience", "fixed", "min_count", "min_word_count",
    "average", "seed",
)  # fmt: skip


@dataclass
class JointConfig:
    """Tasks that are trained together.

    configs: their Configs by the names of the tasks, two at least; weights: the share of the
    batches that each task gets, in proportion to the others: positive numbers by the same names.
    """

    configs: dict
    weights: dict

    @property
    def folds(self):
        """How many models are trained besides, each without a part of the data."""
        return next(iter(self.configs.values())).folds

    def as_dict(self):
        """The configuration as JSON could say it."""
        configs = {name: config.as_dict() for name, config in self.configs.items()}
        return {**configs, "joint weights": self.weights}


def is_joint(values):
    """Whether the dict of a TOML file is the configuration of several tasks."""
    return "tasks" in values


def read_joint_config(path, values):
    """A JointConfig of a dict, as the file `path` says it.

    Configurations of tasks are named by paths from that file; whatever else it says takes the place
    of their settings. Raises SennaError naming the file and what is wrong.
    """
    try:
        return _read(Path(path).parent, values)
    except SennaError as error:
        raise SennaError(f"{path}: {error}") from None


def _read(directory, values):
    paths = values["tasks"]
    if type(paths) is not list or len(paths) < 2 or not all(type(p) is str for p in paths):
        raise SennaError(f"tasks: expected the files of two tasks at least, found {paths!r}")
    changes = {name: value for name, value in values.items() if name not in ("tasks", "weights")}
    for name in changes:
        if name in _OF_A_TASK:
            raise SennaError(f"{name}: this is said by the configurations of the tasks")
    configs, files = {}, {}
    for file in paths:
        config = _read_task(directory / file, file, changes)
        if config.task in configs:
            raise SennaError(f"tasks: {files[config.task]} and {file} both learn {config.task}")
        configs[config.task], files[config.task] = config, file
    for task, config in configs.items():
        if config.network.init:
            raise SennaError(
                f"{files[task]}: network.init: only a task alone begins with a network"
            )
    _check_same(configs, files)
    return JointConfig(configs, _read_weights(values.get("weights", {}), configs))


def _read_task(path, file, changes):
    values = read_toml(path)
    if is_joint(values):
        raise SennaError(f"tasks: {file} has tasks itself; expected the file of a single one")
    override(values, changes)
    try:
        return Config.of(values)
    except SennaError as error:
        raise SennaError(f"{file}: {error}") from None


def _read_weights(weights, configs):
    if type(weights) is not dict:
        raise SennaError(f"weights: expected a table, found {weights!r}")
    for name, weight in weights.items():
        if name not in configs:
            raise SennaError(f"weights.{name}: no such task; there are {', '.join(configs)}")
        if type(weight) not in (int, float) or not 0 < weight < math.inf:
            raise SennaError(f"weights.{name}: expected a positive number, found {weight!r}")
    return {name: float(weights.get(name, 1)) for name in configs}


def _check_same(configs, files):
    """Check that the networks can share their lower layers, and that there is one course."""
    (first, *others), wanted = configs, {}
    for task in (first, *others):
        config = configs[task]
        approach = config.network.approach
        if _shared(config).keys() != _shared(configs[first]).keys():
            raise SennaError(
                f"network.approach: {configs[first].network.approach} in {files[first]}, "
                f"{approach} in {files[task]}: they have no layers in common"
            )
        for label in networks_read(config.features):
            if label in configs:
                raise SennaError(f"{files[task]}: features: {label} is learned in the same run")
        for name, value in _common(config).items():
            known, file = wanted.setdefault(name, (value, files[task]))
            # Features have an order, so dicts are compared as text.
            ours, theirs = (json.dumps(each, ensure_ascii=False) for each in (value, known))
            if ours != theirs:
                raise SennaError(
                    f"{name}: {theirs} in {file}, {ours} in {files[task]}; tasks that are "
                    "trained together need the same"
                )


def _common(config):
    """Settings that must be the same in all tasks, by their names in files."""
    found = {name: getattr(config, name) for name in _COMMON} | config.resources
    if TREES not in networks_read(config.features) and TREES in config.cascade:
        # Paths in trees are above what is shared: other tasks know nothing of them.
        found["cascade"] = {name: run for name, run in config.cascade.items() if name != TREES}
        found[f"cascade.{TREES}"] = config.cascade[TREES]
    network, training = config.network, dataclasses.asdict(config.training)
    shared = {"vectors": network.vectors, "word_size": network.word_size, **_shared(config)}
    return (
        found
        | {f"network.{name}": value for name, value in shared.items()}
        | {f"training.{name}": training[name] for name in _COMMON_TRAINING}
    )


def _shared(config):
    """Settings of the layers that networks share, by their names."""
    network = config.network
    return APPROACHES[network.approach].shared_settings(network.own)
