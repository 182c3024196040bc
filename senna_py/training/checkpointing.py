"""Checkpoints of training runs: what they hold, and what is checked before one is used.

That a file is whole is known from the sum over its bytes (`models.checkpoint`), so what
is checked here is whether it belongs to this run: its settings, its data, and the
shapes of its arrays.
"""

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np

from senna_py.errors import SennaError
from senna_py.layers.process_group import block_of
from senna_py.models.checkpoint import read_arrays
from senna_py.training.trainable import RunProgress, Trainable


def contents(
    trainable: Trainable, log_size: int
) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Header and arrays of a checkpoint; all processes of a group ask for them;
    log_size: bytes.
    """
    header = {
        "settings": trainable.settings(),
        "data": trainable.data(),
        "progress": dataclasses.asdict(trainable.progress),
        "state": trainable.state(),
        "log": log_size,
    }
    return header, _whole_arrays(trainable)


def _check_same(path, header, trainable):
    """Raise SennaError unless the header of a checkpoint has the settings and the
    data.
    """
    if not isinstance(header, dict) or not isinstance(header.get("settings"), dict):
        raise SennaError(f"{path}: not the checkpoint of a training run")
    found, wanted = (
        _flat(header["settings"]),
        _flat(json.loads(json.dumps(trainable.settings()))),
    )
    for name in dict.fromkeys([*wanted, *found]):
        is_free = any(
            name == each or name.startswith(f"{each}.") for each in trainable.free
        )
        if not is_free and found.get(name) != wanted.get(name):
            raise SennaError(
                f"{path}: made with {name} {_shown(found.get(name))}, "
                f"asked for {_shown(wanted.get(name))}"
            )
    known = header.get("data")
    for name, value in json.loads(json.dumps(trainable.data())).items():
        if not isinstance(known, dict) or known.get(name) != value:
            raise SennaError(f"{path}: made with other {name}")


def _flat(settings, prefix=""):
    """Settings in nested dicts as one dict, with dots in the names."""
    out = {}
    for name, value in settings.items():
        is_list = isinstance(value, list) and any(
            isinstance(each, dict) for each in value
        )
        if is_list or isinstance(value, dict):
            out |= _flat(
                dict(enumerate(value, 1)) if is_list else value, f"{prefix}{name}."
            )
        else:
            out[f"{prefix}{name}"] = value
    return out


def _shown(value):
    if isinstance(value, str):
        return value
    return "none" if value is None else json.dumps(value)


def restore(path: Path, trainable: Trainable) -> int:
    """Resume from a checkpoint; returns the log's size. Raises SennaError if it does
    not fit.
    """

    def check(header: Any, found: dict[str, tuple[np.dtype, tuple[int, ...]]]) -> None:
        _check_same(path, header, trainable)
        try:
            trainable.progress = RunProgress(**header["progress"])
            trainable.restore_state(header["state"])
            _check_shapes(found, _whole_arrays(trainable))
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            reason = f"no {error}" if isinstance(error, KeyError) else error
            raise SennaError(f"{path}: damaged: {reason}") from None

    header, arrays = read_arrays(path, check=check)
    group = trainable.group
    for name, own in trainable.arrays().items():
        found = arrays[name]
        if name.startswith(trainable.block_arrays) and group.size > 1:
            first, n = block_of(group.rank, group.size, len(found))
            found = found[first : first + n]
        own[...] = found
    return header["log"]


def _check_shapes(found, wanted):
    """Raise ValueError unless arrays (found: dtype and shape of each) are like those
    wanted.
    """
    for name in dict.fromkeys([*wanted, *found]):
        if name not in found:
            raise ValueError(f"the array {name} is missing")
        if name not in wanted:
            raise ValueError(f"an array {name}, which this model does not have")
        (dtype, shape), own = found[name], wanted[name]
        if shape != own.shape or dtype != own.dtype:
            raise ValueError(
                f"{name} is {dtype}{list(shape)}, not {own.dtype}{list(own.shape)}"
            )


def _whole_arrays(trainable):
    """The arrays with the blocks of all processes."""
    blocks = trainable.block_arrays
    return {
        name: trainable.group.gather(array) if name.startswith(blocks) else array
        for name, array in trainable.arrays().items()
    }
