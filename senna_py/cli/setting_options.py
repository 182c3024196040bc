"""Makes the options of a command from a Settings class."""

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
    """Create an option for each field of a Settings class that has a help text.

    Options are listed in the order of the fields, and passed to the command as keyword
    arguments with the names of the fields. An option that is not used has the default
    of its field, or None if the default depends on another setting.

    Args:
        settings: The Settings class.
        omit: The names of fields without an option.
        unset: The names of further fields that are None if the option is not used.
        only: The names of the only fields with an option, or None for all fields.
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
    """A whole number, or the name of a file if the value is not one."""

    name = "number or file"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Any:
        """Return the number as an int, or the name as a str."""
        try:
            return int_of(value) if isinstance(value, str) else value
        except ValueError:
            return value
