"""Native models joined into one."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path

import numpy as np

from senna_py.errors import SennaError
from senna_py.labels.tasks import LEMMA, default_order
from senna_py.layers.lookup import ByteRows, dense
from senna_py.models import joining
from senna_py.models.cascades import needs_of
from senna_py.models.native import NativeModel, write_model
from senna_py.models.native_header import TEXT_KEYS
from senna_py.models.shipped import SHIPPED, shipped_or
from senna_py.text.splitter import SentenceSplitter


@dataclass
class _Source:
    """A model as the user named it, and the names of its networks that are to be taken.

    defaults: those that it does if none is named; carried: those that give way to
    others so named.
    """

    name: str
    model: NativeModel
    networks: list[str]
    defaults: Sequence[str]
    carried: frozenset[str] = frozenset()


def build_model(
    path: str | PathLike[str],
    sources: Sequence[str],
    info: dict[str, str] | None = None,
    vector_bits: int | None = None,
    replace_networks: bool = False,
    splitter: SentenceSplitter | None = None,
) -> Path:
    """Join native models into one at `path`, a file or a directory.

    sources: paths of models with the same words and shared vectors, or PATH:NAME,NAME
    for some of a model's networks; these, what they need, and the models' information
    are put together, `info` on top. A network that its model only carries gives way to
    another one of its name. vector_bits: 16 or 8, of a number of the word vectors; by
    default the fewest of a source; replace_networks: a network takes the place of one
    with its name in an earlier source; splitter: a SentenceSplitter; by default that of
    the first source that has one, if it has the same tokenizer. Returns the path of the
    file. Raises SennaError if the sources do not fit, or lack what a network needs.
    """
    chosen = [_open_source(source) for source in sources]
    target = joining.native_path(path, [source.model.path for source in chosen])
    first, *others = models = [source.model for source in chosen]
    bits = vector_bits or min(model.vector_bits for model in models)
    vectors = joining.vectors_of(first, bits)
    for model in others:
        for name, same in (
            ("words", model.words.data == first.words.data),
            ("shared vectors", _same_rows(joining.vectors_of(model, bits), vectors)),
        ):
            if not same:
                raise SennaError(
                    f"{model.path}: its {name} are not those of {first.path}: train it with "
                    f"--vectors {first.path}"
                )
    owners = _owners(chosen, replace_networks)
    if len(chosen) > 1 or len(owners) < len(
        first.networks
    ):  # else it is only written again
        _check_cascade(owners)
    parts = [_moved(source.model.part(name)) for name, source in owners.items()]
    info = info or {}
    merged = _merge_info(chosen, info)
    resources = joining.merged_resources(
        (each.model.path, _resources(each)) for each in chosen
    )
    if "tasks" in merged and "tasks" not in info:
        merged["tasks"] = _default_tasks(owners, first)
        if resources["lemmas"] and any(
            LEMMA in each.info.get("tasks", ()) for each in models
        ):
            merged["tasks"].append(LEMMA)
    if splitter is None:
        fitting = (each for each in models if each.tokenizer == merged.get("tokenizer"))
        splitter = next(
            (each.splitter for each in fitting if each.splitter is not None), None
        )
    write_model(target, first.words, vectors, parts, resources, merged, splitter)
    return target


def _merge_info(chosen, given):
    """What _Sources say of themselves in one dict, `given` on top.

    Keys that are names of networks that are not taken are left out. Raises SennaError
    if they are for other texts, and `given` does not say which.
    """
    merged = {}
    for source in chosen:
        model, left = source.model, {*source.model.networks} - {*source.networks}
        for key, value in model.info.items():
            if (
                key in TEXT_KEYS
                and merged.get(key, value) != value
                and key not in given
            ):
                raise SennaError(
                    f"{model.path}: its {key} is {value}, that of the others {merged[key]}; say "
                    "one with --info"
                )
            if key not in left:
                merged[key] = value
    return merged | given


def _same_rows(one, other):
    if one.shape == other.shape and isinstance(one, ByteRows):
        return not one.differs(other).any()
    return np.array_equal(dense(one), dense(other))


def _open_source(source):
    path, colon, names = str(source).rpartition(":")
    if not colon or os.path.exists(source):
        model = NativeModel(shipped_or(source))
        carried = frozenset(model.networks) - {*model.own_networks}
        usual = model.info.get("tasks") or model.own_networks
        return _Source(str(source), model, list(model.networks), usual, carried)
    model, names = NativeModel(shipped_or(path)), names.split(",")
    for name in names:
        if name not in model.networks:
            has = ", ".join(model.networks)
            raise SennaError(f"{model.path}: it has no {name} network; there are {has}")
    return _Source(path, model, list(dict.fromkeys(names)), names)


def _owners(chosen, replace):
    """The _Source of each network; a replaced one keeps its place, and leaves its old
    source.
    """
    owners = {}
    for source in chosen:
        for name in list(source.networks):
            if name in owners and name in source.carried:
                source.networks.remove(name)
                continue
            if name in owners and name in owners[name].carried:
                owners.pop(name).networks.remove(name)
            if name in owners and (not replace or owners[name] is source):
                others = ",".join(n for n in source.networks if n != name) or "NAME"
                raise SennaError(
                    f"{source.model.path}: network {name} is in {owners[name].model.path} too; "
                    f"--replace takes the later one, or name those to take, as in "
                    f"{source.name}:{others}"
                )
            if name in owners:
                owners[name].networks.remove(name)
            owners[name] = source
    return owners


def _check_cascade(owners):
    """Raise SennaError unless there is whatever a network takes from others, as it
    knows it.
    """
    for name, source in owners.items():
        part = source.model.part(name)
        for need in needs_of(name, source.model.reads(name)):
            if need not in owners:
                raise SennaError(
                    f"{source.model.path}: network {name} needs {need}, which none of the models "
                    f"gives: add {_where(source, part, need)}"
                )
            found = owners[need].model.part(need)
            if owners[need] is not source and not source.model.knows_labels(
                name, found
            ):
                raise SennaError(
                    f"{owners[need].model.path}: the labels of its network {need} are not those "
                    f"that {name} of {source.model.path} was trained with: train {name} with it, "
                    f"or add {_where(source, part, need)} instead"
                )


def _moved(part):
    """A ModelPart as it stands in a model that is built: one of its own, which tells no
    places.
    """
    info = part.info
    if "config" in info:
        info = info | {"config": _without_places(info["config"])}
    return replace(part, info=info, carried=False)


def _without_places(value):
    """A configuration without the directories of absolute paths: they tell of a machine
    only.
    """
    if isinstance(value, dict):
        return {key: _without_places(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_without_places(each) for each in value]
    return (
        Path(value).name if isinstance(value, str) and os.path.isabs(value) else value
    )


def _default_tasks(owners, first):
    """Tasks that the model does if none is named: those of the `first` one, then the
    others.
    """
    said = [name for name in first.info.get("tasks", ()) if name in owners]
    others = [
        n for n, source in owners.items() if n not in said and n in source.defaults
    ]
    order = default_order([*said, *others])
    return (
        [*said, *(name for name in order if name not in said)]
        if len(said) > 1
        else order
    )


def _where(source, part, need):
    """Name, for a message, the source to add for a network that a ModelPart of a
    _Source needs.
    """
    if need in source.model.networks:
        return f"{source.name}:{need}"
    return f"the model that {part.name} was trained with, as in {SHIPPED}:{need}"


def _resources(source):
    """All resources of a _Source, or if not all its networks are taken, those that
    these need.
    """
    if {*source.networks} == {*source.model.networks}:
        return joining.all_resources(source.model)
    return joining.needed_resources(source.model, source.networks)
