"""The Model of a tagger, and the rules for finding one by its path."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from senna_py.errors import SennaError, UsageError
from senna_py.features.rule_lists import RULES
from senna_py.io.file_bytes import sha256_digest
from senna_py.labels.tag_schemes import is_chunk_tag
from senna_py.labels.tasks import (
    ARCS,
    FEATS,
    LEMMA,
    POS,
    PRINTED,
    ROLES,
    SENNA,
    TABLE,
    TOKENS,
    UPOS,
    VERBS,
    Structure,
    Task,
    find_task,
)
from senna_py.models.cascades import cascade_order, needs_of
from senna_py.models.native import FILE_NAME, NativeModel
from senna_py.models.shipped import shipped_model, shipped_or
from senna_py.models.storage import Storage
from senna_py.text.token_standards import UD, find_tokenizer, tokenizers_of

if TYPE_CHECKING:
    from senna_py.labels.agreement import Agreement
    from senna_py.labels.dependency_rules import DependencyRules
    from senna_py.labels.features import FeatureRules
    from senna_py.labels.tag_combinations import TagCombinations
    from senna_py.rules.checks import KnownLabels
    from senna_py.rules.file import Rules

# SENNA's tasks, in the order of their columns.
TASKS = SENNA
# The sources of predicates: their own network, POS tags that begin with V, or the
# caller.
PREDICATES = (VERBS, POS, "given")

_ENVIRONMENT = "SENNA_PY_MODEL"
_ENGLISH = "en"  # The name of the English model in its file.


def find_model(path: str | PathLike[str] | None = None) -> Path:
    """Return the path of the model to use.

    Args:
        path: A path, or the name of a model: `en` is the shipped English model, and
            `pt` and `pt-gsd` are Portuguese models that are installed separately. Names
            may begin with `models/`. An existing file or directory takes precedence
            over a name. None means $SENNA_PY_MODEL if it is set, and otherwise the
            shipped English model.

    Raises:
        TypeError: If the path is neither a str nor path-like.
        SennaError: If the path is empty, names a Portuguese model that is not
            installed, or is the name of a missing file in the current directory while
            an English model is shipped; or if it is None and no model is shipped.
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
        path = shipped_or(path)
        if len(path.parts) == 1 and shipped_model() and not os.path.exists(path):
            raise SennaError(
                f"{path}: no such file or directory; the English model is called en"
            )
        return path
    if (shipped := shipped_model()) is not None:
        return shipped
    raise SennaError(
        "this installation has no English model; name a model with --path MODEL or "
        f"{_ENVIRONMENT}=PATH"
    )


