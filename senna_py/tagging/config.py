"""The configuration of a training run: a TOML file, checked whole before anything is read."""

import copy
import dataclasses
import json
import re
from dataclasses import dataclass, field
from itertools import starmap
from typing import get_args

from senna_py.corpora.conllu import MULTIWORDS
from senna_py.corpora.layouts import (
    LAYOUTS,
    column_name,
    default_columns,
    layout_of,
    source_problem,
)
from senna_py.errors import SennaError
from senna_py.features.registry import RESOURCES, find_feature
from senna_py.io.settings import Settings, setting
from senna_py.io.toml import parse_setting, read_toml, toml_line
from senna_py.labels.tasks import KINDS, ROLES, TABLE, TREES, find_task
from senna_py.models.model_info import check_info
from senna_py.networks.registry import approaches
from senna_py.tagging.trees import BRACKETS

__all__ = ["APPROACHES", "Config", "DataSet", "NetworkSettings", "TrainingSettings",
           "columns_problem", "config_lines", "config_of", "is_part", "make_config", "override",
           "read_config", "read_values"]  # fmt: skip

SCHEMES = ("any", "iob1", "iob2", "ioe1", "ioe2", "iobes")
_NAME = re.compile(r"[A-Za-z0-9_-]+")  # what a model can call a network or a resource
# Of resources: all that a configuration may say, with the defaults.
_RESOURCE_SETTINGS = {
    key: default for kind in RESOURCES.values() for key, default in kind.settings.items()
}


@dataclass
class DataSet:
    """Column files that have the same columns.

    files: paths or patterns (`ner/*.tsv`) below the corpus directory; columns: what each column
    is: `word`, the task's name or a feature's, `parse`, `predicate`, `roles` for all the rest, or
    `-` for a column that is not read; `brackets` alone for files of bracketed trees; part: the
    share of the sentences of each file that is taken, from and to; until: the share of the epochs
    that read it, so that training may end on data of the kind that matters; labels: other names for
    the segments' types, tags, roles or phrases, `O` for none; scheme: which tag scheme the label
    column is checked to have; weight: by which the cost of each sentence is multiplied; soft:
    whether the label column has shares of labels, see `soft_labels`; layout: one of
    corpora.layouts.LAYOUTS, whose columns these files have, or nothing; multiwords: what a token of
    CoNLL-U is. With a layout, columns may be `NAME=SOURCE`, and need not be given.
    """

    files: list
    columns: list = field(default_factory=list)
    part: list = field(default_factory=lambda: [0.0, 1.0])
    until: float = 1.0
    labels: dict = field(default_factory=dict)
    scheme: str = "any"
    weight: float = 1.0
    soft: bool = False
    layout: str = ""
    multiwords: str = "words"

    def all_have_layout(self):
        """Whether every file has a layout, the given one or that of its name."""
        return all(layout_of(file, self.layout) for file in self.files)

    def fill_columns(self, task):
        """List the columns that `task` may need, if none are given and all files have a layout."""
        if not self.columns and self.files and self.all_have_layout():
            self.columns = default_columns(layout_of(self.files[0], self.layout), task)


APPROACHES = approaches()
_MOST = 10**18 - 1  # what a setting can say
_MOST_EPOCHS, _MOST_FOLDS = 100_000, 1000


