"""Writes configurations as lines of TOML, omitting default values."""

import dataclasses
from collections.abc import Mapping
from itertools import starmap
from typing import Any

from senna_py.io.settings import Settings, default_of, info_of
from senna_py.io.toml import toml_line
from senna_py.tagging.config import Config
from senna_py.tagging.settings import (
    SETTINGS,
    DataSet,
    NetworkSettings,
    TrainingSettings,
)


def config_lines(values: Mapping[str, Any]) -> list[str]:
    """Format a configuration that is stored in a model as lines of TOML.

    Settings that have their default are left out, unless the default depends on another
    setting. Unknown settings are kept.
    """
    lines: list[str] = []
    tables: list[str] = []
    for name, value in _without_defaults(Config, values).items():
        if name == "network" and isinstance(value, dict):
            tables += _network_lines(value)
        elif name == "heads" and isinstance(value, dict):
            for task, head in value.items():
                if isinstance(head, dict):
                    tables += _table_lines(f"[heads.{task}]", head)
        elif name == "training" and isinstance(value, dict):
            if table := _without_defaults(TrainingSettings, value):
                tables += _table_lines("[training]", table)
        elif isinstance(value, dict):
            # Without the table `features`, a run would have the default features.
            if value or name == "features":
                tables += _table_lines(f"[{name}]", value)
        elif name in ("train", "dev") and _is_list_of_tables(value):
            for each in value:
                table = _without_defaults(DataSet, each)
                tables += _table_lines(f"[[{name}]]", table)
        else:
            lines.append(toml_line(name, value))
    return lines + tables


def _table_lines(header: str, table: Mapping[str, Any]) -> list[str]:
    return [header, *starmap(toml_line, table.items())]


def _network_lines(values: Mapping[str, Any]) -> list[str]:
    approach = values.get("approach")
    shared = _without_defaults(NetworkSettings, values)
    sizes = shared.pop(approach, {}) if approach in SETTINGS else {}
    lines = _table_lines("[network]", shared) if shared else []
    return lines + (_table_lines(f"[network.{approach}]", sizes) if sizes else [])


def _is_list_of_tables(value: Any) -> bool:
    return isinstance(value, list) and {*map(type, value)} == {dict}


def _without_defaults(
    settings: type[Settings], values: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the values that differ from the defaults of a class of Settings.

    Values of settings whose default depends on another setting are kept. Values of
    settings that the class lacks are kept unless they are false or empty.
    """
    fields = {field.name: field for field in dataclasses.fields(settings)}  # type: ignore[arg-type]
    changed = {}
    for name, value in values.items():
        field = fields.get(name)
        if field is None:
            is_kept = bool(value)
        else:
            is_kept = bool(info_of(field).by) or default_of(field) != value
        if is_kept:
            changed[name] = value
    return changed