class Model:
    """A model file or directory, whose networks and vocabularies are read on first use.

    Any number of taggers and threads may share a model.

    Example:
        >>> from senna_py import Model
        >>> model = Model("en")
        >>> load(model, tasks="ner").tasks
        ('ner',)
    """

    def __init__(self, path: str | PathLike[str] | None = None) -> None:
        """Open a model; see `find_model` for the path."""
        path = find_model(path)
        if path.is_file() or (path / FILE_NAME).is_file():
            self.storage: Storage = NativeModel(path)
        else:
            # Few models are SENNA's, and without this import the others open faster.
            from senna_py.models.senna_directory import SennaDirectory  # noqa: PLC0415

            self.storage = SennaDirectory(path)

    @property
    def path(self) -> Path:
        """The path of the model's file or directory."""
        return self.storage.path

    def digest(self) -> str:
        """Return a SHA-256 hash of the files of the model, as hexadecimal digits.

        Example:
            >>> len(model.digest())
            64
        """
        import hashlib  # noqa: PLC0415 - few commands need it

        files = [self.path] if self.path.is_file() else []
        for name in ("data", "hash"):  # the parts of a SENNA directory
            files += sorted((self.path / name).glob("*"))
        digest = hashlib.sha256()
        for path in files:
            with open(path, "rb") as file:
                digest.update(sha256_digest(file).encode())
        return digest.hexdigest()

    def __reduce__(self) -> tuple[Any, ...]:
        """Support pickling by the absolute path; unpickling opens the model again."""
        return Model, (self.path.absolute(),)

    def __repr__(self) -> str:
        return f"Model({str(self.path)!r}, tasks={self.tasks()})"

    def tasks(self, predicates: str = VERBS) -> tuple[str, ...]:
        """Return the tasks that the model can perform.

        SENNA's tasks come first, then the other networks whose labels no network reads,
        and `lemma` last.

        Args:
            predicates: The source of predicates, as in `load`.

        Example:
            >>> "ner" in model.tasks()
            True
        """
        networks = self.storage.networks
        are_read = {need for name in networks for need in self.storage.reads(name)}
        others = [
            name
            for name in networks
            if name not in TASKS
            and name not in are_read
            and (name in PRINTED or (name not in TABLE and self._for_words(name)))
        ]
        return tuple(
            task for task in (*TASKS, *others, LEMMA) if self._can(task, predicates)
        )

    def _can(self, task: str, predicates: str) -> bool:
        names = self.networks_for([task], predicates)
        return all(name in self.storage.networks for name in names)

    def default_tasks(self, predicates: str = VERBS) -> tuple[str, ...]:
        """Return the default tasks, in the order of their columns.

        These are the tasks in the model's list for which it has all networks, or the
        whole list if there is no such task. Without a list, they are SENNA's tasks
        except pt0 or, if the model has none of SENNA's tasks, all tasks that it can
        perform.

        Args:
            predicates: The source of predicates, as in `load`.

        Example:
            >>> model.default_tasks()
            ('pos', 'chk', 'ner', 'srl', 'psg', 'dep', 'lemma')
        """
        named = tuple(self.storage.info.get("tasks", ()))
        if named:
            return tuple(task for task in named if self._can(task, predicates)) or named
        tasks = self.tasks(predicates)
        senna = tuple(task for task in tasks if task in TASKS)
        return tuple(task for task in senna if TABLE[task].default) if senna else tasks

    def task(self, name: str) -> Task:
        """Return the Task with the given name.

        It comes from `labels.tasks`, even if the model cannot do the task, or is created
        for a custom network.

        Raises:
            UsageError: If there is no such task.
            SennaError: If a custom network does not label single words.
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
        # If all labels are chunk tags, the spans are segments, unless the model
        # declares that they are single tokens.
        labels = self.storage.labels(name)
        is_tags = self.storage.part_info(name).get("kind") == "tags"
        are_of_segments = not is_tags and all(map(is_chunk_tag, labels.keys()))
        return find_task(name, "segments" if are_of_segments else "tags")

    def _for_words(self, name: str) -> bool:
        return self.storage.labelled(name) == "words"

    def networks_for(self, tasks: Iterable[str], predicates: str = VERBS) -> list[str]:
        """Return the networks that tasks need, each after those whose labels it reads.

        Args:
            tasks: The names of the tasks.
            predicates: The source of predicates, as in `load`.
        """
        lemmas = self.lemmas

        def find_needs(name: str) -> list[str]:
            if name == LEMMA:
                return [lemmas] if lemmas else []
            needs = needs_of(name, self.storage.reads(name))
            if name == FEATS and self._has_feature_rules:
                needs.append(UPOS)
            if name == ARCS and self._has_words(UPOS) and self._follows_guidelines:
                # Parts of speech restrict relations.
                needs.append(UPOS)
            if name == ROLES:
                if predicates in (VERBS, POS):
                    needs.append(predicates)
                # Parts of speech restrict the roles of a verb, see `text.row_classes`.
                if POS in self.storage.networks:
                    needs.append(POS)
            return needs

        tasks, together = list(tasks), self.chosen_together
        if together is not None and not {*tasks}.isdisjoint(together.tasks):
            tasks = [*together.tasks, *tasks]
        names = cascade_order(tasks, find_needs)
        return [name for name in names if not lemmas or name != LEMMA]

    @property
    def chosen_together(self) -> TagCombinations | None:
        """The combinations of labels among which a tagger chooses, or None.

        The result is None unless the model has networks for all of their tasks.
        """
        combinations = self.storage.combinations
        if combinations is None or not all(
            name in self.storage.networks and self._for_words(name)
            for name in combinations.tasks
        ):
            return None
        return combinations

    def agreement(self, networks: Collection[str]) -> Agreement | None:
        """Return the rules by which features agree with the tree, or None.

        Args:
            networks: The names of the networks that run. The result is None unless they
                include `pos`, `upos`, `feats` and `dep`.
        """
        names = self.storage.resources("agreement")
        if FEATS not in names or not {POS, UPOS, FEATS, ARCS} <= {*networks}:
            return None
        rules: Any = self.storage.resource("agreement", FEATS)
        return rules

    def _has_words(self, name: str) -> bool:
        """Return whether the model has a network that labels words."""
        return name in self.storage.networks and self._for_words(name)

    def dependency_rules(self) -> DependencyRules | None:
        """Return the rules that dependency trees follow, or None if there are none."""
        if not self._follows_guidelines:
            return None
        from senna_py.labels.dependency_rules import (  # noqa: PLC0415 - of a task
            DependencyRules,
        )

        return DependencyRules(self.storage.labels(ARCS).names)

    @property
    def _follows_guidelines(self) -> bool:
        """Whether the relations of the network are those of Universal Dependencies."""
        if ARCS not in self.storage.networks:
            return False
        from senna_py.labels.dependency_rules import (  # noqa: PLC0415 - of a task
            follow_guidelines,
        )

        return follow_guidelines(self.storage.labels(ARCS).names)

    @property
    def _has_feature_rules(self) -> bool:
        """Whether this is the English model with the features that its rules expect.

        Users may have replaced its feature network by one with other labels.
        """
        if self.storage.info.get("name") != _ENGLISH or not all(
            name in self.storage.networks and self._for_words(name)
            for name in (FEATS, UPOS)
        ):
            return False
        from senna_py.labels.features import are_known  # noqa: PLC0415 - of a task

        return are_known(self.storage.labels(FEATS).names)

    @property
    def _tokenizers(self) -> dict[str, str]:
        is_english = self.storage.info.get("name") == _ENGLISH
        return tokenizers_of(self.storage.tokenizer, is_english)

    def tokenizer(self, tokens: str | None = None) -> str:
        """Return the `kind` of the Tokenizer for raw text; see `text.tokenizer`.

        Args:
            tokens: The standard of the tokens, `ud` or `ptb`, or None for the default
                of the model.

        Raises:
            UsageError: If the model does not support this standard.
        """
        return find_tokenizer(self._tokenizers, tokens)

    def tokens_for(self, asked: Iterable[str], universal: bool = False) -> str:
        """Return the standard by which raw text is split for some tasks and a format.

        It is `ud` if `dep` is among the tasks or the format is one of Universal
        Dependencies, provided that the model supports `ud`. Otherwise, it is the
        default of the model.

        Args:
            asked: The tasks that the user named.
            universal: Whether the output is in a format of Universal Dependencies.
        """
        standards = self._tokenizers
        if UD in standards and (universal or ARCS in asked):
            return UD
        return next(iter(standards))

    def feature_rules(self) -> FeatureRules | None:
        """Return the rules for morphological features, or None if they do not apply."""
        if not self._has_feature_rules:
            return None
        from senna_py.labels.features import FeatureRules  # noqa: PLC0415 - of a task

        return FeatureRules(
            *(self.storage.labels(name).names for name in (UPOS, FEATS))
        )

    @property
    def lemmas(self) -> str:
        """The task whose tags determine lemmas; empty if the model has no lemmas."""
        for name in self.storage.resources("lemmas"):
            if name in self.storage.networks and self._for_words(name):
                return name
        return ""

    def rules(self) -> Rules | None:
        """Return the rules that are stored in the model, or None.

        Raises:
            SennaError: If they are malformed.
        """
        if not self.storage.resources(RULES):
            return None
        from senna_py.rules.file import rules_of_text  # noqa: PLC0415 - of few models

        stored: Any = self.storage.resource(RULES, RULES)
        return rules_of_text(stored.text, str(self.path))

    def known_labels(self) -> KnownLabels:
        """Return the tasks and labels that rules may name."""
        from senna_py.answers.tags import tag_set  # noqa: PLC0415 - few taggers have rules
        from senna_py.rules.checks import KnownLabels  # noqa: PLC0415

        of_words: dict[str, Collection[str] | None] = {}
        of_spans: dict[str, Collection[str]] = {}
        for name in self.storage.networks:
            if name in (TOKENS, VERBS) or not self._for_words(name):
                continue
            names = self.storage.labels(name).names
            structure = self.task(name).shape.structure
            if structure is Structure.TAGS:
                of_words[name] = names
            elif structure is Structure.SPANS:
                of_spans[name] = tag_set(tuple(names)).types
        if self.lemmas:
            of_words[LEMMA] = None
        tasks = dict.fromkeys((*self.tasks(), *of_words, *of_spans))
        return KnownLabels(of_words, of_spans, tuple(tasks))

    def span_labels(self, task: str) -> list[str]:
        """Return the labels that the tags or spans of a task can have.

        There are none for lemmas, which can be anything.
        """
        from senna_py.answers.tags import tag_set  # noqa: PLC0415 - few commands need it
        from senna_py.labels.trees import SENTENCE  # noqa: PLC0415

        if task == LEMMA:
            return []
        names = tuple(self.storage.labels(task).names)
        if self.task(task).shape.nested:
            phrases = (label for name in names for label in name.split("("))
            return [*dict.fromkeys([SENTENCE, *filter(None, phrases)])]
        return [*(names if self.task(task).shape.each_token else tag_set(names).types)]

    def check(self, tasks: Iterable[str], predicates: str = VERBS) -> None:
        """Raise SennaError unless the model has every network that `tasks` need."""
        for task in tasks:
            networks = self.networks_for([task], predicates)
            missing = [name for name in networks if name not in self.storage.networks]
            if missing:
                name = task if task in missing else missing[0]
                names = dict.fromkeys((*self.storage.networks, *self.tasks(predicates)))
                # These networks are no tasks that can be asked for.
                known = ", ".join(n for n in names if n not in (TOKENS, VERBS))
                raise SennaError(
                    f"{self.path}: the model cannot do {task}: "
                    f"{self.storage.missing(name)}; it has {known}"
                )

    def describe(self, names: Iterable[str]) -> list[str]:
        """Return lines of text that describe networks and their sizes.

        Example:
            >>> len(model.describe(["pos", "ner"]))
            3
        """
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
            labels = self.storage.labels(name).names[: network.n_labels]
            n_labels = f"{len(network.label_names(labels))} {network.label_noun}"
            lines.append(
                f"{name}: {network.kind} network, {brief}; {features}; {n_labels}"
            )
        return lines
