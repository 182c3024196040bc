"""What a run learns from: read, checked, and made ready for its networks."""

import itertools
import os
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from senna_py.errors import SennaError, SettingError, UsageError, counted
from senna_py.features.assembly import find_resources
from senna_py.features.registry import RESOURCES, networks_read
from senna_py.io.file_errors import prefix_errors
from senna_py.io.files import AnyPath
from senna_py.io.paths import match_paths
from senna_py.labels.tasks import FEATS, LEMMA
from senna_py.models.joining import carried_networks, merged_resources, needed_resources
from senna_py.models.native import NativeModel
from senna_py.models.shipped import find_native
from senna_py.networks.base import MOST_TAGS, MOST_WITH_TRANSITIONS
from senna_py.networks.batch import WordBatch
from senna_py.tagging.config import Config
from senna_py.tagging.data import Sentences, read_sentences
from senna_py.tagging.dictionary import read_dictionary
from senna_py.tagging.features import Features, make_features, read_resources
from senna_py.tagging.initial import digest, read_initial
from senna_py.tagging.inputs import Inputs
from senna_py.tagging.lexical import best_lemmas, replace_rare
from senna_py.text.tokens import Tokenizer
from senna_py.text.vocabulary import LONGEST_LABEL, Vocabulary


@dataclass
class Data:
    """What a run learns from.

    config: the Config; train, dev: Sentences; kinds: of the labels of each task, with
    keys; words, vectors: the dictionary, float32[n_words, dim]; features: the Features;
    resources: that these need; initial: the InitialNetwork that each task begins with,
    if any, by task; carried: ModelParts of networks whose labels are features, which
    its model has, too; stored: resources of all networks of that; notes: lines for the
    user.
    """

    config: Any
    train: Sentences
    dev: Sentences
    kinds: dict[str, Any]
    words: Vocabulary
    vectors: np.ndarray
    features: Features
    resources: dict[str, dict[str, Any]]
    initial: dict[str, Any]
    carried: list[Any]
    stored: dict[str, dict[str, Any]]
    notes: list[str] = field(default_factory=list)

    @property
    def tunes(self) -> bool:
        """Whether all networks begin as trained ones, and keep their labels."""
        return _tunes(self.kinds, self.initial)

    def digests(self, train: Inputs, dev: Inputs) -> dict[str, Any]:
        """What tells the data from others, as Trainable.data says it; train, dev:
        Inputs.
        """
        resources = {
            kind.title(name): digest(resource.array)
            for place, kind in RESOURCES.items()
            for name, resource in self.resources[place].items()
        }
        labels = {name: kind.keys for name, kind in self.kinds.items()}
        initial = {name: each.digest() for name, each in self.initial.items()}
        return {
            "vectors": digest(
                self.vectors
            ),  # first: others have other words, so other data, too
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
            **({"initial network": initial} if initial else {}),
        }


def load_run(
    config: Config, corpora: AnyPath, directory: AnyPath, vectors: AnyPath | None
) -> Data:
    """Read and check all that a run in `directory` needs, from files below `corpora`.

    vectors: None for those of the model that training begins with, of the first one of
    the cascade, or else random ones. Raises SettingError for a configuration that does
    not fit the data, SennaError naming what cannot be read.
    """
    corpora, directory = Path(corpora), Path(directory)
    initial = read_initial(config, directory)
    kinds = config.new_kinds()
    # A column that the cascade predicts is not read: its gold labels are not for
    # training.
    named = [name for name in config.features if name not in config.cascade]
    train, dev = (
        read_sentences(sets, kinds, corpora, named)
        for sets in (config.train, config.dev)
    )
    _check_labels(kinds, (config.train, train), (config.dev, dev))
    kinds.pop(LEMMA, None)  # no network learns it
    if (least := config.training.min_label_count) > 1 and FEATS in kinds:
        replace_rare(train, FEATS, least)
    models = {
        name: cascade_model(directory, name, text)
        for name, text in config.cascade.items()
    }
    words, word_vectors, resources, notes = _dictionary(
        config, corpora, vectors, train, [*models.values()][:1], initial
    )
    carried, stored = _carry(config, models, words, word_vectors, resources)
    label_sets = {
        name: add_predictions(model, name, (train, dev))
        for name, model in models.items()
    }
    _check_columns(config, train, dev)
    for name, kind in kinds.items():
        _find_keys(config, name, kind, train, initial.get(name), label_sets, notes)
    notes += _facts(config, kinds, train, dev)
    if initial:
        notes += _notes_on_keeping(config, kinds, initial)
    if LEMMA in config.tasks:
        patterns = itertools.chain(*config.resources["lemmas"].values())
        files = [
            path
            for pattern in patterns
            for path in match_paths(corpora, pattern, "dictionary")
        ]
        lemmas, by, note = best_lemmas(train, dev, files)
        stored, notes = stored | {"lemmas": {by: lemmas}}, [*notes, note]
    given = next((each.vocabularies for each in initial.values()), {})
    tokenizer = Tokenizer(words)
    features = make_features(config, tokenizer, resources, train, label_sets, given)
    return Data(
        config,
        train,
        dev,
        kinds,
        words,
        word_vectors,
        features,
        resources,
        initial,
        carried,
        stored,
        notes,
    )


