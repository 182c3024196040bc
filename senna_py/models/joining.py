"""Pieces of joining native models: networks that others need, resources, vectors, a
place.
"""

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
    """Path of a native model to be written: `path`, or FILE_NAME in it if that names no
    such file.

    Raises SennaError unless the directory in which `path` is to stand is there, and
    UsageError if the file is one of the sources that it is made of, paths of files or
    directories.
    """
    path = Path(path)
    if not path.parent.is_dir():
        raise SennaError(f"{path}: not written: there is no directory {path.parent}")
    target = path if path.suffix == ".safetensors" else path / FILE_NAME
    check_paths(sources, [target])
    return target


def all_resources(storage: Storage) -> Resources:
    """All resources of a `models.storage.Storage` as `write_model` takes them."""
    return {
        place: {
            name: storage.resource(place, name) for name in storage.resources(place)
        }
        for place in RESOURCES
    }


def needed_resources(model: NativeModel, names: Iterable[str]) -> Resources:
    """Resources, and lemmas, that networks of a model need, as `write_model` takes
    them.
    """
    features = [feature for name in names for feature in model.features(name)]
    found = find_resources(model, features)
    for lemmas in model.resources("lemmas"):
        if lemmas in names:
            found["lemmas"][lemmas] = model.resource("lemmas", lemmas)
    return found


def merged_resources(given: Iterable[tuple[Any, Resources]]) -> Resources:
    """Resources of several models as `write_model` takes them.

    given: pairs of a path, for messages, and resources. Raises SennaError if two of a
    name differ.
    """
    resources: dict[str, dict[str, Any]] = {place: {} for place in RESOURCES}
    for path, own in given:
        for place, found in own.items():
            kind = RESOURCES[place]
            for name, resource in found.items():
                known = resources[place].setdefault(name, resource)
                if not np.array_equal(known.array, resource.array):
                    raise SennaError(
                        f"{path}: its {kind.title(name)} is not that of the others"
                    )
    return resources


def vectors_of(model: NativeModel, bits: int) -> np.ndarray | ByteRows:
    """Shared vectors of a NativeModel as `write_model` takes them to store them in so
    many bits.
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
    """The networks that `name` needs, and what these need, each after what it needs.

    reads: those that the network `name` reads; models: a NativeModel by the name of
    each network that it is to give; beside: networks that are there already. What no
    model is named for comes from that of the network that needs it, or else from the
    first that has it; what finds the predicates of roles is taken along if there is
    any. Raises SennaError if networks need each other's labels, or if one was trained
    with others.
    """
    owners: dict[str, NativeModel] = {}

    def needs(network):
        if network == name:
            own, found = None, needs_of(name, reads) + [VERBS] * (name == ROLES)
        else:
            own = owners[network]
            found = needs_of(network, own.reads(network))
        for need in found:
            givers = (
                [models[need]]
                if need in models
                else [*filter(None, [own]), *models.values()]
            )
            giver = next((model for model in givers if need in model.networks), None)
            if giver is not None and need not in (name, *beside):
                owners.setdefault(need, giver)
        return [need for need in found if need in owners or need == name]

    order = [need for need in cascade_order([name], needs) if need != name]
    for each in order:
        for need in needs_of(each, owners[each].reads(each)):
            if need in owners and not owners[each].knows_labels(
                each, owners[need].part(need)
            ):
                raise SennaError(
                    f"{owners[need].path}: the labels of its network {need} are not those that "
                    f"{each} of {owners[each].path} was trained with: train {each} with it"
                )
    return {need: owners[need] for need in order}
