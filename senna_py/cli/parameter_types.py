"""Click parameter types for the values of options."""

import math
from typing import Any

import click

from senna_py.io.numbers import float_of, int_of


class Duration(click.ParamType):
    """A positive time such as `90s`, `45m` or `2.5h`, converted to seconds (float)."""

    name = "time"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Parse a time and return it in seconds."""
        units = {"s": 1, "m": 60, "h": 3600}
        try:
            seconds = float_of(value[:-1]) * units[value[-1:]]
        except (ValueError, KeyError):
            self.fail(f"{value!r} is not a time such as 90s, 45m or 2.5h", param, ctx)
        if not 0 < seconds < math.inf:
            self.fail(f"{value!r} is not a positive time", param, ctx)
        return seconds


class WholeRange(click.IntRange):
    """A range of whole numbers in plain decimal digits, with an optional minus sign.

    Unlike `int`, it rejects underscores, signs such as `+`, and white space.
    """

    name = "N"  # The placeholder in the help.

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Any:
        """Parse a whole number, and check its range."""
        if isinstance(value, str):
            try:
                number = int_of(value.removeprefix("-"))
            except ValueError:
                self.fail(f"{value!r} is not a whole number", param, ctx)
            value = -number if value.startswith("-") else number
        return super().convert(value, param, ctx)


WORKERS = WholeRange(1, 1024)  # The number of threads or processes.


class FiniteRange(click.FloatRange):
    """A range of finite numbers; NaN, which passes the checks of click, is rejected."""

    name = "X"  # The placeholder in the help.

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Any:
        """Parse a finite number, and check its range."""
        try:
            number = super().convert(float_of(str(value)), param, ctx)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a finite number", param, ctx)
        return number
