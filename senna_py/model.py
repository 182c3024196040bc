"""Model: what a tagger runs on, found by its path."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from senna_py.errors import SennaError
from senna_py.features.index import is_token_feature
from senna_py.formats.native import FILE_NAME, NativeModel

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

    from senna_py.formats.senna_directory import SennaDirectory

__all__ = ["PREDICATES", "TASKS", "Model", "find_model"]

# What can be asked for, in the order of the columns.
TASKS = ("pos", "chk", "ner", "pt0", "srl", "psg")
_DEFAULT_TASKS = tuple(task for task in TASKS if task != "pt0")
# Where predicates come from: their own network, POS labels beginning with V, or the caller.
PREDICATES = ("vbs", "pos", "given")

_ENVIRONMENT = "SENNA_PY_MODEL"


def find_model(path: str | PathLike[str] | None = None) -> Path:
    """Path of the model to use: `path`, or $SENNA_PY_MODEL, or the shipped English model.

    Raises SennaError saying what to do if there is none of them.
    """
    if path is None:
        path = os.environ.get(_ENVIRONMENT) or None
    if path is not None:
        if not str(path):
            raise SennaError("the path of the model is empty")
        return Path(path)
    package = Path(__file__).parent
    places = [package / "models" / "en"]
    if (package.parent / "pyproject.toml").exists():  # a checkout
        places.append(package.parent / "models" / "en")
    for shipped in places:
        if (shipped / FILE_NAME).is_file():
            return shipped
    raise SennaError(
        f"no model: this installation has no English one; name one with -path PATH or "
        f"{_ENVIRONMENT}=PATH"
    )


def open_storage(path: Path) -> NativeModel | SennaDirectory:
    """Storage of the model at `path`: a NativeModel, or a SennaDirectory."""
    if path.is_file() or (path / FILE_NAME).is_file():
        return NativeModel(path)
    from senna_py.formats.senna_directory import SennaDirectory  # noqa: PLC0415 - a short start

    return SennaDirectory(path)


class Model:
    """A file or directory of vocabularies and networks, each read when it is first needed.

    One model may be shared by any number of taggers and threads.
    """

    def __init__(self, path: str | PathLike[str] | None = None) -> None:
        """Open the file or directory that `find_model(path)` names.

        Raises SennaError if it is not a model.
        """
        self.storage = open_storage(find_model(path))

    @property
    def path(self) -> Path:
        """Path of the file or directory."""
        return self.storage.path

    def __repr__(self) -> str:
        """Path and tasks."""
        return f"Model({str(self.path)!r}, tasks={self.tasks()})"

    def tasks(self, predicates: str = "vbs") -> tuple[str, ...]:
        """Tasks that the model can do, with predicates from the given source (see PREDICATES)."""
        return tuple(
            task
            for task in TASKS
            if all(name in self.storage.networks for name in self.networks_for([task], predicates))
        )

    def default_tasks(self, predicates: str = "vbs") -> tuple[str, ...]:
        """Tasks that are done when none is named: all but pt0."""
        return tuple(task for task in self.tasks(predicates) if task in _DEFAULT_TASKS)

    def networks_for(self, tasks: Iterable[str], predicates: str = "vbs") -> list[str]:
        """Names of the networks that `tasks` need, each after those whose labels it takes."""
        order: list[str] = []
        for task in tasks:
            self._add_network(order, task, predicates)
        return order

    def _add_network(self, order: list[str], name: str, predicates: str) -> None:
        # A feature with the name of another network is what that one predicts.
        features = self.storage.features(name)
        needs = [f for f in features if not is_token_feature(f) and f != name]
        if name == "srl" and predicates == "vbs":
            needs.append("vbs")
        for need in needs:
            self._add_network(order, need, predicates)
        if name not in order:
            order.append(name)

    def check(self, tasks: Iterable[str], predicates: str = "vbs") -> None:
        """Raise SennaError unless the model has every network that `tasks` need."""
        for task in tasks:
            for name in self.networks_for([task], predicates):
                if name not in self.storage.networks:
                    has = ", ".join(self.storage.networks)
                    raise SennaError(
                        f"{self.path}: the model cannot do {task}: "
                        f"{self.storage.missing(name)}; it has {has}"
                    )

    def describe(self, names: Iterable[str]) -> list[str]:
        """Lines of text: the networks `names` with their sizes."""
        lines = [f"model {self.path}"]
        for name in names:
            network = self.storage.network(name)
            features = ", ".join(
                f"{feature} {table.shape[0]} x {table.shape[1]}"
                for feature, table in zip(self.storage.features(name), network.tables, strict=True)
            )
            window = f"window {network.window}, " if hasattr(network, "window") else ""
            hidden = "" if network.hidden_bias is None else f"{len(network.hidden_bias)} hidden, "
            lines.append(f"{name}: {window}{features}; {hidden}{len(network.output_bias)} labels")
        return lines
