"""The configuration of a training run: a TOML file, checked whole before anything is read."""

import copy
import dataclasses
import json
import re
from dataclasses import dataclass, make_dataclass
from itertools import starmap

from senna_py.corpora.layouts import column_name
from senna_py.errors import SennaError
from senna_py.features.registry import RESOURCES, find_feature, networks_read
from senna_py.io.settings import MOST, Settings, default_of, info_of, setting
from senna_py.io.toml import parse_setting, read_toml, toml_line
from senna_py.labels.tasks import KINDS, TREES, find_task
from senna_py.models.model_info import check_info
from senna_py.tagging.defaults import approaches_for, fill_defaults
from senna_py.tagging.settings import (
    APPROACHES,
    MOST_EPOCHS,
    DataSet,
    NetworkSettings,
    TrainingSettings,
    columns_problem,
)

__all__ = ["Config", "config_lines", "config_of", "override", "read_config", "read_values"]

_NAME = re.compile(r"[A-Za-z0-9_-]+")  # what a model can call a network or a resource
_MOST_FOLDS = 1000
# Of resources, whose kinds say which there are.
_OfResources = make_dataclass(
    "_OfResources",
    [(name, type(default), setting(default))
     for kind in RESOURCES.values() for name, default in kind.settings.items()],
    bases=(Settings,), kw_only=True,
)  # fmt: skip


@dataclass
class Config(_OfResources):  # type: ignore[misc, valid-type]
    """A run, with the settings of resources, see `ResourceKind.settings`, as the file has them.

    features: sizes of the vectors of each feature but `word`; see `features.registry`; cascade: for
    features that are labels, the run that predicts them, as a path from this run's directory; info:
    see `models.model_info`.
    """

    task: str = setting(help="name of the network")
    train: list[DataSet] = setting()
    features: dict = setting()
    dev: list[DataSet] = setting([])
    cascade: dict = setting({})
    jackknife: bool = setting(True, "label training sentences with the folds of other runs")
    folds: int = setting(
        0, "how many more models to train, each without a part of the data",
        least=0, most=_MOST_FOLDS,
    )  # fmt: skip
    fold_epochs: int = setting(
        0, "epochs of these models; 0: as many as the model's own", least=0, most=MOST_EPOCHS
    )
    kind: str = setting(
        "", "`tags` (a label per token), `segments`, `roles` or `trees`",
        choices=("", *KINDS), by="task",
    )  # fmt: skip
    labels_of: str = setting("", "the task whose labels to learn, if not `task`")
    network: NetworkSettings = setting(NetworkSettings())
    training: TrainingSettings = setting(TrainingSettings())
    info: dict = setting({})

    @classmethod
    def of(cls, values, prefix=""):
        """Make a Config of a dict, by `defaults.fill_defaults` where it says nothing."""
        return super().of(fill_defaults(values), prefix)

    @property
    def resources(self):
        """Settings of resources, a dict."""
        return {name: getattr(self, name) for name in _OF_RESOURCES}

    @property
    def label_task(self):
        """The task whose labels are learned: as a rule, that of the run."""
        return self.labels_of or self.task

    @property
    def reads(self):
        """The networks, or columns, that it takes labels or trees from: see `networks_read`."""
        return networks_read(self.features, self.network.paths)

    def as_dict(self):
        """The configuration as JSON or TOML could say it."""
        values = super().as_dict()
        own = values["network"].pop("own")
        values["network"][self.network.approach] = own
        return {name: values.pop(name) for name in ("task", "train", "dev", "features")} | values

    def check(self):
        """Fill in what the task says, and check what the parts of a run say together."""
        self.kind = self.kind or find_task(self.label_task).kind
        _check_task(self)
        if self.folds == 1:
            raise SennaError("folds: expected 0, or 2 at least, found 1")
        _check_approach(self.kind, self.network)
        network = self.network
        APPROACHES[network.approach].plan(network.own, self.kind == "roles")
        if network.init and network.vectors != "given":
            raise SennaError(
                f"network.vectors: {network.vectors}, but a trained network has its own"
            )
        for name in self.training.fixed:
            if name != "word" and name not in self.features:
                raise SennaError(f"training.fixed: {name!r} is no feature of this run")
        _check_features(self)
        _check_data(self)
        check_info(self.info, "info.")
        if "tasks" in self.info:
            raise SennaError("info.tasks: a run has its own; senna-model build --info takes a list")


_OF_RESOURCES = [field.name for field in dataclasses.fields(_OfResources)]


def read_config(path, changes=()):
    """Read a Config from a TOML file; raises SennaError naming the file and what is wrong.

    changes: settings in place of the file's, as TOML says them: `training.rate = 0.1`.
    """
    return config_of(path, read_values(path, changes))


def read_values(path, changes=()):
    """What a TOML file says, a dict; changes: see `read_config`."""
    values = read_toml(path)
    for change in changes:
        override(values, parse_setting(change))
    return values


def config_of(path, values):
    """The Config of a dict, as the file `path` says it; raises SennaError naming that."""
    try:
        return Config.of(values)
    except SennaError as error:
        raise SennaError(f"{path}: {error}") from None


def override(values, changes):
    """Put the settings `changes` in place of those of a dict; their tables add to its tables."""
    for key, value in changes.items():
        if isinstance(value, dict) and isinstance(values.get(key), dict):
            override(values[key], value)
        else:
            values[key] = copy.deepcopy(value)


