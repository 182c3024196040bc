"""Classes whose objects never change, and say so where somebody tries."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from typing import Any, NoReturn

_Class = TypeVar("_Class", bound=type)


def refusing_changes(cls: _Class) -> _Class:
    """Have a frozen dataclass with slots refuse every attribute with a message.

    Python's own refusal knows only the fields: for other names it fails with a
    TypeError about `super`, because a class with slots is not the one that the
    decorator was given. A subclass without slots may still have attributes of its own.
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