def cascade_model(directory: Path, name: str, text: str) -> NativeModel:
    """The model, or that of the run, that the cascade of a run in a directory calls
    `text`.

    name: of the network that it is asked for. Raises SennaError if there is none.
    """
    if (run := find_native(directory, text)) is None:
        place = os.path.normpath(directory / text)
        raise SennaError(f"{place}: no model there to predict {name}; train that first")
    return NativeModel(run)


def add_predictions(
    model: NativeModel, name: str, sentences: Iterable[Sentences]
) -> list[str]:
    """Put the labels that a network of a native model predicts into the column `name`.

    sentences: their columns have what the network takes from others. Returns the labels
    that there are. Raises SennaError for a network that is not there, or does not label
    single words.
    """
    if name not in model.networks:
        raise SennaError(f"{model.path}: it has no {name} network")
    part = model.part(name)
    if part.network.labels != "words":
        raise SennaError(
            f"{model.path}: its {name} network does not label single words"
        )
    keys, resources = part.labels.keys(), find_resources(model, part.features)
    features = Features(
        part.features, part.vocabularies, Tokenizer(model.words), resources
    )
    reads = networks_read(part.features)
    for each in sentences:
        if lacking := next(
            (other for other in reads if other not in each.columns), None
        ):
            raise SennaError(f"{name} needs {lacking}, which comes after it or never")
        index, starts = features.index(each)
        answer = part.network.tag(WordBatch(index, starts))
        tags = [keys[i] for i in answer.labels.tolist()]
        each.columns[name] = [tags[a:b] for a, b in pairwise(starts)]
    return keys


def _dictionary(config, corpora, vectors, train, models, initial):
    """Words, their vectors, resources, and a note where it did what was not asked
    for.
    """
    for first in initial.values():
        if vectors is not None:
            raise UsageError(
                "--vectors does not go with network.init: the model has its own"
            )
        return first.words, first.word_vectors, first.resources, []
    words, found = read_dictionary(
        config, vectors, train, models[0] if models else None
    )
    notes = []
    if vectors is None and not models and config.network.vectors != "random":
        least = counted(config.training.min_word_count, "time")
        notes = [
            f"no --vectors: random ones for the {len(words) - 2:,} words that the training data "
            f"has at least {least}"
        ]
    return words, found, read_resources(config, corpora), notes


def _carry(config, models, words, vectors, resources):
    """ModelParts of the networks whose labels this run reads, and the resources of all
    networks.

    Raises SennaError for one that a model of this run cannot have.
    """
    carried, stored = {}, resources
    for task in config.plans:
        found = carried_networks(
            task, networks_read(config.features), models, tuple(config.plans)
        )
        for name, model in found.items():
            if model.words.data != words.data or model.vectors.shape != vectors.shape:
                raise SennaError(
                    f"{model.path}: its words and vectors are not those of {words.name}: no model "
                    f"can have its network {name} and a new one; use the same --vectors"
                )
            carried.setdefault(name, replace(model.part(name), carried=True))
            needed = model.path, needed_resources(model, [name])
            stored = merged_resources([("the run", stored), needed])
    return [*carried.values()], stored


def _check_labels(kinds, *parts):
    """Raise SennaError if no sentence has labels of a task; parts: DataSets and their
    Sentences.
    """
    for sets, sentences in parts:
        files = ", ".join(dict.fromkeys(file for data in sets for file in data.files))
        for name in kinds:
            if not any(sentences.labels[name]):
                raise SennaError(f"{files}: no sentence has labels of {name}")


