"""The configuration of a training run, which is checked before any data are read."""

import copy
import dataclasses
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, make_dataclass, replace
from functools import cached_property
from typing import Any

from senna_py.corpora.layouts import CONLLU, column_name, layout_of
from senna_py.errors import SennaError
from senna_py.features.registry import RESOURCES, describes_units, find_feature
from senna_py.io.file_errors import prefix_errors
from senna_py.io.files import AnyPath
from senna_py.io.settings import LARGEST_INTEGER, Settings, setting
from senna_py.io.toml import parse_setting, read_toml
from senna_py.labels.tasks import (
    FEATS,
    LEMMA,
    LEMMA_TAGS,
    SHAPES,
    TOKENS,
    Task,
    find_task,
)
from senna_py.models.native_header import check_info
from senna_py.networks.base import TaggerNetwork
from senna_py.networks.dilated import BlockSettings
from senna_py.tagging.defaults import complete
from senna_py.tagging.gold import columns_problem
from senna_py.tagging.settings import (
    APPROACHES,
    KINDS,
    DataSet,
    HeadSettings,
    NetworkSettings,
    TrainingSettings,
    approaches_for,
)
from senna_py.tagging.targets import LEARNERS

_NAME = re.compile(r"[A-Za-z0-9_-]+")  # The name of a network or a resource.
# Columns of tables, whose names are not allowed as names of tasks.
_RESERVED = ("document", "sentence", "token", "text", "start_char", "end_char")
# The settings of all resources.
_ResourceSettings = make_dataclass(
    "_ResourceSettings",
    [
        (name, type(default), setting(default))
        for resource in RESOURCES.values()
        for name, default in resource.settings.items()
    ],
    bases=(Settings,),
    kw_only=True,
)


@dataclass(frozen=True)
class Plan:
    """The settings with which a run trains the network of one task.

    Attributes:
        task: The task.
        network: The class of its network.
        sizes: The settings of the approach, for this network.
        criterion: See NetworkSettings.
        constrained: See NetworkSettings.
        weight: See HeadSettings.
        score_weight: See HeadSettings.
        pooling: See HeadSettings.
    """

    task: Task
    network: type[TaggerNetwork]
    sizes: Settings
    criterion: str
    constrained: bool
    weight: float = 1.0
    score_weight: float = 1.0
    pooling: float | None = None