@dataclass
class NetworkSettings(Settings):
    """The network, and how it begins: what all approaches have, and a table of what one has.

    Of the tables, only that of the approach is read and checked; `own` is it.
    """

    approach: str = setting(
        "window", "kind of network: for trees `chart`; for roles `sentence` or `dilated`",
        choices=tuple(APPROACHES),
    )  # fmt: skip
    criterion: str = setting(
        "sentence", "`sentence`- or `word`-level log-likelihood", choices=("sentence", "word")
    )
    constrained: bool = setting(True, "never predict a sequence that IOBES forbids")
    vectors: str = setting(
        "given", "`random`: begin with random word vectors", choices=("given", "random")
    )
    word_size: int = setting(50, "size of random vectors without `--vectors`", least=1)
    init: str = setting("", "a model whose network to begin with")
    own: Settings | None = field(default=None, init=False)

    def check(self):
        self.own = APPROACHES[self.approach].settings()

    @classmethod
    def of(cls, values, prefix=""):
        """Make settings of a dict, of which the table of the approach gives `own`."""
        tables = {name: values[name] for name in values if name in APPROACHES}
        made = super().of({k: v for k, v in values.items() if k not in tables}, prefix)
        table, place = tables.get(made.approach, {}), f"{prefix}{made.approach}"
        if not isinstance(table, dict):
            raise SennaError(f"{place}: expected a table, found {table!r}")
        made.own = APPROACHES[made.approach].settings.of(table, f"{place}.")
        return made

    @property
    def paths(self):
        """Whether the network is to look at paths in trees."""
        return getattr(self.own, "paths", False)

    @classmethod
    def as_said(cls, values):
        """What a model says of a network's settings, where it was made before there were tables."""
        approach = APPROACHES.get(values.get("approach"))
        if approach is None or approach.kind in values:
            return values
        own = {field.name for field in dataclasses.fields(approach.settings)}
        known = {field.name for field in dataclasses.fields(cls)}
        return {k: v for k, v in values.items() if k in known} | {
            approach.kind: {k: v for k, v in values.items() if k in own}
        }


@dataclass
class TrainingSettings:
    """How it is trained.

    optimizer: sgd, adagrad or adam; rate: its learning rate, falling linearly to final_rate of
    itself; batch: sentences between updates; epochs; patience: epochs without a better dev score
    after which a run ends, 0 for never; dropout, embedding_dropout: shares of hidden units and of
    looked-up numbers; unknown: the share of words of the text read as UNKNOWN; fixed: features
    whose tables stay as they are; min_count: how often a suffix, prefix or shape must occur to be
    known; min_word_count: how often a word must occur to be in the dictionary, if no vectors give
    one; min_label_count: the same for types of segments and roles, rarer ones being O, and for
    constituents of several phrases, rarer ones being a part of themselves; average: dev scores and
    the model are of the mean parameters at the ends of so many last epochs, 0 for the parameters
    themselves.
    """

    optimizer: str = "sgd"
    rate: float = 0.01
    final_rate: float = 1.0
    batch: int = 1
    epochs: int = 20
    patience: int = 0
    dropout: float = 0.0
    embedding_dropout: float = 0.0
    unknown: float = 0.0
    fixed: list = field(default_factory=list)
    min_count: int = 1
    min_word_count: int = 2
    min_label_count: int = 1
    average: int = 0
    seed: int = 1


@dataclass
class Config:
    """A run. features: sizes of the vectors of each feature but `word`; see `features.registry`.

    resources: what features need, as settings of the file: `gazetteers` and so on, see the
    `settings` of each kind of resource in `features`; cascade: for features that are labels, the
    run that predicts them, as a path from this run's directory; jackknife: whether the training
    sentences are labelled by the folds of that run, if it has any, as they must if it was trained
    on them; folds: how many models are trained besides, each without a part of the data, to label
    it for others (jackknifing), for fold_epochs epochs (0: as many as the model). kind: tags,
    segments, roles or trees; labels_of: the task whose labels are learned under another name, such
    as pt0 for a first network whose labels the pt0 network takes.
    """

    task: str
    train: list
    dev: list
    features: dict = field(default_factory=dict)
    resources: dict = field(default_factory=lambda: copy.deepcopy(_RESOURCE_SETTINGS))
    cascade: dict = field(default_factory=dict)
    jackknife: bool = True
    folds: int = 0
    fold_epochs: int = 0
    kind: str = ""
    labels_of: str = ""
    network: NetworkSettings = field(default_factory=NetworkSettings)
    training: TrainingSettings = field(default_factory=TrainingSettings)
    info: dict = field(default_factory=dict)

    @property
    def label_task(self):
        """The task whose labels are learned: as a rule, that of the run."""
        return self.labels_of or self.task

    def as_dict(self):
        """The configuration as JSON or TOML could say it."""
        values = _flat(dataclasses.asdict(self))
        own = values["network"].pop("own")
        values["network"][self.network.approach] = own
        return values


