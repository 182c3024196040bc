"""Loads the data of a run: sentences, words, vectors, features and labels."""

from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from senna_py.errors import SennaError, SettingError, UsageError
from senna_py.features.combination_lists import COMBINATIONS, CombinationLists
from senna_py.features.multiword_forms import MultiwordForms
from senna_py.features.protocol import Resources
from senna_py.features.registry import RESOURCES, networks_read
from senna_py.io.files import AnyPath
from senna_py.io.paths import match_paths
from senna_py.labels.tasks import FEATS, LEMMA
from senna_py.models.native import NativeModel
from senna_py.models.native_parts import ModelPart
from senna_py.tagging.cascade import add_predictions, carry_networks, cascade_model
from senna_py.tagging.combinations import learn_combinations
from senna_py.tagging.config import Config
from senna_py.tagging.dictionary import Dictionary, note_on_vectors, read_dictionary
from senna_py.tagging.features import Features, make_features, read_resources
from senna_py.tagging.initial import InitialNetwork, digest, read_initial
from senna_py.tagging.inputs import Inputs
from senna_py.tagging.keys import (
    find_keys,
    knows_all_labels,
    notes_on_keeping,
    notes_on_labels,
    take_initial_keys,
)
from senna_py.tagging.lexical import LearnedLemmas, best_lemmas
from senna_py.tagging.multiwords import multiword_forms
from senna_py.tagging.rare_labels import replace_rare
from senna_py.tagging.sentences import Sentences, read_sentences
from senna_py.tagging.settings import DataSet
from senna_py.tagging.targets import learner_of
from senna_py.tagging.targets.base import Learner
from senna_py.text.tokenizer import Tokenizer