@dataclass
class Config(_ResourceSettings):  # type: ignore[misc, valid-type]
    """The configuration of a run.

    It inherits the settings of resources, see `ResourceType.settings`. Attributes that
    have a help text are not repeated here.

    Attributes:
        train: The data sets to train on.
        features: The size of the vectors of each feature except `word`, see
            `features.registry`.
        dev: The data sets to score on.
        cascade: For each feature that a network predicts, the path of the run or model
            with that network, relative to this run's directory.
        network: The settings of the network.
        heads: In a run of several tasks, the settings of each task.
        training: The settings of the training.
        info: Information that is stored in the model; see `models.native_header`.
    """

    train: list[DataSet] = setting()
    features: dict[str, int] = setting()
    task: str = setting("", "the name of the task, for a run of one task")
    tasks: list[str] = setting(
        [], "the names of the tasks that one network learns together"
    )
    dev: list[DataSet] = setting([])
    cascade: dict[str, str] = setting({})
    kind: str = setting(
        "",
        KINDS,
        choices=("", *SHAPES),
        by="task",
    )
    network: NetworkSettings = setting(NetworkSettings())
    heads: dict[str, HeadSettings] = setting({})
    training: TrainingSettings = setting(TrainingSettings())
    info: dict = setting({})

    @classmethod
    def of(
        cls, values: Mapping[str, Any], directory: AnyPath | None = None
    ) -> "Config":
        """Create a Config from tables, after filling in what they leave out.

        Args:
            values: The tables of a configuration file.
            directory: The directory of the run; see `defaults.complete`.

        Raises:
            SennaError: If a setting is invalid. The message names it.
        """
        return super().of(complete(values, directory))

    @property
    def resources(self) -> dict[str, Any]:
        """The settings of resources, by the name of the setting."""
        return {name: getattr(self, name) for name in _RESOURCES}

    @property
    def learns_tokens(self) -> bool:
        """Whether the run trains a tokenizer, on units instead of words."""
        return self.task == TOKENS

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The names of the features, in the order of the tables of the network."""
        return (*self.features,) if self.learns_tokens else ("word", *self.features)

    @cached_property
    def plans(self) -> dict[str, Plan]:
        """A Plan for each task that a network learns (not for lemmas), by task."""
        if not self.tasks:
            heads = {self.task: HeadSettings(kind=self.kind)}
        else:
            learned = [name for name in self.tasks if name != LEMMA]
            heads = {name: self.heads.get(name, HeadSettings()) for name in learned}
        return {name: _plan(self, name, head) for name, head in heads.items()}

    @property
    def gold_tasks(self) -> dict[str, Task]:
        """The tasks whose gold labels the run reads, including lemmas, by name."""
        tasks = {name: plan.task for name, plan in self.plans.items()}
        if LEMMA in self.tasks:
            tasks[LEMMA] = find_task(LEMMA)
        return tasks

    def as_dict(self) -> dict[str, Any]:
        """Return the configuration as a dict that can be written as JSON or TOML."""
        values = super().as_dict()
        values["network"][self.network.approach] = values["network"].pop("sizes")
        heads = values.pop("heads")
        first: dict[str, Any] = {"task": values.pop("task")}
        if tasks := values.pop("tasks"):
            del values["kind"]
            changed = {name: _changed_settings(head) for name, head in heads.items()}
            first = {"tasks": tasks, "heads": changed}
        data = {name: values.pop(name) for name in ("train", "dev", "features")}
        return first | data | values

    def fill_in(self) -> None:
        """Fill in the settings that follow from tasks and layouts, where empty.

        These are `kind` in a run of one task, and the columns of files with a layout.
        """
        has_kind = self.task and not self.learns_tokens
        if has_kind and not self.tasks and not self.kind:
            self.kind = find_task(self.task).shape.name
        kinds = {name: head.kind for name, head in self.heads.items()}
        names = sorted(self.tasks or [self.task], key=lambda name: name == LEMMA)
        tasks = [find_task(name, kinds.get(name, self.kind)) for name in names]
        for data in (*self.train, *self.dev):
            data.fill_columns(tasks)

    def check(self) -> None:
        """Check that all settings are consistent.

        Raises:
            SennaError: If settings contradict each other. The message names the
                setting.
        """
        _check_names(self)
        for plan in self.plans.values():
            _check_plan(plan)
        if not any(plan.score_weight for plan in self.plans.values()):
            raise SennaError(
                "heads: expected a score_weight above 0 of some task, found none"
            )
        _check_initial(self.network)
        _check_features(self)
        _check_data(self)
        check_info(self.info, "info.")
        if "tasks" in self.info:
            raise SennaError(
                "info.tasks: a run has its own; senna-model build --info takes a list"
            )


_RESOURCES = [field.name for field in dataclasses.fields(_ResourceSettings)]


def read_config(
    path: AnyPath, changes: Iterable[str] = (), directory: AnyPath | None = None
) -> Config:
    """Read the configuration of a run from a TOML file.

    Args:
        path: The file.
        changes: Settings that override the file's, such as `training.rate=0.1`.
        directory: The directory of the run; see `defaults.complete`.

    Raises:
        SennaError: If the file cannot be read, or a setting is invalid. The message
            names the file, the table and the setting.
    """
    values = read_toml(path)
    for change in changes:
        override(values, parse_setting(change))
    with prefix_errors(path):
        return Config.of(values, directory)


def override(values: dict[str, Any], changes: Mapping[str, Any]) -> None:
    """Override settings in place; tables are merged recursively."""
    for key, value in changes.items():
        if isinstance(value, dict) and isinstance(values.get(key), dict):
            override(values[key], value)
        else:
            values[key] = copy.deepcopy(value)


def _changed_settings(head: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a head that differ from the defaults."""
    defaults = HeadSettings().as_dict()
    return {name: value for name, value in head.items() if value != defaults[name]}