def _flat(values):
    """Settings of a Config as a file has them: those of resources stand among the others."""
    at = list(values).index("resources")
    items = list(values.items())
    return dict([*items[:at], *values["resources"].items(), *items[at + 1 :]])


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
        return make_config(values)
    except SennaError as error:
        raise SennaError(f"{path}: {error}") from None


def config_lines(values):
    """Lines of TOML that say a configuration again, without what is the default.

    values: what a model says, as a rule what `Config.as_dict` gave.
    """
    lines, tables = [], []
    for name, value in _changed(Config, values).items():
        if name == "network" and isinstance(value, dict):
            tables += _network_lines(NetworkSettings.as_said(value))
        elif isinstance(value, dict):
            if table := _changed({"training": TrainingSettings}.get(name), value):
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
    own = _changed(APPROACHES[approach].settings, own) if own else {}
    lines = ["[network]", *starmap(toml_line, shared.items())] if shared else []
    return lines + ([f"[network.{approach}]", *starmap(toml_line, own.items())] if own else [])


def _changed(cls, values):
    """The dict without what is the default in the dataclass `cls`, if that is given."""
    defaults = _defaults(cls) if cls else {}
    return {k: v for k, v in values.items() if k not in defaults or defaults[k] != v}


def _defaults(cls):
    """Default of each setting of a dataclass, MISSING where it has none."""
    found = {}
    for f in dataclasses.fields(cls):
        factory = f.default_factory
        found[f.name] = f.default if factory is dataclasses.MISSING else factory()
    return _flat(found) if cls is Config else found


def override(values, changes):
    """Put the settings `changes` in place of those of a dict; their tables add to its tables."""
    for key, value in changes.items():
        if isinstance(value, dict) and isinstance(values.get(key), dict):
            override(values[key], value)
        else:
            values[key] = copy.deepcopy(value)


def make_config(values):
    """A Config of nested dicts; raises SennaError, without a file's name."""
    config = _fill(Config, values, "")
    if not isinstance(config.network, NetworkSettings):
        config.network = NetworkSettings.of(config.network, "network.")
    if not isinstance(config.training, TrainingSettings):
        config.training = _fill(TrainingSettings, config.training, "training.")
    for name in ("train", "dev"):
        sets = getattr(config, name)
        if not sets or not all(isinstance(s, dict) for s in sets):
            raise SennaError(f"expected [[{name}]] with files and columns")
        setattr(config, name, [_fill(DataSet, s, f"{name}.") for s in sets])
        for data in getattr(config, name):
            _check_layout(data)
            data.fill_columns(config.label_task)
    config.kind = config.kind or find_task(config.label_task).kind
    _check(config)
    return config


def _fill(cls, values, prefix):
    """An object of a dataclass from a dict with the right keys and types."""
    types, defaults = {f.name: f.type for f in dataclasses.fields(cls)}, _defaults(cls)
    resources = {}
    for key, value in values.items():
        if key not in defaults:
            known = ", ".join(defaults)
            raise SennaError(f"{prefix}{key}: no such setting; there are {known}")
        wanted = types.get(key) or type(defaults[key])
        if key not in types:
            resources[key] = value
        if wanted is float and type(value) is int:
            continue
        if not dataclasses.is_dataclass(wanted):
            kinds = get_args(wanted) or (wanted,)
            if type(value) not in kinds:
                expected = " or ".join(_TYPE_NAMES[kind] for kind in kinds)
                raise SennaError(f"{prefix}{key}: expected {expected}, found {value!r}")
            if type(value) is int and abs(value) > _MOST:
                raise SennaError(f"{prefix}{key}: expected {_MOST:,} at most, found {value:,}")
        elif type(value) is not dict:
            raise SennaError(f"{prefix}{key}: expected a table, found {value!r}")
    for key, default in defaults.items():
        if default is dataclasses.MISSING and key not in values:
            raise SennaError(f"{prefix}{key} is missing")
    made = cls(**{key: value for key, value in values.items() if key in types})
    if resources:
        made.resources |= resources
    return made


