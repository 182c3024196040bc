"""Options of commands from the fields of Settings."""

import dataclasses
from collections.abc import Collection
from typing import Any

import click

from senna_py.cli.options import Decorator, all_of
from senna_py.cli.parameter_types import FiniteRange, WholeRange
from senna_py.io.numbers import int_of
from senna_py.io.settings import (
    SettingInfo,
    Settings,
    default_of,
    info_of,
    metavar_of,
    option_name,
    types_of,
)


def options_of(
    settings: type[Settings],
    omit: Collection[str] = (),
    unset: Collection[str] = (),
    only: Collection[str] | None = None,
) -> Decorator:
    """Make the options of a class of Settings, in the order of its fields.

    The command gets their values by the names of the fields. An option whose default
    depends on another one is None unless it is used.

    Args:
        settings: The class.
        omit: Fields that have no option.
        unset: More fields that are None if their options are not used.
        only: Fields that have an option; None for all.
    """
    fields = [
        field
        for field in dataclasses.fields(settings)  # type: ignore[arg-type]
        if info_of(field).help
        and field.name not in omit
        and (only is None or field.name in only)
    ]
    return all_of(*(_option(field, field.name in unset) for field in fields))


def _option(field: "dataclasses.Field[Any]", unset: bool) -> Decorator:
    info, default = info_of(field), default_of(field)
    names, text = (option_name(field), field.name), info.help.replace("`", "")
    if bool in types_of(field):
        return click.option(*names, is_flag=True, default=default, help=text)
    attributes: dict[str, Any] = {"default": default, "show_default": True}
    if unset:
        attributes = {}
    elif info.by:
        attributes = {"show_default": f"by {info.by}"}
    elif default is dataclasses.MISSING:
        attributes = {"required": True}
    attributes["metavar"] = info.metavar if info.choices else metavar_of(field)
    return click.option(
        *names, type=_type(info, types_of(field)), help=text, **attributes
    )


def _type(info: SettingInfo, expected: tuple[type, ...]) -> click.ParamType:
    if info.choices:
        return click.Choice(info.choices)
    if int in expected:
        if str in expected:
            return _NumberOrFile()
        least, most = (
            None if limit is None else int(limit) for limit in (info.least, info.most)
        )
        return WholeRange(least, most)
    if float in expected:
        return FiniteRange(
            info.least if info.above is None else info.above,
            info.most if info.below is None else info.below,
            min_open=info.above is not None,
            max_open=info.below is not None,
        )
    return click.Path()


class _NumberOrFile(click.ParamType):
    """A whole number, or else the name of a file."""

    name = "number or file"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Any:
        """Return the number, or the name."""
        try:
            return int_of(value) if isinstance(value, str) else value
        except ValueError:
            return value
