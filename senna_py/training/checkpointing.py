"""The contents of checkpoints of training runs, and the checks before one is used.

`models.checkpoint` verifies the checksum of a file. This module therefore only checks
whether a checkpoint belongs to the run: its settings, its data, and the names, types
and shapes of its arrays.
"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from senna_py.errors import SennaError
from senna_py.layers.process_group import block_of
from senna_py.models.checkpoint import read_arrays
from senna_py.training.trainable import RunProgress, Trainable

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping


# The dtype and the shape of each array in a file, by name.
_ArrayTypes = dict[str, tuple[np.dtype, tuple[int, ...]]]


def contents(
    trainable: Trainable, log_size: int
) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Return the header and the arrays of a checkpoint.

    All processes of a group must call this function together.

    Args:
        trainable: The model in training.
        log_size: The size of the log in bytes.
    """
    header = {
        "settings": trainable.settings(),
        "data": trainable.data(),
        "progress": dataclasses.asdict(trainable.progress),
        "state": trainable.state(),
        "log": log_size,
    }
    return header, _whole_arrays(trainable)


def _check_same(path: Path, header: Any, trainable: Trainable) -> None:
    """Raise SennaError unless a checkpoint has the settings and data of this run.

    Settings in `trainable.free` may differ.
    """
    if not isinstance(header, dict) or not isinstance(header.get("settings"), dict):
        raise SennaError(f"{path}: not the checkpoint of a training run")
    problem = difference(header["settings"], trainable.settings(), trainable.free)
    if problem:
        raise SennaError(f"{path}: made with {problem}")
    stored_data = header.get("data")
    for name, value in json.loads(json.dumps(trainable.data())).items():
        if not isinstance(stored_data, dict) or stored_data.get(name) != value:
            raise SennaError(f"{path}: made with other {name}")


class Difference(NamedTuple):
    """A setting that differs between two tables.

    Attributes:
        name: The name of the setting, a path with dots.
        stored: The value with which the run was started, or None.
        wanted: The value with which the run is resumed, or None.
    """

    name: str
    stored: Any
    wanted: Any

    def __str__(self) -> str:
        return (
            f"{self.name} {_format_value(self.stored)}, "
            f"asked for {_format_value(self.wanted)}"
        )


def difference(
    stored_settings: Mapping[str, Any],
    settings: Mapping[str, Any],
    free: Collection[str] = (),
) -> Difference | None:
    """Return the first difference between two tables of settings, or None.

    Args:
        stored_settings: The settings with which a run was started.
        settings: The settings with which the run is resumed.
        free: The names of settings that may differ. The names of nested settings are
            paths with dots.
    """
    stored = _flatten(stored_settings)
    wanted = _flatten(json.loads(json.dumps(settings)))
    for name in dict.fromkeys([*wanted, *stored]):
        is_free = any(name == each or name.startswith(f"{each}.") for each in free)
        if not is_free and stored.get(name) != wanted.get(name):
            return Difference(name, stored.get(name), wanted.get(name))
    return None


def _flatten(settings: Mapping[Any, Any], prefix: str = "") -> dict[str, Any]:
    """Turn settings in nested dicts into one dict whose keys are paths with dots.

    The dicts in a list are numbered from 1.
    """
    flat: dict[str, Any] = {}
    for name, value in settings.items():
        if isinstance(value, list) and any(isinstance(item, dict) for item in value):
            flat |= _flatten(dict(enumerate(value, 1)), f"{prefix}{name}.")
        elif isinstance(value, dict):
            flat |= _flatten(value, f"{prefix}{name}.")
        else:
            flat[f"{prefix}{name}"] = value
    return flat


def _format_value(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "none" if value is None else json.dumps(value)


def restore(path: Path, trainable: Trainable) -> int:
    """Restore the state of a model in training from a checkpoint.

    Args:
        path: The path of the checkpoint.
        trainable: The model in training, which is changed in place.

    Returns:
        The size of the log in bytes when the checkpoint was written.

    Raises:
        SennaError: If the checkpoint cannot be read or belongs to another run.
    """

    def check(header: Any, stored: _ArrayTypes) -> None:
        _check_same(path, header, trainable)
        try:
            trainable.progress = RunProgress(**header["progress"])
            trainable.restore_state(header["state"])
            _check_shapes(stored, _whole_arrays(trainable))
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            reason = f"no {error}" if isinstance(error, KeyError) else error
            raise SennaError(f"{path}: damaged: {reason}") from None

    header, arrays = read_arrays(path, check=check)
    group = trainable.group
    for name, array in trainable.arrays().items():
        stored = arrays[name]
        if name.startswith(trainable.block_arrays) and group.size > 1:
            first, n = block_of(group.rank, group.size, len(stored))
            stored = stored[first : first + n]
        array[...] = stored
    return header["log"]


def _check_shapes(stored: _ArrayTypes, wanted: Mapping[str, np.ndarray]) -> None:
    """Raise ValueError unless all arrays are stored with their types and shapes."""
    for name in dict.fromkeys([*wanted, *stored]):
        if name not in stored:
            raise ValueError(f"the array {name} is missing")
        if name not in wanted:
            raise ValueError(f"an array {name}, which this model does not have")
        (dtype, shape), array = stored[name], wanted[name]
        if shape != array.shape or dtype != array.dtype:
            raise ValueError(
                f"{name} is {dtype}{list(shape)}, not {array.dtype}{list(array.shape)}"
            )


def _whole_arrays(trainable: Trainable) -> dict[str, np.ndarray]:
    """Return all arrays by name, gathering those that are split over processes."""
    blocks = trainable.block_arrays
    return {
        name: trainable.group.gather(array) if name.startswith(blocks) else array
        for name, array in trainable.arrays().items()
    }