_TYPE_NAMES = {
    str: "a string", int: "a whole number", float: "a number", bool: "true or false",
    list: "a list", dict: "a table",
}  # fmt: skip


def _check(config):
    _check_choices(config)
    _check_numbers(config)
    approach = APPROACHES[config.network.approach]
    _check_approach(config.kind, config.network)
    approach.plan(config.network.own, config.kind == "roles")
    _check_init(config.network)
    if not _strings(config.training.fixed):
        raise SennaError(f"training.fixed: expected names, found {config.training.fixed!r}")
    for name in config.training.fixed:
        if name != "word" and name not in config.features:
            raise SennaError(f"training.fixed: {name!r} is no feature of this run")
    if all(data.until < 1 for data in config.train):
        raise SennaError("until: no [[train]] is left for the last epochs")
    _check_features(config)
    for data in (*config.train, *config.dev):
        _check_data(config.label_task, config.kind, data)
    for data in config.train:
        _check_weight(config.label_task, config.kind, data)
    check_info(config.info, "info.")
    if "tasks" in config.info:
        raise SennaError("info.tasks: a run has its own; senna-model build --info takes a list")
    if any(data.soft or data.weight != 1 for data in config.dev):
        raise SennaError("dev: weight and soft are for [[train]] only")


def _check_approach(kind, network):
    """Check that the approach can do what the run is for, and what trees have no use for."""
    labels = kind if kind in ("roles", "trees") else "words"
    able = [name for name, cls in APPROACHES.items() if labels in cls.tasks]
    if network.approach not in able:
        named = " or ".join(f'"{name}"' for name in able)
        raise SennaError(f"{kind} need network.approach = {named}")
    if kind == "trees":
        for name, value in (("criterion", "sentence"), ("constrained", True)):
            if (found := getattr(network, name)) != value:
                raise SennaError(f"network.{name}: trees leave no choice, found {found!r}")


def _check_init(network):
    if not network.init:
        return
    if network.vectors != "given":
        raise SennaError(f"network.vectors: {network.vectors}, but a trained network has its own")


def _check_paths(config):
    if config.kind != "roles":
        raise SennaError("network.dilated.paths: they are for roles")
    if all(find_feature(name).reads != "trees" for name in config.features):
        raise SennaError("network.dilated.paths: they need a feature phrase.N, for the trees")
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
        if type(size) is not int or not 1 <= size <= _MOST:
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


def _strings(values):
    return type(values) is list and all(type(value) is str for value in values)


def _check_choices(config):
    task = config.task
    kind = find_task(task).kind
    if not _NAME.fullmatch(task) or find_feature(task).of_tokens or kind not in KINDS:
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
    for name, value, known in (
        ("kind", config.kind, KINDS),
        ("training.optimizer", config.training.optimizer, ("sgd", "adagrad", "adam")),
    ):
        if value not in known:
            raise SennaError(f"{name}: expected one of {', '.join(known)}, found {value!r}")


def _check_numbers(config):
    training = config.training
    for name, value, least, most in (
        ("training.batch", training.batch, 1, _MOST),
        ("training.epochs", training.epochs, 1, _MOST_EPOCHS),
        ("training.patience", training.patience, 0, _MOST),
        ("training.min_count", training.min_count, 1, _MOST),
        ("training.min_word_count", training.min_word_count, 1, _MOST),
        ("training.seed", training.seed, 0, _MOST),
        ("training.average", training.average, 0, _MOST),
        ("training.min_label_count", training.min_label_count, 1, _MOST),
        ("folds", config.folds, 0, _MOST_FOLDS),
        ("fold_epochs", config.fold_epochs, 0, _MOST_EPOCHS),
    ):  # fmt: skip
        if value < least:
            raise SennaError(f"{name}: expected {least} at least, found {value}")
        if value > most:
            raise SennaError(f"{name}: expected {most:,} at most, found {value:,}")
    if config.folds == 1:
        raise SennaError("folds: expected 0, or 2 at least, found 1")
    for name in ("dropout", "embedding_dropout", "unknown"):
        if not 0 <= getattr(training, name) < 1:
            raise SennaError(f"training.{name}: expected a share below 1")
    if not 0 < training.rate < float("inf") or not 0 <= training.final_rate <= 1:
        raise SennaError("training.rate must be positive, training.final_rate from 0 to 1")


