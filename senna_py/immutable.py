"""A decorator for immutable classes, whose errors suggest where to store data."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from typing import Any, NoReturn

_Class = TypeVar("_Class", bound=type)


def refusing_changes(cls: _Class) -> _Class:
    """Decorate a frozen dataclass with slots so that changes raise a helpful error.

    Without it, assigning to a name that is not a field raises a TypeError about
    `super`, because the class with slots is a copy of the decorated one. Instances of a
    subclass without slots may still have other attributes.
    """
    names = {field.name for field in fields(cls)}

    def refuse(self: object, name: str) -> NoReturn:
        raise FrozenInstanceError(
            f"cannot set or delete {name!r}: a {type(self).__name__} never changes; keep your own "
            "data beside it, as pipe(as_tuples=True) does"
        )

    def set_attribute(self: object, name: str, value: Any) -> None:
        if name in names or not hasattr(self, "__dict__"):
            refuse(self, name)
        object.__setattr__(self, name, value)

    def delete_attribute(self: object, name: str) -> None:
        if name in names or not hasattr(self, "__dict__"):
            refuse(self, name)
        object.__delattr__(self, name)

    cls.__setattr__ = set_attribute  # type: ignore[assignment]
    cls.__delattr__ = delete_attribute  # type: ignore[assignment]
    return cls
