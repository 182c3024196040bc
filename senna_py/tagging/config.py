"""The configuration of a training run: a TOML file, checked whole before anything is
read.
"""

import copy
import dataclasses
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, make_dataclass, replace
from functools import cached_property
from itertools import starmap
from typing import Any

from senna_py.corpora.layouts import column_name
from senna_py.errors import SennaError
from senna_py.features.registry import RESOURCES, find_feature
from senna_py.io.file_errors import prefix_errors
from senna_py.io.files import AnyPath
from senna_py.io.settings import MOST, Settings, default_of, info_of, setting
from senna_py.io.toml import parse_setting, read_toml, toml_line
from senna_py.labels.tasks import FEATS, KINDS, LEMMA, LEMMA_TAGS, find_task
from senna_py.models.native_header import check_info
from senna_py.networks.dilated import BlockSettings
from senna_py.tagging import settings
from senna_py.tagging.kinds import TABLE, columns_problem, kind_of
from senna_py.tagging.kinds.base import Kind

_NAME = re.compile(r"[A-Za-z0-9_-]+")  # what a model can call a network or a resource
_TAKEN = (
    "document",
    "sentence",
    "token",
    "text",
    "start_char",
    "end_char",
)  # columns of tables
# Settings of resources, whose kinds say which there are.
_ResourceSettings = make_dataclass(
    "_ResourceSettings",
    [
        (name, type(default), setting(default))
        for kind in RESOURCES.values()
        for name, default in kind.settings.items()
    ],
    bases=(Settings,),
    kw_only=True,
)


@dataclass
class Plan:
    """What a run is to learn for one of its tasks.

    kind: name of the kind of its labels, see `tagging.kinds`; network: its class; own:
    settings of that; criterion, constrained: see NetworkSettings; weight, score_weight:
    see HeadSettings.
    """

    kind: str
    network: Any
    own: Settings
    criterion: str
    constrained: bool
    weight: float = 1.0
    score_weight: float = 1.0


@dataclass
class Config(_ResourceSettings):  # type: ignore[misc, valid-type]
    """A run, with the settings of resources, see `ResourceKind.settings`, as the file
    has them.

    features: sizes of the vectors of each feature but `word`; see `features.registry`;
    cascade: for features that are labels, the run that predicts them, as a path from
    this run's directory; info: see `models.native_header`.
    """

    train: list[settings.DataSet] = setting()
    features: dict = setting()
    task: str = setting("", "name of the network, for a run of one task")
    tasks: list[str] = setting(
        [], "names of the tasks that one network learns together"
    )
    dev: list[settings.DataSet] = setting([])
    cascade: dict = setting({})
    kind: str = setting(
        "",
        "`tags` (a label per token), `segments`, `roles`, `trees` or `arcs`",
        choices=("", *KINDS),
        by="task",
    )
    network: settings.NetworkSettings = setting(settings.NetworkSettings())
    heads: dict = setting({})
    training: settings.TrainingSettings = setting(settings.TrainingSettings())
    info: dict = setting({})

    @classmethod
    def of(cls, values: Mapping[str, Any], prefix: str = "") -> "Config":
        """Make a Config of a dict, by `settings.fill_defaults` where it says
        nothing.
        """
        return super().of(settings.fill_defaults(values), prefix)

    @property
    def resources(self) -> dict[str, Any]:
        """Settings of resources, a dict."""
        return {name: getattr(self, name) for name in _RESOURCES}

    @cached_property
    def plans(self) -> dict[str, Plan]:
        """A Plan for each task, by its name."""
        return {name: _plan(self, name, head) for name, head in _heads(self).items()}

    def new_kinds(self) -> dict[str, Kind]:
        """The kind of the labels of each task, without keys, by its name; of lemmas,
        too.
        """
        own = {LEMMA: kind_of(LEMMA)} if LEMMA in self.tasks else {}
        return {
            name: kind_of(name, plan.kind) for name, plan in self.plans.items()
        } | own

    def as_dict(self) -> dict[str, Any]:
        """The configuration as JSON or TOML could say it."""
        values = super().as_dict()
        own = values["network"].pop("own")
        values["network"][self.network.approach] = own
        of_several = {name: values.pop(name) for name in ("tasks", "heads")}
        begin = of_several if self.tasks else {"task": self.task}
        if self.tasks:
            del values["task"], values["kind"]
        return (
            begin
            | {name: values.pop(name) for name in ("train", "dev", "features")}
            | values
        )

    def check(self) -> None:
        """Check what the parts of a run say together."""
        _check_names(self)
        if not self.tasks:
            self.kind = self.plans[self.task].kind
        for plan in self.plans.values():
            kind = TABLE[plan.kind]
            plan.network.plan(plan.own, kind.labels)  # which raises what it cannot do
            for name, value in (("criterion", "sentence"), ("constrained", True)):
                if (found := getattr(plan, name)) != value and not kind.chooses:
                    raise SennaError(
                        f"network.{name}: {plan.kind} leave no choice, found {found!r}"
                    )
        if self.network.init and self.network.vectors != "given":
            raise SennaError(
                f"network.vectors: {self.network.vectors}, but a trained network has its own"
            )
        if self.network.keep and not self.network.init:
            raise SennaError(
                "network.keep: there is nothing to keep without network.init"
            )
        for name in self.training.fixed:
            if name != "word" and name not in self.features:
                raise SennaError(f"training.fixed: {name!r} is no feature of this run")
        _check_features(self)
        _check_data(self)
        check_info(self.info, "info.")
        if "tasks" in self.info:
            raise SennaError(
                "info.tasks: a run has its own; senna-model build --info takes a list"
            )


