"""Parse and check the header of a native model, which describes its networks."""

import re
from collections.abc import Collection, Mapping
from typing import Any

from senna_py.errors import SennaError
from senna_py.features.registry import find_feature, networks_read
from senna_py.io.file_errors import prefix_errors
from senna_py.io.nesting import parse_json
from senna_py.labels.tasks import LEMMA, TABLE, TOKENS
from senna_py.models.cascades import MOST_NETWORKS, cascade_order, needs_of
from senna_py.models.tensors import check_format
from senna_py.networks.registry import NETWORKS, network_class
from senna_py.text.tokenizer_kinds import LEARNED, SENNA, TOKENIZERS

FORMAT, VERSION = "senna-py", "1"
Entry = dict[str, Any]  # the header's description of a network
NAME = re.compile(r"[A-Za-z0-9_-]+")  # the name of a network or resource
# The keys of the information about a model, which docs/reference/file-formats.md
# explains.
INFO_KEYS = (
    "name",
    "version",
    "language",
    "tokenizer",
    "tasks",
    "license",
    "attribution",
    "author",
    "description",
    "data",
    "url",
)
TEXT_KEYS = ("language", "tokenizer")  # models to be joined must agree on these


def check_info(info: Mapping[str, Any], prefix: str = "") -> None:
    """Raise SennaError if user-specified information has an unknown key or a bad value.

    Args:
        info: The information, by the keys of INFO_KEYS.
        prefix: Text for the message, before the key.
    """
    for key, value in info.items():
        if key not in INFO_KEYS:
            known = ", ".join(INFO_KEYS)
            raise SennaError(
                f"{prefix}{key}: no such key of a model; there are {known}"
            )
        if key in TEXT_KEYS and type(value) is not str:
            raise SennaError(f"{prefix}{key}: expected a string, found {value!r}")
    check_tokenizer(info, prefix)


def check_tokenizer(info: Mapping[str, Any], prefix: str = "") -> None:
    """Raise SennaError if the tokenizer of a model is unknown to this version.

    Args:
        info: The information about the model.
        prefix: Text for the message, before the key.
    """
    tokenizer = info.get("tokenizer", SENNA)
    if tokenizer not in TOKENIZERS:
        known = ", ".join(TOKENIZERS)
        raise SennaError(
            f"{prefix}tokenizer: no such tokenizer: {tokenizer!r}; there are {known}"
        )


def read_description(
    metadata: Mapping[str, str], arrays: Collection[str]
) -> tuple[dict[str, Any], dict[str, Entry]]:
    """Return the information about a model, and the entry of each network by name.

    An entry is the header's description of the network, with two more keys: `labelled`
    is the type of its labels (words, roles, trees or arcs), and `reads` lists the
    networks whose labels are its features.

    Args:
        metadata: The metadata of the file.
        arrays: The names of the file's arrays. From them, the network class infers
            whether a network labels words or roles.

    Raises:
        SennaError: If the header is damaged. The message does not name the file.
    """
    check_format(metadata, "a model of senna-py", FORMAT, VERSION)
    try:
        model = parse_json(metadata.get("model", ""))
    except ValueError as error:
        raise SennaError(f"model: not JSON: {error}") from None
    if not isinstance(model, dict) or not isinstance(model.get("info"), dict):
        raise SennaError("model: expected an object with info and networks")
    networks = model.get("networks")
    if not isinstance(networks, list) or not networks:
        raise SennaError("model: expected a list of networks")
    if len(networks) > MOST_NETWORKS:
        raise SennaError(
            f"{len(networks):,} networks, of which a model may have {MOST_NETWORKS}"
        )
    entries: dict[str, Entry] = {}
    for number, entry in enumerate(networks, 1):
        name = entry.get("name") if isinstance(entry, dict) else None
        if (
            not isinstance(name, str)
            or not NAME.fullmatch(name)
            or find_feature(name).of_tokens
        ):
            raise SennaError(f"model: network {number}: no usable name: {name!r}")
        if name in entries:
            raise SennaError(f"network {name}: occurs twice")
        prefix = f"networks/{name}/"
        names = {
            each.removeprefix(prefix) for each in arrays if each.startswith(prefix)
        }
        with prefix_errors(f"network {name}"):
            _check_entry(entry, names, arrays)
        entries[name] = entry
    _check_cascade(entries)
    tasks = [*entries]
    if any(name.startswith("lemmas/") for name in arrays):
        tasks.append(LEMMA)
    _check_tasks(model["info"], tasks)
    if model["info"].get("tokenizer") == LEARNED and TOKENS not in entries:
        raise SennaError(f"tokenizer: {LEARNED}, but there is no network {TOKENS}")
    return model["info"], entries