def _check_layout(data):
    for name, value, known in (
        ("layout", data.layout, ("", *LAYOUTS)),
        ("multiwords", data.multiwords, MULTIWORDS),
    ):
        if value not in known:
            found = ", ".join(filter(None, known))
            raise SennaError(f"{name}: expected one of {found}, found {value!r}")
    if not data.columns and not (_strings(data.files) and data.all_have_layout()):
        raise SennaError("columns are missing: only files of a layout need none")
    if data.layout and _strings(data.columns):
        problem = source_problem(data.layout, data.columns)
        if problem:
            raise SennaError(f"columns: {problem}")


def _check_data(task, kind, data):
    for name in ("files", "columns"):
        if not _strings(getattr(data, name)) or not getattr(data, name):
            raise SennaError(f"{name}: expected a list of names, found {getattr(data, name)!r}")
    for name, label in data.labels.items():
        if type(label) is not str:
            raise SennaError(f"labels.{name}: expected another name, found {label!r}")
    if problem := columns_problem(task, kind, list(map(column_name, data.columns))):
        raise SennaError(f"columns {json.dumps(data.columns, ensure_ascii=False)}: {problem}")
    if data.scheme not in SCHEMES:
        known = ", ".join(SCHEMES)
        raise SennaError(f"scheme: expected one of {known}, found {data.scheme!r}")
    if not is_part(data.part):
        raise SennaError(f"part: expected two shares such as [0.0, 0.9], found {data.part}")
    if kind == "trees" and data.scheme != "any":
        raise SennaError(f"scheme: trees have none, found {data.scheme!r}")
    if not 0 < data.until <= 1:
        raise SennaError(f"until: expected a share of the epochs, found {data.until}")


def _check_weight(task, kind, data):
    """Check what is said of the costs of a DataSet."""
    if not 0 < data.weight < float("inf"):
        raise SennaError(f"weight: expected a positive number, found {data.weight}")
    if kind == "trees" and data.weight != 1:
        raise SennaError(f"weight: trees have none, found {data.weight}")
    if not data.soft:
        return
    if kind not in ("tags", "segments"):
        raise SennaError(f"soft: {kind} have no soft labels")
    if task not in map(column_name, data.columns):
        raise SennaError(f"soft: the labels of {task} need a column `{task}`")
    if data.scheme != "any":
        raise SennaError(f"scheme: soft labels are IOBES tags, found {data.scheme!r}")


def is_part(part):
    """Whether a list says which share of the sentences is taken, from and to."""
    numbers = [share for share in part if type(share) in (int, float)]
    return len(part) == 2 and len(numbers) == 2 and 0 <= part[0] < part[1] <= 1


def columns_problem(task, kind, columns):
    """Why names of columns cannot tell the labels of `task`: str, or None if they can.

    kind: of KINDS, or None for what the task is as a rule.
    """
    named = [column for column in columns if column != "-"]
    if len(set(named)) < len(named) or "roles" in columns[:-1]:
        return "a name occurs twice, or roles are not the last"
    kind = kind or find_task(task).kind
    if columns == [BRACKETS]:
        return None if kind == "trees" else f"`{BRACKETS}` is for {TREES} only"
    if BRACKETS in columns and "word" not in columns:
        return f"`{BRACKETS}` is for {TREES}, and stands alone"
    if "word" not in columns:
        return "there is no `word`"
    gold = find_task(task).gold
    if kind in ("roles", "trees"):
        sources = [TABLE[ROLES if kind == "roles" else TREES].gold]
    else:
        sources = [(task,), *([gold] if gold else [])]
    if any(set(source) <= set(columns) for source in sources):
        return None
    need = " or ".join(" and ".join(f"`{c}`" for c in s) for s in sources)
    alone = f", or `{BRACKETS}` alone" if kind == "trees" else ""
    noun = "columns" if len(sources[0]) > 1 else "a column"
    return f"{task} needs {noun} {need}{alone}"
