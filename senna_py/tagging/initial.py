"""Taggers that begin with a trained network of another model: fine-tuning."""

import copy
import dataclasses
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from senna_py.errors import SennaError, SettingError
from senna_py.features.assembly import find_resources
from senna_py.features.registry import RESOURCES, find_feature
from senna_py.io.files import AnyPath
from senna_py.labels.tasks import TABLE, find_task
from senna_py.layers.lookup import dense
from senna_py.models.native import FILE_NAME, NativeModel
from senna_py.models.shipped import find_native
from senna_py.networks.base import TaggerNetwork
from senna_py.tagging.config import Config
from senna_py.tagging.kinds import BY_LABELS
from senna_py.tagging.settings import SETTINGS, NetworkSettings

# Arrays that belong to the labels, and are new if these are.
_HEAD = {"output_weight", "output_bias", "initial", "transition", "final"}
# Settings that say how the given network itself began, and those that need not be the
# same.
_OWN = ("init", "keep", "vectors", "word_size")
_FREE = ("criterion", "constrained")


def with_initial(values: dict[str, Any], directory: AnyPath) -> dict[str, Any]:
    """A configuration, a dict, with what the network has that `[network] init` names.

    That is its features, its approach and sizes, and the models that predict the labels
    it takes; whatever the configuration says itself is left as it is. directory: of the
    run. Raises SettingError if there is no such network, or it cannot be trained
    further.
    """
    network, tasks = values.get("network"), values.get("tasks") or [values.get("task")]
    init = network.get("init") if isinstance(network, dict) else None
    if (
        not init
        or not isinstance(init, str)
        or not all(type(task) is str for task in tasks)
    ):
        return values  # what is wrong with a setting is found later
    model, name = _find(init, tasks, directory)
    info = model.part_info(name)
    config = copy.deepcopy(info.get("config"))
    if (
        not isinstance(config, dict)
        or config.get("network", {}).get("approach") not in SETTINGS
    ):
        raise SettingError(
            f"network.init: {model.path}: its network {name} was not made by senna-train, or is an "
            "ensemble: it cannot be trained further"
        )
    values = copy.deepcopy(values)
    network = values["network"]
    known = {field.name for field in dataclasses.fields(NetworkSettings)} - {*_OWN} | {
        *SETTINGS
    }
    given = {k: v for k, v in config["network"].items() if k in known}
    own = given.pop(given["approach"], {})
    if "tasks" in config and "tasks" not in values:
        _use_head(
            given, own, config.get("heads", {}).get(name, {}), model.labelled(name)
        )
    for settings, found, place in (
        (network, given, ""),
        (network.setdefault(given["approach"], {}), own, f"{given['approach']}."),
    ):
        for key, value in found.items():
            if (said := settings.setdefault(key, value)) != value and key not in _FREE:
                raise SettingError(
                    f"network.{place}{key}: {said}, but network {name} of {model.path} has {value}"
                )
    if "tasks" in values:
        heads = values.setdefault("heads", {})
        for task, head in config.get("heads", {}).items():
            if task in tasks:
                heads[task] = head | heads.get(task, {})
    elif "kind" in info and tasks[0] not in TABLE:
        values.setdefault("kind", info["kind"])
    _fill_features(values, model, name, config.get("features", {}))
    _fill_cascade(values, model, name)
    return values


def _use_head(given, own, head, labels):
    """Let settings of the network of one task be what those of several, and its head,
    say.
    """
    given |= {key: head[key] for key in _FREE if head.get(key) not in (None, "")}
    if after := head.get("after"):
        own["dilations"] = own["dilations"][:after]
        if isinstance(own["kernel"], list):
            own["kernel"] = own["kernel"][:after]
    if "dilations" in own:
        own["hidden"] = BY_LABELS[labels].hidden or own["hidden"]
    own |= {key: head[key] for key in ("hidden", "reach") if head.get(key) is not None}


def _find(init, tasks, directory):
    """A NativeModel and the name of its network that `init` names, or that the first
    task has.
    """
    text, colon, name = init.rpartition(":")
    found = find_native(directory, init)
    if found is not None or not colon:
        text, name = init, None
    found = found or find_native(directory, text)
    if found is None:
        raise SettingError(f"network.init: {text}: no native model there")
    model = NativeModel(found)
    name = name or next((task for task in tasks if task in model.networks), tasks[0])
    if name not in model.networks:
        has = ", ".join(model.networks)
        raise SettingError(
            f"network.init: {model.path}: it has no {name} network; there are {has}: name one, as "
            f"in {text}:{model.networks[0]}"
        )
    return model, name


