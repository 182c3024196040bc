"""Model of a tagger, found by its path."""

from __future__ import annotations

import os
from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from senna_py.errors import SennaError, UsageError
from senna_py.io.file_bytes import sha256_digest
from senna_py.labels.tag_schemes import is_chunk_tag
from senna_py.labels.tasks import (
    FEATS,
    LEMMA,
    POS,
    PRINTED,
    ROLES,
    SENNA,
    TABLE,
    UPOS,
    VERBS,
    Task,
    find_task,
)
from senna_py.models.cascades import cascade_order, needs_of
from senna_py.models.native import FILE_NAME, NativeModel
from senna_py.models.shipped import shipped_model, shipped_or
from senna_py.models.storage import Storage

if TYPE_CHECKING:
    from senna_py.labels.features import FeatureRules

# SENNA's tasks that can be asked for, in the order of the columns.
TASKS = SENNA
# Where predicates come from: their own network, POS labels beginning with V, or the
# caller.
PREDICATES = (VERBS, POS, "given")

_ENVIRONMENT = "SENNA_PY_MODEL"
_ENGLISH = "en"  # what the English model is called in its file


def find_model(path: str | PathLike[str] | None = None) -> Path:
    """Path of the model to use: `path`, or $SENNA_PY_MODEL, or the shipped English
    model.

    That is also called `en` and `models/en`, where there is nothing of that name.
    Raises SennaError saying what to do if there is none of them.
    """
    if path is None:
        path = os.environ.get(_ENVIRONMENT) or None
    if path is not None:
        if not isinstance(path, str | os.PathLike):
            raise TypeError(
                f"path: expected a path or a Model, not {type(path).__name__}"
            )
        if not str(path):
            raise SennaError("the path of the model is empty")
        found = shipped_or(path)
        if len(found.parts) == 1 and shipped_model() and not os.path.exists(found):
            raise SennaError(
                f"{found}: no such file or directory; the English model is called en"
            )
        return found
    if (shipped := shipped_model()) is not None:
        return shipped
    raise SennaError(
        f"no model: this installation has no English one; name one with --path MODEL or "
        f"{_ENVIRONMENT}=PATH"
    )


