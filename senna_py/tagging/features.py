"""The features of a run: their vocabularies, and what they are of sentences."""

from collections.abc import Mapping
from itertools import chain
from pathlib import Path

import numpy as np

from senna_py.errors import SettingError
from senna_py.features.assembly import Assembly
from senna_py.features.protocol import Batch, Resources, TrainingTokens
from senna_py.features.registry import RESOURCES, find_feature, networks_read
from senna_py.tagging.config import Config
from senna_py.tagging.data import Sentences
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.vocabulary import Vocabulary


def read_resources(config: Config, directory: Path) -> Resources:
    """Resources of a run, from files below `directory`, as `models.native` takes them.

    Raises SettingError if one that a feature needs is missing, SennaError if one is
    unreadable.
    """
    for name in config.features:
        feature = find_feature(name)
        kind = feature.resource_kind
        if kind is not None and feature.resource not in config.resources[kind.setting]:
            raise SettingError(
                f"features: {name}, but there is no {kind.title(feature.resource)}"
            )
    return {
        place: kind.read(config.resources, directory)
        for place, kind in RESOURCES.items()
    }


class Features:
    """The features of a run, or of a trained network.

    names: in the order of tables, `word` first; vocabularies: of those with tables of
    their own.
    """

    def __init__(
        self,
        names: tuple[str, ...],
        vocabularies: dict[str, Vocabulary],
        tokenizer: Tokenizer,
        resources: Resources,
    ) -> None:
        """tokenizer: with the words of the dictionary; resources: as of
        `read_resources`.
        """
        self.names, self.vocabularies = names, vocabularies
        self._tokenizer, self._labels = tokenizer, networks_read(names)
        self._assembly = Assembly(names, vocabularies, resources)

    def padding(self) -> np.ndarray:
        """Row of what is outside a sentence in each table: int32[n_features]."""
        lists = (
            self.vocabularies.get(name, self._tokenizer.words) for name in self.names
        )
        features = map(find_feature, self.names)
        return np.array(
            [f.padding(keys) for f, keys in zip(features, lists, strict=True)], np.int32
        )

    def index(self, sentences: Sentences) -> tuple[np.ndarray, np.ndarray]:
        """Features int32[n_tokens, n_features] and starts int32[n_sentences + 1] of
        Sentences.
        """
        tokens = self._tokenizer.pretokenized(sentences.words)
        columns = {
            name: [*chain.from_iterable(sentences.columns[name])]
            for name in self._labels
        }
        return self._assembly(Batch(tokens, columns=columns)), tokens.starts


def make_features(
    config: Config,
    tokenizer: Tokenizer,
    resources: Resources,
    train: Sentences,
    label_sets: Mapping[str, list[str]],
    given: Mapping[str, Vocabulary],
) -> Features:
    """The Features of a Config, whose keys come from Sentences for training.

    label_sets: the labels of features that networks predict; given: vocabularies that
    are not to be made of the sentences; tokenizer, resources: see Features.
    """
    names, found = ("word", *config.features), {}
    tokens, least = tokenizer.pretokenized(train.words), config.training.min_count
    for feature in map(find_feature, names):
        if not feature.own_table:
            continue
        if feature.name in given:
            found[feature.name] = given[feature.name]
            continue
        kind, values = feature.resource_kind, list[str]()
        resource = None if kind is None else resources[kind.place][feature.resource]
        if not feature.of_tokens:
            column = train.columns[feature.name]
            values = label_sets.get(feature.name) or sorted(
                {*chain.from_iterable(column)}
            )
        given_tokens = TrainingTokens(tokens, least, resource, config.resources, values)
        found[feature.name] = feature.vocabulary(given_tokens)
    return Features(names, found, tokenizer, resources)
