"""The cascade of a run: models that predict the labels that it reads as features."""

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
from senna_py.tagging.data import Sentences
from senna_py.tagging.features import Features
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.vocabulary import Vocabulary


def cascade_model(directory: Path, name: str, text: str) -> NativeModel:
    """Open the model that predicts a feature.

    Args:
        directory: The directory of the run.
        name: The name of the network that predicts the feature.
        text: The model, or the run, as the cascade names it.

    Raises:
        SennaError: There is no model.
    """
    path = find_native(directory, text)
    if path is None:
        place = os.path.normpath(directory / text)
        raise SennaError(f"{place}: no model there to predict {name}; train that first")
    return NativeModel(path)


def add_predictions(
    model: NativeModel, name: str, sentences: Iterable[Sentences]
) -> list[str]:
    """Put the labels that a network predicts into the column of its name.

    Args:
        model: The model of the network.
        name: The name of the network.
        sentences: Sentences whose columns have the labels that the network reads.

    Returns:
        All labels that the network may give.

    Raises:
        SennaError: The model has no such network, or it does not label single words.
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
    """Return the networks that a model of a run has for its features, and resources.

    Args:
        tasks: The tasks that the run learns.
        features: The features of the run.
        models: The models of the cascade, by feature.
        words: The words of the run.
        vectors: Their vectors.
        resources: The resources of the run.

    Returns:
        The networks, and the resources of the run and of all of them.

    Raises:
        SennaError: A network has other words or vectors than the run.
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