def _check_names(config: Config) -> None:
    if not config.task and not config.tasks:
        raise SennaError("task is missing")
    if config.task and config.tasks:
        raise SennaError("task: there are tasks, too")
    if len({*config.tasks}) < len(config.tasks):
        raise SennaError("tasks: a name occurs twice")
    place = "tasks" if config.tasks else "task"
    for name in config.tasks or [config.task]:
        is_name = _NAME.fullmatch(name) and name not in _RESERVED
        if not is_name or find_feature(name).of_tokens:
            raise SennaError(
                f"{place}: expected a name such as pos or srl, found {name!r}"
            )
    if LEMMA in (config.task, *config.tasks) and not {*LEMMA_TAGS} & {*config.tasks}:
        raise SennaError(
            "tasks: lemmas go by the tags of a task pos, xpos or upos beside them"
        )
    if TOKENS in config.tasks:
        raise SennaError(
            f'tasks: {TOKENS} are learned from units of text, alone: task = "{TOKENS}"'
        )
    if config.tasks and config.kind:
        raise SennaError("kind: of several tasks, [heads.NAME] says it")
    if config.heads and not config.tasks:
        raise SennaError("heads: they are for tasks = [...]")
    learned = [name for name in config.tasks if name != LEMMA]
    for name in config.heads:
        if name not in learned:
            raise SennaError(
                f"heads.{name}: no such task; there are {', '.join(learned)}"
            )


def _plan(config: Config, name: str, head: HeadSettings) -> Plan:
    network, task = config.network, find_task(name, head.kind)
    kind = task.shape.name
    if head.kind not in ("", kind):
        raise SennaError(f"kind: {name} is of the kind {kind}, found {head.kind!r}")
    learner = LEARNERS[task.shape.head]
    if learner.only not in ("", name):
        raise SennaError(
            f"kind: {kind} are learned by the task {learner.only} only, found {name!r}"
        )
    approach = APPROACHES[network.approach]
    if learner.head not in approach:
        names = [f'"{each}"' for each in approaches_for({learner.head})]
        raise SennaError(f"{kind} need network.approach = {' or '.join(names)}")
    sizes = network.sizes
    if config.tasks:
        sizes = _sizes_of_head(sizes, head, learner.hidden)
    constrained = head.constrained
    if constrained is None:
        constrained = network.constrained
    # Morphological features are too many labels for a transition matrix.
    criterion = "word" if name == FEATS else network.criterion
    return Plan(
        task,
        approach[learner.head],
        sizes,
        head.criterion or criterion,
        constrained,
        head.weight,
        head.score_weight,
        head.pooling,
    )


def _sizes_of_head(sizes: Settings, head: HeadSettings, hidden: int) -> Settings:
    """Return the sizes of the network of one task in a run of several tasks.

    Args:
        sizes: The settings of the shared network.
        head: The settings of the task, which override them.
        hidden: The default number of hidden units of its head; 0 if the head tags
            words.

    Raises:
        SennaError: If the head has settings that do not apply to it.
    """
    changes: dict[str, Any] = {}
    if isinstance(sizes, BlockSettings):
        n_blocks = len(sizes.dilations)
        if head.after > n_blocks:
            raise SennaError(
                f"heads: after: there are {n_blocks} blocks, found {head.after}"
            )
        if head.reach is not None and not hidden:
            raise SennaError("heads: reach: tasks of words have none")
        after = head.after or n_blocks
        changes["dilations"] = sizes.dilations[:after]
        changes["kernel"] = sizes.kernels()[:after]
        if hidden:
            changes["hidden"] = hidden
    elif head.after or head.reach is not None:
        raise SennaError("heads: after and reach: only dilated networks have them")
    elif head.hidden is not None and not hidden:
        raise SennaError("heads: hidden: tasks of words have the same hidden layer")
    for name in ("hidden", "reach"):
        if (value := getattr(head, name)) is not None:
            changes[name] = value
    return replace(sizes, **changes)  # type: ignore[type-var]


def _check_plan(plan: Plan) -> None:
    shape = plan.task.shape
    # This raises SennaError if the network cannot be built.
    plan.network.plan(plan.sizes, shape.head)
    if plan.pooling and not shape.flat:
        raise SennaError(f"heads: pooling: it is for segments, not {shape.name}")
    if LEARNERS[shape.head].chooses:
        return
    for name, only in (("criterion", "sentence"), ("constrained", True)):
        value = getattr(plan, name)
        if value != only:
            raise SennaError(
                f"network.{name}: {shape.name} leave no choice, found {value!r}"
            )


def _check_initial(network: NetworkSettings) -> None:
    if network.init and network.vectors != "given":
        raise SennaError(
            f"network.vectors: {network.vectors}, but a trained network has its own"
        )
    if network.keep and not network.init:
        raise SennaError("network.keep: there is nothing to keep without network.init")


