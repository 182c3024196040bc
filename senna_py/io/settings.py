"""Settings: dataclasses whose fields say what they are for and which values they take.

    @dataclass(frozen=True)
    class NplmSettings(Settings):
        rate: float = setting(1e-3, "Initial learning rate, of an example.", least=0)
        epochs: int = setting(20, "Passes over the text.", least=1, free=True)

One such field gives the option of a command (`cli.setting_options`), the limits that
hold however the object is made (by Python, by a command, by a TOML file), the values
that a checkpoint compares when a run is resumed, and the row of a table in the docs
(docs/tables.py). Options are made without NumPy, so classes of settings stand in
modules that do not import it.
"""

import copy
import dataclasses
import json
import math
import types
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass
from typing import Any, TypeVar, Union, get_args, get_origin

from senna_py.errors import SennaError, UsageError
from senna_py.io.paths import path_problem

_S = TypeVar("_S", bound="Settings")
_KEY = "setting"  # of the metadata of a field
LARGEST_INTEGER = 10**18 - 1  # that files and commands can say, see `io.numbers`
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

    Attributes:
        help: A sentence for --help and the docs. A setting without it has no option.
        least, most: Limits of a number, which are allowed themselves.
        above, below: Limits of a number, which are not allowed themselves.
        choices: The strings that are allowed.
        metavar: The name of the value in --help and the docs.
        free: Whether a resumed run may change it.
        option: Its name on the command line, if that differs.
        by: The option, or the setting, on which its default depends.
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
        """Return what is wrong with a value of the right type, or None."""
        if self.choices and value is not None and value not in self.choices:
            expected = ", ".join(filter(None, self.choices))
            return f"expected one of {expected}, found {value!r}"
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return None
        if not math.isfinite(value):
            return f"expected a finite number, found {value}"
        most = self.most
        if most is None and isinstance(value, int):
            most = LARGEST_INTEGER
        if self.least is not None and value < self.least:
            expected = f"{_shown(self.least)} at least"
        elif self.above is not None and value <= self.above:
            expected = f"more than {_shown(self.above)}"
        elif self.below is not None and value >= self.below:
            expected = f"less than {_shown(self.below)}"
        elif most is not None and value > most:
            expected = f"{_shown(most)} at most"
        else:
            return None
        return f"expected {expected}, found {_shown(value)}"


def setting(default: Any = MISSING, help: str = "", **info: Any) -> Any:
    """Make a field of a dataclass of Settings.

    Args:
        default: The default. Each object gets its own copy of a list, a dict or
            Settings. A setting without a default is required.
        help: See SettingInfo.
        **info: The other attributes of SettingInfo.
    """
    metadata = {_KEY: SettingInfo(help=help, **info)}
    if isinstance(default, (list, dict, Settings)):
        return dataclasses.field(
            default_factory=lambda: copy.deepcopy(default), metadata=metadata
        )
    return dataclasses.field(default=default, metadata=metadata)


def info_of(field: "Field[Any]") -> SettingInfo:
    """Return the SettingInfo of a field, an empty one if `setting` did not make it."""
    return field.metadata.get(_KEY, SettingInfo())


def default_of(field: "Field[Any]") -> Any:
    """Return the default of a field, MISSING if it has none."""
    if field.default_factory is MISSING:
        return field.default
    return field.default_factory()


def types_of(field: "Field[Any]") -> tuple[type, ...]:
    """Return the types that the value of a field may have, without those of items."""
    return tuple(get_origin(each) or each for each in _alternatives(field.type))


