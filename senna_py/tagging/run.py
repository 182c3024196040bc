"""A training run: from a configuration and a corpus directory to a model."""

import time
from collections.abc import Callable
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
from senna_py.tagging.build import new_networks
from senna_py.tagging.config import Config
from senna_py.tagging.inputs import Inputs
from senna_py.tagging.lexical import score_lemmas
from senna_py.tagging.loading import Data
from senna_py.tagging.trainer import Problem, TaggerTraining, decode
from senna_py.text.vocabulary import Vocabulary
from senna_py.training.run import TrainingRun


class Run:
    """The model of a configuration, and its training; `say` is called with lines for
    the user.
    """

    def __init__(
        self, data: Data, directory: AnyPath, say: Callable[[str], object] = print
    ) -> None:
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
    def problem(self) -> Problem:
        """What its networks learn and are scored on."""
        data = self.data
        train, dev = (
            Inputs.make(each, *data.features.index(each), data.kinds)
            for each in (data.train, data.dev)
        )
        return Problem(train, dev, data.dev, data.kinds, data.words.position("UNKNOWN"))

    def training(self) -> TaggerTraining:
        """TaggerTraining of networks that begin."""
        data = self.data
        networks = new_networks(
            data.config, data.vectors, data.features, data.kinds, data.initial
        )
        digests = data.digests(self.problem.train, self.problem.dev)
        return TaggerTraining(
            data.config, networks, self.problem, digests, self._write, data.tunes
        )

    def trainer(self) -> TrainingRun:
        """TrainingRun of the model."""
        return TrainingRun(
            self.training(), self.directory, lambda line, _: self.say(line)
        )

    def _write(self, path, networks, scores):
        """Write a model of trained networks; scores: dicts by task."""
        data = self.data
        parts = [self._part(name, networks[name], scores[name]) for name in networks]
        said = {
            key: data.config.info[key] for key in TEXT_KEYS if key in data.config.info
        }
        tasks = default_order(data.config.tasks or [data.config.task])
        about = {"tokenizer": "treebank", **said, "tasks": tasks}
        write_model(
            path, data.words, data.vectors, [*parts, *data.carried], data.stored, about
        )

    def _part(self, name, network, scores):
        data, kind = self.data, self.data.kinds[name]
        info = {
            "config": data.config.as_dict(),
            "scores": scores,
            "kind": kind.name,
            "senna_py": __version__,
            "date": time.strftime("%Y-%m-%d"),
            **data.config.info,
        }
        labels, own = kind.of_model()
        lists = {key: Vocabulary.from_keys(keys, key) for key, keys in own.items()}
        return ModelPart(
            name,
            network,
            data.features.names,
            Vocabulary.from_keys(labels, name),
            {**data.features.vocabularies, **lists},
            info,
        )

    def score_saved(self) -> dict[str, Any]:
        """Scores on dev of the model as it was saved, by task; see `kinds` for what
        they are.
        """
        model = NativeModel(self.directory)
        networks = {name: model.network(name) for name in self.data.kinds}
        found = decode(networks, self.problem)
        scores = {name: self.problem.score(name, found[name]) for name in networks}
        if LEMMA in self.data.config.tasks:
            (by,) = self.data.stored["lemmas"]
            lemmas: Any = model.resource("lemmas", by)
            scores[LEMMA] = score_lemmas(lemmas, by, self.data.dev, found)
        return scores
