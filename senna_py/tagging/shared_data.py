"""What the runs of several tasks have in common, if they are trained together."""

import os
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np

from senna_py.errors import SennaError, UsageError, counted
from senna_py.layers.linear import initial_uniform
from senna_py.layers.lookup import dense
from senna_py.models.embeddings import Embeddings, read_embeddings
from senna_py.models.joining import carried_networks, merged_resources, needed_resources
from senna_py.models.native import FILE_NAME, NativeModel
from senna_py.models.shipped import find_native, shipped_or
from senna_py.models.vector_import import adopt
from senna_py.tagging.build import random_vectors
from senna_py.tagging.data import join_sentences
from senna_py.tagging.inputs import Features, read_resources
from senna_py.text.characters import fold_words
from senna_py.text.tokens import Tokenizer
from senna_py.text.vocabulary import Vocabulary

__all__ = ["SharedData"]

_KEYS = ("PADDING", "UNKNOWN")


class SharedData:
    """The dictionary and what a configuration makes of it.

    words: Vocabulary; word_vectors: float32[n_words, dim]; initial: the InitialNetwork that
    training begins with, or None; resources: as `inputs.read_resources` gives them; runs: paths of
    the models of the cascade by the names of their networks; carried: Parts of these by name, which
    the models of the run have, too; stored: resources of all networks; note: a line for the user
    where it did what was not asked for, or None.
    """

    def __init__(self, config, corpora, directory, vectors, train=(), initial=None, tasks=()):
        """Read or make the dictionary.

        config: a Config; corpora: directory below which its files stand; directory: of the run;
        vectors: a path, or None for those of the first model of the cascade, or else random ones;
        train: lists of Sentences, whose words make the dictionary if there are no vectors at all;
        initial: the InitialNetwork, if training begins with one, which brings all; tasks: those
        that are trained together, of which no network is carried.
        """
        self._config, self.initial, self._tasks, self.note = config, initial, tasks, None
        self.runs = {
            name: _find_run(directory, name, text) for name, text in config.cascade.items()
        }
        self._models = {name: NativeModel(run) for name, run in self.runs.items()}
        if initial is not None:
            if vectors is not None:
                raise UsageError("--vectors does not go with network.init: the model has its own")
            self.words, self.word_vectors = initial.words, initial.word_vectors
            self.resources = initial.resources
        else:
            self._read(config, corpora, vectors, train)
        self._tokenizer = Tokenizer(self.words)
        self.carried, self.stored = {}, self.resources

    def _read(self, config, corpora, vectors, train):
        if vectors is None and self._models:
            base = next(iter(self._models.values()))
            vectors = base.path
            embeddings = Embeddings(base.words.keys(), dense(base.vectors))
        else:
            embeddings = _embeddings(config, vectors, train)
        if vectors is None and config.network.vectors != "random":
            least = counted(config.training.min_word_count, "time")
            self.note = (
                f"no --vectors: random ones for the {len(embeddings.words) - len(_KEYS):,} words "
                f"that the training data has at least {least}"
            )
        self.words = Vocabulary.from_keys(embeddings.words, str(vectors or "the training data"))
        found = np.asarray(embeddings.vectors, np.float32)
        self.word_vectors = _as_kept(found, vectors)
        if vectors is not None and config.network.vectors == "random":
            found = random_vectors(found, np.random.default_rng([config.training.seed, 1]))
            self.word_vectors = _as_kept(found, vectors)
        self.resources = read_resources(config, corpora)

    def carry(self, config):
        """Take along the networks whose labels the one of a Config needs.

        Raises SennaError for one that a model of this run cannot have.
        """
        found = carried_networks(config.task, config.reads, self._models, self._tasks)
        for name, model in found.items():
            if (
                model.words.data != self.words.data
                or model.vectors.shape != self.word_vectors.shape
            ):
                raise SennaError(
                    f"{model.path}: its words and vectors are not those of {self.words.name}: no "
                    f"model can have its network {name} and a new one; use the same --vectors"
                )
            self.carried.setdefault(name, replace(model.part(name), carried=True))
            needed = model.path, needed_resources(model, [name])
            self.stored = merged_resources([("the run", self.stored), needed])

    def features(self, label_sets, train):
        """Features, whose keys come from all training sentences.

        label_sets: see Features; train: a list of Sentences, one for every task.
        """
        given = {} if self.initial is None else self.initial.vocabularies
        features = Features(self._config, self._tokenizer, self.resources, label_sets, given)
        features.prepare(join_sentences(train))
        return features


def _as_kept(vectors, name):
    """Vectors as a model keeps them: training begins with what is shared between models."""
    with np.errstate(over="ignore"):
        kept = vectors.astype(np.float16).astype(np.float32)
    if not np.isfinite(kept).all():
        raise SennaError(f"{name}: numbers that float16 cannot hold")
    return kept


def _find_run(directory, name, text):
    """Path of the model, or of the run, that the cascade of a run calls `text`."""
    if (run := find_native(directory, text)) is None:
        place = os.path.normpath(Path(directory) / text)
        raise SennaError(f"{place}: no model there to predict {name}; train that first")
    return run


def _embeddings(config, vectors, train):
    """The dictionary and its vectors: those of a file, or random ones for words of Sentences."""
    if vectors is not None:
        path = shipped_or(vectors)
        embeddings = read_embeddings(path / FILE_NAME if (path / FILE_NAME).is_file() else path)
        if {*_KEYS} <= {*embeddings.words}:
            return embeddings
        return adopt(embeddings, vectors)[0]
    counts = Counter(word for part in train for words in part.words for word in words)
    forms = Counter()
    for form, count in zip(fold_words(list(counts)), counts.values(), strict=True):
        forms[form] += count
    least = config.training.min_word_count
    known = sorted(form for form, n in forms.items() if n >= least and form not in _KEYS)
    words = [*_KEYS, *known]
    rng = np.random.default_rng([config.training.seed, 1])
    return Embeddings(words, initial_uniform(rng, 0.5, len(words), config.network.word_size))
