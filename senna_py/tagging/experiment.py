"""A training run: from a configuration and a corpus directory to a model."""

import time
import zlib
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from senna_py import __version__
from senna_py.errors import SennaError, SettingError, counted
from senna_py.features.registry import RESOURCES
from senna_py.labels.tasks import default_order
from senna_py.labels.tree_keys import brackets_of_keys
from senna_py.models.checkpoint import CHECKPOINT, read_header
from senna_py.models.model_info import OF_THE_TEXT
from senna_py.models.native import ModelPart, NativeModel, write_model
from senna_py.networks.base import MOST_TAGS
from senna_py.tagging.build import new_network
from senna_py.tagging.cascade import Predictor, add_predictions, decode, fold_directory
from senna_py.tagging.data import read_sentences
from senna_py.tagging.initial import read_initial
from senna_py.tagging.inputs import Inputs, label_keys
from senna_py.tagging.scoring import headline, score
from senna_py.tagging.shared_data import SharedData
from senna_py.tagging.trainer import Problem, TaggerTraining, group_tags
from senna_py.tagging.trees import ConstituentTypes
from senna_py.text.vocabulary import Vocabulary
from senna_py.training.checkpointing import check_same
from senna_py.training.run import TrainingRun

__all__ = ["Run", "make_features", "write_parts"]


