"""Summaries of models as text and JSON, for the command `senna-model info`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from senna_py.features.registry import RESOURCES
from senna_py.labels.tasks import TOKENS
from senna_py.layers.lookup import table_name
from senna_py.model import Model
from senna_py.models.storage import Storage
from senna_py.networks.registry import network_class
from senna_py.tagging.config_lines import config_lines

_WIDTH = 80  # The maximum length of a line, in characters.
_TOKENS_SCORE = "the mean F1 of tokens, sentences and multiword tokens"
_SHOWN_LABELS = 8  # The number of labels that are printed for each network.


def model_summary(model: Model) -> dict[str, Any]:
    """Describe a model as a dict for JSON; this reads and checks every network."""
    storage, splitter = model.storage, model.storage.splitter
    word_splitter = storage.word_splitter
    files = [Path(storage.path), *Path(storage.path).rglob("*")]
    resources = {
        place: {
            name: resource.describe(storage.resource(place, name))
            for name in storage.resources(place)
        }
        for place, resource in RESOURCES.items()
    }
    return {
        "path": str(storage.path),
        "format": storage.format,
        "version": storage.version,
        "bytes": sum(file.stat().st_size for file in files if file.is_file()),
        "info": storage.info,
        "words": len(storage.words),
        "vector_bits": storage.vector_bits,
        **resources,
        "sentences": "rules" if splitter is None else "learned",
        "abbreviations": [] if splitter is None else list(splitter.abbreviations),
        "words_of_tokens": 0 if word_splitter is None else len(word_splitter.lines()),
        "tasks": list(model.tasks()),
        "default_tasks": list(model.default_tasks()),
        "networks": [
            _network_summary(storage, name, storage.networks[:number])
            for number, name in enumerate(storage.networks)
        ],
    }


def _network_summary(
    storage: Storage, name: str, before: Sequence[str]
) -> dict[str, Any]:
    """Describe a network as a dict; `before` lists the networks that precede it."""
    network = storage.network(name)
    labels = storage.labels(name)
    tables = [
        {"name": feature, "keys": table.shape[0], "dim": table.shape[1]}
        for feature, table in zip(storage.features(name), network.tables, strict=True)
    ]
    arrays = {"padding": network.padding, **network.arrays()}
    return {
        "name": name,
        "kind": network.kind,
        "window": None,
        **network.sizes(),
        "features": tables,
        "shared": _shared(storage, name, before),
        "arrays": {name: list(array.shape) for name, array in arrays.items()},
        "labels": [labels[index] for index in range(network.n_labels)],
        "pooling": storage.pooling(name),
        "info": storage.part_info(name),
    }


def _shared(storage: Storage, name: str, before: Sequence[str]) -> dict[str, list[str]]:
    """Return the names of arrays that a network shares with earlier networks.

    The names are grouped by the first network that has the array. Lookup tables are
    listed under the names of their features.
    """
    network, features = storage.network(name), storage.features(name)
    titles = {table_name(k): feature for k, feature in enumerate(features)}
    shared: dict[str, list[str]] = {}
    seen: set[str] = set()
    for other in before:
        names = [
            key
            for key in network.shared_names(storage.network(other))
            if key not in seen
        ]
        if names:
            shared[other] = [titles.get(key, key) for key in names]
        seen.update(names)
    return shared


def short_lines(summary: Mapping[str, Any]) -> list[str]:
    """Return the short form of a summary, as lines that are cut to 80 characters.

    The first line, which has the path of the model, is not cut.
    """
    info, lines = summary["info"], [_format_line(summary)]
    for keys in (
        ("name", "version", "language", "tokenizer"),
        ("license",),
        ("attribution",),
    ):
        shown = _info_lines({key: info[key] for key in keys if key in info}, "")
        if shown:
            lines.append("; ".join(shown))
    lines += _word_lines(summary)
    if summary["sentences"] == "learned":
        line = "sentences: learned from a treebank"
        if words := summary["abbreviations"]:
            line += f", with {len(words)} abbreviations: {' '.join(words)}"
        lines.append(line)
    lines.append(_task_line(summary))
    lines.append(f"{'network':<9} {'approach':<9} {'labels':>6}  {'dev':<14} features")
    for network in summary["networks"]:
        features = ", ".join(feature["name"] for feature in network["features"])
        lines.append(
            f"{network['name']:<9} {network['kind']:<9} {len(_labels_of(network)[1]):>6}  "
            f"{_dev_score(network['info']):<14} {features}"
        )
    if any(network["name"] == TOKENS for network in summary["networks"]):
        lines.append(f"dev of {TOKENS}: {_TOKENS_SCORE}")
    lines.append("--verbose prints labels, sizes and configurations, --json everything")
    lines = [
        line if len(line) <= _WIDTH else f"{line[: _WIDTH - 4]} ..." for line in lines
    ]
    return [f"model {summary['path']}", *lines]  # The path is not cut.


def _format_line(summary: Mapping[str, Any]) -> str:
    version = f", version {summary['version']}" if summary["version"] else ""
    return f"format: {summary['format']}{version}; {summary['bytes']:,} bytes"


def _word_lines(summary: Mapping[str, Any]) -> list[str]:
    lines = [
        f"words: {summary['words']:,}, vectors of {summary['vector_bits']} bits a number"
    ]
    for place, resource in RESOURCES.items():
        if summary[place]:
            lines += resource.lines(summary[place])
    if n_rules := summary["words_of_tokens"]:
        lines.append(f"words of multiword tokens: {n_rules:,} tokens and rules")
    return lines


def _task_line(summary: Mapping[str, Any]) -> str:
    defaults = summary["default_tasks"]
    others = [task for task in summary["tasks"] if task not in defaults]
    line = f"tasks: {', '.join(defaults) or 'none is complete'}"
    if others:
        line += f"; if asked for: {', '.join(others)}"
    return line


def _labels_of(network: Mapping[str, Any]) -> tuple[str, list[str]]:
    """Return the plural noun for the labels of a network, and their names."""
    of_kind = network_class(network["kind"])
    return of_kind.label_noun, of_kind.label_names(network["labels"])


def _dev_score(info: Mapping[str, Any]) -> str:
    scores = info.get("scores")
    dev = scores.get("dev") if isinstance(scores, dict) else None
    return _brief("", dev) if isinstance(dev, dict) else ""


def summary_lines(summary: Mapping[str, Any]) -> list[str]:
    """Return the long form of a summary, as lines of text."""
    return [
        f"model {summary['path']}",
        _format_line(summary),
        *_info_lines(summary["info"], ""),
        *_word_lines(summary),
        _task_line(summary),
        *(line for network in summary["networks"] for line in _network_lines(network)),
    ]


def _network_lines(network: Mapping[str, Any]) -> list[str]:
    noun, labels = _labels_of(network)
    shown = " ".join(label for label in labels[:_SHOWN_LABELS] if label)
    if len(labels) > _SHOWN_LABELS:
        shown += " ..."
    brief = network_class(network["kind"]).brief(network, network["arrays"])
    features = ", ".join(
        f"{feature['name']} {feature['keys']:,} x {feature['dim']}"
        for feature in network["features"]
    )
    return [
        f"{network['name']}: {network['kind']} network, {brief}",
        f"  features: {features}",
        *(
            f"  shared with {other}: {', '.join(names)}"
            for other, names in network["shared"].items()
        ),
        f"  {noun}: {shown} ({len(labels)})",
        *_info_lines(network["info"], "  "),
    ]


def _info_lines(info: Mapping[str, Any], indent: str) -> list[str]:
    """Format the information (`info`) about a model or a network as lines.

    The `config` of a training run is formatted as TOML, but left out for members of an
    ensemble. A `configuration`, which can be any nested table, is represented by its
    number of settings.
    """
    lines: list[str] = []
    for key, value in info.items():
        if key == "config" and isinstance(value, dict):
            lines.append(f"{indent}config, without defaults:")
            lines += (f"{indent}  {line}".rstrip() for line in config_lines(value))
        elif key == "members" and all(isinstance(member, dict) for member in value):
            for number, member in enumerate(value, 1):
                shown = {key: member[key] for key in member if key != "config"}
                lines.append(f"{indent}member {number}: {_brief('', shown)}")
        else:
            lines.append(f"{indent}{key}: {_brief(key, value)}")
    return lines


def _brief(key: str, value: Any) -> str:
    """Format a value on one line; nested values are joined by commas."""
    if isinstance(value, dict):
        if key == "configuration":
            return f"{_count(value)} settings (--json shows them)"
        return ", ".join(f"{name} {_brief(name, item)}" for name, item in value.items())
    if isinstance(value, list):
        return ", ".join(_brief(key, item) for item in value)
    return str(value)


def _count(value: Any) -> int:
    """Count the values in nested dicts."""
    return sum(map(_count, value.values())) if isinstance(value, dict) else 1
