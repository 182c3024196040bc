"""The cascade of a run: models whose predicted labels are features of its networks."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from senna_py.errors import SennaError
from senna_py.features.assembly import find_resources
from senna_py.features.protocol import Resources
from senna_py.features.registry import networks_read
from senna_py.labels.tasks import find_task
from senna_py.models.joining import carried_networks, merged_resources, needed_resources
from senna_py.models.native import NativeModel
from senna_py.models.native_parts import ModelPart
from senna_py.models.shipped import find_native
from senna_py.networks.batch import WordBatch
from senna_py.tagging.features import Features
from senna_py.tagging.sentences import Sentences
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.vocabulary import Vocabulary


def cascade_model(directory: Path, name: str, text: str) -> NativeModel:
    """Open the model that predicts a feature.

    Args:
        directory: The directory of the run.
        name: The name of the network that predicts the feature.
        text: The path of the model or of its run in the `[cascade]` table, which may be
            relative to `directory`.

    Raises:
        SennaError: If the model does not exist or cannot be read.
    """
    path = find_native(directory, text)
    if path is None:
        place = os.path.normpath(directory / text)
        raise SennaError(f"{place}: no model there to predict {name}; train that first")
    return NativeModel(path)


def add_predictions(
    model: NativeModel, name: str, sentences: Iterable[Sentences]
) -> list[str]:
    """Tag sentences with a network, and store the labels in the column with its name.

    Args:
        model: The model of the network.
        name: The name of the network.
        sentences: The sets of sentences, which are changed in place.

    Returns:
        All labels that the network can predict.

    Raises:
        SennaError: If the model has no such network, the network does not label single
            words, or the sentences lack labels that the network reads as features.
    """
    if name not in model.networks:
        raise SennaError(f"{model.path}: it has no {name} network")
    part = model.part(name)
    if part.network.labels != "words":
        raise SennaError(
            f"{model.path}: its {name} network does not label single words"
        )
    keys, resources = part.labels.keys(), find_resources(model, part.features)
    tokenizer = Tokenizer(model.words)
    features = Features(part.features, part.vocabularies, tokenizer, resources)
    reads = networks_read(part.features)
    for each in sentences:
        for other in reads:
            if other not in each.columns:
                raise SennaError(f"{name} needs {other}, which comes after it or never")
        index, starts = features.index(each)
        layer = part.network.annotate(WordBatch(index, starts), find_task(name), keys)
        tags = layer.tag_texts(int(starts[-1]))
        each.columns[name] = [tags[begin:end] for begin, end in pairwise(starts)]
    return keys


def carry_networks(
    tasks: tuple[str, ...],
    features: Iterable[str],
    models: Mapping[str, NativeModel],
    words: Vocabulary,
    vectors: NDArray[np.float32],
    resources: Resources,
) -> tuple[list[ModelPart], Resources]:
    """Return the networks of the cascade that are copied into the model of a run.

    Args:
        tasks: The tasks that the run learns.
        features: The features of the run.
        models: The models of the cascade, by feature.
        words: The vocabulary of the run.
        vectors: float32[n_words, dim], the word vectors of the run.
        resources: The resources of the run.

    Returns:
        The networks, and the merged resources of the run and of these networks.

    Raises:
        SennaError: If a network has other words, or vectors of another size, than the
            run, or resources conflict.
    """
    carried: dict[str, ModelPart] = {}
    reads = networks_read(features)
    for task in tasks:
        networks = carried_networks(task, reads, models, tasks)
        for name, model in networks.items():
            if model.words.data != words.data or model.vectors.shape != vectors.shape:
                raise SennaError(
                    f"{model.path}: its words and vectors are not those of "
                    f"{words.name}: no model can have its network {name} and a new one; "
                    "use the same --vectors"
                )
            carried.setdefault(name, replace(model.part(name), carried=True))
            needed = model.path, needed_resources(model, [name])
            resources = merged_resources([("the run", resources), needed])
    return [*carried.values()], resources