_RESOURCES = [field.name for field in dataclasses.fields(_ResourceSettings)]


def read_config(path: AnyPath, changes: Iterable[str] = ()) -> Config:
    """Read a Config from a TOML file; raises SennaError naming the file and what is
    wrong.

    changes: settings in place of the file's, as TOML says them: `training.rate = 0.1`.
    """
    return config_of(path, read_values(path, changes))


def read_values(path: AnyPath, changes: Iterable[str] = ()) -> dict[str, Any]:
    """What a TOML file says, a dict; changes: see `read_config`."""
    values = read_toml(path)
    for change in changes:
        override(values, parse_setting(change))
    return values


def config_of(path: AnyPath, values: Mapping[str, Any]) -> Config:
    """The Config of a dict, as the file `path` says it; raises SennaError naming
    that.
    """
    with prefix_errors(path):
        return Config.of(values)


def override(values: dict[str, Any], changes: Mapping[str, Any]) -> None:
    """Put the settings `changes` in place of those of a dict; their tables add to its
    tables.
    """
    for key, value in changes.items():
        if isinstance(value, dict) and isinstance(values.get(key), dict):
            override(values[key], value)
        else:
            values[key] = copy.deepcopy(value)


def config_lines(values: Mapping[str, Any]) -> list[str]:
    """Lines of TOML that say a model's configuration again, without most of what is the
    default.
    """
    lines, tables = [], []
    for name, value in _changed(Config, values).items():
        if name == "network" and isinstance(value, dict):
            tables += _network_lines(value)
        elif name == "heads" and isinstance(value, dict):
            for task, head in value.items():
                if isinstance(head, dict):
                    tables += [f"[heads.{task}]", *starmap(toml_line, head.items())]
        elif isinstance(value, dict):
            table = _changed({"training": settings.TrainingSettings}.get(name), value)
            if table or name == "features":  # none of them is not the default
                tables += [f"[{name}]", *starmap(toml_line, table.items())]
        elif (
            name in ("train", "dev")
            and type(value) is list
            and {*map(type, value)} == {dict}
        ):
            for each in value:
                data = _changed(settings.DataSet, each)
                tables += [f"[[{name}]]", *starmap(toml_line, data.items())]
        else:
            lines.append(toml_line(name, value))
    return lines + tables