def _check_features(config: Config) -> None:
    if config.learns_tokens:
        _check_unit_features(config)
    for name, size in config.features.items():
        if name == "word":
            raise SennaError("features.word: its size is that of the given vectors")
        if name in config.plans or name in config.tasks:
            raise SennaError(f"features.{name}: that is what this run predicts")
        if not 1 <= size <= LARGEST_INTEGER:
            raise SennaError(f"features.{name}: expected a size, found {size!r}")
        find_feature(name)  # Raises SennaError if the name is invalid.
    for name in config.training.fixed:
        if name != "word" and name not in config.features:
            raise SennaError(f"training.fixed: {name!r} is no feature of this run")
    for resource in RESOURCES.values():
        for name, value in config.resources.get(resource.setting, {}).items():
            if not _NAME.fullmatch(name) or not resource.accepts(value):
                raise SennaError(
                    f"{resource.setting}.{name}: expected {resource.expected}, found {value!r}"
                )
    for name, path in config.cascade.items():
        if name in config.plans:
            raise SennaError(
                f"cascade.{name}: expected another run's path, found {path!r}"
            )


def _check_unit_features(config: Config) -> None:
    """Raise SennaError if a learned tokenizer cannot have one of the features."""
    if next(iter(config.features), "") != "form":
        raise SennaError(f"features: of {TOKENS}, the first must be form")
    for name in config.features:
        if not describes_units(find_feature(name)):
            raise SennaError(
                f"features.{name}: {TOKENS} have features of the form of units, gap, "
                "and rules"
            )
    if config.network.approach != "dilated":
        raise SennaError(f'network: {TOKENS} need network.approach = "dilated"')


def _check_data(config: Config) -> None:
    tasks = config.gold_tasks
    if config.learns_tokens:
        for data in (*config.train, *config.dev):
            if data.columns not in ([], [TOKENS]) or not all(
                layout_of(file, data.layout) == CONLLU for file in data.files
            ):
                raise SennaError(
                    f"task: {TOKENS} are learned from CoNLL-U files, without columns"
                )
    for name, sets in (("train", config.train), ("dev", config.dev)):
        if not sets:
            advice = ""
            if name == "dev":
                advice = "; part = [0.9, 1.0] takes the last tenth of a file"
            raise SennaError(
                f"{name}: expected [[{name}]] with files and columns{advice}"
            )
        labeled: set[str] = set()
        for data in sets:
            try:
                labeled |= {*_check_columns(tasks, data)}
            except SennaError as error:
                raise SennaError(f"{name}.{error}") from None
        for task in tasks:
            if task not in labeled:
                raise SennaError(f"{name}: no files have labels of {task}")
    if all(data.until < 1 for data in config.train):
        raise SennaError("train.until: no [[train]] is left for the last epochs")
    if any(data.soft or data.weight != 1 for data in config.dev):
        raise SennaError("dev: weight and soft are for [[train]] only")


def _check_columns(tasks: Mapping[str, Task], data: DataSet) -> list[str]:
    """Return the tasks whose labels a DataSet has, after checking its columns.

    Raises:
        SennaError: If a task lacks its columns, or a setting does not apply.
    """
    names = [column_name(column) for column in data.columns]
    for name in data.tasks:
        if name not in tasks:
            raise SennaError(f"tasks: {name} is none of {', '.join(tasks)}")
    for name in data.soft if isinstance(data.soft, list) else ():
        if name not in tasks:
            raise SennaError(f"soft: {name!r} is none of {', '.join(tasks)}")
    labeled = data.labeled_tasks(tasks)
    required = data.tasks
    if not required and (len(tasks) == 1 or not labeled):
        required = [*tasks][:1]
    for task in required:
        if problem := columns_problem(tasks[task], names, data.is_soft(task)):
            columns = json.dumps(data.columns, ensure_ascii=False)
            raise SennaError(f"columns {columns}: {problem}")
    for task in labeled if data.scheme != "any" else ():
        shape = tasks[task].shape
        if not shape.iobes and len(tasks) == 1:
            raise SennaError(f"scheme: {shape.name} have none, found {data.scheme!r}")
        if data.is_soft(task):
            raise SennaError(
                f"scheme: soft labels are IOBES tags, found {data.scheme!r}"
            )
    return labeled
