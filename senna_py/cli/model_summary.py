"""Summaries of a model for people and programs, printed by `senna-model info`."""

from pathlib import Path

from senna_py.features.registry import RESOURCES
from senna_py.layers.lookup import table_name
from senna_py.networks.answers import ANSWERS
from senna_py.networks.registry import network_class
from senna_py.tagging.config_lines import config_lines

_WIDTH = 80  # columns of a terminal


def model_summary(model):
    """Describe a Model as a dict that JSON can hold. Every network is read and
    checked.
    """
    storage = model.storage
    files = [Path(storage.path), *Path(storage.path).rglob("*")]
    return {
        "path": str(storage.path),
        "format": storage.format,
        "version": storage.version,
        "bytes": sum(file.stat().st_size for file in files if file.is_file()),
        "info": storage.info,
        "words": len(storage.words),
        "vector_bits": storage.vector_bits,
        **{
            place: {
                n: kind.describe(storage.resource(place, n))
                for n in storage.resources(place)
            }
            for place, kind in RESOURCES.items()
        },
        "sentences": "rules" if storage.splitter is None else "learned",
        "abbreviations": list(storage.splitter.abbreviations)
        if storage.splitter
        else [],
        "tasks": list(model.tasks()),
        "default_tasks": list(model.default_tasks()),
        "networks": [
            _network_summary(storage, name, storage.networks[:number])
            for number, name in enumerate(storage.networks)
        ],
    }


def _network_summary(storage, name, before):
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
        "info": storage.part_info(name),
    }


def _shared(storage, name, before):
    """Features whose tables, and arrays that it shares with networks `before` it, by
    the first.
    """
    network, features = storage.network(name), storage.features(name)
    called = {table_name(k): feature for k, feature in enumerate(features)}
    found, seen = {}, set()
    for other in before:
        names = [
            n for n in network.shared_names(storage.network(other)) if n not in seen
        ]
        if names:
            found[other] = [called.get(each, each) for each in names]
        seen.update(names)
    return found


def short_lines(summary):
    """A `model_summary` as lines for one screen, cut to the width of a terminal."""
    info, lines = summary["info"], [_format_line(summary)]
    for keys in (
        ("name", "version", "language", "tokenizer"),
        ("license",),
        ("attribution",),
    ):
        if found := [
            line
            for key in keys
            if key in info
            for line in _info_lines({key: info[key]}, "")
        ]:
            lines.append("; ".join(found))
    lines += _word_lines(summary)
    if summary["sentences"] == "learned":
        known = summary["abbreviations"]
        of_them = (
            f", with {len(known)} abbreviations: {' '.join(known)}" if known else ""
        )
        lines.append(f"sentences: learned from a treebank{of_them}")
    lines.append(_task_line(summary))
    lines.append(f"{'network':<9} {'approach':<9} {'labels':>6}  {'dev':<14} features")
    for network in summary["networks"]:
        features = ", ".join(feature["name"] for feature in network["features"])
        lines.append(
            f"{network['name']:<9} {network['kind']:<9} {len(_labels_of(network)[1]):>6}  "
            f"{_dev_score(network['info']):<14} {features}"
        )
    lines.append("--verbose prints labels, sizes and configurations, --json everything")
    lines = [
        line if len(line) <= _WIDTH else f"{line[: _WIDTH - 4]} ..." for line in lines
    ]
    return [f"model {summary['path']}", *lines]  # which may be needed whole


def _format_line(summary):
    version = f", version {summary['version']}" if summary["version"] else ""
    return f"format: {summary['format']}{version}; {summary['bytes']:,} bytes"


def _word_lines(summary):
    lines = [
        f"words: {summary['words']:,}, vectors of {summary['vector_bits']} bits a number"
    ]
    for place, kind in RESOURCES.items():
        if summary[place]:
            lines += kind.lines(summary[place])
    return lines


def _task_line(summary):
    done = summary["default_tasks"]
    others = [task for task in summary["tasks"] if task not in done]
    line = f"tasks: {', '.join(done) or 'none is complete'}"
    if others:
        line += f"; if asked for: {', '.join(others)}"
    return line


def _labels_of(network):
    """What users call the labels of a network, and a list of them, types of trees."""
    labelled = network_class(network["kind"]).labels_of(network["arrays"], network)
    return ANSWERS[labelled].noun, ANSWERS[labelled].names(network["labels"])


def _dev_score(info):
    scores = info.get("scores")
    dev = scores.get("dev") if isinstance(scores, dict) else None
    return _brief("", dev) if isinstance(dev, dict) else ""


def summary_lines(summary):
    """The main parts of a `model_summary` as lines of text."""
    return [
        f"model {summary['path']}",
        _format_line(summary),
        *_info_lines(summary["info"], ""),
        *_word_lines(summary),
        _task_line(summary),
        *(line for network in summary["networks"] for line in _network_lines(network)),
    ]


def _network_lines(network):
    noun, labels = _labels_of(network)
    shown = " ".join(label for label in labels[:8] if label)
    brief = network_class(network["kind"]).brief(network, network["arrays"])
    features = ", ".join(
        f"{f['name']} {f['keys']:,} x {f['dim']}" for f in network["features"]
    )
    return [
        f"{network['name']}: {network['kind']} network, {brief}",
        f"  features: {features}",
        *(
            f"  shared with {other}: {', '.join(names)}"
            for other, names in network["shared"].items()
        ),
        f"  {noun}: {shown}{' ...' * (len(labels) > 8)} ({len(labels)})",
        *_info_lines(network["info"], "  "),
    ]


def _info_lines(info, indent):
    """Lines for each entry: numbers and text as they are, the `config` of a training
    run as TOML.

    A `configuration` may hold anything: only its size is given, and none of an
    ensemble's members.
    """
    lines = []
    for key, value in info.items():
        if key == "config" and isinstance(value, dict):
            lines.append(f"{indent}config, without defaults:")
            lines += (f"{indent}  {line}".rstrip() for line in config_lines(value))
        elif key == "members" and all(isinstance(member, dict) for member in value):
            for number, member in enumerate(value, 1):
                said = {name: each for name, each in member.items() if name != "config"}
                lines.append(f"{indent}member {number}: {_brief('', said)}")
        else:
            lines.append(f"{indent}{key}: {_brief(key, value)}")
    return lines


def _brief(key, value):
    if isinstance(value, dict):
        if key == "configuration":
            return f"{_count(value)} settings (--json shows them)"
        return ", ".join(f"{name} {_brief(name, each)}" for name, each in value.items())
    if isinstance(value, list):
        return ", ".join(_brief(key, each) for each in value)
    return str(value)


def _count(value):
    return sum(map(_count, value.values())) if isinstance(value, dict) else 1
