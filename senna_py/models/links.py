"""Runs whose networks take labels from other models, found where training found them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from senna_py.errors import SennaError
from senna_py.features.registry import find_feature
from senna_py.labels.tasks import ROLES, VERBS
from senna_py.models.cascades import MOST_NETWORKS, cascade_order, needs_of
from senna_py.models.native import FILE_NAME, NativeModel
from senna_py.models.native_parts import begins_with_labels

if TYPE_CHECKING:
    from os import PathLike
    from typing import Any

    from senna_py.features.protocol import Resource
    from senna_py.models.native_parts import Part
    from senna_py.text.splitter import SentenceSplitter
    from senna_py.text.vocabulary import Vocabulary

__all__ = [
    "SHIPPED",
    "LinkedModel",
    "find_linked",
    "knows_labels",
    "link_of",
    "shipped_model",
    "shipped_or",
    "text_of_link",
]

SHIPPED = "models/en"  # how configurations call the English model, wherever it is


def shipped_model() -> Path | None:
    """Directory of the English model that comes with the package, if it is there."""
    package = Path(__file__).parents[1]
    places = [package / SHIPPED]
    if (package.parent / "pyproject.toml").exists():  # a checkout
        places.append(package.parent / SHIPPED)
    return next((place for place in places if (place / FILE_NAME).is_file()), None)


def shipped_or(path: str | PathLike[str]) -> Path:
    """The shipped model for `models/en`, if there is none there; else the path itself."""
    path = Path(path)
    if path == Path(SHIPPED) and not path.exists():
        return shipped_model() or path
    return path


def find_linked(directory: str | PathLike[str], text: str) -> Path | None:
    """The model that a run calls `text`, or None: a path from its directory, or from the current.

    `models/en` is the shipped model, if there is none there.
    """
    # Not by the file system: the directory of a run need not exist yet.
    for path in (Path(os.path.normpath(Path(directory) / text)), Path(text)):
        if path.is_file() or (path / FILE_NAME).is_file():
            return path
    return shipped_model() if text == SHIPPED else None


def link_of(info: dict[str, Any], need: str) -> str | None:
    """Where the labels of the network `need` came from in training, or None.

    info: what a model says of the network that takes them. The path is one from the model's
    directory.
    """
    config = info.get("config")
    for links in (info.get("cascade"), config.get("cascade") if isinstance(config, dict) else None):
        if isinstance(links, dict) and isinstance(links.get(need), str):
            return links[need]
    return None


def text_of_link(text: str, directory: str | PathLike[str], to: str | PathLike[str]) -> str:
    """What the model in the directory `to` has to call the one that `directory` calls `text`."""
    found = find_linked(directory, text)
    if found is None or Path(text).is_absolute() or found == shipped_model():
        return text if found is None or text == SHIPPED else str(found.absolute())
    return os.path.relpath(found, to)


def knows_labels(part: Part, other: Part) -> bool:
    """Whether the features of a Part that are labels of another begin with the labels of that."""
    return all(
        begins_with_labels(part.vocabularies[name], other.labels, find_feature(name).reads)
        for name in part.features
        if find_feature(name).network == other.name
    )


class LinkedModel:
    """A native model, and networks of others on whose labels its own depend. A Storage."""

    def __init__(self, own: NativeModel) -> None:
        """Find what `own` lacks where its networks say that they were trained with it.

        Raises SennaError if one of the other models is malformed, if there are more networks than
        one model may have, or if they need each other's labels.
        """
        self.own, self.path = own, own.path
        self._models: dict[str, NativeModel] = dict.fromkeys(own.networks, own)
        self._absent: dict[str, str] = {}
        self._opened: dict[Path, NativeModel] = {}
        for name in own.networks:
            self._link(own, name)
        for name in list(self._models):
            self._add_predicates(name)
        self.networks = tuple(self._models)
        try:
            cascade_order(self.networks, lambda name: needs_of(name, self.features(name)))
        except SennaError as error:
            self._fail(error)

    def _fail(self, problem):
        raise SennaError(f"{self.path}: with the models that it takes labels from: {problem}")

    @classmethod
    def open(cls, path: str | PathLike[str]) -> NativeModel | LinkedModel:
        """The model at a path, with others only if it needs any."""
        own = NativeModel(path)
        found = cls(own)
        return found if found._absent or len(found.networks) > len(own.networks) else own

    def _link(self, model, name):
        info = model.part_info(name)
        for need in needs_of(name, model.features(name)):
            text = link_of(info, need)
            if need in self._models or text is None:
                continue
            path = find_linked(model.path.parent, text)
            if path is None:
                self._absent[need] = (
                    f"{name} was trained with the {need} of {model.path.parent / text}, which is "
                    f"not there; train that first, or see senna-model build"
                )
                continue
            self._add(need, self._open(path))

    def _check_number(self, found):
        """A chain of models is no longer than one model may be."""
        if len(found) >= MOST_NETWORKS:
            self._fail(f"more than {MOST_NETWORKS} networks")

    def _open(self, path):
        if path not in self._opened:
            self._check_number(self._opened)
            self._opened[path] = NativeModel(path)
        return self._opened[path]

    def _add(self, name, model):
        if name not in model.networks:
            self._absent[name] = f"{model.path} has no {name} network"
            return
        self._check_number(self._models)
        self._models[name] = model
        self._absent.pop(name, None)
        self._link(model, name)

    def _add_predicates(self, name):
        """Take what finds the predicates of roles from a linked model that has it."""
        if name != ROLES or VERBS in self._models:
            return
        for model in self._opened.values():
            if VERBS in model.networks:
                self._add(VERBS, model)
                return

    def source(self, name: str) -> NativeModel:
        """The model that has the network `name`: whose words and resources it takes."""
        return self._models.get(name, self.own)

    def part(self, name: str) -> Part:
        """The Part `name`, which knows the labels that it takes from others."""
        part = self.source(name).part(name)
        for need in needs_of(name, part.features):
            other = self._models.get(need, self.source(name))
            if other is not self.source(name) and not knows_labels(part, other.part(need)):
                raise SennaError(
                    f"{other.path}: the labels of its network {need} are not those that {name} of "
                    f"{self.source(name).path} was trained with; train {name} again"
                )
        return part

    def network(self, name: str) -> Any:
        """The network `name`."""
        return self.part(name).network

    def features(self, name: str) -> tuple[str, ...]:
        """See Storage."""
        return self.source(name).features(name)

    def feature_vocabulary(self, name: str, feature: str) -> Vocabulary | None:
        """See Storage."""
        return self.source(name).feature_vocabulary(name, feature)

    def labels(self, name: str) -> Vocabulary:
        """See Storage."""
        return self.source(name).labels(name)

    def labelled(self, name: str) -> str:
        """See Storage."""
        return self.source(name).labelled(name)

    def part_info(self, name: str) -> dict[str, Any]:
        """See Storage."""
        return self.source(name).part_info(name)

    @property
    def closing_brackets(self) -> Vocabulary:
        """See Storage."""
        return self.source("psg").closing_brackets

    def missing(self, name: str) -> str:
        """Why there is no network `name`."""
        return self._absent.get(name) or self.own.missing(name)

    # What is of the whole is that of the model itself.

    @property
    def format(self) -> str:
        """See Storage."""
        return self.own.format

    @property
    def version(self) -> str | None:
        """See Storage."""
        return self.own.version

    @property
    def vector_bits(self) -> int:
        """See Storage."""
        return self.own.vector_bits

    @property
    def info(self) -> dict[str, Any]:
        """See Storage."""
        return self.own.info

    @property
    def tokenizer(self) -> str:
        """See Storage."""
        return self.own.tokenizer

    @property
    def splitter(self) -> SentenceSplitter | None:
        """See Storage."""
        return self.own.splitter

    @property
    def words(self) -> Vocabulary:
        """See Storage."""
        return self.own.words

    def resources(self, place: str) -> tuple[str, ...]:
        """See Storage."""
        return self.own.resources(place)

    def resource(self, place: str, name: str) -> Resource:
        """See Storage."""
        return self.own.resource(place, name)
