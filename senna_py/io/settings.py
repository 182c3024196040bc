"""Settings: dataclasses whose fields say what they are for and which values they take.

    @dataclass(frozen=True)
    class NplmSettings(Settings):
        rate: float = setting(1e-3, "Initial learning rate, of an example.", least=0)
        epochs: int = setting(20, "Passes over the text.", least=1, free=True)

From one such field come the option of a command (`cli.setting_options`), the limit that
holds however the object is made (by Python, by a command, by a TOML file), what a
checkpoint compares when a run goes on, and the row of a table in the docs
(docs/hooks.py). Options are made without NumPy, so classes of settings stand in modules
that do not import it.
"""

import copy
import dataclasses
import json
import math
import types
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass
from functools import partial
from typing import Any, TypeVar, Union, get_args, get_origin

from senna_py.errors import SennaError, UsageError
from senna_py.io.paths import path_problem

_S = TypeVar("_S", bound="Settings")
_KEY = "setting"  # of the metadata of a field
MOST = 10**18 - 1  # what files and commands can say, see `io.numbers`
_TYPE_NAMES = {
    str: "a string",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    tuple: "a list",
    dict: "a table",
}


@dataclass(frozen=True, kw_only=True)
class SettingInfo:
    """Facts about a setting besides its name, type and default.

    help: a sentence for --help and the docs, without which the setting has no option;
    least, most: limits of a number, themselves allowed; above, below: limits that are
    not; choices: the strings that it may be; metavar: what stands for its value in
    --help and the docs; free: whether a run that is resumed may change it; option: its
    name on the command line, if that is another; by: the option that its default goes
    by, on the command line.
    """

    help: str = ""
    least: float | None = None
    most: float | None = None
    above: float | None = None
    below: float | None = None
    choices: tuple[str, ...] = ()
    metavar: str | None = None
    free: bool = False
    option: str | None = None
    by: str | None = None

    def problem(self, value: object) -> str | None:
        """Reason against a value of the right type, `expected ..., found ...`, or
        None.
        """
        if self.choices and value is not None and value not in self.choices:
            return f"expected one of {', '.join(filter(None, self.choices))}, found {value!r}"
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return None
        if not math.isfinite(value):
            return f"expected a finite number, found {value}"
        most = MOST if self.most is None and isinstance(value, int) else self.most
        for fits, expected in (
            (
                self.least is None or value >= self.least,
                f"{_shown(self.least)} at least",
            ),
            (
                self.above is None or value > self.above,
                f"more than {_shown(self.above)}",
            ),
            (
                self.below is None or value < self.below,
                f"less than {_shown(self.below)}",
            ),
            (most is None or value <= most, f"{_shown(most)} at most"),
        ):
            if not fits:
                return f"expected {expected}, found {_shown(value)}"
        return None


def setting(default: Any = MISSING, help: str = "", **info: Any) -> Any:
    """Make a field of a dataclass of Settings; info: see SettingInfo.

    A list, a dict or Settings may be the default: each object gets its own. Without a
    default, the setting has to be given.
    """
    metadata = {_KEY: SettingInfo(help=help, **info)}
    if isinstance(default, (list, dict, Settings)):
        return dataclasses.field(
            default_factory=lambda: copy.deepcopy(default), metadata=metadata
        )
    return dataclasses.field(default=default, metadata=metadata)


def info_of(field: "Field[Any]") -> SettingInfo:
    """SettingInfo of a field; one that says nothing if it was not made by `setting`."""
    return field.metadata.get(_KEY, SettingInfo())


def default_of(field: "Field[Any]") -> Any:
    """Return the default of a field, MISSING if it has none."""
    return (
        field.default if field.default_factory is MISSING else field.default_factory()
    )


def kinds_of(field: "Field[Any]") -> tuple[type, ...]:
    """Types that the value of a field may have: one, or those of a union."""
    union = get_origin(field.type) in (Union, types.UnionType)
    kinds = get_args(field.type) if union else (field.type,)
    return tuple(get_origin(kind) or kind for kind in kinds)


