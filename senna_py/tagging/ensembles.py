"""Ensembles of trained networks, and the training of their joint output layer.

See Collobert et al. 2011, section 6.4.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from senna_py import __version__
from senna_py.errors import SennaError, SettingError
from senna_py.features.registry import networks_read
from senna_py.io.files import AnyPath
from senna_py.io.overwriting import check_paths
from senna_py.labels.tasks import Task, find_task
from senna_py.models import joining
from senna_py.models.checkpoint import CHECKPOINT
from senna_py.models.native import FILE_NAME, NativeModel
from senna_py.models.native_parts import ModelPart
from senna_py.models.native_writer import write_model
from senna_py.models.shipped import shipped_or
from senna_py.networks.base import TaggerNetwork
from senna_py.networks.ensemble import EnsembleNetwork, averaged_scores
from senna_py.networks.tags import TagNetwork
from senna_py.tagging.build import constrain
from senna_py.tagging.cascade import add_predictions, cascade_model
from senna_py.tagging.config import Config
from senna_py.tagging.features import Features
from senna_py.tagging.inputs import Inputs
from senna_py.tagging.sentences import Sentences, read_sentences
from senna_py.tagging.targets import learner_of
from senna_py.tagging.trainer import TaggerTraining, TaggingData
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.vocabulary import Vocabulary
from senna_py.training.run import TrainingRun


class Ensemble:
    """An ensemble of the networks of several models for one task.

    Attributes:
        part: The ModelPart with the EnsembleNetwork.
        models: The models of its members.
        task: The task.
        keys: The labels of the task.
        resources: The merged resources of all models.
    """

    def __init__(
        self, sources: Sequence[AnyPath], how: str = "vote", task: str | None = None
    ) -> None:
        """Read the networks of a task from native models.

        Args:
            sources: The paths of the models.
            how: The way in which the outputs are combined; see EnsembleNetwork. The
                output layer of a joined ensemble initially sums the members' scores.
            task: The name of the networks. It may be None if the first model has only
                one network that is not carried.

        Raises:
            SennaError: If a model cannot be read or lacks the task, or its words,
                labels or features are incompatible with the others. The message names
                it.
        """
        self.models = [NativeModel(shipped_or(source)) for source in sources]
        first = self.models[0]
        if task is None and len(first.own_networks) > 1:
            known = ", ".join(first.own_networks)
            raise SennaError(f"{first.path}: it has {known}: choose one by --task NAME")
        name = task or first.own_networks[0]
        parts = [_part(model, name) for model in self.models]
        for model, part in zip(self.models, parts, strict=True):
            if model.words.data != first.words.data:
                self._refuse(model, "its words")
            if part.labels.keys() != parts[0].labels.keys():
                self._refuse(model, f"its labels of {name}")
        features, vocabularies = self._features(parts)
        columns = [
            [features.index(feature) for feature in part.features] for part in parts
        ]
        kind = parts[0].info.get("kind") or find_task(name, "tags").shape.name
        self.task = find_task(name, kind)
        self.keys = parts[0].labels.keys()
        members: Any = [part.network for part in parts]
        network = _network(how, columns, members, self.task, self.keys)
        info = {
            "kind": kind,
            "senna_py": __version__,
            "date": time.strftime("%Y-%m-%d"),
            "members": [part.info for part in parts],
        }
        self.part = ModelPart(
            name, network, tuple(features), parts[0].labels, vocabularies, info
        )
        self._carried = self._carry(name, features)
        self.resources = joining.merged_resources(
            (model.path, joining.all_resources(model)) for model in self.models
        )

    def _refuse(self, model: NativeModel, what: str) -> NoReturn:
        raise SennaError(f"{model.path}: {what} are not those of {self.models[0].path}")

    def _carry(self, name: str, features: Sequence[str]) -> list[ModelPart]:
        """Return the networks whose labels the ensemble uses as features."""
        needed = {
            need: model for model in reversed(self.models) for need in model.networks
        }
        carried = joining.carried_networks(name, networks_read(features), needed)
        for model in self.models:
            for need, source in carried.items():
                if not model.knows_labels(name, source.part(need)):
                    self._refuse(model, f"the labels of {need} that its {name} knows")
        return [
            replace(model.part(need), carried=True) for need, model in carried.items()
        ]

    def _features(
        self, parts: Sequence[ModelPart]
    ) -> tuple[list[str], dict[str, Vocabulary]]:
        """Return all features of the members, and the vocabulary of each."""
        features: list[str] = []
        vocabularies: dict[str, Vocabulary] = {}
        for model, part in zip(self.models, parts, strict=True):
            features += [
                feature for feature in part.features if feature not in features
            ]
            for feature, keys in part.vocabularies.items():
                if vocabularies.setdefault(feature, keys).keys() != keys.keys():
                    self._refuse(model, f"its keys of {feature}")
        return features, vocabularies

    def write(
        self,
        path: AnyPath,
        network: TaggerNetwork | None = None,
        info: Mapping[str, Any] | None = None,
    ) -> None:
        """Write the model to a file.

        Args:
            path: The file.
            network: The network to write; None means the network of `part`.
            info: Additional information about the network, for the model's header, or
                None. That of `part` takes precedence.
        """
        part = replace(
            self.part,
            network=network or self.part.network,
            info={**(info or {}), **self.part.info},
        )
        first = self.models[0]
        about: dict[str, Any] = {}
        vectors = joining.vectors_of(
            first, min(model.vector_bits for model in self.models)
        )
        for model in self.models:
            about |= model.info
        if "tasks" in about:  # The ensemble has only one task.
            about["tasks"] = [part.name]
        write_model(
            path, first.words, vectors, [part, *self._carried], self.resources, about
        )

    def save(self, path: AnyPath) -> Path:
        """Write the model to a file or into a directory, and return the file's path.

        Raises:
            UsageError: If the file is one of the models that the ensemble is made of.
        """
        target = joining.native_path(path, [model.path for model in self.models])
        self.write(target)
        return target


def _part(model: NativeModel, name: str) -> ModelPart:
    """Return the part of a model whose network is to be a member of an ensemble.

    Raises:
        SennaError: If there is no such network, or it is not a plain network of words.
    """
    if name not in model.networks:
        raise SennaError(f"{model.path}: it has no {name} network")
    labels = model.labelled(name)
    if labels != "words":
        raise SennaError(
            f"{model.path}: {name} labels {labels}; ensembles are for labels of words"
        )
    part = model.part(name)
    if part.network.members():
        raise SennaError(f"{model.path}: {name} is an ensemble itself")
    return part


def _network(
    how: str,
    columns: list[list[int]],
    members: Sequence[TagNetwork],
    task: Task,
    keys: Sequence[str],
) -> EnsembleNetwork:
    initial, transition, final = averaged_scores(members)
    n_tags, votes = len(keys), how == "vote"
    if votes:
        # Votes are not comparable with transition scores, so only constraints remain.
        initial = transition = final = None
    if initial is None and (task.shape.iobes if votes else how == "joined"):
        initial = np.zeros(n_tags, np.float32)
        transition = np.zeros((n_tags, n_tags), np.float32)
    # Initially, the output is the sum of the outputs of all members.
    weight = np.tile(np.eye(n_tags, dtype=np.float32), (len(members), 1))
    network = EnsembleNetwork(
        how,
        columns,
        members,
        output_weight=weight,
        output_bias=np.zeros(n_tags, np.float32),
        initial=initial,
        transition=transition,
        final=final,
    )
    if votes and task.shape.iobes:
        constrain(network, keys)
    return network


def joined_run(
    ensemble: Ensemble,
    config: Config,
    corpora: AnyPath,
    directory: AnyPath,
    say: Callable[[str], object] = print,
) -> TrainingRun:
    """Return a TrainingRun that trains the output layer of a joined ensemble.

    Args:
        ensemble: The ensemble.
        config: A configuration for its task, with the data sets and the training
            settings. Settings of layers, tables and masking are ignored. The paths in
            its `cascade` are relative to `directory`.
        corpora: The directory to which the paths of data files are relative.
        directory: The directory of the run, in which the model with the best dev score
            is saved.
        say: A callback that receives a line of text for each epoch.

    Raises:
        SettingError: If the configuration does not fit the networks.
        SennaError: If a file cannot be read, or the directory already contains a run.
        UsageError: If the new model would overwrite a model of the ensemble.
    """
    directory = Path(directory)
    check_paths([model.path for model in ensemble.models], [directory / FILE_NAME])
    if (directory / CHECKPOINT).exists():
        raise SennaError(
            f"{directory / CHECKPOINT}: there is a run already; choose another directory"
        )
    part, kind = ensemble.part, ensemble.task.shape.name
    if (config.task, config.kind) != (part.name, kind):
        asked = ", ".join(config.tasks)
        if config.task:
            asked = f"{config.task} ({config.kind})"
        raise SettingError(f"task: {asked}, but the networks do {part.name} ({kind})")
    reads = networks_read(part.features)
    columns = [name for name in reads if name not in config.cascade]
    train, dev = (
        read_sentences(sets, config.gold_tasks, corpora, columns)
        for sets in (config.train, config.dev)
    )
    for name in reads:
        if name in config.cascade:
            model = cascade_model(directory, name, config.cascade[name])
            add_predictions(model, name, (train, dev))
        elif name not in train.columns or name not in dev.columns:
            raise SettingError(
                f"columns: the networks see {name}, which is neither a column of "
                "train and dev nor in the cascade"
            )
    training = _training(ensemble, config, train, dev)
    return TrainingRun(training, directory, lambda line, figures: say(line))


def _training(
    ensemble: Ensemble, config: Config, train: Sentences, dev: Sentences
) -> TaggerTraining:
    part, words = ensemble.part, ensemble.models[0].words
    name, network = part.name, part.network
    learner = learner_of(ensemble.task)
    learner.take_keys(ensemble.keys)
    learners = {name: learner}
    features = Features(
        part.features, part.vocabularies, Tokenizer(words), ensemble.resources
    )
    to_train, to_score = (
        Inputs.make(each, *features.index(each), learners) for each in (train, dev)
    )
    if config.network.criterion == "word":
        network = network.changed(initial=None, transition=None, final=None)
    elif config.network.constrained and ensemble.task.shape.iobes:
        constrain(network, ensemble.keys)
    unknown = words.position("UNKNOWN")
    data = TaggingData(to_train, to_score, dev, learners, unknown)
    stored = config.as_dict()

    def write(
        path: Path, networks: Mapping[str, TaggerNetwork], scores: Mapping[str, Any]
    ) -> None:
        info = {"config": stored, "scores": scores[name], **config.info}
        ensemble.write(path, networks[name], info)

    settings = replace(config.training, unknown=0.0, fixed=[])
    config = replace(config, training=settings, features={})
    digests = {"labels": ensemble.keys}
    return TaggerTraining(config, {name: network}, data, digests, write)
