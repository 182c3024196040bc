"""A training run: from a configuration and a corpus directory to a model."""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from senna_py import __version__
from senna_py.io.files import AnyPath
from senna_py.labels.tasks import LEMMA, default_order
from senna_py.models.native import NativeModel
from senna_py.models.native_header import TEXT_KEYS
from senna_py.models.native_parts import ModelPart
from senna_py.models.native_writer import write_model
from senna_py.networks.base import TaggerNetwork
from senna_py.tagging.build import new_networks
from senna_py.tagging.config import Config
from senna_py.tagging.inputs import Inputs
from senna_py.tagging.lexical import score_lemmas
from senna_py.tagging.loading import Data
from senna_py.tagging.trainer import TaggerTraining, TaggingData, predict_dev
from senna_py.text.vocabulary import Vocabulary
from senna_py.training.run import TrainingRun


class Run:
    """The model of a configuration, and its training."""

    def __init__(
        self, data: Data, directory: AnyPath, say: Callable[[str], object] = print
    ) -> None:
        """Store what the run is made of; say: a function of lines for the user."""
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
        """Read all that a run needs, see `Data`, and say the notes about it."""
        data = Data(config, corpora, directory, vectors)
        for line in data.notes:
            say(line)
        return cls(data, directory, say)

    @cached_property
    def tagging_data(self) -> TaggingData:
        """What its networks learn and are scored on."""
        data = self.data
        train, dev = (
            Inputs.make(each, *data.features.index(each), data.learners)
            for each in (data.train, data.dev)
        )
        unknown = data.words.position("UNKNOWN")
        return TaggingData(train, dev, data.dev, data.learners, unknown)

    def training(self) -> TaggerTraining:
        """Return the training of new networks."""
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
        """Return the TrainingRun of the model."""
        return TrainingRun(
            self.training(), self.directory, lambda line, _: self.say(line)
        )

    def _write(
        self,
        path: Path,
        networks: Mapping[str, TaggerNetwork],
        scores: Mapping[str, Any],
    ) -> None:
        """Write a model of trained networks; scores: dicts by task."""
        data = self.data
        parts = [self._part(name, networks[name], scores[name]) for name in networks]
        info = data.config.info
        about = {
            "tokenizer": "treebank",
            **{key: info[key] for key in TEXT_KEYS if key in info},
            "tasks": default_order(data.config.tasks or [data.config.task]),
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
        )

    def score_saved(self) -> dict[str, Any]:
        """Score the model that was saved on dev; see `evaluation.layers`."""
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
