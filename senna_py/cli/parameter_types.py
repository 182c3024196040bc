"""Types of the values of options."""

import math
from typing import Any

import click

from senna_py.io.numbers import float_of, int_of


class Duration(click.ParamType):
    """A time such as `90s`, `45m` or `2.5h`, in seconds."""

    name = "time"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the seconds."""
        units = {"s": 1, "m": 60, "h": 3600}
        try:
            seconds = float_of(value[:-1]) * units[value[-1:]]
        except (ValueError, KeyError):
            self.fail(f"{value!r} is not a time such as 90s, 45m or 2.5h", param, ctx)
        if not 0 < seconds < math.inf:
            self.fail(f"{value!r} is not a positive time", param, ctx)
        return seconds


class WholeRange(click.IntRange):
    """A range of whole numbers, as `io.numbers` reads them; Python's `int` reads more."""

    name = "N"  # in help

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Any:
        """Return the number."""
        if isinstance(value, str):
            try:
                number = int_of(value.removeprefix("-"))
            except ValueError:
                self.fail(f"{value!r} is not a whole number", param, ctx)
            value = -number if value.startswith("-") else number
        return super().convert(value, param, ctx)


WORKERS = WholeRange(1, 1024)  # numbers of threads or processes


class FiniteRange(click.FloatRange):
    """A range of numbers without infinity and NaN, which every comparison lets pass."""

    name = "X"  # in help

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Any:
        """Return the number."""
        try:
            number = super().convert(float_of(str(value)), param, ctx)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a finite number", param, ctx)
        return number
