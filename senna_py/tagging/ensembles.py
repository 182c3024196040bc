"""Ensembles of trained networks, also joined in training (Collobert et al. 2011,
section 6.4).
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from senna_py import __version__
from senna_py.errors import SennaError, SettingError
from senna_py.features.registry import networks_read
from senna_py.io.files import AnyPath
from senna_py.io.overwriting import check_paths
from senna_py.labels.tasks import find_task
from senna_py.models import joining
from senna_py.models.checkpoint import CHECKPOINT
from senna_py.models.native import FILE_NAME, NativeModel
from senna_py.models.native_parts import ModelPart
from senna_py.models.native_writer import write_model
from senna_py.models.shipped import shipped_or
from senna_py.networks.base import TaggerNetwork
from senna_py.networks.ensemble import EnsembleNetwork, averaged_scores
from senna_py.tagging.build import constrain
from senna_py.tagging.cascade import add_predictions, cascade_model
from senna_py.tagging.config import Config
from senna_py.tagging.data import read_sentences
from senna_py.tagging.features import Features
from senna_py.tagging.inputs import Inputs
from senna_py.tagging.kinds import TABLE
from senna_py.tagging.trainer import Problem, TaggerTraining
from senna_py.text.tokenizer import Tokenizer
from senna_py.training.run import TrainingRun


class Ensemble:
    """An ensemble, its `part` with an EnsembleNetwork, and the `models` that it is made
    of.
    """

    def __init__(
        self, sources: Sequence[AnyPath], how: str = "vote", task: str | None = None
    ) -> None:
        """Read the networks for a task of some native models.

        sources: paths; how: see EnsembleNetwork, where a joined ensemble begins as one
        of scores;
        task: name of the networks, which may be None if the models have but one. Raises
        SennaError naming the model that does not fit the first one.
        """
        self.models = [NativeModel(shipped_or(source)) for source in sources]
        names = self.models[0].own_networks
        if task is None and len(names) > 1:
            has = ", ".join(names)
            raise SennaError(
                f"{self.models[0].path}: it has {has}: choose one by --task NAME"
            )
        name = task or names[0]
        parts = [_part(model, name) for model in self.models]
        for model, part in zip(self.models, parts, strict=True):
            if model.words.data != self.models[0].words.data:
                self._fail(model, "its words")
            if part.labels.keys() != parts[0].labels.keys():
                self._fail(model, f"its labels of {name}")
        features, vocabularies = self._features(parts)
        columns = [
            [features.index(feature) for feature in part.features] for part in parts
        ]
        kind = parts[0].info.get("kind") or find_task(name, "tags").kind
        keys = parts[0].labels.keys()
        network = _network(how, columns, [part.network for part in parts], kind, keys)
        info = {
            "kind": kind,
            "senna_py": __version__,
            "date": time.strftime("%Y-%m-%d"),
            "members": [part.info for part in parts],
        }
        self.part = ModelPart(
            name, network, tuple(features), parts[0].labels, vocabularies, info
        )
        needed = {
            need: model for model in reversed(self.models) for need in model.networks
        }
        reads = networks_read(features)
        carried = joining.carried_networks(name, reads, needed)
        for model in self.models:
            for need, giver in carried.items():
                if not model.knows_labels(name, giver.part(need)):
                    self._fail(model, f"the labels of {need} that its {name} knows")
        self._carried = [
            replace(model.part(n), carried=True) for n, model in carried.items()
        ]
        self.resources = joining.merged_resources(
            (model.path, joining.all_resources(model)) for model in self.models
        )
        self.keys, self.kind = keys, kind

    def _fail(self, model, what):
        raise SennaError(f"{model.path}: {what} are not those of {self.models[0].path}")

    def _features(self, parts):
        """Names of all features, a list, and the vocabularies of those that have
        one.
        """
        features, vocabularies = [], {}
        for model, part in zip(self.models, parts, strict=True):
            features += [
                feature for feature in part.features if feature not in features
            ]
            for feature, keys in part.vocabularies.items():
                if vocabularies.setdefault(feature, keys).keys() != keys.keys():
                    self._fail(model, f"its keys of {feature}")
        return features, vocabularies

    def write(
        self,
        path: AnyPath,
        network: TaggerNetwork | None = None,
        info: Mapping[str, Any] | None = None,
    ) -> None:
        """Write the model to a file; network: instead of `part`'s; info: what it says
        besides.
        """
        network = network or self.part.network
        part = replace(
            self.part, network=network, info={**(info or {}), **self.part.info}
        )
        first, about = self.models[0], dict[str, Any]()
        vectors = joining.vectors_of(
            first, min(model.vector_bits for model in self.models)
        )
        for model in self.models:
            about |= model.info
        if "tasks" in about:  # of which it has one
            about["tasks"] = [part.name]
        write_model(
            path, first.words, vectors, [part, *self._carried], self.resources, about
        )

    def save(self, path: AnyPath) -> Path:
        """Write the model to `path`, a file or a directory; returns the path of the
        file.

        Raises UsageError if that is one of the models that it is made of.
        """
        target = joining.native_path(path, [model.path for model in self.models])
        self.write(target)
        return target


def _part(model, name):
    """The part of a model with a network that can be a member; raises SennaError."""
    if name not in model.networks:
        raise SennaError(f"{model.path}: it has no {name} network")
    if (labels := model.labelled(name)) != "words":
        raise SennaError(
            f"{model.path}: {name} labels {labels}; ensembles are for labels of words"
        )
    part = model.part(name)
    if part.network.members():
        raise SennaError(f"{model.path}: {name} is an ensemble itself")
    return part


def _network(how, columns, members, kind, keys):
    initial, transition, final = averaged_scores(members)
    n_tags, votes = len(keys), how == "vote"
    if votes:  # scores of transitions are worth no vote: they only say what is possible
        initial = transition = final = None
    if initial is None and (TABLE[kind].iobes if votes else how == "joined"):
        initial, transition = (
            np.zeros(n_tags, np.float32),
            np.zeros((n_tags, n_tags), np.float32),
        )
    weight = np.tile(
        np.eye(n_tags, dtype=np.float32), (len(members), 1)
    )  # a sum of all members'
    bias = np.zeros(n_tags, np.float32)
    arrays = {
        "output_weight": weight,
        "output_bias": bias,
        "initial": initial,
        "transition": transition,
        "final": final,
    }
    network = EnsembleNetwork(how, columns, members, **arrays)
    if votes and TABLE[kind].iobes:
        constrain(network, keys)
    return network


def joined_run(
    ensemble: Ensemble,
    config: Config,
    corpora: AnyPath,
    directory: AnyPath,
    say: Callable[[str], object] = print,
) -> TrainingRun:
    """The TrainingRun of a joined Ensemble in a directory, which gets the best model on
    dev.

    config: a Config for the task: it says what to learn from, and by its `training`
    how, but for what is about layers and tables that do not change; the paths of its
    `cascade` are from `directory`; corpora: directory below which its files stand; say:
    called with a line for each epoch. Raises SettingError if it does not fit the
    networks, SennaError naming what cannot be read, or if a run is in the directory.
    """
    directory = Path(directory)
    check_paths([model.path for model in ensemble.models], [directory / FILE_NAME])
    if (directory / CHECKPOINT).exists():
        raise SennaError(
            f"{directory / CHECKPOINT}: a run is there; choose another directory"
        )
    part = ensemble.part
    if (config.task, config.kind) != (part.name, ensemble.kind):
        asked = (
            f"{config.task} ({config.kind})" if config.task else ", ".join(config.tasks)
        )
        raise SettingError(
            f"task: {asked}, but the networks do {part.name} ({ensemble.kind})"
        )
    labels = networks_read(part.features)
    kinds = config.new_kinds()
    kinds[part.name].take_keys(ensemble.keys)
    columns = [name for name in labels if name not in config.cascade]
    train, dev = (
        read_sentences(sets, kinds, corpora, columns)
        for sets in (config.train, config.dev)
    )
    for name in labels:
        if name in config.cascade:
            model = cascade_model(directory, name, config.cascade[name])
            add_predictions(model, name, (train, dev))
        elif not (name in train.columns and name in dev.columns):
            raise SettingError(
                f"columns: the networks see {name}, which is neither a column of "
                "train and dev nor in the cascade"
            )
    return _run(ensemble, config, kinds, (train, dev), directory, say)


def _run(ensemble, config, kinds, sentences, directory, say):
    part, words = ensemble.part, ensemble.models[0].words
    name, network = part.name, part.network
    features = Features(
        part.features, part.vocabularies, Tokenizer(words), ensemble.resources
    )
    train, dev = (Inputs.make(each, *features.index(each), kinds) for each in sentences)
    if config.network.criterion == "word":
        network = network.changed(initial=None, transition=None, final=None)
    elif config.network.constrained and kinds[name].iobes:
        constrain(network, ensemble.keys)
    problem = Problem(train, dev, sentences[1], kinds, words.position("UNKNOWN"))
    how = replace(config.training, unknown=0.0, fixed=[])
    said = config.as_dict()

    def write(path, networks, scores):
        info = {"config": said, "scores": scores[name], **config.info}
        ensemble.write(path, networks[name], info)

    config = replace(config, training=how, features={})
    digests = {"labels": ensemble.keys}
    training = TaggerTraining(config, {name: network}, problem, digests, write)
    return TrainingRun(training, directory, lambda line, figures: say(line))
