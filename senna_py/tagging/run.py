"""A training run: from a configuration and a corpus directory to a model."""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from senna_py import __version__
from senna_py.io.files import AnyPath
from senna_py.labels.tasks import LEMMA, TOKENS, default_order
from senna_py.models.native import NativeModel
from senna_py.models.native_header import TEXT_KEYS
from senna_py.models.native_parts import ModelPart
from senna_py.models.native_writer import write_model
from senna_py.networks.base import TaggerNetwork
from senna_py.tagging.build import new_networks
from senna_py.tagging.config import Config
from senna_py.tagging.data import Data
from senna_py.tagging.inputs import Inputs
from senna_py.tagging.lexical import score_lemmas
from senna_py.tagging.trainer import TaggerTraining, TaggingData, predict_dev
from senna_py.text.tokenizer_kinds import LEARNED, PENN
from senna_py.text.vocabulary import Vocabulary
from senna_py.training.run import TrainingRun


class Run:
    """Trains, writes and scores the model of a configuration."""

    def __init__(
        self, data: Data, directory: AnyPath, say: Callable[[str], object] = print
    ) -> None:
        """Create a run from its data.

        Args:
            data: The data, with the configuration.
            directory: The directory in which checkpoints and the model are saved.
            say: A callback for lines of text for the user.
        """
        self.data, self.directory, self.say = data, Path(directory), say

    @classmethod
    def load(
        cls,
        config: Config,
        corpora: AnyPath,
        directory: AnyPath,
        vectors: AnyPath | None,
        say: Callable[[str], object] = print,
    ) -> "Run":
        """Read the data of a run, and print the notes about them.

        Args:
            config: The configuration of the run.
            corpora: The directory to which the paths of data files are relative.
            directory: The directory of the run.
            vectors: The file of word vectors, or None; see `Data`.
            say: A callback for lines of text for the user.

        Raises:
            SennaError: If the data cannot be read, or do not fit the configuration.
        """
        data = Data(config, corpora, directory, vectors)
        for line in data.notes:
            say(line)
        return cls(data, directory, say)

    @cached_property
    def tagging_data(self) -> TaggingData:
        """The inputs and targets of the networks, for training and dev."""
        data = self.data
        train, dev = (
            Inputs.make(each, *data.features.index(each), data.learners)
            for each in (data.train, data.dev)
        )
        return TaggingData(train, dev, data.dev, data.learners, data.features.unknown)

    def training(self) -> TaggerTraining:
        """Initialize the networks, and return their TaggerTraining."""
        data = self.data
        networks = new_networks(
            data.config, data.vectors, data.features, data.learners, data.initial
        )
        inputs = self.tagging_data
        digests = data.digests(inputs.train, inputs.dev)
        return TaggerTraining(
            data.config, networks, inputs, digests, self._write, data.tunes
        )

    def trainer(self) -> TrainingRun:
        """Return the TrainingRun, which trains the model and saves checkpoints."""
        return TrainingRun(
            self.training(), self.directory, lambda line, _: self.say(line)
        )

    def _write(
        self,
        path: Path,
        networks: Mapping[str, TaggerNetwork],
        scores: Mapping[str, Any],
    ) -> None:
        """Write the model.

        Args:
            path: The file of the model.
            networks: The trained networks, by task.
            scores: The dev scores to store for each task.
        """
        data = self.data
        parts = [self._part(name, networks[name], scores[name]) for name in networks]
        info = data.config.info
        tasks = default_order(data.config.tasks or [data.config.task])
        about = {
            "tokenizer": LEARNED if data.config.learns_tokens else PENN,
            **{key: info[key] for key in TEXT_KEYS if key in info},
            "tasks": [task for task in tasks if task != TOKENS],
        }
        write_model(
            path,
            data.words,
            data.vectors,
            [*parts, *data.cascade_networks],
            data.all_resources,
            about,
        )

    def _part(self, name: str, network: TaggerNetwork, scores: Any) -> ModelPart:
        data, learner = self.data, self.data.learners[name]
        info = {
            "config": data.config.as_dict(),
            "scores": scores,
            "kind": learner.task.shape.name,
            "senna_py": __version__,
            "date": time.strftime("%Y-%m-%d"),
            **data.config.info,
        }
        labels, further = learner.labels_in_model()
        lists = {key: Vocabulary.from_keys(keys, key) for key, keys in further.items()}
        return ModelPart(
            name,
            network,
            data.features.names,
            Vocabulary.from_keys(labels, name),
            {**data.features.vocabularies, **lists},
            info,
            pooling=self._pooling(name),
        )

    def _pooling(self, name: str) -> float:
        """Return the share of the document in the probabilities of a repeated name.

        Unless it is set, it is that of the trained network of the task.
        """
        pooling = self.data.config.plans[name].pooling
        initial = self.data.initial.get(name)
        if pooling is None and initial is not None and initial.part.name == name:
            return initial.part.pooling
        return pooling or 0

    def score_saved(self) -> dict[str, Any]:
        """Return the scores of the saved model on dev, by task."""
        model, data = NativeModel(self.directory), self.data
        networks = {name: model.network(name) for name in data.learners}
        layers = predict_dev(networks, self.tagging_data)
        scores = {
            name: self.tagging_data.score(name, layer) for name, layer in layers.items()
        }
        if LEMMA in data.config.tasks:
            (task,) = data.all_resources["lemmas"]
            lemmas: Any = model.resource("lemmas", task)
            tags = replace(data.dev.gold[task], layer=layers[task]).tags()
            scores[LEMMA] = score_lemmas(lemmas, data.dev, tags)
        return scores
