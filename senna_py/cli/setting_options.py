"""Options of commands from the fields of Settings."""

import dataclasses

import click

from senna_py.cli.options import all_of
from senna_py.cli.parameter_types import FiniteRange, WholeRange
from senna_py.io.numbers import int_of
from senna_py.io.settings import default_of, info_of, metavar_of, option_name, types_of


def options_of(cls, omit=(), unset=(), only=None):
    """A decorator that adds the options of a class of Settings, in the order of its
    fields.

    The command gets their values by the names of the fields. omit: fields that have no
    option; unset: fields that are None if they are not given, as are those whose
    default goes by another option; only: fields that have one, None for all.
    """
    fields = [
        f for f in dataclasses.fields(cls) if info_of(f).help and f.name not in omit
    ]
    fields = [field for field in fields if only is None or field.name in only]
    return all_of(*(_option(field, field.name in unset) for field in fields))


def _option(field, unset):
    info, kinds, default = info_of(field), types_of(field), default_of(field)
    names, text = (option_name(field), field.name), info.help.replace("`", "")
    if bool in kinds:
        return click.option(*names, is_flag=True, default=default, help=text)
    if unset:
        told = {}
    elif info.by:
        told = {"show_default": f"by {info.by}"}
    elif default is dataclasses.MISSING:
        told = {"required": True}
    else:
        told = {"default": default, "show_default": True}
    metavar = info.metavar if info.choices else metavar_of(field)
    return click.option(
        *names, type=_type(info, kinds), metavar=metavar, help=text, **told
    )


def _type(info, kinds):
    if info.choices:
        return click.Choice(info.choices)
    if int in kinds:
        return _NumberOrFile() if str in kinds else WholeRange(info.least, info.most)
    if float in kinds:
        least = info.least if info.above is None else info.above
        most = info.most if info.below is None else info.below
        return FiniteRange(
            least,
            most,
            min_open=info.above is not None,
            max_open=info.below is not None,
        )
    return click.Path()


class _NumberOrFile(click.ParamType):
    """A whole number, or else the name of a file."""

    name = "number or file"

    def convert(self, value, param, ctx):
        try:
            return int_of(value) if isinstance(value, str) else value
        except ValueError:
            return value
