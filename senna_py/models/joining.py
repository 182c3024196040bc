"""Helpers for writing native models from parts of other native models."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from senna_py.errors import SennaError
from senna_py.features.agreement_rules import AgreementRules
from senna_py.features.assembly import find_resources
from senna_py.features.combination_lists import COMBINATIONS, CombinationLists
from senna_py.features.multiword_forms import MultiwordForms
from senna_py.features.protocol import Resources
from senna_py.features.registry import RESOURCES
from senna_py.io.files import AnyPath
from senna_py.io.overwriting import check_paths
from senna_py.labels.tasks import ARCS, FEATS, POS, ROLES, TOKENS, UPOS, VERBS
from senna_py.layers.lookup import ByteRows, dense
from senna_py.models.cascades import cascade_order, needs_of
from senna_py.models.native import FILE_NAME, NativeModel
from senna_py.models.storage import Storage

_TREE_TASKS = POS, UPOS, FEATS, ARCS  # the tasks that rules of agreement need


def native_path(path: AnyPath, sources: Sequence[AnyPath]) -> Path:
    """Return the path of the file to which a native model will be written.

    Args:
        path: The file (`*.safetensors`), or a directory that will hold FILE_NAME.
        sources: The files and directories from which the model is made.

    Raises:
        SennaError: If the directory above `path` does not exist.
        UsageError: If the file is one of the sources.
    """
    path = Path(path)
    if not path.parent.is_dir():
        raise SennaError(f"{path}: not written: there is no directory {path.parent}")
    target = path if path.suffix == ".safetensors" else path / FILE_NAME
    check_paths(sources, [target])
    return target


def all_resources(storage: Storage) -> Resources:
    """Return all resources of a model: {place: {name: resource}}."""
    return {
        place: {
            name: storage.resource(place, name) for name in storage.resources(place)
        }
        for place in RESOURCES
    }


def needed_resources(model: NativeModel, names: Iterable[str]) -> Resources:
    """Return the resources that some networks need: {place: {name: resource}}.

    They are the resources of the networks' features, the lemma rules that have the same
    name as a network and, for a learned tokenizer, the lists of multiword forms.
    Combinations of labels and rules of agreement are included if `names` contains all
    their tasks.

    Args:
        model: The model that has the networks.
        names: The names of the networks.
    """
    names = list(names)
    features = [feature for name in names for feature in model.features(name)]
    resources = find_resources(model, features)
    for lemmas in model.resources("lemmas"):
        if lemmas in names:
            resources["lemmas"][lemmas] = model.resource("lemmas", lemmas)
    if TOKENS in names:
        place = MultiwordForms.place
        resources[place] = {
            name: model.resource(place, name) for name in model.resources(place)
        }
    if {*_TREE_TASKS} <= {*names}:
        place = AgreementRules.place
        for name in model.resources(place):
            resources[place][name] = model.resource(place, name)
    combinations = model.combinations
    if combinations is not None and {*combinations.tasks} <= {*names}:
        resources[CombinationLists.place][COMBINATIONS] = combinations
    return resources


def merged_resources(models: Iterable[tuple[Any, Resources]]) -> Resources:
    """Return the resources of several models as one dict: {place: {name: resource}}.

    Args:
        models: The path of each model, for error messages, and its resources.

    Raises:
        SennaError: If models have different resources with the same name.
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
    """Return the shared word vectors of a model, for `write_model`.

    Args:
        model: The model.
        bits: The number of bits per number in the new file: 16 or 8.

    Returns:
        A float array [n_words, dim] for 16 bits, or ByteRows for 8 bits.

    Raises:
        SennaError: If vectors that have to be rounded to 8 bits are not finite.
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
    """Return the models of all networks that must be carried along with a new network.

    These are the networks that it needs, directly or indirectly. A network that is not
    a key of `models` comes from the model of the network that needs it, or else from
    the first model that has it. The network that finds predicates is carried along
    with a network for roles. Networks that no model has are left out.

    Args:
        name: The name of the new network.
        reads: The names of the networks whose labels it reads.
        models: The models from which networks are to be taken, by network name.
        beside: The names of networks that need not be carried.

    Returns:
        {network: model}, in the order in which the networks run.

    Raises:
        SennaError: If networks need each other in a cycle, or if a network was trained
            with other labels than those of the network that it reads.
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