def _check_columns(config, train, dev):
    for name in networks_read(config.features):
        for sentences, what in ((train, "train"), (dev, "dev")):
            if name not in sentences.columns:
                raise SettingError(
                    f"features: {name} is no feature, no column of {what}, and not in the cascade"
                )


def _find_keys(config, name, kind, train, initial, label_sets, notes):
    """Let a kind find its keys, or take those of the InitialNetwork if it has all of
    them.
    """
    files = ", ".join(file for data in config.train for file in data.files)
    labels = [train.labels[name][i] for i in train.labeled(name)]
    with prefix_errors(files):
        kind.find_keys(labels, config.training.min_label_count)
    if kind.has_none(labels):
        raise SennaError(
            f"{files}: every word has the label O: there is no {name} to learn"
        )
    if len(kind.keys) > MOST_TAGS:  # before there is a matrix of their transitions
        raise SennaError(
            f"{files}: {len(kind.keys):,} labels; the limit is {MOST_TAGS:,}"
        )
    _check_sizes(config, name, kind, train, files)
    if initial is None:
        return
    initial.check_labels(label_sets)
    if new := sorted(kind.lacking(initial.keys)):
        text = ", ".join(new[:5]) + f" and {len(new) - 5} more" * (len(new) > 5)
        init = config.network.init
        notes.append(f"{init} does not know {text}: the output layer is new")
    else:
        kind.take_keys(initial.keys)


def _check_sizes(config, name, kind, train, files):
    """Raise SennaError for labels of which no model can have so many, or of such a
    length.
    """
    plan, n = config.plans[name], len(kind.keys)
    if (
        plan.criterion == "sentence"
        and kind.labels in ("words", "roles")
        and n > MOST_WITH_TRANSITIONS
    ):
        raise SennaError(
            f"{files}: {n:,} labels of {name}; a network that scores which label follows which may "
            f'have {MOST_WITH_TRANSITIONS:,}, one with criterion = "word" {MOST_TAGS:,}'
        )
    keys = kind.keys
    kind.take_keys([key for key in keys if len(key.encode()) <= LONGEST_LABEL])
    if len(kind.keys) < n:
        for each, (path, lines) in zip(train.labels[name], train.place, strict=True):
            for label, token in kind.unknown(each) if each is not None else ():
                size = len(label.encode())
                problem = (
                    f"a label of {size:,} bytes, of which it may have {LONGEST_LABEL:,}"
                )
                raise SennaError(f"{path}: line {lines[token]}: {problem}")
    kind.take_keys(keys)


def _tunes(kinds, initial):
    return bool(initial) and all(
        name in initial and [*kind.keys] == initial[name].keys
        for name, kind in kinds.items()
    )


def _notes_on_keeping(config, kinds, initial):
    """Say what a trained network forgets; raises SettingError for what it cannot
    keep.
    """
    init, keep = config.network.init, config.network.keep
    if _tunes(kinds, initial):
        forgets = f"what {init} learned from other text is partly forgotten"
        return [] if keep else [f"{forgets}; network.keep=0.3 keeps more of it"]
    if keep:
        raise SettingError(
            f"network.keep: {init} does not know all labels: the output layer is new"
        )
    return []


def _facts(config, kinds, train, dev):
    """Lines about what there is to learn, and labels of dev that no network will
    give.
    """
    several, lines = len(kinds) > 1, []
    for name, kind in kinds.items():
        of_task = [
            each.take(each.labeled(name)) if several else each for each in (train, dev)
        ]
        sizes = [(len(each), sum(map(len, each.words))) for each in of_task]
        lines.append(
            f"{name}: {counted(sizes[0][0], 'sentence')}, {counted(sizes[0][1], 'token')} "
            f"to train on, {sizes[1][0]:,} and {sizes[1][1]:,} in dev, "
            f"{counted(len(kind.keys), 'label')}"
        )
        if kind.has_none(of_task[1].labels[name]):
            lines.append(f"{name}: every word of dev has the label O: its F1 will be 0")
        lines += _unknown_labels(kind, of_task[1].labels[name], of_task[1].place)
    return lines


def _unknown_labels(kind, labels, places):
    new = {}
    for each, (path, lines) in zip(labels, places, strict=True):
        for label, token in kind.unknown(each):
            new.setdefault(label, f"{path}: line {lines[token]}")
    found = [
        f"{place}: dev has the label {label}, which the network will never give"
        for label, place in sorted(new.items())[:5]
    ]
    return found + [f"and {len(new) - 5} more such labels"] * (len(new) > 5)