def _network_lines(values):
    approach = values.get("approach")
    own = values.pop(approach, {}) if approach in settings.SETTINGS else {}
    shared = _changed(settings.NetworkSettings, values)
    lines = ["[network]", *starmap(toml_line, shared.items())] if shared else []
    return lines + (
        [f"[network.{approach}]", *starmap(toml_line, own.items())] if own else []
    )


def _changed(cls, values):
    """The dict without what is the default in a class of Settings, if that is given.

    What is no setting of this version stays if it says anything.
    """
    if cls is None:
        return values
    fields = {field.name: field for field in dataclasses.fields(cls)}

    def says_something(name, value):
        field = fields.get(name)
        return (
            value if field is None else info_of(field).by or default_of(field) != value
        )

    return {
        name: value for name, value in values.items() if says_something(name, value)
    }


def _check_names(config):
    if bool(config.task) == bool(config.tasks):
        raise SennaError(
            "task is missing" if not config.task else "task: there are tasks, too"
        )
    if len({*config.tasks}) < len(config.tasks):
        raise SennaError("tasks: a name occurs twice")
    for name in config.tasks or [config.task]:
        if not _NAME.fullmatch(name) or name in _TAKEN or find_feature(name).of_tokens:
            place = "tasks" if config.tasks else "task"
            raise SennaError(
                f"{place}: expected a name such as pos or srl, found {name!r}"
            )
    if LEMMA in (config.task, *config.tasks) and not {*LEMMA_TAGS} & {*config.tasks}:
        raise SennaError(
            "tasks: lemmas go by the tags of a task pos, xpos or upos beside them"
        )
    if config.tasks and config.kind:
        raise SennaError("kind: of several tasks, [heads.NAME] says it")
    if config.heads and not config.tasks:
        raise SennaError("heads: they are for tasks = [...]")


def _heads(config):
    if not config.tasks:
        return {config.task: settings.HeadSettings(kind=config.kind)}
    learned = [name for name in config.tasks if name != LEMMA]
    for name, head in config.heads.items():
        if name not in learned:
            raise SennaError(
                f"heads.{name}: no such task; there are {', '.join(learned)}"
            )
        if not isinstance(head, dict):
            raise SennaError(f"heads.{name}: expected a table, found {head!r}")
    found = {
        name: settings.HeadSettings.of(config.heads.get(name, {}), f"heads.{name}.")
        for name in learned
    }
    if not any(head.score_weight for head in found.values()):
        raise SennaError(
            "heads: expected a score_weight above 0 of some task, found none"
        )
    return found


def _plan(config, name, head):
    task = find_task(name)
    kind = head.kind or task.kind
    if task.gold and kind != task.kind:
        raise SennaError(f"kind: {name} is of the kind {task.kind}, found {kind!r}")
    of_kind, network = TABLE[kind], config.network
    if (only := of_kind.only) not in ("", name):
        raise SennaError(
            f"kind: {kind} are learned by the task {only} only, found {name!r}"
        )
    approach = settings.APPROACHES[network.approach]
    if of_kind.labels not in approach:
        named = " or ".join(
            f'"{each}"' for each in settings.approaches_for({of_kind.labels})
        )
        raise SennaError(f"{kind} need network.approach = {named}")
    own = _own_settings(network.own, head, of_kind) if config.tasks else network.own
    constrained = network.constrained if head.constrained is None else head.constrained
    criterion = (
        "word" if name == FEATS else network.criterion
    )  # its labels are too many
    return Plan(
        kind,
        approach[of_kind.labels],
        own,
        head.criterion or criterion,
        constrained,
        head.weight,
        head.score_weight,
    )


