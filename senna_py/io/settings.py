"""Settings: dataclasses whose fields have a description and limits of their values.

    @dataclass(frozen=True)
    class NplmSettings(Settings):
        rate: float = setting(1e-3, "Initial learning rate, of an example.", least=0)
        epochs: int = setting(20, "Passes over the text.", least=1, free=True)

Each of these fields defines an option of a command (`cli.setting_options`), the limits
that are checked when an object is created (in Python, by a command, from a TOML file),
a value that is compared with the checkpoint when a run is resumed, and a row of a table
in the documentation (docs/tables.py). Settings are defined in modules that do not
import NumPy, so that commands start fast.
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
_KEY = "setting"  # the key of SettingInfo in the metadata of a field
LARGEST_INTEGER = 10**18 - 1  # the largest number that `io.numbers` parses
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
    """The description and the limits of a setting.

    Attributes:
        help: A sentence for --help and the documentation. A setting without it has no
            option.
        least, most: Inclusive limits of a number. By default, LARGEST_INTEGER is the
            upper limit of an int; a float must always be finite.
        above, below: Exclusive limits of a number.
        choices: The allowed strings; an empty tuple allows all.
        metavar: The name of the value in --help and the documentation.
        free: Whether a resumed run may change the setting.
        option: The name of its option, if it differs from the name of the setting.
        by: The option or setting on which its default depends.
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
        """Return a description of the error in a value, or None.

        The value is assumed to have the right type.
        """
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
    """Return a field for a dataclass of Settings.

    Args:
        default: The default value, which is copied for each object if it is mutable or
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
    """Return the SettingInfo of a field, which is empty if `setting` was not used."""
    return field.metadata.get(_KEY, SettingInfo())


def default_of(field: "Field[Any]") -> Any:
    """Return the default value of a field, or MISSING if it has none."""
    if field.default_factory is MISSING:
        return field.default
    return field.default_factory()


def types_of(field: "Field[Any]") -> tuple[type, ...]:
    """Return the types of a field's value, without the types of items in lists."""
    return tuple(get_origin(each) or each for each in _alternatives(field.type))


class Settings:
    """Base class of dataclasses of settings, which check their values.

    The type of a field may be another class of Settings, or a list or dict of these.
    Such values are tables in a TOML file, and may be passed as dicts.
    """

    def __post_init__(self) -> None:
        """Check and convert the values.

        Raises:
            UsageError: If a value is not allowed. The message begins with the name of
                the setting.
        """
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
        self.fill_in()
        self.check()

    def fill_in(self) -> None:
        """Set settings that were left out and follow from others; for subclasses."""

    def check(self) -> None:
        """Raise UsageError if settings are incompatible; subclasses override this."""

    @classmethod
    def of(cls: type[_S], values: Mapping[str, Any]) -> _S:
        """Return settings with the values of a TOML table.

        Raises:
            SennaError: If a name is unknown, a required value is missing, or a value is
                not allowed. The message begins with the name of the setting, with the
                names of the tables around it as a prefix.
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
        """Return an object of another class of settings, with values from this object.

        Args:
            cls: The class, whose settings must be a subset of this object's settings.
        """
        return cls(**{field.name: getattr(self, field.name) for field in _fields(cls)})

    def as_dict(self) -> dict[str, Any]:
        """Return the settings as a dict of JSON values, for checkpoints and models."""
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
    """Return the option of a setting on the command line, such as `--batch-size`."""
    return f"--{info_of(field).option or field.name.replace('_', '-')}"


def metavar_of(field: "Field[Any]") -> str:
    """Return the name of a setting's value in --help and the documentation."""
    info, expected = info_of(field), types_of(field)
    if info.metavar:
        return info.metavar
    if info.choices:
        return "NAME"
    if int in expected:
        return "N"
    return "X" if float in expected else "FILE"


def _fields(cls: type) -> "list[Field[Any]]":
    """Return the fields that are arguments of `__init__`, and so keys of a table."""
    return [field for field in dataclasses.fields(cls) if field.init]


def _alternatives(expected: Any) -> tuple[Any, ...]:
    """Return the members of a union; any other type is its only alternative."""
    if get_origin(expected) in (Union, types.UnionType):
        return get_args(expected)
    return (expected,)


def converted(place: str, expected: Any, value: Any) -> Any:
    """Return a value with its tables converted to Settings.

    Args:
        place: The dotted name of the value, for messages.
        expected: The type of the value.
        value: The value.

    Raises:
        UsageError: If the value does not have the expected type, or a value in it is
            not allowed. The message begins with its dotted name.
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
    """Return whether a value has a type; an int is also a float, a bool is neither."""
    if issubclass(expected, Settings):
        return isinstance(value, expected)
    return type(value) is expected or (expected is float and type(value) is int)


def _shown(number: float | None) -> str:
    return f"{number:,}" if isinstance(number, int) else str(number)