class Data:
    """The data of a run. Each attribute is loaded on first access, and then cached.

    An attribute raises SettingError if the configuration does not fit the data, and
    SennaError if a file cannot be read. The message of the latter names the file.
    """

    def __init__(
        self,
        config: Config,
        corpora: AnyPath,
        directory: AnyPath,
        vectors: AnyPath | None,
    ) -> None:
        """Store the paths; nothing is read yet.

        Args:
            config: The configuration of the run.
            corpora: The directory to which the paths of data files are relative.
            directory: The directory of the run.
            vectors: The file of the word vectors. If it is None, they come from
                `network.init` or from the first model of the cascade, or are random. It
                must be None if `network.init` is set; otherwise, loading the vectors
                raises UsageError.
        """
        self.config, self._vector_file = config, vectors
        self._corpora, self._directory = Path(corpora), Path(directory)

    @cached_property
    def initial(self) -> dict[str, InitialNetwork]:
        """The trained networks to start from, by task; see `read_initial`."""
        return read_initial(self.config, self._directory)

    @cached_property
    def _gold(self) -> tuple[Sentences, Sentences]:
        """The sentences of train and dev, without labels that the cascade predicts."""
        # Labels that the cascade predicts replace a column, so the column is not read.
        names = [name for name in self.config.features if name not in self._models]
        tasks = self.config.gold_tasks
        train, dev = (
            read_sentences(sets, tasks, self._corpora, names, trains)
            for sets, trains in ((self.config.train, True), (self.config.dev, False))
        )
        _check_labeled(self.config.train, train)
        _check_labeled(self.config.dev, dev)
        least = self.config.training.min_label_count
        if FEATS in tasks and least > 1:
            replace_rare(train, FEATS, least)
        return train, dev

    @cached_property
    def _models(self) -> dict[str, NativeModel]:
        """The models of the cascade, by feature."""
        return {
            name: cascade_model(self._directory, name, text)
            for name, text in self.config.cascade.items()
        }

    @cached_property
    def _dictionary(self) -> Dictionary:
        """The vocabulary of words, and their vectors."""
        for initial in self.initial.values():
            if self._vector_file is not None:
                raise UsageError(
                    "--vectors cannot be used with network.init: the model has its own"
                )
            return Dictionary(initial.words, initial.word_vectors)
        model = next(iter(self._models.values()), None)
        return read_dictionary(self.config, self._vector_file, self._gold[0], model)

    @cached_property
    def resources(self) -> Resources:
        """The resources that the features need."""
        for initial in self.initial.values():
            return initial.resources
        return read_resources(self.config, self._corpora)

    @cached_property
    def _carried(self) -> tuple[list[ModelPart], Resources]:
        return carry_networks(
            tuple(self.config.plans),
            self.config.features,
            self._models,
            self.words,
            self.vectors,
            self.resources,
        )

    @cached_property
    def _predicted(self) -> tuple[Sentences, Sentences, dict[str, list[str]]]:
        """Train and dev with predicted labels, and the cascade's labels by feature."""
        train, dev = self._gold
        label_sets = {
            name: add_predictions(model, name, (train, dev))
            for name, model in self._models.items()
        }
        for sentences, name in ((train, "train"), (dev, "dev")):
            for feature in networks_read(self.config.features):
                if feature not in sentences.columns:
                    raise SettingError(
                        f"features: {feature} is no feature, no column of {name}, and "
                        "not in the cascade"
                    )
        return train, dev, label_sets

    @cached_property
    def _learners(self) -> tuple[dict[str, Learner], list[str]]:
        """The learner of each task, with keys, and notes about them for the user."""
        learners, notes = dict[str, Learner](), list[str]()
        for name, plan in self.config.plans.items():
            learner = learners[name] = learner_of(plan.task)
            find_keys(self.config, name, learner, self.train)
            if name in self.initial:
                initial = self.initial[name]
                notes += take_initial_keys(
                    self.config, learner, initial, self._predicted[2]
                )
        return learners, notes

    @cached_property
    def _lemmas(self) -> LearnedLemmas | None:
        """The learned lemmas, or None if the run does not learn lemmas."""
        if LEMMA not in self.config.tasks:
            return None
        patterns = chain(*self.config.resources["lemmas"].values())
        files = [
            path
            for pattern in patterns
            for path in match_paths(self._corpora, pattern, "dictionary")
        ]
        return best_lemmas(self.train, self.dev, files)

    @cached_property
    def features(self) -> Features:
        """The features, with their vocabularies."""
        known = next((each.vocabularies for each in self.initial.values()), {})
        return make_features(
            self.config,
            Tokenizer(self.words),
            self.resources,
            self.train,
            self._predicted[2],
            known,
        )

    @cached_property
    def notes(self) -> list[str]:
        """Lines for the user about the data; all data are loaded for this."""
        notes = list[str]()
        is_random = not self.initial and self._vector_file is None and not self._models
        if is_random and not self.config.learns_tokens:
            notes += note_on_vectors(self.config, self.words)
        # Incompatible networks of the cascade must raise an error before anything else.
        _ = self.cascade_networks
        notes += self._learners[1]
        notes += notes_on_labels(self.learners, self.train, self.dev)
        if self.initial:
            notes += notes_on_keeping(self.config, self.tunes)
        if self._lemmas is not None:
            notes.append(self._lemmas.note)
        _ = self.features
        return notes

    @property
    def train(self) -> Sentences:
        """The sentences to train on, with the labels of the cascade."""
        return self._predicted[0]

    @property
    def dev(self) -> Sentences:
        """The sentences to score on, with the labels of the cascade."""
        return self._predicted[1]

    @property
    def learners(self) -> dict[str, Learner]:
        """The learner of each task, with keys."""
        return self._learners[0]

    @property
    def words(self) -> Any:
        """The vocabulary of words."""
        return self._dictionary.words

    @property
    def vectors(self) -> NDArray[np.float32]:
        """The initial word vectors, float32[n_words, dim]."""
        return self._dictionary.vectors

    @property
    def cascade_networks(self) -> list[ModelPart]:
        """The networks of the cascade that are copied into the model of the run."""
        return self._carried[0]

    @property
    def all_resources(self) -> Resources:
        """The resources of all networks in the model of the run.

        They include learned lemmas, combinations of labels, and the forms of multiword
        tokens.
        """
        resources = self._carried[1]
        if self._lemmas is not None:
            lemmas = {self._lemmas.task: self._lemmas.lemmas}
            resources = {**resources, "lemmas": lemmas}
        combinations = learn_combinations(self.config.tasks, self.train)
        if combinations is not None:
            lists = {COMBINATIONS: combinations}
            resources = {**resources, CombinationLists.place: lists}
        if self.config.learns_tokens:
            forms = multiword_forms(self.train)
            resources = {**resources, MultiwordForms.place: forms}
        return resources

    @property
    def tunes(self) -> bool:
        """Whether all networks start from trained networks with the same labels."""
        return knows_all_labels(self.learners, self.initial)

    def digests(self, train: Inputs, dev: Inputs) -> dict[str, Any]:
        """Return labels and checksums that identify the data; see `Trainable.data`.

        Args:
            train: The inputs to train on.
            dev: The inputs to score on.
        """
        resources = {
            resource_type.title(name): digest(resource.array)
            for place, resource_type in RESOURCES.items()
            for name, resource in self.resources[place].items()
        }
        labels = {name: learner.keys for name, learner in self.learners.items()}
        digests: dict[str, Any] = {
            # Vectors come first, because other words change all other data, too.
            "vectors": digest(self.vectors),
            "labels": labels,
            "sentences": digest(train.starts),
            "training data": [
                digest(train.features),
                *(digest(*train.arrays(name)) for name in labels),
            ],
            "dev data": [
                digest(dev.features, dev.starts),
                *(digest(*dev.arrays(name)) for name in labels),
            ],
            **resources,
        }
        if self.initial:
            initial = {name: each.digest() for name, each in self.initial.items()}
            digests["initial network"] = initial
        return digests


def _check_labeled(sets: Sequence[DataSet], sentences: Sentences) -> None:
    """Raise SennaError if a task has no labeled sentence."""
    for name, gold in sentences.gold.items():
        if gold.is_empty:
            files = ", ".join(
                dict.fromkeys(file for data in sets for file in data.files)
            )
            raise SennaError(f"{files}: no sentence has labels of {name}")