def _own_settings(own, head, kind):
    """Settings of the network of one of several tasks, of a class of kinds, from those
    of all.
    """
    if isinstance(own, BlockSettings):
        n_blocks = len(own.dilations)
        if head.after > n_blocks:
            raise SennaError(
                f"heads: after: there are {n_blocks} blocks, found {head.after}"
            )
        if head.reach is not None and not kind.hidden:
            raise SennaError("heads: reach: tasks of words have none")
        after = head.after or n_blocks
        own = replace(
            own,
            dilations=own.dilations[:after],
            kernel=own.kernels()[:after],
            hidden=kind.hidden or own.hidden,
        )
    elif head.after or head.reach is not None:
        raise SennaError("heads: after and reach: only dilated networks have them")
    elif head.hidden is not None and not kind.hidden:
        raise SennaError("heads: hidden: tasks of words have the same hidden layer")
    said = {"hidden": head.hidden, "reach": head.reach}
    return replace(
        own, **{name: value for name, value in said.items() if value is not None}
    )


def _check_features(config):
    for name, size in config.features.items():
        if name == "word":
            raise SennaError("features.word: its size is that of the given vectors")
        if name in config.plans or name in config.tasks:
            raise SennaError(f"features.{name}: that is what this run predicts")
        if type(size) is not int or not 1 <= size <= MOST:
            raise SennaError(f"features.{name}: expected a size, found {size!r}")
        find_feature(name)  # raises what is wrong with a name
    for kind in RESOURCES.values():
        for name, value in config.resources.get(kind.setting, {}).items():
            if not _NAME.fullmatch(name) or not kind.accepts(value):
                raise SennaError(
                    f"{kind.setting}.{name}: expected {kind.expected}, found {value!r}"
                )
    for name, path in config.cascade.items():
        if type(path) is not str or name in config.plans:
            raise SennaError(
                f"cascade.{name}: expected another run's path, found {path!r}"
            )


def _check_data(config):
    kinds = config.new_kinds()
    for name, sets in (("train", config.train), ("dev", config.dev)):
        if not sets:
            part = "; part = [0.9, 1.0] takes the last tenth of a file" * (
                name == "dev"
            )
            raise SennaError(
                f"{name}: expected [[{name}]] with files and columns{part}"
            )
        taught = set()
        for data in sets:
            try:
                taught |= _check_labels(kinds, data).keys()
            except SennaError as error:
                raise SennaError(f"{name}.{error}") from None
        if lacking := next((task for task in kinds if task not in taught), None):
            raise SennaError(f"{name}: no files have labels of {lacking}")
    if all(data.until < 1 for data in config.train):
        raise SennaError("train.until: no [[train]] is left for the last epochs")
    if any(data.soft or data.weight != 1 for data in config.dev):
        raise SennaError("dev: weight and soft are for [[train]] only")


def _check_labels(kinds, data):
    """Check that a DataSet, which is given its columns, has labels; returns kinds that
    it has.
    """
    learned = [kind.task.name for kind in kinds.values()]
    data.fill_columns([kind.task for kind in kinds.values()])
    names, shown = (
        [*map(column_name, data.columns)],
        json.dumps(data.columns, ensure_ascii=False),
    )
    if unknown := next((task for task in data.tasks if task not in kinds), None):
        raise SennaError(f"tasks: {unknown} is none of {', '.join(kinds)}")
    for name in data.soft if isinstance(data.soft, list) else ():
        if name not in learned:
            raise SennaError(f"soft: {name!r} is none of {', '.join(learned)}")
    taught = data.taught(kinds)
    asked = [*(data.tasks or ([*kinds] if len(kinds) == 1 else []))]
    for name in asked or ([] if taught else [*kinds][:1]):
        kind = kinds[name]
        if problem := columns_problem(kind, names, data.is_soft(kind.task.name)):
            raise SennaError(f"columns {shown}: {problem}")
    for kind in taught.values():
        if data.scheme != "any" and not kind.iobes and len(kinds) == 1:
            raise SennaError(f"scheme: {kind.name} have none, found {data.scheme!r}")
        if data.scheme != "any" and data.is_soft(kind.task.name):
            raise SennaError(
                f"scheme: soft labels are IOBES tags, found {data.scheme!r}"
            )
    return taught