class Settings:
    """Base of dataclasses of settings, frozen or not, which check their values.

    A field may be of another class of Settings, or a list or dict of such: these are
    tables in a TOML file, and may be given as dicts.
    """

    def __post_init__(self) -> None:
        """Raise UsageError, beginning with a setting's name, for an impossible value."""
        for field in _fields(type(self)):
            value = converted(field.name, field.type, getattr(self, field.name))
            texts = value if isinstance(value, (list, tuple)) else [value]
            no_file = path_problem(text for text in texts if isinstance(text, str))
            problem = info_of(field).problem(value)
            if problem is None and no_file:
                problem = f"{no_file} in {value!r}"
            if problem:
                raise UsageError(f"{field.name}: {problem}")
            object.__setattr__(self, field.name, value)
        self.check()

    def check(self) -> None:
        """Raise UsageError for settings that do not go with each other."""

    @classmethod
    def of(cls: type[_S], values: Mapping[str, Any]) -> _S:
        """Make settings from a table of TOML.

        Raises:
            SennaError: A name is unknown, a required value is missing, or a value is
                impossible. The message begins with the name of the setting, after
                those of the tables that it stands in.
        """
        fields = {field.name: field for field in _fields(cls)}
        for name in values:
            if name not in fields:
                known = ", ".join(fields)
                raise SennaError(f"{name}: no such setting; there are {known}")
        for name, field in fields.items():
            if name not in values and default_of(field) is MISSING:
                raise SennaError(f"{name} is missing")
        try:
            return cls(**values)
        except UsageError as error:
            raise SennaError(str(error)) from None

    def subset(self, cls: type[_S]) -> _S:
        """Make settings of another class from those that have the same names here."""
        return cls(**{field.name: getattr(self, field.name) for field in _fields(cls)})

    def as_dict(self) -> dict[str, Any]:
        """Return the settings as JSON can hold them, for checkpoints and models."""
        return json.loads(json.dumps(dataclasses.asdict(self)))  # type: ignore[call-overload]

    def free(self) -> tuple[str, ...]:
        """Return the dotted names of the settings that a resumed run may change."""
        names: list[str] = []
        for field in _fields(type(self)):
            value = getattr(self, field.name)
            if info_of(field).free:
                names.append(field.name)
            elif isinstance(value, Settings):
                names += [f"{field.name}.{name}" for name in value.free()]
        return tuple(names)


def option_name(field: "Field[Any]") -> str:
    """Return the name of a setting on the command line, with its dashes."""
    return f"--{info_of(field).option or field.name.replace('_', '-')}"


def metavar_of(field: "Field[Any]") -> str:
    """Return the name of the value of a setting in --help and the docs."""
    info, expected = info_of(field), types_of(field)
    if info.metavar:
        return info.metavar
    if info.choices:
        return "NAME"
    if int in expected:
        return "N"
    return "X" if float in expected else "FILE"


def _fields(cls: type) -> "list[Field[Any]]":
    """Return the fields that a table may have."""
    return [field for field in dataclasses.fields(cls) if field.init]


def _alternatives(expected: Any) -> tuple[Any, ...]:
    """Return the members of a union, or the one type that is expected."""
    if get_origin(expected) in (Union, types.UnionType):
        return get_args(expected)
    return (expected,)


def converted(place: str, expected: Any, value: Any) -> Any:
    """Return a value of the expected type, with Settings in place of their tables.

    Raises UsageError, which begins with `place`, the name of the value, and the names
    below it.
    """
    for option in _alternatives(expected):
        container, items = get_origin(option) or option, get_args(option)
        if issubclass(container, Settings) and isinstance(value, Mapping):
            try:
                return option.of(value)
            except SennaError as error:
                raise UsageError(f"{place}.{error}") from None
        if not _is_one(container, value):
            continue
        if container is list and items:
            return [converted(place, items[0], item) for item in value]
        if container is dict and items:
            return {
                key: converted(f"{place}.{key}", items[-1], item)
                for key, item in value.items()
            }
        return value
    names = [
        _TYPE_NAMES.get(get_origin(option) or option, "a table")
        for option in _alternatives(expected)
        if option is not types.NoneType
    ]
    raise UsageError(f"{place}: expected {' or '.join(names)}, found {value!r}")


def _is_one(expected: type, value: object) -> bool:
    """Return whether a value is of a type; true is no number, but a number is one."""
    if issubclass(expected, Settings):
        return isinstance(value, expected)
    return type(value) is expected or (expected is float and type(value) is int)


def _shown(number: float | None) -> str:
    return f"{number:,}" if isinstance(number, int) else str(number)
