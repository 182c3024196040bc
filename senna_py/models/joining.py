"""Functions for joining native models: networks, resources, vectors and paths."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from senna_py.errors import SennaError
from senna_py.features.assembly import find_resources
from senna_py.features.protocol import Resources
from senna_py.features.registry import RESOURCES
from senna_py.io.files import AnyPath
from senna_py.io.overwriting import check_paths
from senna_py.labels.tasks import ROLES, VERBS
from senna_py.layers.lookup import ByteRows, dense
from senna_py.models.cascades import cascade_order, needs_of
from senna_py.models.native import FILE_NAME, NativeModel
from senna_py.models.storage import Storage


def native_path(path: AnyPath, sources: Sequence[AnyPath]) -> Path:
    """Return the path of the file of a native model that is to be written.

    Args:
        path: The file, or a directory for FILE_NAME.
        sources: The files and directories that the model is made of.

    Raises:
        SennaError: If the directory above `path` is missing.
        UsageError: If the file is one of the sources.
    """
    path = Path(path)
    if not path.parent.is_dir():
        raise SennaError(f"{path}: not written: there is no directory {path.parent}")
    target = path if path.suffix == ".safetensors" else path / FILE_NAME
    check_paths(sources, [target])
    return target


def all_resources(storage: Storage) -> Resources:
    """Return all resources of a model, as `write_model` takes them."""
    return {
        place: {
            name: storage.resource(place, name) for name in storage.resources(place)
        }
        for place in RESOURCES
    }


def needed_resources(model: NativeModel, names: Iterable[str]) -> Resources:
    """Return the resources that some networks need, as `write_model` takes them.

    Args:
        model: The model of the networks.
        names: Their names. Lemmas with the name of a network belong to it.
    """
    names = list(names)
    features = [feature for name in names for feature in model.features(name)]
    resources = find_resources(model, features)
    for lemmas in model.resources("lemmas"):
        if lemmas in names:
            resources["lemmas"][lemmas] = model.resource("lemmas", lemmas)
    return resources


def merged_resources(models: Iterable[tuple[Any, Resources]]) -> Resources:
    """Merge the resources of several models, as `write_model` takes them.

    Args:
        models: The path of each model, for messages, and its resources.

    Raises:
        SennaError: If models have different resources of the same name.
    """
    merged: dict[str, dict[str, Any]] = {place: {} for place in RESOURCES}
    for path, resources in models:
        for place, by_name in resources.items():
            for name, resource in by_name.items():
                first = merged[place].setdefault(name, resource)
                if not np.array_equal(first.array, resource.array):
                    title = RESOURCES[place].title(name)
                    raise SennaError(
                        f"{path}: its {title} differs from that of other models"
                    )
    return merged


def vectors_of(model: NativeModel, bits: int) -> np.ndarray | ByteRows:
    """Return the shared vectors of a model, as `write_model` takes them.

    Args:
        model: The model.
        bits: 16 or 8, the bits of a number in the file.
    """
    if bits == 16:
        return dense(model.vectors)
    if model.vector_bits == 8:
        return model.vectors
    if not np.isfinite(model.vectors).all():
        raise SennaError(f"{model.path}: vectors: a number that is not finite")
    return ByteRows.of(model.vectors)


def carried_networks(
    name: str,
    reads: Iterable[str],
    models: Mapping[str, NativeModel],
    beside: Collection[str] = (),
) -> dict[str, NativeModel]:
    """Find all networks that a network needs, directly or not, in the order of running.

    A network that `models` does not name comes from the model of the network that needs
    it, or else from the first model that has it. Roles also get the network that finds
    predicates, if there is one.

    Args:
        name: The name of the network.
        reads: The networks whose labels it reads.
        models: The model that each network is to be taken from, by its name.
        beside: The networks that are there already.

    Returns:
        The model of each network that is to be carried along.

    Raises:
        SennaError: If networks need each other's labels, or a network was trained with
            other labels.
    """
    owners: dict[str, NativeModel] = {}

    def find_needs(network: str) -> list[str]:
        if network == name:
            needs = needs_of(name, reads)
            if name == ROLES:
                needs.append(VERBS)
            sources = [*models.values()]
        else:
            owner = owners[network]
            needs = needs_of(network, owner.reads(network))
            sources = [owner, *models.values()]
        for need in needs:
            candidates = [models[need]] if need in models else sources
            owner_of_need = next(
                (model for model in candidates if need in model.networks), None
            )
            if owner_of_need is not None and need not in (name, *beside):
                owners.setdefault(need, owner_of_need)
        return [need for need in needs if need in owners or need == name]

    order = [need for need in cascade_order([name], find_needs) if need != name]
    for network in order:
        model = owners[network]
        for need in needs_of(network, model.reads(network)):
            if need in owners and not model.knows_labels(
                network, owners[need].part(need)
            ):
                raise SennaError(
                    f"{owners[need].path}: the labels of its network {need} are not those that "
                    f"{network} of {model.path} was trained with: train {network} with it"
                )
    return {need: owners[need] for need in order}
