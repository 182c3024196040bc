"""Join networks of several native models into one model."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from senna_py.errors import SennaError
from senna_py.features.protocol import Resources
from senna_py.features.rule_lists import RULES, StoredRules
from senna_py.labels.tasks import LEMMA, TOKENS, default_order
from senna_py.layers.lookup import ByteRows, dense
from senna_py.models import joining
from senna_py.models.cascades import needs_of
from senna_py.models.native import NativeModel
from senna_py.models.native_header import TEXT_KEYS
from senna_py.models.native_parts import ModelPart
from senna_py.models.native_writer import write_model
from senna_py.models.shipped import SHIPPED, shipped_or
from senna_py.rules.file import Rules
from senna_py.text.splitter import SentenceSplitter
from senna_py.text.tokenizer_kinds import LEARNED
from senna_py.text.word_splitting import WordSplitter

_Value = TypeVar("_Value")


@dataclass
class _Source:
    """A model from which networks are taken.

    Attributes:
        name: The path of the model as the user wrote it.
        model: The model.
        networks: The names of the networks to take.
        defaults: The default tasks of the model.
        carried: The names of its carried networks, which are replaced by any other
            network with the same name.
    """

    name: str
    model: NativeModel
    networks: list[str]
    defaults: Sequence[str]
    carried: frozenset[str] = frozenset()

    @property
    def reads_words(self) -> bool:
        """Whether one of the networks to take reads the words of the dictionary."""
        return any("word" in self.model.features(name) for name in self.networks)


def build_model(
    path: str | PathLike[str],
    sources: Sequence[str],
    info: dict[str, str] | None = None,
    vector_bits: int | None = None,
    replace_networks: bool = False,
    splitter: SentenceSplitter | None = None,
    word_splitter: WordSplitter | None = None,
    rules: Rules | None = None,
) -> Path:
    """Write a native model with the networks of several models.

    The sources must have the same words and shared vectors, except those whose networks
    do not read words, such as the network of a learned tokenizer. The new model has the
    networks of the sources, the resources that these networks need, and the information
    (`info`) of the sources.

    Args:
        path: The file or directory of the new model.
        sources: Paths of models, or PATH:NAME,NAME for some networks of a model. A
            carried network is replaced by any other network with the same name.
        info: Information about the new model, which overrides that of the sources; by
            default, there is none.
        vector_bits: The number of bits per number of the word vectors: 16 or 8. The
            default is the smallest number among the sources.
        replace_networks: Whether a network replaces a network with the same name in an
            earlier source. If not, a repeated name is an error.
        splitter: The sentence splitter. The default is the splitter of the first source
            that has one and has the tokenizer of the new model.
        word_splitter: The splitter for multiword tokens. Its default is chosen in the
            same way.

    Returns:
        The path of the file.

    Raises:
        SennaError: If a source cannot be read, if the sources are incompatible, or if
            they lack a network that another one needs.
        UsageError: If the file of the new model is one of the sources.
    """
    info = info or {}
    opened = [_open_source(source) for source in sources]
    models = [source.model for source in opened]
    with_words = [source.model for source in opened if source.reads_words]
    first = with_words[0] if with_words else models[0]
    target = joining.native_path(path, [model.path for model in models])
    bits = vector_bits or min(model.vector_bits for model in with_words or models)
    vectors = joining.vectors_of(first, bits)
    for model in with_words[1:]:
        _check_words(model, first, joining.vectors_of(model, bits), vectors)
    owners = _find_owners(opened, replace_networks)
    # A single model that is copied whole is not checked.
    if len(opened) > 1 or len(owners) < len(first.networks):
        _check_cascade(owners)
    parts = [_as_own(source.model.part(name)) for name, source in owners.items()]
    merged = _merge_info(opened, info)
    resources = {
        **joining.merged_resources(
            (source.model.path, _resources(source, rules is None)) for source in opened
        )
    }
    if rules is not None:
        resources[RULES] = {RULES: StoredRules(rules.to_text())}
    if "tasks" in merged and "tasks" not in info:
        merged["tasks"] = _default_tasks(owners, first)
        has_lemmas = any(LEMMA in model.info.get("tasks", ()) for model in models)
        if resources["lemmas"] and has_lemmas:
            merged["tasks"].append(LEMMA)
    alike = [model for model in models if model.tokenizer == merged.get("tokenizer")]
    if splitter is None:
        splitter = _first(model.splitter for model in alike)
    if word_splitter is None:
        word_splitter = _first(model.word_splitter for model in alike)
    write_model(
        target, first.words, vectors, parts, resources, merged, splitter, word_splitter
    )
    return target


def _first(values: Iterable[_Value | None]) -> _Value | None:
    return next((each for each in values if each is not None), None)


def _check_words(
    model: NativeModel, first: NativeModel, vectors: Any, first_vectors: Any
) -> None:
    """Raise SennaError if a model has other words or vectors than the first model."""
    different = ""
    if model.words.data != first.words.data:
        different = "words"
    elif not _same_rows(vectors, first_vectors):
        different = "shared vectors"
    if different:
        raise SennaError(
            f"{model.path}: its {different} are not those of {first.path}: train it with "
            f"--vectors {first.path}"
        )


def _merge_info(sources: Sequence[_Source], info: Mapping[str, Any]) -> dict[str, Any]:
    """Return the merged information of the sources and `info`; later values override.

    Keys that name a network which is not taken are left out. If the network of a
    learned tokenizer is taken, the new model uses it. Raises SennaError if the sources
    have different values for a key of TEXT_KEYS that is not in `info`.
    """
    merged: dict[str, Any] = {}
    if any(TOKENS in source.networks for source in sources):
        info = {"tokenizer": LEARNED, **info}
    for source in sources:
        model = source.model
        not_taken = {*model.networks} - {*source.networks}
        for key, value in model.info.items():
            if key in TEXT_KEYS and merged.get(key, value) != value and key not in info:
                raise SennaError(
                    f"{model.path}: its {key} is {value}, but other models have {merged[key]}; "
                    "choose one with --info"
                )
            if key not in not_taken:
                merged[key] = value
    return {**merged, **info}


def _same_rows(one: Any, other: Any) -> bool:
    if one.shape == other.shape and isinstance(one, ByteRows):
        return not one.differs(other).any()
    return np.array_equal(dense(one), dense(other))


def _open_source(source: str) -> _Source:
    """Open a source, which is the path of a model or PATH:NAME,NAME.

    Raises SennaError if the model cannot be read, or lacks a network.
    """
    path, colon, network_names = str(source).rpartition(":")
    if not colon or os.path.exists(source):
        model = NativeModel(shipped_or(source))
        carried = frozenset(model.networks) - {*model.own_networks}
        defaults = model.info.get("tasks") or model.own_networks
        return _Source(str(source), model, list(model.networks), defaults, carried)
    model, names = NativeModel(shipped_or(path)), network_names.split(",")
    for name in names:
        if name not in model.networks:
            known = ", ".join(model.networks)
            raise SennaError(
                f"{model.path}: it has no {name} network; there are {known}"
            )
    return _Source(path, model, list(dict.fromkeys(names)), names)


def _find_owners(sources: Sequence[_Source], replace: bool) -> dict[str, _Source]:
    """Return the source of each network by the network's name.

    A network that is replaced is removed from the `networks` of its source. Raises
    SennaError if a name is repeated and neither network may be replaced.

    sources: The sources.
    replace: Whether a network replaces a network with the same name in an earlier
        source, and takes over its place in the order.
    """
    owners: dict[str, _Source] = {}
    for source in sources:
        for name in list(source.networks):
            if name in owners and name in source.carried:
                source.networks.remove(name)
                continue
            if name in owners and name in owners[name].carried:
                owners.pop(name).networks.remove(name)
            if name in owners and (not replace or owners[name] is source):
                others = [other for other in source.networks if other != name]
                raise SennaError(
                    f"{source.model.path}: network {name} is in {owners[name].model.path} too; "
                    f"--replace takes the later one, or name those to take, as in "
                    f"{source.name}:{','.join(others) or 'NAME'}"
                )
            if name in owners:
                owners[name].networks.remove(name)
            owners[name] = source
    return owners


def _check_cascade(owners: Mapping[str, _Source]) -> None:
    """Raise SennaError if a network lacks another network that it needs.

    The other network must also have the labels that the network was trained with.
    """
    for name, source in owners.items():
        part = source.model.part(name)
        for need in needs_of(name, source.model.reads(name)):
            if need not in owners:
                raise SennaError(
                    f"{source.model.path}: network {name} needs {need}, which none of the models "
                    f"gives: add {_where(source, part, need)}"
                )
            needed_part = owners[need].model.part(need)
            if owners[need] is not source and not source.model.knows_labels(
                name, needed_part
            ):
                raise SennaError(
                    f"{owners[need].model.path}: the labels of its network {need} are not those "
                    f"that {name} of {source.model.path} was trained with: train {name} with it, "
                    f"or add {_where(source, part, need)} instead"
                )


def _as_own(part: ModelPart) -> ModelPart:
    """Return a copy of a part with `carried` False and no absolute paths in `info`.

    An ensemble has a configuration for each of its members.
    """
    info = _without_config_directories(part.info)
    if isinstance(members := info.get("members"), list):
        info = info | {"members": [*map(_without_config_directories, members)]}
    return replace(part, info=info, carried=False)


def _without_config_directories(info: Any) -> Any:
    if not isinstance(info, dict) or "config" not in info:
        return info
    return info | {"config": _without_directories(info["config"])}


def _without_directories(value: Any) -> Any:
    """Return a configuration with absolute paths replaced by their last components."""
    if isinstance(value, dict):
        return {key: _without_directories(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_directories(item) for item in value]
    if isinstance(value, str) and os.path.isabs(value):
        return Path(value).name
    return value


def _default_tasks(owners: Mapping[str, _Source], first: NativeModel) -> list[str]:
    """Return the default tasks of the new model.

    They are the default tasks of all sources. The first model's tasks come first, in
    its order, if it has several.
    """
    tasks = [name for name in first.info.get("tasks", ()) if name in owners]
    others = [
        name
        for name, source in owners.items()
        if name not in tasks and name in source.defaults and name != TOKENS
    ]
    order = default_order([*tasks, *others])
    if len(tasks) < 2:
        return order
    return [*tasks, *(name for name in order if name not in tasks)]


def _where(source: _Source, part: ModelPart, need: str) -> str:
    """Return, for an error message, where to find the network that `part` needs."""
    if need in source.model.networks:
        return f"{source.name}:{need}"
    return f"the model that {part.name} was trained with, as in {SHIPPED}:{need}"


def _resources(source: _Source, with_rules: bool) -> Resources:
    """Return the resources that the networks of a source need, and its rules."""
    model = source.model
    if {*source.networks} == {*model.networks}:
        resources = joining.all_resources(model)
    else:
        resources = joining.needed_resources(model, source.networks)
    rules = joining.all_resources(model)[RULES] if with_rules else {}
    return {**resources, RULES: rules}