class Model:
    """A file or directory of vocabularies and networks, each read when it is first
    needed.

    One model may be shared by any number of taggers and threads.
    """

    def __init__(self, path: str | PathLike[str] | None = None) -> None:
        """Open a model as `load` does."""
        found = find_model(path)
        if found.is_file() or (found / FILE_NAME).is_file():
            self.storage: Storage = NativeModel(found)
        else:
            from senna_py.models.senna_directory import SennaDirectory  # noqa: PLC0415 - short start

            self.storage = SennaDirectory(found)

    @property
    def path(self) -> Path:
        """Path of the file or directory."""
        return self.storage.path

    def digest(self) -> str:
        """Return a SHA-256 of the files that it is made of, as hexadecimal digits."""
        import hashlib  # noqa: PLC0415 - few need it

        files = [self.path] if self.path.is_file() else []
        for name in ("data", "hash"):  # of a SENNA directory
            files += sorted((self.path / name).glob("*"))
        digest = hashlib.sha256()
        for each in files:
            with open(each, "rb") as file:
                digest.update(sha256_digest(file).encode())
        return digest.hexdigest()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled by its path, which other processes read."""
        return Model, (self.path.absolute(),)

    def __repr__(self) -> str:
        return f"Model({str(self.path)!r}, tasks={self.tasks()})"

    def tasks(self, predicates: str = VERBS) -> tuple[str, ...]:
        """Tasks that the model can do, with predicates from the given source, see
        `load`.

        Those of SENNA come first, then networks of other names that no other network
        needs.
        """
        networks = self.storage.networks
        serving = {f for name in networks for f in self.storage.reads(name)}
        own = [
            n
            for n in networks
            if n not in TASKS
            and n not in serving
            and (n in PRINTED or (n not in TABLE and self._for_words(n)))
        ]
        return tuple(
            task for task in (*TASKS, *own, LEMMA) if self._can(task, predicates)
        )

    def _can(self, task: str, predicates: str) -> bool:
        names = self.networks_for([task], predicates)
        return all(name in self.storage.networks for name in names)

    def default_tasks(self, predicates: str = VERBS) -> tuple[str, ...]:
        """Tasks that are done if none is named, in the order in which they are printed.

        The model says which, but for those that lack a network; else they are SENNA's
        but pt0, or all others if it has none.
        """
        said = tuple(self.storage.info.get("tasks", ()))
        if said:
            return tuple(task for task in said if self._can(task, predicates)) or said
        tasks = self.tasks(predicates)
        senna = tuple(task for task in tasks if task in TASKS)
        return tuple(task for task in senna if TABLE[task].default) if senna else tasks

    def task(self, name: str) -> Task:
        """The Task `name`: one of `labels.tasks`, or that of a network with another
        name.

        Raises UsageError if there is none, SennaError if such a network does not label
        words.
        """
        if name in PRINTED or (name in TABLE and name in self.storage.networks):
            return TABLE[name]
        if name not in self.storage.networks:
            known = dict.fromkeys((*TASKS, *self.tasks()))
            raise UsageError(f"no such task: {name!r}; there are {', '.join(known)}")
        if not self._for_words(name):
            raise SennaError(
                f"{self.path}: the network {name} does not label single words"
            )
        # Tasks that are not known by name are of segments as a rule, whatever their
        # labels.
        labels = self.storage.labels(name)
        is_tags = self.storage.part_info(name).get("kind") == "tags"
        are_of_segments = not is_tags and all(map(is_chunk_tag, labels.keys()))
        return find_task(name, "segments" if are_of_segments else "tags")

    def _for_words(self, name: str) -> bool:
        return self.storage.labelled(name) == "words"

    def networks_for(self, tasks: Iterable[str], predicates: str = VERBS) -> list[str]:
        """Names of the networks that `tasks` need, each after those whose labels it
        takes.
        """
        lemmas = self.lemmas

        def needs(name: str) -> list[str]:
            if name == LEMMA:
                return [lemmas] if lemmas else []
            found = needs_of(name, self.storage.reads(name))
            if name == FEATS and self._has_feature_rules:
                found += [UPOS]
            if name == ROLES:
                # Parts of speech tell which roles a verb cannot have, see
                # `text.row_classes`.
                found += [predicates] * (predicates in (VERBS, POS))
                found += [POS] * (POS in self.storage.networks)
            return found

        return [
            name for name in cascade_order(tasks, needs) if not lemmas or name != LEMMA
        ]

    @property
    def _has_feature_rules(self) -> bool:
        """Whether this is the English model, with features that the convention knows.

        A user may have replaced its network of features by one with other labels.
        """
        if self.storage.info.get("name") != _ENGLISH or not all(
            name in self.storage.networks and self._for_words(name)
            for name in (FEATS, UPOS)
        ):
            return False
        from senna_py.labels.features import are_known  # noqa: PLC0415 - of a task

        return are_known(self.storage.labels(FEATS).names)

    def feature_rules(self) -> FeatureRules | None:
        """Return the rules of features of the English model; None of any other."""
        if not self._has_feature_rules:
            return None
        from senna_py.labels.features import FeatureRules  # noqa: PLC0415 - of a task

        return FeatureRules(
            *(self.storage.labels(name).names for name in (UPOS, FEATS))
        )

    @property
    def lemmas(self) -> str:
        """The task by whose tags the model's lemmas go; empty if it has none."""
        names = self.storage.resources("lemmas")
        has = (
            name
            for name in names
            if name in self.storage.networks and self._for_words(name)
        )
        return next(has, "")

    def check(self, tasks: Iterable[str], predicates: str = VERBS) -> None:
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
        """Lines of text about the networks `names`, with their sizes."""
        lines = [f"model {self.path}"]
        for name in names:
            network = self.storage.network(name)
            features = ", ".join(
                f"{feature} {table.shape[0]} x {table.shape[1]}"
                for feature, table in zip(
                    self.storage.features(name), network.tables, strict=True
                )
            )
            shapes = {key: array.shape for key, array in network.arrays().items()}
            brief = network.brief(network.sizes(), shapes)
            of_kind, labels = (
                network.answers,
                self.storage.labels(name).names[: network.n_labels],
            )
            n = len(of_kind.names(labels))
            lines.append(
                f"{name}: {network.kind} network, {brief}; {features}; {n} {of_kind.noun}"
            )
        return lines
