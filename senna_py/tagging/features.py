"""The features of a run: their vocabularies, and their indices for sentences."""

from collections.abc import Mapping
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from senna_py.errors import SettingError
from senna_py.features.assembly import Assembly
from senna_py.features.protocol import Batch, Resources, TrainingTokens
from senna_py.features.registry import RESOURCES, find_feature, networks_read
from senna_py.tagging.config import Config
from senna_py.tagging.sentences import Sentences
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.vocabulary import Vocabulary


def read_resources(config: Config, directory: Path) -> Resources:
    """Read the resources of a run, such as word lists.

    Args:
        config: The configuration of the run.
        directory: The directory to which the paths of resources are relative.

    Raises:
        SettingError: If a resource that a feature needs is not configured.
        SennaError: If a resource cannot be read.
    """
    for name in config.features:
        feature = find_feature(name)
        resource_type = feature.resource_type
        if (
            resource_type is not None
            and feature.resource not in config.resources[resource_type.setting]
        ):
            raise SettingError(
                f"features: {name}, but there is no {resource_type.title(feature.resource)}"
            )
    return {
        place: resource_type.read(config.resources, directory)
        for place, resource_type in RESOURCES.items()
    }


class Features:
    """The features of a run, or of a trained network.

    Attributes:
        names: The names of the features in the order of their tables. The first is
            `word`, or `form` for units.
        vocabularies: The vocabularies of the features that have their own table.
    """

    def __init__(
        self,
        names: tuple[str, ...],
        vocabularies: dict[str, Vocabulary],
        tokenizer: Tokenizer,
        resources: Resources,
    ) -> None:
        """Prepare the computation of features.

        Args:
            names: See Features.
            vocabularies: See Features.
            tokenizer: A tokenizer with the words of the dictionary.
            resources: The resources that the features need.
        """
        self.names, self.vocabularies = names, vocabularies
        self._tokenizer, self._labels = tokenizer, networks_read(names)
        self._assembly = Assembly(names, vocabularies, resources)

    def padding(self) -> NDArray[np.int32]:
        """Return the padding row of each feature's table: int32[n_features]."""
        lists = (
            self.vocabularies.get(name, self._tokenizer.words) for name in self.names
        )
        features = map(find_feature, self.names)
        return np.array(
            [f.padding(keys) for f, keys in zip(features, lists, strict=True)], np.int32
        )

    @property
    def unknown(self) -> int:
        """The index of UNKNOWN in the table of the first feature."""
        words = self.vocabularies.get(self.names[0], self._tokenizer.words)
        return words.position("UNKNOWN")

    def index(
        self, sentences: Sentences
    ) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the features of all tokens, and the bounds of sentences.

        Returns:
            int32[n_tokens, n_features], rows of the lookup tables; and
            int32[n_sentences + 1], the first token of each sentence, and the number of
            tokens.
        """
        tokens = sentences.tokens(self._tokenizer)
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
    known: Mapping[str, Vocabulary],
) -> Features:
    """Create the features of a run, with vocabularies from its training data.

    Args:
        config: The configuration of the run.
        tokenizer: A tokenizer with the words of the dictionary.
        resources: The resources that the features need.
        train: The training data.
        label_sets: For each feature that a network predicts, its possible labels.
        known: Vocabularies of features that are used instead of new ones.
    """
    names = config.feature_names
    vocabularies: dict[str, Vocabulary] = {}
    tokens = train.tokens(tokenizer)
    for feature in map(find_feature, names):
        if not feature.own_table:
            continue
        if feature.name in known:
            vocabularies[feature.name] = known[feature.name]
            continue
        resource_type, values = feature.resource_type, list[str]()
        resource = (
            None
            if resource_type is None
            else resources[resource_type.place][feature.resource]
        )
        if not feature.of_tokens:
            column = train.columns[feature.name]
            values = label_sets.get(feature.name) or sorted(
                {*chain.from_iterable(column)}
            )
        training = TrainingTokens(
            tokens, config.training.min_count, resource, config.resources, values
        )
        vocabularies[feature.name] = feature.vocabulary(training)
    return Features(names, vocabularies, tokenizer, resources)