@dataclass
class Run:
    """Everything that the models of one configuration are made of.

    config: a Config; corpora: directory below which its files stand; directory: of the run;
    vectors: path of word vectors, or None for what SharedData does without; say: called with lines
    for the user; shared: a SharedData, if it is one of several tasks that are trained together,
    whose features are then made from all their sentences by `make_features`.
    """

    config: object
    corpora: Path
    directory: Path
    vectors: Path | None
    say: object = print
    shared: SharedData | None = None

    def __post_init__(self):
        """Read the data, and predict the labels that are features."""
        self.corpora, self.directory = Path(self.corpora), Path(self.directory)
        config, alone = self.config, self.shared is None
        self._initial = read_initial(config, self.directory)
        self.train = self._read(config.train)
        self.dev = self._read(config.dev)
        if alone:
            self.shared = SharedData(
                config, self.corpora, self.directory, self.vectors, [self.train], self._initial
            )
        self.words, self.word_vectors = self.shared.words, self.shared.word_vectors
        self.resources = self.shared.resources
        if alone and self.shared.note:
            self.say(self.shared.note)
        self.label_sets = {}
        self.shared.carry(config)
        for name in config.cascade:
            self._add_predictions(name, self.shared.runs[name])
        self._check_columns()
        self._find_labels()
        self._tell_about_labels()
        if alone:
            make_features([self])

    def _read(self, data_sets):
        config = self.config
        # A column that the cascade predicts is not read: its gold labels are not for training.
        features = tuple(name for name in config.features if name not in config.cascade)
        return read_sentences(data_sets, config.label_task, config.kind, self.corpora, features)

    def _add_predictions(self, name, run):
        jackknife = self.config.jackknife
        self.label_sets[name], by_folds = add_predictions(run, name, self.train, jackknife)
        if jackknife and not by_folds:
            self.say(f"{run}: has no folds; its own model labels all sentences")
        add_predictions(run, name, self.dev, held_out=False)

    def _check_columns(self):
        for name in self.config.reads:
            for sentences, what in ((self.train, "train"), (self.dev, "dev")):
                if name not in sentences.columns:
                    raise SettingError(
                        f"features: {name} is no feature, no column of {what}, and not in the "
                        "cascade"
                    )

    def _find_labels(self):
        """Make `keys`, the labels that the network is to give, and for trees their types."""
        config, min_count = self.config, self.config.training.min_label_count
        self._types = None
        if config.kind == "trees":
            self._types = ConstituentTypes(self.train.labels, min_count)
            self.keys = self._types.keys
            if config.task in self.shared.runs:  # others learn paths in trees of that network
                self._take_labels(self.shared.runs[config.task])
            if len(self.keys) == 1:
                files = ", ".join(file for data in config.train for file in data.files)
                raise SennaError(f"{files}: no phrase below the roots of the trees")
        else:
            self.keys = label_keys(self.train, config.kind, min_count)
        if len(self.keys) > MOST_TAGS:  # before there is a matrix of their transitions
            files = ", ".join(file for data in config.train for file in data.files)
            raise SennaError(f"{files}: {len(self.keys):,} labels; the limit is {MOST_TAGS:,}")
        if self._initial is not None:
            self._keep_labels()
        self._known = frozenset(self.keys)

    def _keep_labels(self):
        """Take the labels of the network that training begins with, if it has all of these."""
        initial = self._initial
        initial.check_labels(self.label_sets)
        if new := self._not_among(initial.keys):
            self.say(f"{self.config.network.init} does not know {new}: the output layer is new")
            return
        self.keys = list(initial.keys)
        if self._types:
            self._types.take_keys(self.keys)

    def _take_labels(self, run):
        """Take the labels of another run's network for trees, whatever the data has."""
        known = Predictor(run, self.config.task).keys
        if new := self._not_among(known):
            self.say(f"{run} does not know {new}: constituents get the labels that it knows")
        self._types.take_keys(known)
        self.keys = known

    def _not_among(self, keys):
        """The labels that are not among `keys`, as text: the first five, and how many more."""
        new = sorted({self._named(key, keys) for key in {*self.keys} - {*keys}})
        return ", ".join(new[:5]) + f" and {len(new) - 5} more" * (len(new) > 5)

    def _named(self, label, keys):
        """What users call a label that is not among `keys`: the type of a tag if it is new, too."""
        if self.config.kind == "tags" or any(label[2:] == key[2:] for key in keys):
            return label
        return label[2:]

    def _tell_about_labels(self):
        self.say(
            f"{self.config.task}: {counted(len(self.train), 'sentence')}, "
            f"{counted(self.train.n_tokens, 'token')} "
            f"to train on, {len(self.dev):,} and {self.dev.n_tokens:,} in dev, "
            f"{counted(len(self.keys), 'label')}"
        )
        new = {}
        for labels, (path, lines) in zip(self.dev.labels, self.dev.place, strict=True):
            for label, token in self._unknown(labels):
                name = label if self._types else self._named(label, self._known)
                new.setdefault(name, f"{path}: line {lines[token]}")
        for tag, place in sorted(new.items())[:5]:
            self.say(f"{place}: dev has the label {tag}, which the network will never give")
        if len(new) > 5:
            self.say(f"and {len(new) - 5} more such labels")

    def _unknown(self, labels):
        """Labels of one sentence that are not in `keys`, each with the number of its word."""
        if self._types:
            return self._types.unknown(labels)
        sequences = labels.values() if isinstance(labels, dict) else [labels]
        return [(tag, i) for tags in sequences for i, tag in enumerate(tags)
                if tag not in self._known]  # fmt: skip

    def _inputs(self, sentences):
        index = self.features.index(sentences)
        if self._types:
            trees = self._types.constituents(sentences.labels)
            return Inputs.of_trees(sentences, *index, trees)
        paths = self.config.network.paths
        above = self.features.above(sentences, index[1]) if paths else None
        return Inputs.make(sentences, *index, self.keys, above)

    @cached_property
    def _train_inputs(self):
        return self._inputs(self.train)

    @cached_property
    def _dev_inputs(self):
        return self._inputs(self.dev)

    @cached_property
    def _data(self):
        """What the models of all folds are made from, as Trainable.data says it."""
        train, dev = self._train_inputs, self._dev_inputs
        resources = {
            kind.call(name): _digest(resource.array)
            for place, kind in RESOURCES.items()
            for name, resource in self.resources[place].items()
        }
        initial = self.shared.initial
        begun = {} if initial is None else {"initial network": initial.digest()}
        return {
            "labels": self.keys,
            "training data": _digest(train.features, *train.labels()),
            "sentences": _digest(*train.boundaries()),
            "dev data": _digest(dev.features, *dev.labels(), *dev.boundaries()),
            "vectors": _digest(self.word_vectors),
            **resources,
            **begun,
        }

    @property
    def runs(self):
        """The runs of single tasks that it is made of: itself. See `joint.JointRun`."""
        return [self]

    def data(self, fold):
        """What the model of a fold, or the whole one for None, is made from."""
        return {**self._data, "fold": fold}

    def check_checkpoint(self, fold=None):
        """Raise SennaError if the checkpoint of a model, if any, is of other settings or data."""
        path = fold_directory(self.directory, fold) / CHECKPOINT
        if path.exists():
            settings = self.config.as_dict()
            check_same(path, read_header(path), settings, self.data(fold), TaggerTraining.free)

    def trainer(self, fold=None, report=None):
        """TrainingRun of the model, or of the one that leaves out a fold."""
        training = self.training(self.network(), fold)
        report = report or (lambda line, figures: self.say(line))
        return TrainingRun(training, fold_directory(self.directory, fold), report)

    def network(self):
        """The network as it begins."""
        rng = np.random.default_rng([self.config.training.seed, 0])
        return new_network(
            self.config, self.word_vectors, self.features, self.keys, rng, self.shared.initial
        )

    def training(self, network, fold=None):
        """TaggerTraining of a network, perhaps without the sentences of a fold."""
        inputs, config = self._train_inputs, self.config
        if fold is not None:
            others = np.flatnonzero(self.train.folds(config.folds) != fold).tolist()
            inputs = self._inputs(self.train.take(others))
            epochs = config.fold_epochs or config.training.epochs
            config = replace(config, training=replace(config.training, epochs=epochs))
        problem = Problem(
            inputs, self._dev_inputs, self.dev, self.keys, self.words.position("UNKNOWN")
        )
        return TaggerTraining(config, network, problem, self.data(fold), self._write)

    def _write(self, path, network, scores):
        write_parts(path, self.shared, [self.part(network, scores)], self.config.info)

    def part(self, network, scores):
        """The ModelPart of a model that has a trained network and its scores, a dict."""
        config = self.config
        info = {
            "config": config.as_dict(), "scores": scores, "kind": config.kind,
            "senna_py": __version__, "date": time.strftime("%Y-%m-%d"), **config.info,
        }  # fmt: skip
        labels, vocabularies = self.keys, dict(self.features.vocabularies)
        if config.kind == "trees":
            labels, right = brackets_of_keys(self.keys)
            closing = f"{config.task}-right"
            vocabularies[closing] = Vocabulary.from_keys(right, closing)
        return ModelPart(
            config.task,
            network,
            self.features.names,
            Vocabulary.from_keys(labels, config.task),
            vocabularies,
            info,
        )

    def score_saved(self):
        """Scores on dev of the model as it was saved, and its headline: see `scoring`."""
        network = NativeModel(self.directory).network(self.config.task)
        predicted = decode(network, self._dev_inputs, self.keys)
        scores = score(self.config.kind, self.dev, group_tags(predicted, self.dev))
        return scores, headline(self.config.label_task, self.config.kind, scores)


def make_features(runs):
    """Make the features of Runs with the same SharedData, from the sentences of all of them."""
    label_sets = {name: keys for run in runs for name, keys in run.label_sets.items()}
    features = runs[0].shared.features(label_sets, [run.train for run in runs])
    for run in runs:
        run.features = features


def write_parts(path, shared, parts, info):
    """Write a model of Parts trained on SharedData; info: of the configuration, a dict."""
    tasks = default_order(part.name for part in parts)
    said = {key: info[key] for key in OF_THE_TEXT if key in info}
    about = {"tokenizer": "treebank", **said, "tasks": tasks}
    parts = [*parts, *shared.carried.values()]
    write_model(path, shared.words, shared.word_vectors, parts, shared.stored, about)


def _digest(*arrays):
    """A number that tells arrays from others."""
    total = 0
    for array in arrays:
        total = zlib.crc32(np.ascontiguousarray(array), total)
    return total