def _fill_features(values, model, name, features):
    said = values.get("features", features)
    if said != features:
        raise SettingError(
            f"features: {_listed(said)}, but network {name} of {model.path} has {_listed(features)}"
        )
    values["features"] = dict(features)  # in its order


def _listed(features):
    if not isinstance(features, dict):
        return repr(features)
    return ", ".join(f"{name} {size}" for name, size in features.items()) or "none"


def _fill_cascade(values, model, name):
    """Let the model of the given network predict the labels that no column has."""
    cascade = values.setdefault("cascade", {})
    data = [each for part in ("train", "dev") for each in values.get(part, ())]
    for need in model.reads(name):
        in_columns = all(
            {need, *find_task(need).gold} & {*each.get("columns", ())} for each in data
        )
        if need == name or need in cascade or in_columns:
            continue
        if need in model.networks:
            path = model.path.parent if model.path.name == FILE_NAME else model.path
            cascade[need] = str(path.absolute())


def read_initial(config: Config, directory: AnyPath) -> "dict[str, InitialNetwork]":
    """The InitialNetwork of each task of a Config, by its name, where that names a
    model.

    Of several tasks, those that the model lacks are new heads on the trunk of the
    others. directory: of the run. Raises SettingError if there is none, or no network
    of any task.
    """
    if not config.network.init:
        return {}
    tasks, found = config.tasks or [config.task], {}
    model, name = _find(config.network.init, tasks, directory)
    if any(config.resources.get(kind.setting) for kind in RESOURCES.values()):
        raise SettingError(f"network.init: lists and classes are those of {model.path}")
    for task in tasks if config.tasks else []:
        if task in model.networks:
            found[task] = InitialNetwork(model, task)
    found = found or {tasks[0]: InitialNetwork(model, name)}
    for each in found.values():
        if each.part.features != ("word", *config.features):
            _fill_features({"features": config.features}, model, each.part.name, {})
    return found


def digest(*arrays: np.ndarray) -> int:
    """A number that tells arrays from others."""
    total = 0
    for array in arrays:
        total = zlib.crc32(np.ascontiguousarray(array).data, total)
    return total


class InitialNetwork:
    """A network of a native model that training begins with.

    words: its Vocabulary; word_vectors: float32[n_words, dim], those that its model
    shares;
    vocabularies: the keys of its features by name; resources: those that they need, as
    `models.native` takes them; keys: its labels.
    """

    def __init__(self, model: NativeModel, name: str) -> None:
        self._path, self.part = model.path, model.part(name)
        self.words, self.word_vectors = (
            model.words,
            dense(model.vectors).astype(np.float32),
        )
        features = [find_feature(each) for each in self.part.features]
        self.vocabularies = {
            f.name: self.part.vocabularies[f.name]
            for f in features
            if f.own_table and f.name != name
        }
        self._known = [
            (f.name, self.vocabularies[f.name].keys())
            for f in features
            if not f.of_tokens and f.name in self.vocabularies
        ]
        self.resources: dict[str, dict[str, Any]] = find_resources(
            model, self.part.features
        )
        self.keys = BY_LABELS[self.part.network.labels].keys_of_model(
            self.part.labels.keys()
        )

    def check_labels(self, label_sets: Mapping[str, list[str]]) -> None:
        """Raise SettingError unless it knows the labels, by network, that the cascade
        predicts.
        """
        for name, keys in self._known:
            labels = label_sets.get(name, [])
            if keys[: len(labels)] != labels:
                raise SettingError(
                    f"cascade.{name}: its labels are not those that {self.part.name} of "
                    f"{self._path} was trained with"
                )

    def digest(self) -> int:
        """A number that tells it from others."""
        network = self.part.network
        return digest(*map(dense, (*network.tables, *network.arrays().values())))

    def begin(
        self, network: TaggerNetwork, names: Sequence[str], keys: Sequence[str]
    ) -> None:
        """Copy all that fits into a new network, in place.

        names: of its features; keys: its labels. If they are those of the given
        network, the layer of its output is copied, too. Raises SennaError for an array
        of another shape.
        """
        own, same = self.part.network, [*keys] == self.keys
        for k, name in enumerate(names):
            if name != self.part.name or same:
                self._copy(network.tables[k], own.tables[k], f"the vectors of {name}")
        given = own.arrays()
        for name, array in network.arrays().items():
            if name not in _HEAD or (same and name in given):
                self._copy(array, given.get(name), name)

    def _copy(self, array, given, what):
        found = None if given is None else given.shape
        if array.shape != found:
            shown = "none" if found is None else " x ".join(map(str, found))
            raise SennaError(
                f"network.init: {what}: {' x '.join(map(str, array.shape))} by these settings, but "
                f"{shown} in network {self.part.name} of {self._path}"
            )
        array[...] = dense(given)