def config_lines(values):
    """Lines of TOML that say a configuration again, without most of what is the default.

    values: what a model says, as a rule what `Config.as_dict` gave.
    """
    lines, tables = [], []
    for name, value in _changed(Config, values).items():
        if name == "network" and isinstance(value, dict):
            tables += _network_lines(value)
        elif isinstance(value, dict):
            table = _changed({"training": TrainingSettings}.get(name), value)
            if table or name == "features":  # none of them is not the default
                tables += [f"[{name}]", *starmap(toml_line, table.items())]
        elif name in ("train", "dev") and type(value) is list and {*map(type, value)} == {dict}:
            for each in value:
                tables += [f"[[{name}]]", *starmap(toml_line, _changed(DataSet, each).items())]
        else:
            lines.append(toml_line(name, value))
    return lines + tables


def _network_lines(values):
    approach = values.get("approach")
    own = values.pop(approach, {}) if approach in APPROACHES else {}
    shared = _changed(NetworkSettings, values)
    lines = ["[network]", *starmap(toml_line, shared.items())] if shared else []
    return lines + ([f"[network.{approach}]", *starmap(toml_line, own.items())] if own else [])


def _changed(cls, values):
    """The dict without what is the default in the class of Settings, if that is given."""
    fields = [f for f in dataclasses.fields(cls) if not info_of(f).by] if cls else []
    defaults = {field.name: default_of(field) for field in fields}
    return {k: v for k, v in values.items() if k not in defaults or defaults[k] != v}


def _check_approach(kind, network):
    """Check that the approach can do what the run is for, and what trees have no use for."""
    able = approaches_for(kind)
    if network.approach not in able:
        named = " or ".join(f'"{name}"' for name in able)
        raise SennaError(f"{kind} need network.approach = {named}")
    if kind == "trees":
        for name, value in (("criterion", "sentence"), ("constrained", True)):
            if (found := getattr(network, name)) != value:
                raise SennaError(f"network.{name}: trees leave no choice, found {found!r}")


def _check_paths(config):
    if config.kind != "roles":
        raise SennaError("network.dilated.paths: they are for roles")
    if TREES not in config.cascade:  # labels of a column are no trees
        raise SennaError(
            f"network.dilated.paths: they need cascade.{TREES}, which predicts the trees"
        )


def _check_features(config):
    if config.network.paths:
        _check_paths(config)
    for name, size in config.features.items():
        if name == "word":
            raise SennaError("features.word: its size is that of the given vectors")
        predicted = name == config.label_task and name not in config.cascade
        if name == config.task or predicted:
            raise SennaError(f"features.{name}: that is what this run predicts")
        if type(size) is not int or not 1 <= size <= MOST:
            raise SennaError(f"features.{name}: expected a size, found {size!r}")
        find_feature(name)  # raises what is wrong with a name
    for kind in RESOURCES.values():
        for name, value in config.resources[kind.setting].items():
            if not _NAME.fullmatch(name) or not kind.accepts(value):
                raise SennaError(
                    f"{kind.setting}.{name}: expected {kind.expected}, found {value!r}"
                )
    for name, path in config.cascade.items():
        if type(path) is not str or name == config.task:
            raise SennaError(f"cascade.{name}: expected another run's path, found {path!r}")


def _check_task(config):
    task = config.task
    if not _NAME.fullmatch(task) or find_feature(task).of_tokens:
        raise SennaError(f"task: expected a name such as pos or srl, found {task!r}")
    if config.labels_of and find_task(task).senna:
        raise SennaError(f"labels_of: {task} learns its own labels; give the run another task")
    if config.labels_of and not _NAME.fullmatch(config.labels_of):
        raise SennaError(f"labels_of: expected a task, found {config.labels_of!r}")
    learned = find_task(config.label_task)
    if learned.gold and config.kind != learned.kind:
        raise SennaError(
            f"kind: {learned.name} is of the kind {learned.kind}, found {config.kind!r}"
        )
    if config.kind == "trees" and task != TREES:
        raise SennaError(f"kind: trees are learned by the task {TREES} only, found {task!r}")


def _check_data(config):
    task, kind = config.label_task, config.kind
    for name, sets in (("train", config.train), ("dev", config.dev)):
        if not sets:
            part = "; part = [0.9, 1.0] takes the last tenth of a file" * (name == "dev")
            raise SennaError(f"{name}: expected [[{name}]] with files and columns{part}")
        for data in sets:
            try:
                _check_labels(task, kind, data)
            except SennaError as error:
                raise SennaError(f"{name}.{error}") from None
    if all(data.until < 1 for data in config.train):
        raise SennaError("train.until: no [[train]] is left for the last epochs")
    if any(data.soft or data.weight != 1 for data in config.dev):
        raise SennaError("dev: weight and soft are for [[train]] only")


def _check_labels(task, kind, data):
    """Check that a DataSet, which is given its columns, has labels of the task."""
    data.fill_columns(task)
    names = [*map(column_name, data.columns)]
    # Soft trees are in a column, as tags are.
    if problem := columns_problem(task, "tags" if kind == "trees" and data.soft else kind, names):
        raise SennaError(f"columns {json.dumps(data.columns, ensure_ascii=False)}: {problem}")
    if kind == "trees" and data.scheme != "any":
        raise SennaError(f"scheme: trees have none, found {data.scheme!r}")
    if data.soft:
        if kind != "roles" and task not in names:
            raise SennaError(f"soft: the labels of {task} need a column `{task}`")
        if data.scheme != "any":
            raise SennaError(f"scheme: soft labels are IOBES tags, found {data.scheme!r}")