class Settings:
    """Base of dataclasses of settings, frozen or not. What they hold is checked as they
    are made.

    A subclass may have others as fields, or lists of them, which are tables of a TOML
    file.
    """

    def __post_init__(self) -> None:
        """Raise UsageError, which begins with the name of a setting, for what cannot
        be.
        """
        for field in dataclasses.fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            texts = value if isinstance(value, (list, tuple)) else [value]
            no_file = path_problem(text for text in texts if isinstance(text, str))
            wrong = _wrong_type(field, value) or info_of(field).problem(value)
            if problem := wrong or (no_file and f"{no_file} in {value!r}"):
                raise UsageError(f"{field.name}: {problem}")
        self.check()

    def check(self) -> None:
        """Raise UsageError for settings that do not go with each other."""

    @classmethod
    def of(cls: type[_S], values: Mapping[str, Any], prefix: str = "") -> _S:
        """Make settings of a dict, as of TOML, whose inner tables are dicts.

        prefix: stands before names in messages, such as `network.`. Raises SennaError
        for names that there are not, values that are missing, and values that cannot
        be.
        """
        known = {field.name: field for field in dataclasses.fields(cls)}  # type: ignore[arg-type]
        made = {}
        for name, value in values.items():
            if name not in known:
                raise SennaError(
                    f"{prefix}{name}: no such setting; there are {', '.join(known)}"
                )
            made[name] = _nested(known[name], value, f"{prefix}{name}.")
        for name, field in known.items():
            if name not in values and default_of(field) is MISSING:
                raise SennaError(f"{prefix}{name} is missing")
        try:
            return cls(**made)
        except UsageError as error:
            raise SennaError(f"{prefix}{error}") from None

    def subset(self, cls: type[_S]) -> _S:
        """Make settings of another class from those that have the same names here."""
        names = [field.name for field in dataclasses.fields(cls)]  # type: ignore[arg-type]
        return cls(**{name: getattr(self, name) for name in names})

    def as_dict(self) -> dict[str, Any]:
        """Return the settings as JSON can say them: what a checkpoint holds."""
        return json.loads(json.dumps(dataclasses.asdict(self)))  # type: ignore[call-overload]

    def free(self) -> tuple[str, ...]:
        """Names, with dots, of the settings that a resumed run may change."""
        found = []
        for field in dataclasses.fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if info_of(field).free:
                found.append(field.name)
            elif isinstance(value, Settings):
                found += [f"{field.name}.{name}" for name in value.free()]
        return tuple(found)


def option_name(field: "Field[Any]") -> str:
    """Return the name of a setting on the command line, with its dashes."""
    return f"--{info_of(field).option or field.name.replace('_', '-')}"


def metavar_of(field: "Field[Any]") -> str:
    """Return what stands for the value of a setting in docs."""
    info, kinds = info_of(field), kinds_of(field)
    if info.metavar or info.choices:
        return info.metavar or "NAME"
    return "N" if int in kinds else "X" if float in kinds else "FILE"


def _nested(field: "Field[Any]", value: Any, prefix: str) -> Any:
    """Make Settings of a value that is a table, or a list of tables, where the field
    has such.
    """
    for kind in kinds_of(field):
        if issubclass(kind, Settings) and isinstance(value, Mapping):
            return kind.of(value, prefix)
    for kind in _items_of(field):
        if issubclass(kind, Settings) and isinstance(value, list):
            return [
                kind.of(each, prefix) if isinstance(each, Mapping) else each
                for each in value
            ]
    return value


def _items_of(field: "Field[Any]") -> tuple[type, ...]:
    """Types of the items of a list, or of the values of a dict, if the field says
    them.
    """
    return get_args(field.type)[-1:] if get_origin(field.type) in (list, dict) else ()


def _wrong_type(field: "Field[Any]", value: Any) -> str | None:
    kinds, items = kinds_of(field), _items_of(field)
    if not _is_one(kinds, value):
        return f"expected {_named(kinds)}, found {value!r}"
    if not items or all(
        map(partial(_is_one, items), getattr(value, "values", value.__iter__)())
    ):
        return None
    return f"expected {_named(kinds)} of {_named(items).split()[-1]}s, found {value!r}"


def _is_one(kinds: tuple[type, ...], value: object) -> bool:
    return any(
        type(value) is kind
        or (kind is float and type(value) is int)
        or (issubclass(kind, Settings) and isinstance(value, kind))
        for kind in kinds
    )


def _named(kinds: tuple[type, ...]) -> str:
    named = [
        _TYPE_NAMES.get(kind, "a table") for kind in kinds if kind is not types.NoneType
    ]
    return " or ".join(named)


def _shown(number: float | None) -> str:
    return f"{number:,}" if isinstance(number, int) else str(number)