def _check_tasks(info: Mapping[str, Any], known: Collection[str]) -> None:
    """Raise SennaError if the default tasks repeat or are not all in `known`."""
    tasks = info.get("tasks", [])
    if not isinstance(tasks, list) or not all(isinstance(name, str) for name in tasks):
        raise SennaError(f"tasks: expected a list of names, found {tasks!r}")
    for name in tasks:
        if name not in known or tasks.count(name) > 1:
            raise SennaError(
                f"tasks: {name!r} occurs twice, or is no network of the model"
            )


def _check_entry(entry: Entry, names: set[str], arrays: Collection[str]) -> None:
    """Check the entry of a network, and add default values, `labelled` and `reads`.

    Raises SennaError if the entry is invalid.

    names: The names of its own arrays, without their prefix.
    arrays: The names of all arrays in the file.
    """
    kind, features = entry.get("kind"), entry.get("features")
    if not isinstance(kind, str) or kind not in NETWORKS:
        raise SennaError(f"kind {kind!r}, expected one of {', '.join(NETWORKS)}")
    names = names | _check_shared(entry, names, arrays)
    network = network_class(kind)
    labelled = network.labels_of(names, entry)
    task = TABLE.get(entry["name"])  # networks with other names may label anything
    if task is not None and labelled != task.shape.head:
        raise SennaError(f"{kind} networks for {labelled} cannot do this task")
    if not isinstance(features, list) or not features:
        raise SennaError("no features")
    if not all(isinstance(feature, str) for feature in features):
        raise SennaError("a feature is not a name")
    if len(set(features)) != len(features):
        raise SennaError("a feature occurs twice")
    own_feature = entry["name"] if network.own_feature else None
    if own_feature not in (None, features[-1]):
        raise SennaError("its last feature is not its own label")
    if not isinstance(entry.setdefault("info", {}), dict):
        raise SennaError("info is not an object")
    if not isinstance(entry.setdefault("carried", False), bool):
        raise SennaError("carried is neither true nor false")
    pooling = entry.setdefault("pooling", 0)
    if type(pooling) not in (int, float) or not 0 <= pooling <= 1:
        raise SennaError(f"pooling is {pooling!r}, not a number from 0 to 1")
    entry["labelled"] = labelled
    entry["reads"] = [name for name in networks_read(features) if name != own_feature]


def _check_shared(
    entry: Entry, names: Collection[str], arrays: Collection[str]
) -> set[str]:
    """Check and return the names of the arrays that are stored with other networks.

    Raises SennaError if there is no such array, or a name is repeated.

    names: The names of the network's own arrays, without their prefix.
    arrays: The names of all arrays in the file.
    """
    shared = entry.setdefault("shared", {})
    if not isinstance(shared, dict) or not all(
        isinstance(each, list) for each in shared.values()
    ):
        raise SennaError("shared is not an object of lists")
    shared_names: set[str] = set()
    for other, names_of_other in shared.items():
        for name in names_of_other:
            if not isinstance(name, str) or f"networks/{other}/{name}" not in arrays:
                raise SennaError(f"shared: network {other!r} has no array {name!r}")
            if name in names or name in shared_names:
                raise SennaError(f"shared: it has {name!r} twice")
            shared_names.add(name)
    return shared_names


def _check_cascade(entries: Mapping[str, Entry]) -> None:
    """Raise SennaError if a network reads labels of anything but single words.

    A cycle of networks that need each other is an error, too.
    """
    reads = {name: entry["reads"] for name, entry in entries.items()}
    for name in entries:
        for other in sorted({*reads[name]} & entries.keys()):
            if entries[other]["labelled"] != "words":
                raise SennaError(f"network {name}: {other} does not label single words")
    cascade_order(entries, lambda name: needs_of(name, reads.get(name, ())))
