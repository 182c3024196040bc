"""Labels that trained networks predict for sentences: features of other networks, and scores."""

from itertools import pairwise
from pathlib import Path

import numpy as np

from senna_py.errors import SennaError
from senna_py.features.assembly import Assembly
from senna_py.features.phrase import MOST_ABOVE
from senna_py.features.registry import networks_read
from senna_py.kernels.text.phrases import labels_above
from senna_py.labels.tree_keys import brackets_of_keys, found_phrases, keys_of_brackets
from senna_py.labels.trees import TOP
from senna_py.models.native import FILE_NAME, NativeModel
from senna_py.networks.batch import WordBatch
from senna_py.tagging.inputs import index_of
from senna_py.text.tokens import Tokenizer

__all__ = ["Predictor", "add_predictions", "decode", "fold_directory"]


def fold_directory(directory, fold):
    """Directory of the model trained without a fold, or for None of the one trained on all."""
    return Path(directory) if fold is None else Path(directory) / f"fold{fold}"


def decode(network, inputs, keys):
    """Predicted tags of Inputs: a list of str for each sequence, in their order.

    For trees, a list of Phrase for each sentence, see `labels.tree_keys`.
    """
    found = network.tag(inputs.words)
    if network.labels == "trees":
        return found_phrases(found, inputs.starts, brackets_of_keys(keys)[0], TOP)
    names = [keys[i] for i in found.labels.tolist()]
    return [names[a:b] for a, b in pairwise(found.begin.tolist())]


class Predictor:
    """A network of a native model that labels the words of Sentences, or makes trees of them."""

    def __init__(self, path, name):
        """path: of the model; name: of the network; raises SennaError if it labels roles."""
        model = NativeModel(path)
        if name not in model.networks:
            raise SennaError(f"{model.path}: it has no {name} network")
        self.part = model.part(name)
        if self.part.network.labels == "roles":
            raise SennaError(f"{model.path}: its {name} network labels neither words nor trees")
        self.keys = [self.part.labels[i] for i in range(len(self.part.labels))]
        if self.part.network.labels == "trees":
            self.keys = keys_of_brackets(self.keys)
        self._labels = [other for other in networks_read(self.part.features) if other != name]
        self._assembly = Assembly.of_network(model, name)
        self._tokenizer = Tokenizer(model.words)

    def __call__(self, sentences):
        """Tags of Sentences, whose columns have what this network takes from others.

        Of trees, the tags of all constituents above each word, the innermost first, with spaces.
        """
        for name in self._labels:
            if name not in sentences.columns:
                raise SennaError(f"{self.part.name} needs {name}, which comes after it or never")
        index, starts = index_of(sentences, self._tokenizer, self._assembly, self._labels)
        found = self.part.network.tag(WordBatch(index, starts))
        if self.part.network.labels == "trees":
            tags = self._paths(found, starts)
        else:
            tags = [self.keys[i] for i in found.labels.tolist()]
        return [tags[a:b] for a, b in pairwise(starts)]

    def _paths(self, trees, starts):
        above = np.empty((starts[-1], MOST_ABOVE), np.int32)
        labels_above(trees.labels, trees.rows, trees.begin, starts, above)
        return [" ".join(self.keys[i] for i in row if i) for row in above.tolist()]


def add_predictions(run, name, sentences, held_out):
    """Put the labels that a run's model predicts into the column `name` of Sentences.

    run: directory of the run. held_out: whether the sentences may be among what it was trained
    on: then each is labeled by the model of the fold that it was left out of, if there are folds.
    Returns the labels that there are, a list of str, and whether folds were used. Raises
    SennaError if only some of the folds have a model.
    """
    full = Predictor(run, name)
    n_folds = _count_folds(run, full.part.info) if held_out and not full.part.carried else 0
    if not n_folds:
        sentences.columns[name] = full(sentences)
        return full.keys, False
    column = [None] * len(sentences)
    folds = sentences.folds(n_folds)
    for fold in range(n_folds):
        chosen = np.flatnonzero(folds == fold).tolist()
        predictor = Predictor(fold_directory(run, fold), name)
        for i, tags in zip(chosen, predictor(sentences.take(chosen)), strict=True):
            column[i] = tags
    sentences.columns[name] = column
    return full.keys, True


def _count_folds(run, info):
    """Number of folds of a run, by what its model says; 0 if none of them has been trained."""
    wanted = range(info.get("config", {}).get("folds", 0))
    missing = [k for k in wanted if not (fold_directory(run, k) / FILE_NAME).is_file()]
    if missing and len(missing) < len(wanted):
        raise SennaError(
            f"{fold_directory(run, missing[0])}: no model there; train all folds of {run.name}"
        )
    return 0 if missing else len(wanted)
